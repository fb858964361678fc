//! Why there is no player in a signed game, or it does not do what is wanted.

use connect4_protocol::Address;
use connect4_seat::PlayerError;

use super::KeyringError;
use crate::error::Error as ChainError;

/// Why there is no player, or it does not do what is wanted.
#[derive(Debug, thiserror::Error)]
pub enum SignedError {
    /// The player refuses, as the rules or its record don't allow it.
    #[error(transparent)]
    Player(#[from] PlayerError<KeyringError>),
    /// The record, or the key, is not to be had.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
    /// The chain could not be read.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The game has a stake, and no contract was given.
    #[error("a game with a stake needs the contract that holds it, and an account that pays")]
    NoContract,
    /// The stake would be paid by another account than the game names.
    #[error("the game names the account {named}, and {given} would pay")]
    OtherAccount {
        /// The account of the terms.
        named: Address,
        /// The account that was given.
        given: Address,
    },
    /// The room of a game without a stake is at a relay, and none is named.
    #[error("the offer names no relay, and a game without a stake is played in the room of one")]
    NoRelay,
    /// The player has been ended.
    #[error("the game is not played here any more")]
    Ended,
}
