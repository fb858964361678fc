//! Signed games: both players sign the terms, then each move; the chain is asked only for what it alone can do.
//!
//! No struct changes any more, as what is signed is read for ever: another term is another version of the domain.
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
mod chain_game;
mod coin;
mod contradiction;
pub(crate) mod crypto;
mod domain;
mod ending;
pub mod event;
mod evidence;
pub mod feed;
mod finished;
pub mod listing;
pub mod lobby;
pub mod message;
mod moves;
#[cfg(feature = "sign")]
mod native;
mod number;
mod packed_moves;
mod party;
mod pool;
mod recorded;
mod recorded_player;
mod records_error;
mod refused;
pub mod relay;
mod session;
mod staked;
pub mod staked_room;
mod stakes_error;
mod statement;
mod terms;
pub mod wire;

pub use agreed::SignedTerms;
pub use chain_game::{Banks, ChainGame};
pub use coin::{commitment, offerer_is_first};
pub use contradiction::{Contradiction, Said};
pub use crypto::{Crypto, Digest, Signature, Signing};
pub use domain::{Chain, Domain};
pub use ending::Ending;
pub use event::{RecordsEvent, StakesEvent};
pub use evidence::Evidence;
pub use finished::{Finished, Outcome, Witnessed};
pub use moves::Moves;
#[cfg(feature = "sign")]
pub use native::{Native, SessionKey};
pub use number::GameNumber;
pub use party::Party;
pub use pool::{Pool, PoolName};
pub use recorded::{Group, RecordedEnd, Testimony};
pub use recorded_player::RecordedPlayer;
pub use records_error::RecordsError;
pub use refused::Refused;
pub use session::{AccountCrypto, AccountSignature, Session, SignedSession, wrapped};
pub use staked::StakedGame;
pub use stakes_error::StakesError;
pub use statement::{
    Acceptance, Ended, Ends, Kind, Presence, Receipt, SignedEnd, Statement, WitnessedEnd,
    last_mover,
};
pub use terms::Terms;
pub use wire::Telling;
