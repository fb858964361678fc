//! The next game of the same players, by terms that they sign in the room of the last one.

use connect4_rules::{ByPlayer, Player};

use super::{AccountCrypto, Domain, GameTerms, Signature, SignedTerms};
use crate::Error;

impl GameTerms {
    /// The same terms with the players' seats exchanged.
    #[must_use]
    pub const fn swapped(&self) -> Self {
        Self {
            players: exchanged(&self.players),
            programs: exchanged(&self.programs),
            ..*self
        }
    }
}

const fn exchanged<T: Copy>(of: &ByPlayer<T>) -> ByPlayer<T> {
    ByPlayer {
        one: of.two,
        two: of.one,
    }
}

/// Proposal of a rematch of a game by signed terms: the terms of that game with the players' seats exchanged,
/// another time and another nonce. Once both have signed it, it makes a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub struct Rematch {
    /// When it was proposed, in seconds since 1970.
    pub time: u64,
    /// The nonce of the terms.
    pub nonce: u32,
    /// Signature by the session key of each player of the game before, on the terms of the rematch; none of
    /// a player who has not agreed.
    pub signatures: ByPlayer<Option<Signature>>,
}

impl Rematch {
    /// How far its time can be from that of who judges it, in seconds.
    pub const FRESH: u64 = 10 * 60;

    /// The terms of the rematch of a game with these terms.
    #[must_use]
    pub const fn terms(&self, before: &GameTerms) -> GameTerms {
        GameTerms {
            time: self.time,
            nonce: self.nonce,
            ..before.swapped()
        }
    }

    /// Checks the signatures that it has.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::TermsExpired`] if it was not proposed after the terms of the game before: with their time and
    ///    nonce the rematch of a rematch would be a game that was played,
    /// 2. [`Error::BadSignature`] if there is none, or one is not by the player's session key,
    /// 3. [`Error::BadSession`] if a session is over by then.
    pub fn check(
        &self,
        before: &SignedTerms,
        domain: &Domain,
        crypto: &impl AccountCrypto,
    ) -> Result<(), Error> {
        if self.time <= before.terms.time {
            return Err(Error::TermsExpired);
        }
        let terms = self.terms(&before.terms);
        let digest = terms.digest(domain, crypto);
        let signed = |player: Player| {
            let key = before.terms.players.get(player).key();
            let by = self.signatures.get(player).as_ref();
            by.map(|by| crypto.recover(&digest, by) == Some(key))
        };
        let [one, two] = Player::ALL.map(signed);
        if one.or(two).is_none() || [one, two].contains(&Some(false)) {
            return Err(Error::BadSignature);
        }
        terms.check_sessions(&exchanged(&before.sessions), domain, crypto)
    }

    /// What both have signed; none until both have.
    #[must_use]
    pub fn signed(&self, before: &SignedTerms) -> Option<SignedTerms> {
        let signatures = exchanged(&self.signatures);
        Some(SignedTerms {
            terms: self.terms(&before.terms),
            sessions: exchanged(&before.sessions),
            signatures: ByPlayer {
                one: signatures.one?,
                two: signatures.two?,
            },
        })
    }

    /// Whether it takes the place of another proposal: of the same terms, with a signature more. A proposal
    /// that nobody has answered gives way to a later one, once it is so old.
    #[must_use]
    pub fn replaces(&self, other: &Self) -> bool {
        let count = |rematch: &Self| {
            let ByPlayer { one, two } = &rematch.signatures;
            usize::from(one.is_some()) + usize::from(two.is_some())
        };
        count(self) > count(other) || count(other) < 2 && self.time > other.time.saturating_add(60)
    }
}
