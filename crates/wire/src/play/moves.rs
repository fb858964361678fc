//! Moves, and what they do to the discs.

use alloc::vec::Vec;

use connect4_rules::variant::{self, Change, Colour, MoveError, Position, Powers};
use connect4_rules::{Bin, Cell, Cells, Player};
use serde::Serialize;

use super::text::{Amount, Hash};
use crate::MoveAsked;

/// A move that was made; a drop with the cell in which the disc came to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Made {
    /// A disc was put on top of a bin.
    Drop(Cell),
    /// The mover's own disc was taken out of the bottom of a bin.
    Pop {
        /// The bin.
        bin: u8,
    },
    /// An opponent's disc was taken out of a cell.
    Take(Cell),
    /// Every disc was taken out of a row.
    Clear {
        /// The row.
        row: u8,
    },
    /// A disc was put into a cell above the discs of its bin.
    Float(Cell),
    /// Colours were exchanged.
    Swap,
}

impl Made {
    /// A move of the player to move.
    fn of(before: &Position, action: variant::Move) -> Self {
        match action.into() {
            MoveAsked::Drop { bin } => Self::Drop(Cell::new(bin, before.height(Bin::new(bin)))),
            MoveAsked::Pop { bin } => Self::Pop { bin },
            MoveAsked::Take(cell) => Self::Take(cell),
            MoveAsked::Clear { row } => Self::Clear { row },
            MoveAsked::Float(cell) => Self::Float(cell),
            MoveAsked::Swap => Self::Swap,
        }
    }
}

impl From<Made> for variant::Move {
    fn from(made: Made) -> Self {
        match made {
            Made::Drop(Cell { bin, .. }) => Self::Drop(bin),
            Made::Pop { bin } => Self::Pop(Bin::new(bin)),
            Made::Take(cell) => Self::Take(cell),
            Made::Clear { row } => Self::Clear(row),
            Made::Float(cell) => Self::Float(cell),
            Made::Swap => Self::Swap,
        }
    }
}

/// A disc in its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Disc {
    /// Whose it is.
    pub colour: Colour,
    /// Where it lies.
    #[serde(flatten)]
    pub cell: Cell,
}

/// A move that was made, and what it did to the discs. First discs are taken out, then those above
/// them come down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Played {
    /// The player who moved; of a swap, the colour before it.
    pub player: Colour,
    /// The move.
    #[serde(flatten)]
    pub made: Made,
    /// Discs that were taken out; left out if there were none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "declarations", ts(optional, as = "Option<Vec<Disc>>"))]
    pub removed: Vec<Disc>,
    /// Where discs lay that then came down by one row, from the bottom of each bin; left out if there
    /// were none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "declarations", ts(optional, as = "Option<Vec<Cell>>"))]
    pub fallen: Vec<Cell>,
    /// What each player has left of the powers after it, in the order of play; left out if the terms
    /// have no powers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "declarations", ts(optional, as = "Option<Vec<Powers>>"))]
    pub powers: Vec<Powers>,
}

impl Played {
    /// A disc that a player of a game between two accounts dropped.
    #[must_use]
    pub fn dropped(player: Player, bin: u8, row: u8) -> Self {
        Self {
            player: player.into(),
            made: Made::Drop(Cell::new(bin, row)),
            removed: Vec::new(),
            fallen: Vec::new(),
            powers: Vec::new(),
        }
    }

    /// The swap of player two in a game between two accounts.
    #[must_use]
    pub fn swapped() -> Self {
        Self {
            made: Made::Swap,
            ..Self::dropped(Player::Two, 0, 0)
        }
    }

    /// A move of the player to move.
    ///
    /// # Errors
    ///
    /// If the position refuses the move.
    pub fn new(before: &Position, action: variant::Move) -> Result<Self, MoveError> {
        let Change {
            removed, fallen, ..
        } = before.change(action)?;
        let mut after = *before;
        after.play(action)?;
        let player = before.to_move().ok_or(MoveError::GameOver)?;
        let cells = |cells: Cells| cells.iter(before.shape());
        let disc = |cell| {
            Some(Disc {
                colour: before.disc(cell)?,
                cell,
            })
        };
        let variant = before.variant();
        let has_powers = variant.powers() != variant::Powers::NONE;
        Ok(Self {
            player,
            made: Made::of(before, action),
            removed: cells(removed).filter_map(disc).collect(),
            fallen: cells(fallen).collect(),
            powers: match has_powers {
                true => variant
                    .colours()
                    .map(|colour| after.powers(colour))
                    .collect(),
                false => Vec::new(),
            },
        })
    }
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Move {
    /// The move.
    #[serde(flatten)]
    pub played: Played,
    /// Transaction of the move; none on no chain.
    pub transaction: Option<Sent>,
}

/// A transaction as a list of moves shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Sent {
    /// Number of its block.
    pub block: u32,
    /// Its own hash.
    pub hash: Hash,
    /// Fee that was paid.
    pub fee: Amount,
}
