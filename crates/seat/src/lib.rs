//! Signed games from a player's side, without any input and output: what is signed, taken from the
//! opponent, and told to the chain. A program and a page use the same code.
//!
//! A [`Seat`] is one player's place in one game with a stake. What it holds and what it has signed is in its
//! [`Journal`], which a [`Keep`] stores before a signature leaves the seat. A [`Guard`] is what a
//! bystander does for players who are away. Both know the game as their [`Subject`], and say by a
//! [`Duty`] what the chain has to be told.
//!
//! What keeps an honest player safe:
//!
//! - Which evidence is valid, and which game it makes, is decided by the function that the contract
//!   runs ([`Subject::judge`]), also for what is read back from disk.
//! - A journal only grows. No evidence takes the place of another kind, and none that of a longer one.
//! - What has to be brought to the chain is not ruled but computed: each piece is tried by the contract's
//!   own function, and the one that leaves the player best off is brought.
//! - A signature is on disk before it is sent, and so is the opponent's that it answers.
//! - A move is signed only on top of a position that the opponent has signed, and only once for each
//!   turn. So whatever the opponent signs besides, or does on the chain, the seat holds a position with
//!   more moves, which the contract prefers.
//! - Nothing irrevocable is signed on the word of a node, a host or a relay. A program resigns by itself
//!   only at a line that the opponent's key has signed, and that nothing can contest.
//! - Time is the chain's: the machine's clock keeps no evidence back.
//! - Where the chain is ahead of what the opponent has signed, moves are made on the chain. There the
//!   game stays then, as an ordinary one with a clock, until it ends.
//! - An offer of a draw is worth nothing by itself.
//!
//! # Modules
//!
//! Open `journal` first, then `seat`.
//!
//! | module | job |
//! |---|---|
//! | `seat`, `acts`, `keep` | [`Seat`]: what a player signs and accepts, what comes of it, and where it is kept |
//! | `journal` | [`Journal`]: the evidence and signatures of a seat |
//! | `plan`, `latest` | [`Duty`]: what to bring to the chain, found by trying each piece of evidence |
//! | `subject` | [`Subject`]: the game as the chain has it |
//! | `guard` | [`Guard`]: answers for players who are away |
//! | `player`, `game_offer` | [`Player`]: a signed game from the [`GameOffer`] on: to the payment of its stake, around a [`Seat`]; or in the room of its witness |
//! | `record` | [`Record`]: what outlives the program in such a game, and the [`Shelf`] that keeps it |
//! | `clock_check` | [`ClockCheck`]: whether a witness takes more off the clock than was used |
//! | `told`, `watcher` | what a witness has told, and [`Watcher`]: somebody who watches the room of such a game |
//! | `phrase` | [`Phrase`]: the words by which a guest's account is carried elsewhere |
//! | `refused` | what a relay's refusal means |
//! | `wrong_clock` | [`WrongClock`]: why no game can be agreed on at a relay |

#![no_std]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

extern crate alloc;

mod acts;
mod clock_check;
mod game_offer;
mod guard;
mod journal;
mod keep;
mod latest;
mod phrase;
mod plan;
mod player;
mod record;
mod refused;
mod seat;
mod subject;
mod told;
mod watcher;
mod wrong_clock;

pub use acts::{Moved, Press, Received};
pub use clock_check::{Came, ClockCheck};
pub use game_offer::{GameOffer, GameOfferError, NOBODY, Taker};
pub use guard::Guard;
pub use journal::{Dropped, Journal};
pub use keep::{Keep, SeatError};
pub use phrase::{Phrase, PhraseError};
pub use plan::Duty;
pub use player::{
    Awaited, Call, Command, Input, Known, Message, Output, Player, PlayerError, Shown, Sight,
    Stage, What, Who,
};
pub use record::{Progress, Record, Refund, Room, Shelf};
pub use refused::why_refused;
pub use seat::{OFFER_STANDS, Seat};
pub use subject::{Subject, signed_by_both};
pub use told::NotTold;
pub use watcher::{Unseen, Watcher};
pub use wrong_clock::WrongClock;
