//! The protocol of on-chain Connect Four: what the contracts store, take, answer, refuse and emit.
//!
//! The contracts encode these types, and every client decodes the same ones. The rules of the board
//! are in [`connect4_rules`]; the rules between two accounts are here. Open [`Game`] first; each type is
//! in a file of its name.
//!
//! | item | is |
//! |---|---|
//! | [`Address`] | address of an account or a contract |
//! | [`Game`] | a game between two accounts as it is stored |
//! | [`AnyGame`], [`End`] | a game of any kind, and how it can end |
//! | [`GameId`] | name of a game: its kind and its number |
//! | [`ClockSpec`], [`Clock`] | a clock as it is agreed on, and the clock of a game with a stake while it runs |
//! | [`payout()`] | what each player gets of the stakes |
//! | [`Error`] | reason for which a call is refused |
//! | [`event`], [`Event`] | events that the contracts emit |
//! | [`message`] | messages of the contracts, and their answers |
//! | [`public_chains`] | chains that everybody knows, with the feature `sign` |
//! | [`transaction`] | transactions for pallet-revive as bytes, with the feature `sign` |
//! | [`signed`] | signed games: terms, statements, what an end is, and games with a stake |
//! | [`variants`] | the same for variants: tables, games of two to four accounts |
//!
//! # Features
//!
//! - `decode`, for clients: hashes of names and declarations, and [`Event`]s from their bytes.
//! - `ink-games`, `ink-variants`, `ink-stakes`, `ink-signed-records`, for the contracts: ink!'s traits for the events of each.
//! - `serde`, for programs and pages: `Serialize` and `Deserialize` of what JSON has. Addresses and names of games
//!   are texts, players `red` and `blue`.
//! - `declarations`: what serde writes, declared in TypeScript. Needs the standard library.
//! - `sign`, for programs: session keys, their signatures, and [transactions](transaction).
//! - `std`: turns on `std` in the crates behind this one. It needs `std` itself only for `Event::decode`.

#![cfg_attr(not(feature = "declarations"), no_std)]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[macro_use]
mod declare;

mod address;
mod any_game;
mod bytes;
mod clock;
mod clock_spec;
#[cfg(feature = "decode")]
mod decode;
mod end;
mod error;
pub mod event;
mod frame;
mod game;
mod game_id;
mod game_name;
#[cfg(feature = "serde")]
pub mod json;
pub mod message;
mod payout;
#[cfg(feature = "sign")]
pub mod public_chains;
pub mod signed;
#[cfg(feature = "sign")]
pub mod transaction;
pub mod variants;

pub use address::{Address, AddressError};
pub use any_game::AnyGame;
pub use clock::Clock;
pub use clock_spec::ClockSpec;
#[cfg(feature = "decode")]
pub use decode::{decode_all, selector, topic};
pub use end::End;
pub use error::Error;
pub use event::Event;
pub use game::Game;
pub use game_id::GameId;
pub use game_name::GameName;
pub use message::Message;
pub use payout::payout;
