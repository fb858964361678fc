//! Terms that both players have signed.

use connect4_rules::ByPlayer;

use super::{
    AccountCrypto, Chain, Crypto, Domain, GameNumber, Refused, Signature, SignedSession, Terms,
};

/// Terms with the signatures of both players: what opens the room of a game.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct SignedTerms {
    /// The terms.
    pub terms: Terms,
    /// For each account that is not its own key, what it has signed about its session key.
    pub sessions: ByPlayer<Option<SignedSession>>,
    /// Signature by the session key of each player on the [number](Terms::number) of the game.
    pub signatures: ByPlayer<Signature>,
}

impl SignedTerms {
    /// Number of the game, which has no stake.
    #[must_use]
    pub fn number(&self, chain: Chain, crypto: &impl Crypto) -> GameNumber {
        self.terms.number(&Domain::without_stake(chain), crypto)
    }

    /// Checks that two players have agreed to a game without a stake by these terms.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. as [`Terms::check`],
    /// 2. [`Refused::Staked`],
    /// 3. [`Refused::BadSignature`] if a player has not signed the terms,
    /// 4. [`Refused::BadSession`] as [`Terms::check_session`].
    pub fn check(&self, chain: Chain, crypto: &impl AccountCrypto) -> Result<(), Refused> {
        self.terms.check()?;
        if self.terms.stake > 0 {
            return Err(Refused::Staked);
        }
        let number = self.number(chain, crypto);
        let Self {
            signatures,
            sessions,
            ..
        } = self;
        self.terms
            .check_players(|_| number.0, signatures, sessions, chain, crypto)
    }
}
