//! Positions after moves.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use connect4_protocol::{End, Error};
use connect4_rules::variant::{self, Colour, Move, Variant};
use connect4_rules::{Cells, notation};
use connect4_wire::{MoveAsked, Position, Terms};
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
    /// Bins into which a disc can be dropped, from 0 at the left.
    pub bins: Vec<u8>,
    /// The moves as text.
    pub notation: String,
}

pub(crate) fn of(asked: PlayedMoves) -> Result<Played, Failure> {
    let terms = Variant::try_from(asked.terms.spec).map_err(Error::from)?;
    let made: Vec<Move> = asked.moves.into_iter().map(Move::from).collect();
    let mut position = variant::Position::new(terms);
    let mut departures = asked.departures.iter().peekable();
    let mut moves = made.iter();
    loop {
        while let Some(gone) = departures.next_if(|gone| gone.turns <= position.turns()) {
            position.leave(gone.player).map_err(Error::from)?;
        }
        let Some(action) = moves.next() else { break };
        position.play(*action).map_err(Error::from)?;
    }
    if departures.next().is_some() {
        return Err(Failure::request("a player has left after the last move"));
    }
    let cells = match position.outcome() {
        Some(_) => Cells::EMPTY,
        None => position.drop_cells(),
    };
    let mut shown = Position::of_variant(&position, made.contains(&Move::Swap));
    if terms.is_classic() && shown.end == Some(End::NoMove) {
        shown.end = Some(End::FullBoard);
    }
    Ok(Played {
        position: shown,
        bins: cells
            .iter(position.shape())
            .map(|cell| cell.bin.index())
            .collect(),
        notation: notation::write(made).to_string(),
    })
}
