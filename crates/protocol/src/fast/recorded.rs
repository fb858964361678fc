//! Games by signed terms, as they are recorded on the chain.

use codec::{Decode, Encode, EncodeLike, Input, MaxEncodedLen};
use connect4_rules::{ByPlayer, Player};

use super::packed_moves::{pack, unpack};
use super::{
    AccountCrypto, AccountSignature, Domain, Ending, Evidence, GameNumber, GameTerms,
    PackedSession, PackedTerms, Party, Signature, SignedSession,
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
///
/// Its SCALE encoding is that of its fields, but for the moves. They are a list of bytes with two moves in each,
/// the earlier one in the low half: a bin from 0 to 13, or 15 for a [swap](super::Moves::SWAP). If they are an odd
/// number the high half of the last byte is 14. Where a bin is higher, the list is the byte 238 and then a byte for
/// each move, as in [`Moves`](super::Moves).
#[derive(Clone, Copy, Debug, PartialEq, Eq, scale_info::TypeInfo)]
pub struct RecordedGame {
    /// The players.
    pub players: ByPlayer<RecordedPlayer>,
    /// The [`PackedTerms`] behind the session keys, without the upper half of the time.
    pub terms: [u8; Self::TERMS],
    /// How far the game has come, or how it ended.
    pub evidence: Evidence,
}

impl Encode for RecordedGame {
    fn encode_to<O: codec::Output + ?Sized>(&self, dest: &mut O) {
        let Evidence {
            ending,
            signatures,
            moves,
        } = &self.evidence;
        self.players.encode_to(dest);
        dest.write(&self.terms);
        ending.encode_to(dest);
        signatures.encode_to(dest);
        pack(moves, dest);
    }
}

impl EncodeLike for RecordedGame {}

impl Decode for RecordedGame {
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
        Ok(Self {
            players: Decode::decode(input)?,
            terms: Decode::decode(input)?,
            evidence: Evidence {
                ending: Decode::decode(input)?,
                signatures: Decode::decode(input)?,
                moves: unpack(input)?,
            },
        })
    }
}

impl MaxEncodedLen for RecordedGame {
    fn max_encoded_len() -> usize {
        // The byte before moves that have one each.
        let evidence = Evidence::max_encoded_len().saturating_add(1);
        ByPlayer::<RecordedPlayer>::max_encoded_len()
            .saturating_add(Self::TERMS)
            .saturating_add(evidence)
    }
}

/// Where those of the terms begin that a record has: from the shape of the board to the clock.
const SHAPE: usize = 81;
/// Bytes from there to the time, of which a record has the lower half, and then the nonce.
const TO_TIME: usize = 16;
const LOW_TIME: usize = SHAPE + TO_TIME + 4;

impl RecordedGame {
    /// Bytes of the terms without version, accounts and keys, and without the upper half of the time, which is
    /// zero until the year 2106.
    pub const TERMS: usize = 24;

    /// What the contract takes for a game; none if the session of an account is missing, or the terms are of a
    /// later time than they have room for.
    #[must_use]
    pub fn of(played: &PlayedGame) -> Option<Self> {
        let PlayedGame {
            terms: all,
            sessions,
            ..
        } = played;
        let player = |player| RecordedPlayer::of(*all.players.get(player), *sessions.get(player));
        u32::try_from(played.terms.time).ok()?;
        let packed = PackedTerms::from(&played.terms).0;
        let mut terms = [0; Self::TERMS];
        let (to_time, rest) = terms.split_at_mut(TO_TIME);
        to_time.copy_from_slice(&packed[SHAPE..SHAPE + TO_TIME]);
        rest.copy_from_slice(&packed[LOW_TIME..]);
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
        let (to_time, rest) = rest.split_at(TO_TIME);
        terms.0[SHAPE..SHAPE + TO_TIME].copy_from_slice(to_time);
        terms.0[LOW_TIME..].copy_from_slice(rest);
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
    /// A player of terms; none if the session of an account is missing.
    #[must_use]
    pub fn of(party: Party, session: Option<SignedSession>) -> Option<Self> {
        let (account, key) = match party {
            Party::Guest(account) => return Some(Self::Guest(account)),
            Party::Account { account, key } => (account, key),
        };
        let SignedSession { until, signature } = session?;
        Some(match signature {
            AccountSignature::Ethereum(signature) => Self::Ethereum {
                account,
                key,
                until,
                signature,
            },
            AccountSignature::Sr25519 {
                public_key,
                signature,
            } => Self::Sr25519 {
                key,
                until,
                public_key,
                signature,
            },
        })
    }

    /// The account with its session key.
    #[must_use]
    pub fn party(&self, crypto: &impl AccountCrypto) -> Party {
        match self {
            Self::Guest(account) => Party::Guest(*account),
            Self::Ethereum { account, key, .. } => Party::new(*account, *key),
            Self::Sr25519 {
                key, public_key, ..
            } => Party::new(Address::of_hash(&crypto.keccak256(public_key)), *key),
        }
    }

    /// What the account has signed about its session key; none of a guest.
    #[must_use]
    pub const fn signed_session(&self) -> Option<SignedSession> {
        let (until, signature) = match *self {
            Self::Guest(_) => return None,
            Self::Ethereum {
                until, signature, ..
            } => (until, AccountSignature::Ethereum(signature)),
            Self::Sr25519 {
                until,
                public_key,
                signature,
                ..
            } => {
                let signature = AccountSignature::Sr25519 {
                    public_key,
                    signature,
                };
                (until, signature)
            }
        };
        Some(SignedSession { until, signature })
    }

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

/// For programs.
#[cfg(feature = "sign")]
impl RecordedGame {
    /// Whether evidence of the game with this number passes 3 and 4 of [`Self::check`]: who has signed it is not
    /// looked at.
    #[must_use]
    pub fn takes(evidence: &Evidence, number: GameNumber) -> bool {
        let is_lasting = match evidence.ending {
            None | Some(Ending::Resignation(_)) => true,
            Some(Ending::Draw { until }) => until == Ending::FOR_GOOD,
            Some(Ending::Press { .. }) => false,
        };
        let is_signed = |player| evidence.statement_of(player, number).is_some();
        is_lasting && Player::ALL.into_iter().all(is_signed)
    }

    /// The time of the terms, in seconds since 1970.
    #[must_use]
    pub fn time(&self) -> u64 {
        let mut low = [0; 4];
        low.copy_from_slice(&self.terms[TO_TIME..TO_TIME + 4]);
        u32::from_be_bytes(low).into()
    }
}
