//! Signed games: both players sign the terms, then each move; the chain is asked only for what it alone can do.
//!
//! They take the place of [fast games](crate::fast) and of the games of [matches](crate::Match), and stand beside them
//! until all of these are gone. Nothing of a struct changes any more: what players sign now has to be read for ever.
//!
//! A game **with a stake** is held by a contract, which judges by the clock of the chain: a [`StakedGame`]. A game **without** one is
//! nobody's but its players': what is its end, and who says so, is decided by [`Finished::judge`] alone, for contract,
//! index, relay and program alike. Its terms can name a *witness*, the key of the relay in whose room it is played:
//! then the witness keeps order and time, and what it has not [ended](Ended) has not ended. It can make up neither a
//! move nor a resignation nor a draw, as those have the players' signatures.
//!
//! All that is signed is typed data of [EIP-712](https://eips.ethereum.org/EIPS/eip-712), so that any library of
//! Ethereum makes and checks it.

mod agreed;
mod coin;
mod contradiction;
mod domain;
mod ending;
pub mod event;
mod evidence;
mod finished;
pub mod listing;
pub mod lobby;
pub mod message;
mod recorded;
mod records_error;
mod refused;
mod staked;
pub mod staked_room;
mod stakes_error;
mod statement;
mod terms;
pub mod wire;

pub use crate::fast::statement::last_mover;
pub use crate::fast::{
    AccountCrypto, AccountSignature, Crypto, Digest, GameNumber, Moves, Party, Session, Signature,
    SignedSession, Signing, wrapped,
};
pub use agreed::SignedTerms;
pub use coin::{commitment, offerer_is_first};
pub use contradiction::{Contradiction, Said};
pub use domain::{Chain, Domain};
pub use ending::Ending;
pub use event::{RecordsEvent, StakesEvent};
pub use evidence::Evidence;
pub use finished::{Finished, Outcome, Witnessed};
pub use recorded::{Group, RecordedEnd, Testimony};
pub use records_error::RecordsError;
pub use refused::Refused;
pub use staked::StakedGame;
pub use stakes_error::StakesError;
pub use statement::{Ended, Ends, Kind, Presence, Receipt, SignedEnd, Statement, WitnessedEnd};
pub use terms::Terms;
pub use wire::Telling;
