//! Events as `watch` follows them: those of final blocks, or at once those of the best ones.

use connect4_client::{Contracts, Error, Event, GameId, H256, News, Occurrence, Watch, WatchBest};
use connect4_protocol::AnyGame;
use connect4_rules::Bin;

use crate::failure::Failure;
use crate::game::Position;
use crate::lookup;

/// A subscription to the events of contracts.
pub enum Following {
    /// In final blocks, which are never replaced.
    Final(Watch),
    /// In the best blocks.
    Best(WatchBest),
}

impl Following {
    pub async fn of(contracts: &Contracts, best: bool) -> Result<Self, Error> {
        Ok(match best {
            false => Self::Final(contracts.watch().await?),
            true => Self::Best(contracts.watch_best().await?),
        })
    }

    /// Hash of the block after which events are told.
    pub const fn since(&self) -> H256 {
        match self {
            Self::Final(watch) => watch.since(),
            Self::Best(watch) => watch.since(),
        }
    }

    /// The next event, or one whose block was replaced.
    pub async fn next(&mut self) -> Result<News, Error> {
        match self {
            Self::Final(watch) => watch.next().await.map(News::Happened),
            Self::Best(watch) => watch.next().await,
        }
    }

    /// The next event, or one whose block was replaced, until the event `at` is final; then none.
    pub async fn next_until_final(&mut self, at: &Occurrence) -> Result<Option<News>, Error> {
        match self {
            Self::Final(_) => Ok(None),
            Self::Best(watch) => watch.next_until_final(at.block).await,
        }
    }
}

/// The next event, or one whose block was replaced, until the event by which a game has ended is
/// final; then none. `end` is that event, if the game has ended.
pub async fn until_end(
    following: &mut Following,
    end: Option<&Occurrence>,
) -> Result<Option<News>, Error> {
    match end {
        Some(end) => following.next_until_final(end).await,
        None => following.next().await.map(Some),
    }
}

/// The states of a game that is followed: each event that changes it adds one, which is removed if the
/// block of the event is replaced.
pub struct States<S> {
    first: S,
    /// The states after events, with the block and the transaction of each.
    later: Vec<((H256, u32), S)>,
}

impl<S> States<S> {
    /// The state before all events.
    pub const fn new(first: S) -> Self {
        Self {
            first,
            later: Vec::new(),
        }
    }

    pub fn now(&self) -> &S {
        self.later.last().map_or(&self.first, |(_, state)| state)
    }

    /// Adds the state after an event.
    pub fn after(&mut self, at: &Occurrence, state: S) {
        self.later.push(((at.block_hash, at.index), state));
    }

    /// Removes the state after an event, if the event has added one. Returns whether it had.
    pub fn take_back(&mut self, at: &Occurrence) -> bool {
        let event = (at.block_hash, at.index);
        let had = self.later.last().is_some_and(|(added, _)| *added == event);
        if had {
            self.later.pop();
        }
        had
    }
}

/// The position of a game after an event, and `seen` the newest state of the game; none if the event
/// does not change the position.
pub fn after(
    position: Position,
    event: &Event,
    seen: &AnyGame,
    id: GameId,
) -> Result<Option<Position>, Failure> {
    Ok(Some(match (position, event) {
        (Position::Classic(mut position), Event::DiscDropped(dropped)) => {
            lookup::replay_move(&mut position, Bin::new(dropped.bin), id)?;
            position.into()
        }
        (Position::Variant(mut position), Event::MoveMade(made)) => {
            let action = made.action;
            position.play(action).map_err(|error| {
                Failure::Other(format!(
                    "the events of game {id} are not a valid game: {error} in the move {action}"
                ))
            })?;
            position.into()
        }
        (Position::Variant(mut position), Event::PlayerLeft(left)) if seen.has_started() => {
            // Someone who left the table before the start has no colour, or has another one now.
            match seen.colour_of(left.player) {
                Some(colour) if seen.has_left(colour) => {
                    let _ = position.leave(colour);
                    position.into()
                }
                _ => return Ok(None),
            }
        }
        _ => return Ok(None),
    }))
}
