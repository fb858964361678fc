//! Terms of a signed game.

use codec::{Decode, Encode, EncodeLike, Input, MaxEncodedLen};
use connect4_rules::variant::VariantSpec;
use connect4_rules::{Bin, ByPlayer, Player, Shape, ShapeSpec};

use super::crypto::hash_of;
use super::{
    AccountCrypto, Chain, Crypto, Digest, Domain, GameNumber, Moves, Party, Refused, Session,
    Signature, SignedSession,
};
use crate::bytes::joined;
use crate::{Address, ClockSpec, Game};

/// Terms of a signed game, whole: what both players sign before the first move. The struct of EIP-712 whose digest is
/// the game's number everywhere, on the chain too:
///
/// ```text
/// Terms(address accountOne,address accountTwo,address keyOne,address keyTwo,
///     uint8 bins,uint8 capacity,uint8 line,bool pieRule,uint32 bank,uint32 increment,
///     address witness,uint128 stake,uint16 pool,bool programOne,bool programTwo,
///     bytes32 event,bytes32 previous,uint64 time,uint32 nonce)
/// ```
///
/// What there is none of is zeros there: the clock, the witness, the stake, the event, the game before. Its SCALE
/// encoding is that of the fields in this order, each as a big-endian number of its width: 208 bytes. Bytes that write
/// the same terms in another form are refused: a flag that is neither 0 nor 1, an increment without a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms {
    /// The players. Player one makes the first move.
    pub players: ByPlayer<Party>,
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// Whether player two's first move can be a [swap](super::Moves::SWAP).
    pub pie_rule: bool,
    /// Clock, in seconds; none if the game has none. With a witness it runs there, with a stake on the chain while it
    /// is pressed.
    pub clock: Option<ClockSpec>,
    /// Key of the relay that keeps time and order, as an address of Ethereum; none if the players agree by themselves.
    pub witness: Option<Address>,
    /// What each player pays in, in the unit that contracts see; 0 for nothing.
    pub stake: u128,
    /// Number of the pool whose ratings the game counts for; 0 for none in particular.
    pub pool: u16,
    /// Whether a program plays, as each player says of itself.
    pub programs: ByPlayer<bool>,
    /// Digest of the rules of the tournament that the game belongs to; none if it belongs to none.
    pub event: Option<Digest>,
    /// Number of the game before in a series; none if there is none. It counts for a series only if that game has the
    /// same two accounts, has ended, and is older.
    pub previous: Option<GameNumber>,
    /// When the terms were made, in seconds since 1970.
    pub time: u64,
    /// What tells these terms from the same terms made in the same second.
    pub nonce: u32,
}

const TYPE: Digest = hash_of(
    "Terms(address accountOne,address accountTwo,address keyOne,address keyTwo,\
     uint8 bins,uint8 capacity,uint8 line,bool pieRule,uint32 bank,uint32 increment,\
     address witness,uint128 stake,uint16 pool,bool programOne,bool programTwo,\
     bytes32 event,bytes32 previous,uint64 time,uint32 nonce)",
);

/// Width of each field, in bytes.
const WIDTHS: [usize; 19] = [
    20, 20, 20, 20, 1, 1, 1, 1, 4, 4, 20, 16, 2, 1, 1, 32, 32, 8, 4,
];

impl Terms {
    /// Bytes of the SCALE encoding.
    pub const LEN: usize = 208;
    /// Least bank of a game for a stake, in seconds: with fewer the time could be over by the chain's blocks alone.
    pub const MIN_STAKED_BANK: u32 = 5 * 60;

    /// Whether a game can be played by these terms.
    ///
    /// # Errors
    ///
    /// The first of [`Refused::OtherForm`] to [`Refused::WitnessedStake`] that applies.
    #[inline(never)]
    pub fn check(&self) -> Result<(), Refused> {
        if Self::from_bytes(&self.to_bytes()) != Some(*self) {
            return Err(Refused::OtherForm);
        }
        self.check_values()
    }

    /// As [`Self::check`], of terms that were read from bytes, which have the one form.
    #[inline(never)]
    pub(super) fn check_values(&self) -> Result<(), Refused> {
        let ByPlayer { one, two } = &self.players;
        let keys = [one.key(), two.key()];
        let bank = self.clock.map(|clock| clock.bank);
        let is_player = |key| {
            let accounts = [one.account(), two.account()];
            keys.contains(&key) || accounts.contains(&key)
        };
        let refused = if Shape::try_from(self.shape).is_err() {
            Refused::BadShape
        } else if one.account() == two.account() {
            Refused::SamePlayer
        } else if keys[0] == keys[1] || keys.contains(&Address::ZERO) {
            Refused::BadKey
        } else if self.witness.is_some_and(is_player) {
            Refused::PartialWitness
        } else if self.clock.is_some_and(|clock| !clock.is_in_bounds()) {
            Refused::BadClock
        } else if self.stake.checked_mul(2).is_none() {
            Refused::StakeTooLarge
        } else if self.stake == 0 {
            return Ok(());
        } else if bank.is_none() {
            Refused::StakeNeedsClock
        } else if bank < Some(Self::MIN_STAKED_BANK) {
            Refused::ShortClock
        } else if self.witness.is_some() {
            Refused::WitnessedStake
        } else {
            return Ok(());
        };
        Err(refused)
    }

    /// Terms of a game on this board, in which all else is none, and no player is named.
    #[must_use]
    pub fn on(shape: Shape) -> Self {
        Self::by_rules(&VariantSpec::classic(shape))
    }

    /// The same on the board of these rules, with the pie rule if they have it.
    #[must_use]
    pub fn by_rules(rules: &VariantSpec) -> Self {
        Self {
            players: ByPlayer::from_fn(|_| Party::Guest(Address::ZERO)),
            shape: rules.shape,
            pie_rule: rules.pie_rule,
            clock: None,
            witness: None,
            stake: 0,
            pool: 0,
            programs: ByPlayer::default(),
            event: None,
            previous: None,
            time: 0,
            nonce: 0,
        }
    }

    /// The board and its rules, which may be out of bounds.
    #[must_use]
    pub const fn rules(&self) -> VariantSpec {
        VariantSpec::of_two(self.shape, self.pie_rule)
    }

    /// The game after these moves, without its clock.
    ///
    /// # Errors
    ///
    /// [`Refused::BadShape`], [`Refused::SamePlayer`], or [`Refused::IllegalMove`] if a move is not legal.
    pub fn play(&self, moves: &Moves) -> Result<Game, Refused> {
        let ByPlayer { one, two } = self.players.map(|party| party.account());
        let mut game = Game::start(one, two, self.shape).map_err(|error| match error {
            crate::Error::SamePlayer => Refused::SamePlayer,
            _ => Refused::BadShape,
        })?;
        for bin in moves.iter_bins() {
            let made = self.make(bin, &mut game);
            made.map_err(|_| Refused::IllegalMove)?;
        }
        Ok(game)
    }

    /// Makes a move of the player to move.
    ///
    /// # Errors
    ///
    /// As [`Game::make`].
    pub fn make(&self, bin: Bin, game: &mut Game) -> Result<(), crate::Error> {
        game.make(bin, self.pie_rule)
    }

    /// Where the game is signed, on a chain whose stakes this contract holds.
    #[must_use]
    pub const fn domain(&self, chain: Chain, stakes: Address) -> Domain {
        Domain {
            chain,
            stakes: if self.stake > 0 { Some(stakes) } else { None },
        }
    }

    /// Number of the game: the digest that the key of each player signs.
    #[must_use]
    pub fn number(&self, domain: &Domain, crypto: &impl Crypto) -> GameNumber {
        Self::number_of(&self.to_bytes(), domain, crypto)
    }

    /// The same of the terms that these bytes write.
    #[must_use]
    #[inline(never)]
    pub fn number_of(bytes: &[u8; Self::LEN], domain: &Domain, crypto: &impl Crypto) -> GameNumber {
        let mut rest = &bytes[..];
        let mut words = [[0; 32]; 1 + WIDTHS.len()];
        words[0] = TYPE;
        for (word, width) in words.iter_mut().skip(1).zip(WIDTHS) {
            // The widths are those of all bytes.
            let Some((field, after)) = rest.split_at_checked(width) else {
                break;
            };
            let (_, low) = word.split_at_mut(32_usize.saturating_sub(width));
            low.copy_from_slice(field);
            rest = after;
        }
        GameNumber(domain.digest(crypto, &crypto.keccak256(words.as_flattened())))
    }

    /// Checks that the account of a player has named its key, if it is not the key itself.
    ///
    /// # Errors
    ///
    /// [`Refused::BadSession`] if there is no session, it is over by the time of the terms, or it is not signed by the
    /// account; also if a guest has one. A session is signed in the domain of games without a stake.
    pub fn check_session(
        &self,
        player: Player,
        session: Option<&SignedSession>,
        chain: Chain,
        crypto: &impl AccountCrypto,
    ) -> Result<(), Refused> {
        let Party::Account { account, key } = *self.players.get(player) else {
            return match session {
                None => Ok(()),
                Some(_) => Err(Refused::BadSession(player)),
            };
        };
        let is_named = session.is_some_and(|SignedSession { until, signature }| {
            let until = *until;
            let session = Session {
                account,
                key,
                until,
            };
            let digest = Domain::without_stake(chain).digest(crypto, &session.hash(crypto));
            self.time <= until && signature.signer(&digest, crypto) == Some(account)
        });
        match is_named {
            true => Ok(()),
            false => Err(Refused::BadSession(player)),
        }
    }

    /// Checks that each player has signed, with the key of these terms, what `digest` gives for that player, and that
    /// the keys are those of the accounts.
    ///
    /// # Errors
    ///
    /// [`Refused::BadSignature`] of the first player who has not signed, then [`Refused::BadSession`] as
    /// [`Self::check_session`].
    pub(super) fn check_players(
        &self,
        digest: impl Fn(Player) -> Digest,
        signatures: &ByPlayer<Signature>,
        sessions: &ByPlayer<Option<SignedSession>>,
        chain: Chain,
        crypto: &impl AccountCrypto,
    ) -> Result<(), Refused> {
        for player in Player::ALL {
            let signer = crypto.recover(&digest(player), signatures.get(player));
            if signer != Some(self.players.get(player).key()) {
                return Err(Refused::BadSignature(player));
            }
        }
        for player in Player::ALL {
            let session = sessions.get(player).as_ref();
            self.check_session(player, session, chain, crypto)?;
        }
        Ok(())
    }

    /// The fields in order, as the SCALE encoding has them.
    #[must_use]
    #[inline(never)]
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let ByPlayer { one, two } = &self.players;
        let (bank, increment) = match self.clock {
            Some(ClockSpec { bank, increment }) => (bank, increment),
            None => (0, 0),
        };
        joined(&[
            &one.account().0,
            &two.account().0,
            &one.key().0,
            &two.key().0,
            &[self.shape.bins],
            &[self.shape.capacity],
            &[self.shape.line],
            &[self.pie_rule.into()],
            &bank.to_be_bytes(),
            &increment.to_be_bytes(),
            &self.witness.unwrap_or(Address::ZERO).0,
            &self.stake.to_be_bytes(),
            &self.pool.to_be_bytes(),
            &[self.programs.one.into()],
            &[self.programs.two.into()],
            &self.event.unwrap_or_default(),
            &self.previous.unwrap_or_default().0,
            &self.time.to_be_bytes(),
            &self.nonce.to_be_bytes(),
        ])
    }

    /// The terms that these bytes write; none if they write them in another form than [`Self::to_bytes`] does.
    #[must_use]
    #[inline(never)]
    pub fn from_bytes(bytes: &[u8; Self::LEN]) -> Option<Self> {
        fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
            let (field, after) = rest.split_first_chunk()?;
            *rest = after;
            Some(*field)
        }
        fn flag(rest: &mut &[u8]) -> Option<bool> {
            match take(rest)? {
                [0] => Some(false),
                [1] => Some(true),
                _ => None,
            }
        }
        fn unless_zeros<const N: usize>(field: [u8; N]) -> Option<[u8; N]> {
            (field != [0; N]).then_some(field)
        }
        let rest = &mut &bytes[..];
        let [account_one, account_two] = [Address(take(rest)?), Address(take(rest)?)];
        let [key_one, key_two] = [Address(take(rest)?), Address(take(rest)?)];
        let [bins, capacity, line] = take(rest)?;
        let pie_rule = flag(rest)?;
        let clock = ClockSpec {
            bank: u32::from_be_bytes(take(rest)?),
            increment: u32::from_be_bytes(take(rest)?),
        };
        if clock.bank == 0 && clock.increment != 0 {
            return None;
        }
        Some(Self {
            players: ByPlayer {
                one: Party::new(account_one, key_one),
                two: Party::new(account_two, key_two),
            },
            shape: ShapeSpec {
                bins,
                capacity,
                line,
            },
            pie_rule,
            clock: (clock.bank != 0).then_some(clock),
            witness: unless_zeros(take(rest)?).map(Address),
            stake: u128::from_be_bytes(take(rest)?),
            pool: u16::from_be_bytes(take(rest)?),
            programs: ByPlayer {
                one: flag(rest)?,
                two: flag(rest)?,
            },
            event: unless_zeros(take(rest)?),
            previous: unless_zeros(take(rest)?).map(GameNumber),
            time: u64::from_be_bytes(take(rest)?),
            nonce: u32::from_be_bytes(take(rest)?),
        })
    }
}

impl Encode for Terms {
    fn size_hint(&self) -> usize {
        Self::LEN
    }

    fn encode_to<O: codec::Output + ?Sized>(&self, dest: &mut O) {
        dest.write(&self.to_bytes());
    }
}

impl EncodeLike for Terms {}

impl Decode for Terms {
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
        let bytes = Decode::decode(input)?;
        Self::from_bytes(&bytes).ok_or_else(|| "terms in another form".into())
    }
}

impl MaxEncodedLen for Terms {
    fn max_encoded_len() -> usize {
        Self::LEN
    }
}

impl scale_info::TypeInfo for Terms {
    type Identity = [u8; Self::LEN];

    fn type_info() -> scale_info::Type {
        Self::Identity::type_info()
    }
}
