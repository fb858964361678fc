//! Games by signed terms, as they are recorded on the chain.

use connect4_rules::{ByPlayer, Player};

use super::{
    AccountCrypto, AccountSignature, Domain, Ending, Evidence, GameNumber, GameTerms,
    PackedSession, PackedTerms, Signature, SignedSession,
};
use crate::{Address, Error, Game};

/// A game by signed terms with what both players have signed at its end: all that is needed to put it on
/// the chain.
///
/// The signatures on the terms are not in it: what the players sign in the game names the digest of the
/// terms, and so agrees to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// As [`RecordedGame::check`], but for the time.
    pub fn check(
        &self,
        domain: &Domain,
        crypto: &impl AccountCrypto,
    ) -> Result<(GameNumber, Game), Error> {
        let recorded = RecordedGame::of(self).ok_or(Error::BadSession)?;
        let (_, number, game) = recorded.check(domain, crypto, self.terms.time)?;
        Ok((number, game))
    }
}

/// A player of a recorded game.
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
pub enum RecordedPlayer {
    /// An account that is its own session key.
    #[codec(index = 0)]
    Guest(Address),
    /// An account of Ethereum with a session key.
    #[codec(index = 1)]
    Ethereum {
        /// The account.
        account: Address,
        /// Address of its session key.
        key: Address,
        /// Last second of the time of terms for which the key is.
        until: u64,
        /// Signature of the account on the [session](super::Session).
        signature: Signature,
    },
    /// An account with an sr25519 key, of which its address is made.
    #[codec(index = 2)]
    Sr25519 {
        /// Address of its session key.
        key: Address,
        /// Last second of the time of terms for which the key is.
        until: u64,
        /// The public key.
        public_key: [u8; 32],
        /// Signature of the account on the [session](super::Session), in the bytes that wallets put around
        /// it.
        signature: [u8; 64],
    },
}

/// A [`PlayedGame`] as the contract of the records takes it: nothing that follows from the rest is in it.
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
pub struct RecordedGame {
    /// The players.
    pub players: ByPlayer<RecordedPlayer>,
    /// All of the [`PackedTerms`] behind the session keys.
    pub terms: [u8; Self::TERMS],
    /// How far the game has come, or how it ended.
    pub evidence: Evidence,
}

/// Bytes of the terms before those that a record has.
const BEFORE: usize = PackedTerms::LEN - RecordedGame::TERMS;

impl RecordedGame {
    /// Bytes of the terms without version, accounts and keys.
    pub const TERMS: usize = 28;

    /// What the contract takes for a game; none if the session of an account is missing.
    #[must_use]
    pub fn of(played: &PlayedGame) -> Option<Self> {
        let player = |player| {
            let party = *played.terms.players.get(player);
            let (account, key) = (party.account(), party.key());
            if account == key {
                return Some(RecordedPlayer::Guest(account));
            }
            let SignedSession { until, signature } = (*played.sessions.get(player))?;
            Some(match signature {
                AccountSignature::Ethereum(signature) => RecordedPlayer::Ethereum {
                    account,
                    key,
                    until,
                    signature,
                },
                AccountSignature::Sr25519 {
                    public_key,
                    signature,
                } => RecordedPlayer::Sr25519 {
                    key,
                    until,
                    public_key,
                    signature,
                },
            })
        };
        let mut terms = [0; Self::TERMS];
        terms.copy_from_slice(&PackedTerms::from(&played.terms).0[BEFORE..]);
        Some(Self {
            players: ByPlayer {
                one: player(Player::One)?,
                two: player(Player::Two)?,
            },
            terms,
            evidence: played.evidence,
        })
    }

    /// The terms, the number of the game, and the game that it makes, if it can be recorded at `now`.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. the errors of [`GameTerms::check_time`] for [`GameTerms::RECORDED`],
    /// 2. the errors of [`GameTerms::start`],
    /// 3. [`Error::NoOffer`] if it is a draw with a last second, which only a dispute can keep to, or a press,
    /// 4. [`Error::BadSignature`] if not both have signed something,
    /// 5. the errors of [`FastGame::judge`](super::FastGame::judge),
    /// 6. the errors of [`GameTerms::check_time`] for [`GameTerms::ANSWERED`], if it is a line to which the
    ///    loser has not agreed,
    /// 7. the errors of [`GameTerms::check_sessions`].
    pub fn check(
        &self,
        domain: &Domain,
        crypto: &impl AccountCrypto,
        now: u64,
    ) -> Result<(PackedTerms, GameNumber, Game), Error> {
        let Self {
            players,
            terms: rest,
            evidence,
        } = self;
        let mut terms = PackedTerms([0; PackedTerms::LEN]);
        terms.0[0] = GameTerms::VERSION;
        terms.0[BEFORE..].copy_from_slice(rest);
        for player in Player::ALL {
            players.get(player).name(player, &mut terms, crypto);
        }
        terms.check_time(GameTerms::RECORDED, now)?;
        let number = GameNumber(terms.digest(domain, crypto));
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
        // Nobody signs the start, so that one of them may not know of the game.
        if Player::ALL.map(|player| evidence.statement_of(player, number).is_none()) != [false; 2] {
            return Err(Error::BadSignature);
        }
        let game = start.judge(number, evidence, domain, crypto)?;
        if evidence.ending.is_none() && game.winner().is_some() {
            terms.check_time(GameTerms::ANSWERED, now)?;
        }
        for player in Player::ALL {
            if let Some(session) = players.get(player).session() {
                terms.check_session(player, &session, domain, crypto)?;
            }
        }
        Ok((terms, number, game))
    }
}

impl RecordedPlayer {
    /// Puts account and key of the player into the terms.
    fn name(&self, player: Player, terms: &mut PackedTerms, crypto: &impl AccountCrypto) {
        match self {
            Self::Guest(account) => terms.name(player, account, account),
            Self::Ethereum { account, key, .. } => terms.name(player, account, key),
            Self::Sr25519 {
                key, public_key, ..
            } => {
                let account = Address::of_hash(&crypto.keccak256(public_key));
                terms.name(player, &account, key);
            }
        }
    }

    /// What the account has signed about its session key; none of a guest.
    fn session(&self) -> Option<PackedSession> {
        let mut session = PackedSession([0; PackedSession::LEN]);
        match self {
            Self::Guest(_) => return None,
            Self::Ethereum {
                until, signature, ..
            } => session.put(PackedSession::ETHEREUM, *until, &[&signature.0]),
            Self::Sr25519 {
                until,
                public_key,
                signature,
                ..
            } => session.put(PackedSession::SR25519, *until, &[public_key, signature]),
        }
        Some(session)
    }
}
