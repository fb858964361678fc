//! Fast play from a player's side: what is signed, kept on disk, sent, received, and answered on the
//! chain.
//!
//! A [`Seat`] is one player's place in one fast game, without any input and output: it decides what to
//! sign, what to take from the opponent, and what the chain has to be told. What it signs is in its
//! [`Book`], which a [`Keep`] stores before a signature leaves the seat. A [`Keyring`] is a folder of
//! session keys, each in a file with the books of its games. A [`Guard`] is what a bystander does for
//! players who are away, at its [`Post`]. A [`RelayLink`] is the connection to a relay. A [`FastPlayer`] is a seat with
//! the chain and a relay around it, for programs.
//!
//! What keeps an honest player safe:
//!
//! - A signature is on disk before it is sent, and so is the opponent's that it answers.
//! - A move is signed only on top of a position that the opponent has signed, and only once for each
//!   turn. So whatever the opponent signs besides, or does on the chain, the seat holds a position with
//!   more moves, which the contract prefers.
//! - Where the chain is ahead of what the opponent has signed, moves are made on the chain. There the
//!   game stays then, as an ordinary one with a clock, until it ends.

mod book;
mod duty;
mod guard;
mod happening;
mod keyring;
mod player;
mod post;
mod relay;
mod seat;
mod sight;
mod subject;
mod telling;

pub use book::{Book, Dropped};
pub use connect4_protocol::fast::wire::{Offer, Present};
pub use duty::Duty;
pub use guard::Guard;
pub use happening::{Happening, Made, PlayError, RelayState};
pub use keyring::{Journal, Keyring, KeyringError};
pub use player::{FastPlayer, OFFER_STANDS};
pub use post::{GuardNews, Post};
pub use relay::{FromRoom, RelayLink, rooms_at};
pub use seat::{Heard, Keep, Moved, Press, Seat, SeatError};
pub use sight::Sight;
pub use subject::Subject;
