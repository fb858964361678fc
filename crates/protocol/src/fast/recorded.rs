//! Games by signed terms, as they are recorded on the chain.

use connect4_rules::{ByPlayer, Player};

use super::{AccountCrypto, Domain, Ending, Evidence, GameNumber, GameTerms, SignedSession};
use crate::{Address, Error, Game};

/// A game by signed terms with what both players have signed at its end: all that is needed to put it on
/// the chain.
///
/// The signatures on the terms are not in it: what the players sign in the game names the digest of the
/// terms, and so agrees to them.
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
pub struct PlayedGame {
    /// The terms.
    pub terms: GameTerms,
    /// For each account that is not its own key, what it has signed about its session key.
    pub sessions: ByPlayer<Option<SignedSession>>,
    /// How far the game has come, or how it ended.
    pub evidence: Evidence,
}

impl PlayedGame {
    /// The game that it makes, and its number. Whether that is the [result](super::Results) depends on what
    /// else the chain has of the game.
    ///
    /// The game need not have ended: a longer position that both have signed answers an end that is none.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. the errors of [`GameTerms::start`],
    /// 2. [`Error::NoOffer`] if it is a draw with a last second, which only a dispute can keep to, or a press,
    /// 3. [`Error::BadSignature`] if a player has signed nothing in the game,
    /// 4. the errors of [`FastGame::judge`](super::FastGame::judge),
    /// 5. the errors of [`GameTerms::check_sessions`].
    pub fn check(
        &self,
        domain: &Domain,
        crypto: &impl AccountCrypto,
    ) -> Result<(GameNumber, Game), Error> {
        let Self {
            terms,
            sessions,
            evidence,
        } = self;
        let number = terms.number(domain, crypto);
        let start = terms.start(number, Address::ZERO)?;
        match evidence.ending {
            None
            | Some(
                Ending::Resignation(_)
                | Ending::Draw {
                    until: Ending::FOR_GOOD,
                },
            ) => {}
            Some(Ending::Draw { .. } | Ending::Press { .. }) => return Err(Error::NoOffer),
        }
        let has_signed = |player| evidence.statement_of(player, number).is_some();
        if !Player::ALL.into_iter().all(has_signed) {
            return Err(Error::BadSignature);
        }
        let game = start.judge(number, evidence, domain, crypto)?;
        terms.check_sessions(sessions, domain, crypto)?;
        Ok((number, game))
    }
}
