//! Moves, and what they do to the discs.

use connect4_rules::variant::{Change, Colour, Move, MoveError, Position};
use connect4_rules::{Bin, Cells};
use serde::{Deserialize, Serialize};

use super::terms::VariantColour;
use crate::Cell;

/// A move. Bins count from 0 at the left, rows from 0 at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum VariantMove {
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
    Take {
        /// The bin of the cell.
        bin: u8,
        /// The row of the cell.
        row: u8,
    },
    /// Takes every disc out of a row.
    Clear {
        /// The row.
        row: u8,
    },
    /// Puts a disc of the mover into a cell above the discs of its bin.
    Float {
        /// The bin of the cell.
        bin: u8,
        /// The row of the cell.
        row: u8,
    },
    /// Exchanges the colours of the two players.
    Swap,
}

impl From<Move> for VariantMove {
    fn from(action: Move) -> Self {
        match action {
            Move::Drop(bin) => Self::Drop { bin: bin.index() },
            Move::Pop(bin) => Self::Pop { bin: bin.index() },
            Move::Take(cell) => Self::Take {
                bin: cell.bin.index(),
                row: cell.row,
            },
            Move::Clear(row) => Self::Clear { row },
            Move::Float(cell) => Self::Float {
                bin: cell.bin.index(),
                row: cell.row,
            },
            Move::Swap => Self::Swap,
        }
    }
}

impl From<VariantMove> for Move {
    fn from(action: VariantMove) -> Self {
        match action {
            VariantMove::Drop { bin } => Self::Drop(Bin::new(bin)),
            VariantMove::Pop { bin } => Self::Pop(Bin::new(bin)),
            VariantMove::Take { bin, row } => Self::Take(connect4_rules::Cell::new(bin, row)),
            VariantMove::Clear { row } => Self::Clear(row),
            VariantMove::Float { bin, row } => Self::Float(connect4_rules::Cell::new(bin, row)),
            VariantMove::Swap => Self::Swap,
        }
    }
}

/// A disc in its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Disc {
    /// Whose it is.
    pub colour: VariantColour,
    /// Where it lies.
    #[serde(flatten)]
    pub cell: Cell,
}

/// A disc that comes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Fall {
    /// Whose it is.
    pub colour: VariantColour,
    /// Where it lay.
    pub from: Cell,
    /// Where it comes to lie.
    pub to: Cell,
}

/// What a move does to the discs. First discs are taken out, then those above them come down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct BoardChange {
    /// Discs that are put on the board.
    pub added: Vec<Disc>,
    /// Discs that are taken out.
    pub removed: Vec<Disc>,
    /// Discs that come down, from the bottom of each bin.
    pub fallen: Vec<Fall>,
}

impl BoardChange {
    /// What a move of the player to move does.
    ///
    /// # Errors
    ///
    /// If the position refuses the move.
    pub fn new(position: &Position, action: Move) -> Result<Self, MoveError> {
        let Change {
            added,
            removed,
            fallen,
        } = position.change(action)?;
        let discs = |cells: Cells| {
            let cells = cells.iter(position.shape());
            cells.filter_map(|cell| Some((position.disc(cell)?, cell)))
        };
        let disc = |(colour, cell): (Colour, connect4_rules::Cell)| Disc {
            colour: colour.into(),
            cell: cell.into(),
        };
        Ok(Self {
            added: position
                .to_move()
                .zip(added)
                .map(disc)
                .into_iter()
                .collect(),
            removed: discs(removed).map(disc).collect(),
            fallen: discs(fallen)
                .map(|(colour, from)| Fall {
                    colour: colour.into(),
                    from: from.into(),
                    to: Cell {
                        bin: from.bin.index(),
                        row: from.row.saturating_sub(1),
                    },
                })
                .collect(),
        })
    }
}
