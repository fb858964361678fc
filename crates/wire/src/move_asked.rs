//! Moves that are asked for.

use connect4_rules::variant;
use connect4_rules::{Bin, Cell};
use serde::{Deserialize, Serialize};

/// A move that is asked for. Bins count from 0 at the left, rows from 0 at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum MoveAsked {
    /// Puts a disc of the mover on top of a bin.
    Drop {
        /// The bin.
        bin: u8,
    },
    /// Takes the mover's own disc out of the bottom of a bin.
    Pop {
        /// The bin.
        bin: u8,
    },
    /// Takes an opponent's disc out of a cell.
    Take(Cell),
    /// Takes every disc out of a row.
    Clear {
        /// The row.
        row: u8,
    },
    /// Puts a disc of the mover into a cell above the discs of its bin.
    Float(Cell),
    /// Exchanges the colours of the two players.
    Swap,
}

impl From<variant::Move> for MoveAsked {
    fn from(action: variant::Move) -> Self {
        use variant::Move;

        match action {
            Move::Drop(bin) => Self::Drop { bin: bin.index() },
            Move::Pop(bin) => Self::Pop { bin: bin.index() },
            Move::Take(cell) => Self::Take(cell),
            Move::Clear(row) => Self::Clear { row },
            Move::Float(cell) => Self::Float(cell),
            Move::Swap => Self::Swap,
        }
    }
}

impl From<MoveAsked> for variant::Move {
    fn from(action: MoveAsked) -> Self {
        match action {
            MoveAsked::Drop { bin } => Self::Drop(Bin::new(bin)),
            MoveAsked::Pop { bin } => Self::Pop(Bin::new(bin)),
            MoveAsked::Take(cell) => Self::Take(cell),
            MoveAsked::Clear { row } => Self::Clear(row),
            MoveAsked::Float(cell) => Self::Float(cell),
            MoveAsked::Swap => Self::Swap,
        }
    }
}
