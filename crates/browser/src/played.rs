//! Positions after moves.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use connect4_protocol::Error;
use connect4_rules::{Bin, ShapeSpec, notation};
use connect4_wire::Position;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::moves;

/// Moves on an empty board.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayedMoves {
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// Bins of the moves in order, from 0 at the left.
    pub moves: Vec<u8>,
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
    let shape = connect4_rules::Shape::try_from(asked.shape).map_err(Error::from)?;
    let mut position = connect4_rules::Position::new(shape);
    let made = || asked.moves.iter().copied().map(Bin::new);
    for bin in made() {
        position.drop(bin).map_err(Error::from)?;
    }
    Ok(Played {
        position: Position::new(&position),
        bins: moves::legal(&position),
        notation: notation::write(made()).to_string(),
    })
}
