//! Replaying a game from its events.

use connect4_protocol::event::{DiscDropped, GameEnded, GameStarted};
use connect4_protocol::{Event, Game};
use connect4_rules::Bin;

use crate::history::Occurrence;

/// Returned if events make no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// Returned if no event is the [`GameStarted`].
    #[error("the events of the game have no start")]
    NoStart,
    /// Returned if the rules refuse an event.
    #[error("the events of the game make no game: {0}")]
    Refused(#[from] connect4_protocol::Error),
}

/// The game that these events, in the chain's order, lead to.
///
/// # Errors
///
/// [`ReplayError::Refused`] for the first event that the rules refuse, else
/// [`ReplayError::NoStart`] if there is no game.
pub fn replay(history: &[Occurrence]) -> Result<Game, ReplayError> {
    let mut game = None;
    for at in history {
        match (&at.event, &mut game) {
            (
                Event::GameStarted(GameStarted {
                    player_one,
                    player_two,
                    shape,
                    ..
                }),
                None,
            ) => game = Some(Game::start(*player_one, *player_two, *shape)?),
            (Event::DiscDropped(DiscDropped { player, bin, .. }), Some(game)) => {
                game.drop(*player, Bin::new(*bin), 0)?;
            }
            (Event::GameEnded(GameEnded { winner, end, .. }), Some(game)) if !game.is_over() => {
                let winner = winner.and_then(|winner| game.player_of(&winner));
                game.finish(*end, winner)?;
            }
            _ => {}
        }
    }
    game.ok_or(ReplayError::NoStart)
}
