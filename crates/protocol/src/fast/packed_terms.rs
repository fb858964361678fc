//! Terms as a contract takes them: bytes at fixed places.

use codec::{Decode, Encode, EncodeLike, Input, MaxEncodedLen};
use connect4_rules::{ByPlayer, Player, ShapeSpec};

use super::domain::hash_of;
use super::terms::check_time;
use super::{
    AccountCrypto, Agreed, ByTerms, Crypto, Digest, Domain, FastGame, GameNumber, GameTerms,
    PackedSession, Party, Session,
};
use crate::{Address, ClockSpec, Error};

/// The fields of [`GameTerms`] in the order of their struct of EIP-712, each as a big-endian number of its
/// width: from [`Self::WIDTHS`] a contract makes the words of the struct by one loop, and reads fields
/// at fixed places.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct PackedTerms(pub [u8; Self::LEN]);

/// Where the accounts are, and the session keys.
const ACCOUNTS: usize = 1;
const KEYS: usize = 41;

const TERMS_TYPE: Digest = hash_of(
    "Terms(uint8 version,address accountOne,address accountTwo,address keyOne,address keyTwo,\
     uint8 bins,uint8 capacity,uint8 line,bool pieRule,uint16 pool,bool programOne,bool programTwo,\
     uint32 bank,uint32 increment,uint64 time,uint32 nonce)",
);

impl PackedTerms {
    /// Bytes.
    pub const LEN: usize = 109;
    /// Width of each field in bytes.
    pub const WIDTHS: [u8; 16] = [1, 20, 20, 20, 20, 1, 1, 1, 1, 2, 1, 1, 4, 4, 8, 4];

    /// The digest that both session keys sign.
    #[must_use]
    pub fn digest(&self, domain: &Domain, crypto: &impl Crypto) -> Digest {
        let mut words = [[0; 32]; 1 + Self::WIDTHS.len()];
        words[0] = TERMS_TYPE;
        // Each by code of its own: a contract pays for every instruction of a loop over the widths.
        macro_rules! fields {
            ($($field:literal)*) => { $(self.put::<$field>(&mut words);)* };
        }
        fields!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        domain.digest(crypto, &crypto.keccak256(words.as_flattened()))
    }

    /// Puts a field into its word.
    #[inline(always)]
    fn put<const FIELD: usize>(&self, words: &mut [[u8; 32]; 1 + Self::WIDTHS.len()]) {
        let at = const {
            let (mut at, mut before) = (0, 0);
            while before < FIELD {
                at += Self::WIDTHS[before] as usize;
                before += 1;
            }
            at
        };
        let width = const { Self::WIDTHS[FIELD] as usize };
        words[const { 1 + FIELD }][const { 32 - Self::WIDTHS[FIELD] as usize }..]
            .copy_from_slice(&self.0[at..at.wrapping_add(width)]);
    }

    /// The game at its start, as [`GameTerms::start`].
    ///
    /// # Errors
    ///
    /// As [`GameTerms::start`], and [`Error::BadShape`] if the terms are of another version.
    pub fn start(&self, number: GameNumber, payer: Address) -> Result<FastGame, Error> {
        let [version, .., bins, capacity, line, pie_rule] = self.0[..85] else {
            return Err(Error::BadShape);
        };
        if version != GameTerms::VERSION {
            return Err(Error::BadShape);
        }
        let clock = self.clock();
        let is_none = self.0[89..97] == [0; 8];
        if !is_none && !clock.is_some_and(ClockSpec::is_in_bounds) {
            return Err(Error::BadClock);
        }
        let both = |at| ByPlayer {
            one: self.address(at),
            two: self.address(at + 20),
        };
        let agreed = Agreed {
            players: both(ACCOUNTS),
            keys: both(KEYS),
            payer,
            shape: ShapeSpec {
                bins,
                capacity,
                line,
            },
            clock,
            pie_rule: pie_rule == 1,
        };
        let mut game = FastGame::start(&agreed)?;
        game.by_terms = Some(ByTerms {
            number,
            time: self.time(),
        });
        Ok(game)
    }

    /// Checks that an account which is not its own key has named its session key.
    ///
    /// # Errors
    ///
    /// [`Error::BadSession`] if it is over by the time of the terms, or is not signed by the account.
    pub fn check_session(
        &self,
        player: Player,
        session: &PackedSession,
        domain: &Domain,
        crypto: &impl AccountCrypto,
    ) -> Result<(), Error> {
        let at = 20 * player as usize;
        let (account, key) = (self.address(ACCOUNTS + at), self.address(KEYS + at));
        if account == key {
            return Ok(());
        }
        let until = session.until();
        let named = Session {
            account,
            key,
            until,
        };
        let signer = session.signer(&named.digest(domain, crypto), crypto);
        if self.time() > until || signer != Some(account) {
            return Err(Error::BadSession);
        }
        Ok(())
    }

    /// As [`GameTerms::check_time`].
    ///
    /// # Errors
    ///
    /// As [`GameTerms::check_time`].
    pub fn check_time(&self, within: u32, now: u64) -> Result<(), Error> {
        check_time(self.time(), within, now)
    }

    pub(super) fn name(&mut self, player: Player, account: &Address, key: &Address) {
        for (at, named) in [(ACCOUNTS, account), (KEYS, key)] {
            let at = at + 20 * player as usize;
            self.0[at..at + 20].copy_from_slice(&named.0);
        }
    }

    /// The [time](GameTerms::time).
    #[must_use]
    pub fn time(&self) -> u64 {
        let mut time = [0; 8];
        time.copy_from_slice(&self.0[97..105]);
        u64::from_be_bytes(time)
    }

    /// The clock; none if the game has none.
    #[must_use]
    pub fn clock(&self) -> Option<ClockSpec> {
        let [a, b, c, d, e, f, g, h] = self.0[89..97] else {
            return None;
        };
        let clock = ClockSpec {
            bank: u32::from_be_bytes([a, b, c, d]),
            increment: u32::from_be_bytes([e, f, g, h]),
        };
        (clock.bank != 0).then_some(clock)
    }

    fn address(&self, at: usize) -> Address {
        let mut address = Address::ZERO;
        address.0.copy_from_slice(&self.0[at..at.wrapping_add(20)]);
        address
    }

    /// The terms; none if they are of another version, or something that is either true or false is
    /// neither.
    #[must_use]
    pub fn terms(&self) -> Option<GameTerms> {
        let ([version], rest) = self.0.split_first_chunk()?;
        let (accounts, rest) = rest.split_first_chunk::<40>()?;
        let (keys, rest) = rest.split_first_chunk::<40>()?;
        let ([bins, capacity, line, pie_rule], rest) = rest.split_first_chunk()?;
        let (pool, rest) = rest.split_first_chunk()?;
        let ([program_one, program_two], rest) = rest.split_first_chunk()?;
        let (bank, rest) = rest.split_first_chunk()?;
        let (increment, rest) = rest.split_first_chunk()?;
        let (time, nonce) = rest.split_first_chunk()?;
        if *version != GameTerms::VERSION
            || [pie_rule, program_one, program_two]
                .iter()
                .any(|flag| **flag > 1)
        {
            return None;
        }
        let of_players = |both: &[u8; 40]| {
            let (one, two) = both.split_first_chunk()?;
            let two = two.first_chunk()?;
            Some([Address(*one), Address(*two)])
        };
        let ([account_one, account_two], [key_one, key_two]) =
            (of_players(accounts)?, of_players(keys)?);
        let clock = ClockSpec {
            bank: u32::from_be_bytes(*bank),
            increment: u32::from_be_bytes(*increment),
        };
        // Another way to write the same terms has another digest.
        if clock.bank == 0 && clock.increment != 0 {
            return None;
        }
        Some(GameTerms {
            players: ByPlayer {
                one: Party::new(account_one, key_one),
                two: Party::new(account_two, key_two),
            },
            shape: ShapeSpec {
                bins: *bins,
                capacity: *capacity,
                line: *line,
            },
            pie_rule: *pie_rule == 1,
            pool: u16::from_be_bytes(*pool),
            programs: ByPlayer {
                one: *program_one == 1,
                two: *program_two == 1,
            },
            clock: (clock.bank != 0).then_some(clock),
            time: u64::from_be_bytes(*time),
            nonce: u32::from_be_bytes(*nonce.first_chunk()?),
        })
    }
}

impl From<&GameTerms> for PackedTerms {
    fn from(terms: &GameTerms) -> Self {
        let ByPlayer { one, two } = &terms.players;
        let ClockSpec { bank, increment } = terms.clock.unwrap_or(ClockSpec {
            bank: 0,
            increment: 0,
        });
        let fields: [&[u8]; 16] = [
            &[GameTerms::VERSION],
            &one.account().0,
            &two.account().0,
            &one.key().0,
            &two.key().0,
            &[terms.shape.bins],
            &[terms.shape.capacity],
            &[terms.shape.line],
            &[terms.pie_rule.into()],
            &terms.pool.to_be_bytes(),
            &[terms.programs.one.into()],
            &[terms.programs.two.into()],
            &bank.to_be_bytes(),
            &increment.to_be_bytes(),
            &terms.time.to_be_bytes(),
            &terms.nonce.to_be_bytes(),
        ];
        let mut packed = [0; Self::LEN];
        let mut place = 0_usize;
        for field in fields {
            let end = place.wrapping_add(field.len());
            packed[place..end].copy_from_slice(field);
            place = end;
        }
        Self(packed)
    }
}

impl Encode for GameTerms {
    fn encode_to<O: codec::Output + ?Sized>(&self, dest: &mut O) {
        dest.write(&PackedTerms::from(self).0);
    }
}

impl EncodeLike for GameTerms {}

/// Refuses terms of another version.
impl Decode for GameTerms {
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
        let packed = PackedTerms::decode(input)?;
        packed.terms().ok_or_else(|| "not such terms".into())
    }
}

impl MaxEncodedLen for GameTerms {
    fn max_encoded_len() -> usize {
        PackedTerms::LEN
    }
}

impl scale_info::TypeInfo for GameTerms {
    type Identity = PackedTerms;

    fn type_info() -> scale_info::Type {
        PackedTerms::type_info()
    }
}
