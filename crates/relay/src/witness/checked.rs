//! What the witness takes: messages whose signatures were checked.

use connect4_protocol::Address;
use connect4_protocol::signed::wire::{Spoken, Told};
use connect4_protocol::signed::{
    AccountCrypto, Chain, Crypto, Domain, GameNumber, Refused, SignedTerms,
};
use connect4_rules::ByPlayer;

/// Something whose signatures were checked.
#[derive(Clone, Copy, Debug)]
pub struct Checked<T>(T);

impl Checked<SignedTerms> {
    /// Checks that both players have signed these terms of a game without a stake.
    pub fn terms(
        terms: SignedTerms,
        chain: Chain,
        crypto: &impl AccountCrypto,
    ) -> Result<Self, Refused> {
        terms.check(chain, crypto)?;
        Ok(Self(terms))
    }
}

impl Checked<Spoken> {
    /// Checks that the player has signed this; none if not.
    pub fn spoken(
        spoken: Spoken,
        game: GameNumber,
        keys: &ByPlayer<Address>,
        domain: &Domain,
        crypto: &impl Crypto,
    ) -> Option<Self> {
        let is_signed = spoken.is_signed(game, keys, domain, crypto);
        is_signed.then_some(Self(spoken))
    }
}

impl Checked<Told> {
    /// Checks that this witness has signed this; none if not.
    pub fn told(
        told: Told,
        witness: Address,
        game: GameNumber,
        domain: &Domain,
        crypto: &impl Crypto,
    ) -> Option<Self> {
        let is_by = told.is_by(witness, game, domain, crypto);
        is_by.then_some(Self(told))
    }
}

impl<T> Checked<T> {
    pub const fn get(&self) -> &T {
        &self.0
    }
}
