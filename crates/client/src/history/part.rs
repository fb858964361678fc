//! The parts of events in the play of games.

use connect4_protocol::{Event, GameId};

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

impl Part {
    /// The part of an event in the play of a game; none if it has none.
    pub(crate) fn of(event: &Event, game: GameId) -> Option<Self> {
        let part = match event {
            Event::GameStarted(_) | Event::VariantStarted(_) => Self::Start,
            Event::DiscDropped(_) | Event::MoveMade(_) | Event::PlayerLeft(_) => Self::Course,
            Event::GameEnded(_) | Event::VariantEnded(_) => Self::End,
            Event::TableClosed(_) => Self::Cancelled,
            _ => return None,
        };
        (event.game() == Some(game)).then_some(part)
    }
}
