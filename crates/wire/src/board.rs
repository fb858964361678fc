//! Players, shapes, cells and discs.

use alloc::vec::Vec;

use connect4_rules::{ByPlayer, Cells, Player, ShapeSpec, variant};
use serde::{Deserialize, Serialize};

/// A player, by the colour of the discs. They move in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// Moves first.
    Red,
    /// Moves second.
    Blue,
    /// Moves third.
    Green,
    /// Moves fourth.
    Yellow,
}

impl From<Player> for Colour {
    fn from(player: Player) -> Self {
        match player {
            Player::One => Self::Red,
            Player::Two => Self::Blue,
        }
    }
}

impl From<variant::Colour> for Colour {
    fn from(colour: variant::Colour) -> Self {
        match colour {
            variant::Colour::Red => Self::Red,
            variant::Colour::Blue => Self::Blue,
            variant::Colour::Green => Self::Green,
            variant::Colour::Yellow => Self::Yellow,
        }
    }
}

impl From<Colour> for variant::Colour {
    fn from(colour: Colour) -> Self {
        match colour {
            Colour::Red => Self::Red,
            Colour::Blue => Self::Blue,
            Colour::Green => Self::Green,
            Colour::Yellow => Self::Yellow,
        }
    }
}

/// A value for each player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Sides<T> {
    /// Value of player one.
    pub red: T,
    /// Value of player two.
    pub blue: T,
}

impl<T> From<ByPlayer<T>> for Sides<T> {
    fn from(ByPlayer { one, two }: ByPlayer<T>) -> Self {
        Self {
            red: one,
            blue: two,
        }
    }
}

/// Size of a board and length of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Shape {
    /// Number of bins.
    pub bins: u8,
    /// Number of discs that a bin holds.
    pub capacity: u8,
    /// Number of discs in a row that win.
    pub line: u8,
}

impl From<ShapeSpec> for Shape {
    fn from(shape: ShapeSpec) -> Self {
        Self {
            bins: shape.bins,
            capacity: shape.capacity,
            line: shape.line,
        }
    }
}

impl From<connect4_rules::Shape> for Shape {
    fn from(shape: connect4_rules::Shape) -> Self {
        ShapeSpec::from(shape).into()
    }
}

impl From<Shape> for ShapeSpec {
    fn from(shape: Shape) -> Self {
        Self {
            bins: shape.bins,
            capacity: shape.capacity,
            line: shape.line,
        }
    }
}

/// A cell of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Cell {
    /// Bin, from 0 at the left.
    pub bin: u8,
    /// Row, from 0 at the bottom.
    pub row: u8,
}

impl Cell {
    /// The cells of a set on a board of this shape, by bins from the left and rows from the bottom.
    #[must_use]
    pub fn all(cells: Cells, shape: connect4_rules::Shape) -> Vec<Self> {
        cells.iter(shape).map(Self::from).collect()
    }
}

impl From<connect4_rules::Cell> for Cell {
    fn from(cell: connect4_rules::Cell) -> Self {
        Self {
            bin: cell.bin.index(),
            row: cell.row,
        }
    }
}

impl From<Cell> for connect4_rules::Cell {
    fn from(cell: Cell) -> Self {
        Self::new(cell.bin, cell.row)
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
