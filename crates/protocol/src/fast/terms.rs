//! Terms that both players sign, so that a game begins without the chain.

use codec::{Decode, Encode, EncodeLike, Input, MaxEncodedLen};
use connect4_rules::{ByPlayer, Player, ShapeSpec};

use super::{
    AccountCrypto, Crypto, Digest, Domain, FastGame, GameNumber, PackedSession, PackedSigned,
    PackedTerms, Signature, SignedSession,
};
use crate::{Address, ClockSpec, Error};

/// A player of a game by signed terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Party {
    /// An account that is its own session key.
    Guest(Address),
    /// An account that has named a session key, which is not the account itself.
    Account {
        /// The account.
        account: Address,
        /// Address of its session key.
        key: Address,
    },
}

impl Party {
    /// That of an account which signs by this key.
    #[must_use]
    pub fn new(account: Address, key: Address) -> Self {
        if account == key {
            Self::Guest(account)
        } else {
            Self::Account { account, key }
        }
    }

    /// The account.
    #[must_use]
    pub const fn account(&self) -> Address {
        match self {
            Self::Guest(account) | Self::Account { account, .. } => *account,
        }
    }

    /// Address of the key that signs.
    #[must_use]
    pub const fn key(&self) -> Address {
        match self {
            Self::Guest(key) | Self::Account { key, .. } => *key,
        }
    }
}

/// The account, then its key: 40 bytes, one form for each party.
impl Encode for Party {
    fn encode_to<O: codec::Output + ?Sized>(&self, dest: &mut O) {
        (self.account(), self.key()).encode_to(dest);
    }
}

impl EncodeLike for Party {}

impl Decode for Party {
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
        let (account, key) = Decode::decode(input)?;
        Ok(Self::new(account, key))
    }
}

impl MaxEncodedLen for Party {
    fn max_encoded_len() -> usize {
        2 * Address::max_encoded_len()
    }
}

/// Terms of a game that begins when both players have signed them, without the chain. It has no stake. The
/// struct of EIP-712 whose digest is the game's [number](GameNumber), and is signed by both session keys:
///
/// ```text
/// Terms(uint8 version,address accountOne,address accountTwo,address keyOne,address keyTwo,
///     uint8 bins,uint8 capacity,uint8 line,bool pieRule,uint16 pool,bool programOne,bool programTwo,
///     uint32 bank,uint32 increment,uint64 time,uint32 nonce)
/// ```
///
/// The version is [`Self::VERSION`]; a bank of 0 is no clock. The account of a guest is its key. Its SCALE
/// encoding is that of [`PackedTerms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameTerms {
    /// The players. Player one makes the first move.
    pub players: ByPlayer<Party>,
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// Whether player two's first move can be a [swap](super::Moves::SWAP).
    pub pie_rule: bool,
    /// Number of the pool whose ratings the game counts for; 0 for none in particular. The contracts give
    /// it no meaning.
    pub pool: u16,
    /// Whether a program plays, as each player says of itself.
    pub programs: ByPlayer<bool>,
    /// Clock, for a dispute on the chain; none if the game has none.
    pub clock: Option<ClockSpec>,
    /// When the terms were made, in seconds since 1970 by the chain's timestamps.
    pub time: u64,
    /// What tells these terms from the same terms made in the same second.
    pub nonce: u32,
}

impl GameTerms {
    /// Version of the struct.
    pub const VERSION: u8 = 1;
    /// For how long the terms can start a game on the chain, in seconds after their time: a day.
    pub const STARTS: u32 = 24 * 60 * 60;
    /// How far the time of the terms can be ahead of the chain's, in seconds: an hour.
    pub const AHEAD: u32 = 60 * 60;

    /// For how long a game by the terms can be recorded, in seconds after their time: 30 days. Without it a
    /// session key that was stolen long after its time could have made games, for who plays the other side.
    pub const RECORDED: u32 = 30 * 24 * 60 * 60;

    /// For how long what the opponent may have an answer to is taken, in seconds after the time of the terms: an
    /// end on the board to which the loser has not agreed, and a press. It is a day less than
    /// [`Self::RECORDED`]: who goes back to a missed win at the last moment could not be answered by the
    /// position to which both had gone on.
    pub const ANSWERED: u32 = Self::RECORDED - 24 * 60 * 60;

    /// The digest that both session keys sign.
    #[must_use]
    pub fn digest(&self, domain: &Domain, crypto: &impl Crypto) -> Digest {
        PackedTerms::from(self).digest(domain, crypto)
    }

    /// Number of the game.
    #[must_use]
    pub fn number(&self, domain: &Domain, crypto: &impl Crypto) -> GameNumber {
        GameNumber(self.digest(domain, crypto))
    }

    /// The game at its start, with the number that its statements have. `payer` pays for its storage if it
    /// comes to the chain.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. the errors of [`FastGame::start`],
    /// 2. [`Error::BadClock`] if the clock is out of the bounds of [`ClockSpec::is_in_bounds`].
    pub fn start(&self, number: GameNumber, payer: Address) -> Result<FastGame, Error> {
        PackedTerms::from(self).start(number, payer)
    }

    /// Checks that each account which is not its own key has named its session key.
    ///
    /// # Errors
    ///
    /// [`Error::BadSession`] if a session is missing, is over by the time of the terms, or is not signed by
    /// the account.
    pub fn check_sessions(
        &self,
        sessions: &ByPlayer<Option<SignedSession>>,
        domain: &Domain,
        crypto: &impl AccountCrypto,
    ) -> Result<(), Error> {
        let packed = PackedTerms::from(self);
        for player in Player::ALL {
            let session = PackedSession::from(sessions.get(player));
            packed.check_session(player, &session, domain, crypto)?;
        }
        Ok(())
    }

    /// Checks that the terms were made at most so many seconds before `now`: [`Self::STARTS`] for a game that
    /// they start on the chain, [`Self::RECORDED`] for one that is recorded there.
    ///
    /// # Errors
    ///
    /// [`Error::TermsExpired`] if they were made before, or more than [an hour](Self::AHEAD) ahead.
    pub const fn check_time(&self, within: u32, now: u64) -> Result<(), Error> {
        check_time(self.time, within, now)
    }
}

/// Checks the time of terms, as [`GameTerms::check_time`].
pub(super) const fn check_time(time: u64, within: u32, now: u64) -> Result<(), Error> {
    let is_late = now > time.saturating_add(within as u64);
    if is_late || time > now.saturating_add(GameTerms::AHEAD as u64) {
        return Err(Error::TermsExpired);
    }
    Ok(())
}

/// What is kept of the terms in a game that began by them.
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
pub struct ByTerms {
    /// Number of the game in statements.
    pub number: GameNumber,
    /// The [time](GameTerms::time) of the terms.
    pub time: u64,
}

/// Terms that both players have signed: they make the game for everybody who holds them, and on the chain
/// if anyone brings them there.
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
    pub terms: GameTerms,
    /// For each account that is not its own key, what it has signed about its session key.
    pub sessions: ByPlayer<Option<SignedSession>>,
    /// Signature by the session key of each player on the terms.
    pub signatures: ByPlayer<Signature>,
}

impl SignedTerms {
    /// The game at its start, if the terms are valid; its number is in it. `payer` pays for its storage if it
    /// comes to the chain.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. the errors of [`GameTerms::start`],
    /// 2. [`Error::BadSignature`] if the terms are not signed by the session key of each player,
    /// 3. the errors of [`GameTerms::check_sessions`].
    pub fn start(
        &self,
        payer: Address,
        domain: &Domain,
        crypto: &impl AccountCrypto,
    ) -> Result<FastGame, Error> {
        PackedSigned::from(self).start(payer, domain, crypto)
    }
}
