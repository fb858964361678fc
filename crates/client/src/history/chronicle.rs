//! Contracts that keep games whose past can be looked up.

use connect4_protocol::{Event, GameId};
use subxt::utils::H256;

use crate::contracts::deployed::Deployed;
use crate::contracts::occurrence::Occurrence;
use crate::error::Error;

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Progress {
    /// The game is not there yet.
    NotThere,
    /// The game is a table that waits for players.
    Open,
    /// The game has had so many events of play, at least its start. Moves of which one event tells
    /// count each.
    Events(u16),
    /// The game's storage was freed.
    Freed,
}

/// Part of an event in the play of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The game starts.
    Start,
    /// The game goes on.
    Course,
    /// The game ends.
    End,
    /// The game, which has not started, never will.
    Cancelled,
}

/// Contracts that keep games whose past can be looked up.
pub(crate) trait Chronicle {
    /// The contracts.
    fn deployed(&self) -> &Deployed;

    /// The game with this number, as it is named.
    fn id(number: u32) -> GameId;

    /// The part of an event in the play of a game; none if it has none.
    fn part(event: &Event, number: u32) -> Option<Part>;

    /// How far a game had come after a block.
    async fn progress(&self, number: u32, block: H256) -> Result<Progress, Error>;

    /// Number of games after a block.
    async fn game_count_at(&self, block: H256) -> Result<u32, Error>;

    /// Whether a game was started before the end of a block.
    async fn was_started(&self, number: u32, block: H256) -> Result<bool, Error> {
        Ok(self.game_count_at(block).await? > number)
    }

    /// How far a game had come after its first events of play, which are these: the number that
    /// [`Progress::Events`] had then.
    fn told(events: &[Occurrence]) -> u16 {
        u16::try_from(events.len()).unwrap_or(u16::MAX)
    }

    /// How far a game, which was read, has come. The contract forgets those that are freed.
    async fn progress_of(
        &self,
        number: u32,
        block: H256,
        read: Result<Option<Progress>, Error>,
    ) -> Result<Progress, Error> {
        match read {
            Ok(Some(progress)) => Ok(progress),
            Ok(None) if self.was_started(number, block).await? => Ok(Progress::Freed),
            Ok(None) | Err(Error::NoContract(_)) => Ok(Progress::NotThere),
            Err(error) => Err(error),
        }
    }
}
