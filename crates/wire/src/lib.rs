//! The wire format: every JSON value that this project writes or reads, and the words with which the terminal
//! and the page describe a game.
//!
//! The page's server and the program's `--json` write the same types, so that a game, an amount or
//! an event has one spelling. The page's code is checked against `web/wire.d.ts`, which a test of
//! this crate makes of the types:
//! `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-wire --all-features --test page_types` writes it again.
//!
//! Without features this is `no_std` and has what needs neither a chain nor a server: positions and terms.
//! The page uses it to check by itself what a host sends.
//!
//! Boards, players, names of games, clocks and the like are those of [`connect4_rules`] and
//! [`connect4_protocol`].
//!
//! All kinds of games have one shape: classic games, which are called `0`, `1` and so on, and variants with their
//! tables, `v0`, `v1`. [`API`] counts its versions.
//!
//! Bins, rows, turns, games and blocks count from 0; bins from the left, rows from the
//! bottom. Times are in seconds. What is not there is `null`, unless a field says that it is left
//! out.
//!
//! # Modules
//!
//! Open `position` first.
//!
//! | module | has |
//! |---|---|
//! | `position` | [`Position`] |
//! | `terms` | [`Terms`] |
//! | `play` | [`Line`], [`TermsAndMoves`], [`Shown`], [`Move`], [`Hint`], [`Reviewed`]: positions with what can be done in them and what it is worth; with `play` alone |
//! | `program` | what is made of the client's types: requests, answers, live messages, reports; with `program` alone |
//!
//! # Features
//!
//! - `play`: positions as the page shows them, by the rules and the computer opponents.
//! - `moves`: what moves do, and what a player can do.
//! - `program`: the types of hosts and of the program, made of those of the client. Needs `std`.
//! - `declarations`: the types tell how they are written in TypeScript. Needs `std`.

#![cfg_attr(not(any(feature = "declarations", feature = "program")), no_std)]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

extern crate alloc;

mod move_asked;
mod position;
mod seat;
mod terms;

pub use move_asked::MoveAsked;
pub use position::Position;
pub use seat::Seat;
pub use terms::Terms;

/// Version of the page's API and of the JSON of the program. It changes when a field or a route is taken away or
/// means something else.
pub const API: u32 = 3;

#[cfg(feature = "moves")]
mod play;
#[cfg(feature = "program")]
mod program;

#[cfg(feature = "moves")]
pub use play::*;

#[cfg(feature = "program")]
pub use program::*;
