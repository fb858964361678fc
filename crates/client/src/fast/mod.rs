//! What players of signed games have on disk, and how they reach a relay.
//!
//! A [`Keyring`] is a folder of session keys, a file each. Games are played by [`signed`](crate::signed);
//! what earlier versions kept of games by signed terms is in [`GamesByTerms`]. The [`Feed`] of a relay has the games that
//! are played there, and those that have ended.

pub(crate) mod allowance;
pub(crate) mod clocks;
pub(crate) mod duty;
mod feed;
mod games_by_terms;
mod key_file;
pub(crate) mod keyring;
pub(crate) mod keyring_error;
pub(crate) mod messages;
pub(crate) mod relay;

pub use connect4_seat::Phrase;
pub use feed::Feed;
pub use games_by_terms::{GamesByTerms, KeptGame, OpenGame};
pub use keyring::{Keyring, LockedKey};
pub use keyring_error::KeyringError;
pub use messages::LobbyError;
pub use relay::rooms_at;
