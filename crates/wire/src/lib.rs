//! The parts of the wire format that need neither a chain nor a server: players, boards, positions,
//! clocks, addresses, numbers of games. The server writes and reads them, and so does the page where
//! it checks by itself what a host tells it.
//!
//! Bins, rows and turns count from 0; bins from the left, rows from the bottom. Times are in seconds.
//! What is not there is `null`.
//!
//! # Modules
//!
//! Open `position` first.
//!
//! | module | has |
//! |---|---|
//! | `position` | [`Position`], [`End`], [`Score`] |
//! | `board` | [`Shape`], [`Cell`], [`Colour`], [`Sides`] |
//! | `clock` | [`Clock`], [`RunningClock`] |
//! | `text` | values that JSON has no type for, spelled as strings: [`Address`], [`ClassicId`] |
//!
//! # Features
//!
//! - `declarations`: the types tell how they are written in TypeScript. Needs `std`.

#![cfg_attr(not(feature = "declarations"), no_std)]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

extern crate alloc;

mod board;
mod clock;
mod position;
mod text;

pub use board::{Cell, Colour, Shape, Sides};
pub use clock::{Clock, RunningClock};
pub use position::{End, Position, Score};
pub use text::{Address, ClassicId, from_text};
