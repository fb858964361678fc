//! Fast play from a player's side: what is signed, kept on disk, sent, received, and answered on the
//! chain.
//!
//! The decisions are those of [`connect4_seat`], which has neither input nor output: a [`Seat`], its
//! [`Journal`], a [`Guard`]. A [`Keyring`] is a folder of session keys, each in a file with the journals
//! of its games and the [`Agreement`] for which it was made. A guard stands at its [`Post`]. A [`RelayLink`] is the connection to a relay. A
//! [`FastPlayer`] is a seat with the chain and a relay around it, for programs.
//!
//! Games by signed terms are played by [`signed`](crate::signed) now; what earlier versions kept of them is in
//! [`GamesByTerms`]. The [`Feed`] of a relay has the games that are played there, and those that have ended.

mod agreement;
pub(crate) mod allowance;
pub(crate) mod clocks;
pub(crate) mod duty;
mod feed;
mod games_by_terms;
mod key_file;
pub(crate) mod keyring;
pub(crate) mod keyring_error;
pub(crate) mod messages;
mod player;
mod player_event;
mod post;
pub(crate) mod relay;
mod rematch;
mod snapshot;

pub use agreement::{Agreement, Difference, Fact};
pub use clocks::ClocksDiffer;
pub use connect4_protocol::fast::wire::{Offer, Present};
pub use connect4_seat::{
    Dropped, Duty, Guard, Journal, Keep, Moved, OFFER_STANDS, Phrase, Press, Received, Seat,
    SeatError, Subject, signed_by_both,
};
pub use feed::Feed;
pub use games_by_terms::{GamesByTerms, KeptGame, OpenGame};
pub use keyring::{Keyring, LockedKey};
pub use keyring_error::KeyringError;
pub use messages::LobbyError;
pub use player::FastPlayer;
pub use player_event::{Made, PlayError, PlayerEvent, RelayState};
pub use post::{GuardNews, Post};
pub use relay::{FromRoom, RelayLink, rooms_at};
pub use rematch::agree_to_rematch;
pub use snapshot::Snapshot;
