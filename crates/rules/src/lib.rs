//! The rules of Connect Four, on boards of any shape.
//!
//! A board has bins of equal capacity. A disc dropped into a bin falls onto the
//! lowest free cell. Player one (red) moves first, then they alternate; whoever
//! has `line` or more discs in a row, column or diagonal wins, and a full board
//! without a line is a draw.
//!
//! | type | is |
//! |---|---|
//! | [`Shape`] | how large a board is and how long a line must be |
//! | [`Bin`], [`Cell`], [`Cells`] | where a disc goes, where it lies, a set of such places |
//! | [`Player`], [`Outcome`] | who plays, how it ended |
//! | [`Board`] | which discs lie where |
//! | [`Position`] | a board and whose turn it is: what one plays on |
//! | [`notation`] | moves as text |
//!
//! Everything counts from 0, bins from the left and rows from the bottom; only
//! the move strings of [`notation`] count bins from 1, as solvers write them.
//!
//! # Examples
//!
//! ```
//! use connect4_rules::{Bin, Outcome, Player, Position, Shape};
//!
//! let mut position = Position::new(Shape::CLASSROOM);
//! for bin in [5, 0, 4, 0, 3, 0, 2] {
//!     position.drop(Bin::new(bin))?;
//! }
//! assert_eq!(position.outcome(), Some(Outcome::Won(Player::One)));
//! assert_eq!(
//!     position.to_string(),
//!     "\
//! +---+---+---+---+---+---+
//! |   |   |   |   |   |   |
//! +---+---+---+---+---+---+
//! | ⬟ |   |   |   |   |   |
//! +---+---+---+---+---+---+
//! | ⬟ |   |   |   |   |   |
//! +---+---+---+---+---+---+
//! | ⬟ |   | ◎ | ◎ | ◎ | ◎ |
//! +---+---+---+---+---+---+
//!   0   1   2   3   4   5"
//! );
//! # Ok::<(), connect4_rules::DropError>(())
//! ```
//!
//! # Features
//!
//! `scale` derives SCALE encoding and type information for what a contract
//! stores, takes and returns. `std` turns on `std` in the crates behind it; this
//! one never needs it.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod bin;
mod board;
mod cells;
mod display;
pub mod notation;
mod outcome;
mod player;
mod position;
mod read;
mod shape;

pub use bin::Bin;
pub use board::Board;
pub use cells::{Cell, Cells, Iter as CellsIter};
pub use outcome::{DropError, Dropped, Outcome};
pub use player::Player;
pub use position::{Position, Unreachable};
pub use read::ReadError;
pub use shape::{Shape, ShapeError, ShapeSpec};
