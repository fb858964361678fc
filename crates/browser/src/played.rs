//! Positions after moves.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use connect4_protocol::{End, Error};
use connect4_rules::notation;
use connect4_rules::variant::{self, Colour, Move as Action, MoveError, Powers, Variant};
use connect4_wire::{Move, MoveAsked, Position, Refusals, Targets, Terms, options};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// Moves on an empty board.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayedMoves {
    /// Terms of the game.
    pub terms: Terms,
    /// The moves in order.
    pub moves: Vec<MoveAsked>,
    /// The players who have left between them, in order.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<PlayerGone>>"))]
    pub departures: Vec<PlayerGone>,
    /// Why nobody is to move, whatever the board is; none if somebody may be.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub halted: Option<String>,
}

/// A player who has left.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerGone {
    /// The player.
    pub player: Colour,
    /// After how many turns.
    pub turns: u8,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Played {
    /// The position.
    #[serde(flatten)]
    pub position: Position,
    /// What the player to move can do.
    pub targets: Targets,
    /// Why the player to move cannot do the rest.
    pub refusals: Refusals,
    /// The moves, with what they did.
    pub moves: Vec<Move>,
    /// The players in the order of play.
    pub players: Vec<PlayerLeft>,
    /// The moves as text.
    pub notation: String,
}

/// What a player has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerLeft {
    /// How often the player may still use each power.
    pub powers: Powers,
    /// Whether the player has left the game.
    pub out: bool,
}

pub(crate) fn of(asked: PlayedMoves) -> Result<Played, Failure> {
    let terms = Variant::try_from(asked.terms.spec).map_err(Error::from)?;
    let made: Vec<Action> = asked.moves.into_iter().map(Action::from).collect();
    let mut position = variant::Position::new(terms);
    let mut departures = asked.departures.iter().peekable();
    let mut moves = Vec::new();
    let mut next = made.iter();
    loop {
        while let Some(gone) = departures.next_if(|gone| gone.turns <= position.turns()) {
            position.leave(gone.player).map_err(Error::from)?;
        }
        let Some(action) = next.next() else { break };
        let played = connect4_wire::Played::new(&position, *action).map_err(Error::from)?;
        moves.push(Move {
            played,
            transaction: None,
        });
        position.play(*action).map_err(Error::from)?;
    }
    if departures.next().is_some() {
        return Err(Failure::request("a player has left after the last move"));
    }
    let mut shown = Position::of_variant(&position, made.contains(&Action::Swap));
    if terms.is_classic() && shown.end == Some(End::NoMove) {
        shown.end = Some(End::FullBoard);
    }
    let over = MoveError::GameOver.to_string();
    let halted = asked.halted.or_else(|| shown.over.then_some(over));
    let (targets, refusals) = options(&position, halted.as_deref());
    let left = |colour| PlayerLeft {
        powers: position.powers(colour),
        out: position.has_left(colour),
    };
    Ok(Played {
        position: shown,
        targets,
        refusals,
        moves,
        players: terms.colours().map(left).collect(),
        notation: notation::write(made).to_string(),
    })
}
