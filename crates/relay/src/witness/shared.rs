//! What a keeper and the thread that writes the log share.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use connect4_protocol::Address;
use connect4_protocol::signed::wire::Told;
use connect4_protocol::signed::{Chain, Domain, GameNumber, Native, SessionKey};

use super::core::Core;
use crate::shares::Shares;

pub struct Shared {
    pub chain: Chain,
    pub since: Instant,
    pub state: Mutex<State>,
    /// Something is to be written, or it ends.
    pub wake: Condvar,
}

pub struct State {
    pub core: Core<Native>,
    pub key: SessionKey,
    /// Keys whose logs are lost, the newest first.
    pub past: Vec<Address>,
    pub shares: Shares,
    pub is_full: bool,
    pub is_ended: bool,
}

impl Shared {
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Milliseconds since the start.
    pub fn now(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    pub fn domain(&self) -> Domain {
        Domain::without_stake(self.chain)
    }
}

/// What is told, with the signature of the witness.
pub fn signed(mut told: Told, game: GameNumber, key: &SessionKey, domain: &Domain) -> Told {
    told.witness = key.sign(&told.digest(game, domain, &Native));
    told
}
