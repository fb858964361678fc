//! Fast play from a player's side, without any input and output: what is signed, taken from the
//! opponent, and told to the chain. A program and a page use the same code.
//!
//! A [`Seat`] is one player's place in one fast game. What it signs is in its [`Book`], which a
//! [`Keep`] stores before a signature leaves the seat. A [`Guard`] is what a bystander does for players
//! who are away. Both know the game as their [`Subject`], and say by a [`Duty`] what the chain has to
//! be told.
//!
//! What keeps an honest player safe:
//!
//! - A signature is on disk before it is sent, and so is the opponent's that it answers.
//! - A move is signed only on top of a position that the opponent has signed, and only once for each
//!   turn. So whatever the opponent signs besides, or does on the chain, the seat holds a position with
//!   more moves, which the contract prefers.
//! - Where the chain is ahead of what the opponent has signed, moves are made on the chain. There the
//!   game stays then, as an ordinary one with a clock, until it ends.

#![no_std]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

extern crate alloc;

mod book;
mod duty;
mod guard;
mod refused;
mod seat;
mod subject;

pub use book::{Book, Dropped};
pub use duty::Duty;
pub use guard::Guard;
pub use refused::why_refused;
pub use seat::{Heard, Keep, Moved, OFFER_STANDS, Press, Seat, SeatError};
pub use subject::{Subject, signed_by_both};
