//! What players of signed games have on disk, and how they reach a relay.
//!
//! A [`Keyring`] is a folder of session keys, a file each. Games are played by [`signed`](crate::signed);
//! files that earlier versions kept of other games are named by [`EarlierGames`]. The [`Feed`] of a relay has the games
//! that are played there, and those that have ended.

pub(crate) mod allowance;
pub(crate) mod clocks;
pub(crate) mod duty;
mod earlier_games;
mod feed;
mod key_file;
pub(crate) mod keyring;
pub(crate) mod keyring_error;
pub(crate) mod messages;
pub(crate) mod relay;

pub use connect4_seat::Phrase;
pub use earlier_games::{EarlierGame, EarlierGames};
pub use feed::Feed;
pub use keyring::{Keyring, LockedKey};
pub use keyring_error::KeyringError;
pub use messages::LobbyError;
pub use relay::rooms_at;
