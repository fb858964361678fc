//! The rules of Connect Four, on boards of any shape.
//!
//! A board has bins of equal capacity. A disc dropped into a bin falls onto the
//! lowest free cell. Player one (red) moves first, then they alternate; whoever
//! has `line` or more discs in a row, column or diagonal wins, and a full board
//! without a line is a draw.
//!
//! Open [`Position`] first, then [`Board`]; each type is in a file of its name.
//!
//! | item | is |
//! |---|---|
//! | [`Position`] | a board and whose turn it is: the type to play on |
//! | [`Board`] | the discs on a board |
//! | [`Shape`], [`ShapeSpec`] | the size of a board and the length of a line: within bounds, and as asked for |
//! | [`Bin`], [`Cell`], [`Cells`] | a bin, a cell, a set of cells |
//! | [`Player`], [`ByPlayer`] | one of the two players, a value for each of them |
//! | [`Dropped`], [`DropError`], [`Outcome`] | result of a drop, why one is refused, how a game ended |
//! | [`variant`] | two to four players, power-ups, pop out, the pie rule |
//! | [`Play`] | what the positions of both have in common |
//! | [`notation`] | moves as text |
//! | [`perft()`] | number of sequences of moves |
//!
//! Everything counts from 0, bins from the left and rows from the bottom; only
//! the move strings of [`notation`] count bins from 1, as solvers write them.
//! Each type with a `Display` reads back with [`str::parse`].
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
//! - `serde`: `Serialize` and `Deserialize`. Players are `"red"` and `"blue"`, bins are numbers, moves
//!   of variants are texts such as `"t3.2"`; values out of bounds and positions that no game leads to
//!   are refused.
//! - `arbitrary`: arbitrary values for fuzzers and property tests; needs `std`.
//! - `declarations`: what serde writes, declared in TypeScript. Needs the standard library.
//! - `scale`: SCALE encoding and type information for what a contract stores, takes and returns.
//! - `std`: turns on `std` in the crates behind `scale` and `serde`; this one never needs it.

#![cfg_attr(not(feature = "declarations"), no_std)]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod bin;
mod board;
mod by_player;
mod cell;
mod cells;
mod display;
mod dropped;
pub mod notation;
mod outcome;
mod parse;
mod perft;
mod play;
mod player;
mod position;
mod read;
#[cfg(feature = "serde")]
mod serialize;
mod shape;
mod shape_spec;
pub mod variant;

pub use bin::Bin;
pub use board::Board;
pub use by_player::ByPlayer;
pub use cell::Cell;
pub use cells::{Cells, CellsIter};
pub use dropped::{DropError, Dropped};
pub use outcome::Outcome;
pub use parse::ParseError;
pub use perft::perft;
pub use play::Play;
pub use player::Player;
pub use position::{Position, Unreachable};
pub use read::ReadError;
pub use shape::{Shape, ShapeError};
pub use shape_spec::{ParseShapeError, ShapeSpec};
