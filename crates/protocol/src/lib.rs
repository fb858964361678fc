//! The protocol of on-chain Connect Four: what the contracts store, take, answer, refuse and emit.
//!
//! The contracts encode these types, and every client decodes the same ones. What is legal on the
//! board is in [`connect4_rules`]; what is legal between two accounts is here.
//!
//! | type | is |
//! |---|---|
//! | [`Game`], [`End`] | a game between two accounts as it is stored, and how it can end |
//! | [`ClockSpec`], [`Clock`] | the time that players have |
//! | [`Terms`], [`Challenge`] | what two accounts agree on before they play |
//! | [`Match`], [`Score`], [`Payout`] | stakes, offers, and the place in a series |
//! | [`Error`] | why a call is refused |
//! | [`event`], [`Event`] | what the contracts tell the world |
//! | [`message`], [`Page`] | what the contracts are asked, and what they answer |
//!
//! # Features
//!
//! - `decode`: for clients: hashes of names and declarations, and [`Event`]s from their bytes.
//! - `ink-games`, `ink-matches`: for the two contracts: ink!'s traits for the events of each.
//! - `std`: turns on `std` in the crates behind this one, which never needs it itself.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

mod address;
mod challenge;
mod clock;
#[cfg(feature = "decode")]
mod decode;
mod end;
mod error;
pub mod event;
mod game;
mod matches;
pub mod message;
mod page;

pub use address::{Address, AddressError};
pub use challenge::{Challenge, Terms};
pub use clock::{Clock, ClockSpec};
#[cfg(feature = "decode")]
pub use decode::{decode_all, selector, topic};
pub use end::End;
pub use error::Error;
pub use event::Event;
pub use game::Game;
pub use matches::{DrawOffer, Match, Payout, Score};
pub use message::Message;
pub use page::Page;
