//! A game with a stake, as the contract of the stakes stores it.

use connect4_rules::{Bin, Board, ByPlayer, Dropped, Player};

use super::{ChainGame, Crypto, Domain, Evidence, GameNumber, StakesError, Terms};
use crate::bytes::joined;
use crate::{Address, ClockSpec, Error, payout};

/// A game with a stake: what its contract knows of it, under the number that is the digest of its [`Terms`].
///
/// Both players [pay](Self::fund) the stake of the same terms, each by a transaction: that is their agreement, so that
/// nobody has signed the terms. What is played after that is judged as a [`ChainGame`]: its clock stands until it is
/// pressed, and a line can be contested for a while.
///
/// A call that is refused leaves the game unchanged.
///
/// # Examples
///
/// ```
/// use connect4_protocol::signed::{Party, StakedGame, StakesError, Terms};
/// use connect4_protocol::{Address, ClockSpec, Error};
/// use connect4_rules::{ByPlayer, Player, Shape};
///
/// let [alice, bob, eve, key_one, key_two] = [1, 2, 3, 4, 5].map(|byte| Address([byte; 20]));
/// let terms = Terms {
///     players: ByPlayer { one: Party::new(alice, key_one), two: Party::new(bob, key_two) },
///     clock: Some(ClockSpec { bank: 300, increment: 5 }),
///     stake: 1_000,
///     time: 77,
///     ..Terms::on(Shape::STANDARD)
/// };
/// let (game, by) = StakedGame::fund(None, &terms, bob, 77)?;
/// assert_eq!((by, game.paid_by), (Player::Two, Some(Player::Two)));
/// let refused = StakedGame::fund(Some(game), &terms, eve, 77);
/// assert_eq!(refused, Err(Error::NotAPlayer.into()));
/// assert_eq!(game.refund(alice), Err(Error::NotPayer.into()));
///
/// let (mut game, _) = StakedGame::fund(Some(game), &terms, alice, 78)?;
/// assert_eq!(game.paid_by, None);
/// game.resign(alice)?;
/// assert_eq!(game.shares(), Some(ByPlayer { one: 0, two: 2_000 }));
/// # Ok::<(), StakesError>(())
/// ```
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
pub struct StakedGame {
    /// What each player pays in, in the unit that contracts see.
    pub stake: u128,
    /// Clock of the terms.
    pub clock: ClockSpec,
    /// Time of the terms, in seconds since 1970.
    pub time: u64,
    /// The player who has paid while the other has not; none once the game has begun.
    pub paid_by: Option<Player>,
    /// The game, as far as the chain knows it. Its payer is who has paid first.
    pub game: ChainGame,
}

impl StakedGame {
    /// How long after the time of the terms both can pay, in seconds: a day.
    pub const FUNDED: u32 = 24 * 60 * 60;
    /// How far ahead of the chain's time the time of the terms can be, in seconds: ten minutes.
    pub const AHEAD: u32 = 10 * 60;

    /// Takes the stake of `caller` at `now`; `stored` is the game with the number of the terms, if there is one. The
    /// first payment stores the game, the second begins it. Returns the game, and who the caller is.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`StakesError::Terms`] if no game can be played by the terms,
    /// 2. [`StakesError::NoStake`] if they have no stake,
    /// 3. [`Error::TermsExpired`] if they are more than [a day](Self::FUNDED) old, or more than
    ///    [ten minutes](Self::AHEAD) ahead,
    /// 4. [`Error::NotAPlayer`] if the caller is not one of their players,
    /// 5. [`StakesError::Begun`] if both have paid,
    /// 6. [`StakesError::AlreadyPaid`] if the caller has paid.
    pub fn fund(
        stored: Option<Self>,
        terms: &Terms,
        caller: Address,
        now: u64,
    ) -> Result<(Self, Player), StakesError> {
        // A contract has read them from bytes, so that they have the one form.
        terms.check_values().map_err(StakesError::Terms)?;
        // Checked terms have a clock if they have a stake.
        let Some(clock) = terms.clock.filter(|_| terms.stake > 0) else {
            return Err(StakesError::NoStake);
        };
        let is_ahead = terms.time > now.saturating_add(Self::AHEAD.into());
        if is_ahead || now > last_second(terms.time) {
            return Err(Error::TermsExpired.into());
        }
        let plays = |player: &Player| terms.players.get(*player).account() == caller;
        let by = Player::ALL.into_iter().find(plays);
        let by = by.ok_or(Error::NotAPlayer)?;
        let game = match stored {
            None => Self {
                stake: terms.stake,
                clock,
                time: terms.time,
                paid_by: Some(by),
                game: ChainGame::start(terms, caller)?,
            },
            Some(Self { paid_by: None, .. }) => return Err(StakesError::Begun),
            Some(Self { paid_by, .. }) if paid_by == Some(by) => {
                return Err(StakesError::AlreadyPaid);
            }
            Some(game) => Self {
                paid_by: None,
                ..game
            },
        };
        Ok((game, by))
    }

    /// What an account is owed after it has paid the stake: its payment is added to what it was owed, and the stake
    /// taken from the sum.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::StakeTooLarge`] if what remains owed is more than a `u128`,
    /// 2. [`StakesError::StakeUnpaid`] if the sum is less than the stake.
    pub fn owed_after(&self, owed: u128, paid: u128) -> Result<u128, StakesError> {
        match paid.checked_sub(self.stake) {
            Some(more) => Ok(owed.checked_add(more).ok_or(Error::StakeTooLarge)?),
            None => {
                let missing = self.stake.saturating_sub(paid);
                owed.checked_sub(missing).ok_or(StakesError::StakeUnpaid)
            }
        }
    }

    /// What `caller` gets back of a game that has not begun; the game goes with it.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`StakesError::Begun`] if both have paid,
    /// 2. [`Error::NotPayer`] if the caller has not.
    pub fn refund(&self, caller: Address) -> Result<u128, StakesError> {
        if self.paid_by.is_none() {
            return Err(StakesError::Begun);
        }
        if self.game.game.payer() != caller {
            return Err(Error::NotPayer.into());
        }
        Ok(self.stake)
    }

    /// Takes a signed position or a signed end from anyone at `now`, as [`ChainGame::advanced_by`] says: the clock stops,
    /// a line can be contested until the loser has agreed. Returns whether the moves took the place of those that the
    /// chain knew. `number` is that of the game.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`StakesError::NotBegun`] if one player has not paid,
    /// 2. [`Error::GameOver`] if the game has ended for good,
    /// 3. [`Error::NotNewer`] if it says no more than the chain knows,
    /// 4. [`Error::OutOfTime`] if the time of the player to move has run out, or that to contest a line, except for a
    ///    resignation,
    /// 5. [`Error::NoOffer`] if it is a draw whose time is over, or that has [none](super::Kind::FOR_GOOD),
    /// 6. [`Error::BadSignature`] if a signature is not by the player's key on this game, in this domain,
    /// 7. [`Error::NoSuchBin`], [`Error::BinFull`] or [`Error::GameOver`] if a move is not legal, and the last also for
    ///    an end at moves that have ended the game, but for a resignation by the loser of a line.
    pub fn advance(
        &mut self,
        number: GameNumber,
        evidence: &Evidence,
        domain: &Domain,
        crypto: &impl Crypto,
        now: u64,
    ) -> Result<bool, StakesError> {
        self.begun()?;
        self.game.admit(evidence, now)?;
        evidence.check(number, &self.game.keys, domain, crypto)?;
        let made = self.game.made_by(evidence)?;
        Ok(self.game.enter(evidence, made, now)?)
    }

    /// Starts the clock of the player to move, for `caller` who waits. Returns the deadline.
    ///
    /// # Errors
    ///
    /// [`StakesError::NotBegun`] if one player has not paid, then those of [`ChainGame::press`].
    pub fn press(&mut self, caller: Address, now: u64) -> Result<u64, StakesError> {
        self.begun()?;
        Ok(self.game.press(caller, now)?)
    }

    /// Drops a disc on the chain, on this board, or takes the first one over.
    ///
    /// A transaction can come late, or twice: it names the board, so that what was meant for one turn is never taken as
    /// the move of another.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`StakesError::NotBegun`] if one player has not paid,
    /// 2. [`StakesError::OtherBoard`] if the game stands at another board,
    /// 3. those of [`ChainGame::drop`].
    pub fn drop(
        &mut self,
        caller: Address,
        board: &Board,
        bin: Bin,
        now: u64,
    ) -> Result<Dropped, StakesError> {
        self.begun()?;
        if self.game.game.board() != board {
            return Err(StakesError::OtherBoard);
        }
        Ok(self.game.drop(caller, bin, now)?)
    }

    /// Gives the game up for `caller`; agrees to a line of the opponent.
    ///
    /// # Errors
    ///
    /// [`StakesError::NotBegun`] if one player has not paid, then those of [`ChainGame::resign`].
    pub fn resign(&mut self, caller: Address) -> Result<(), StakesError> {
        self.begun()?;
        Ok(self.game.resign(caller)?)
    }

    /// Ends the game as the player to move is late, or makes a line final that was not contested in time.
    ///
    /// # Errors
    ///
    /// [`StakesError::NotBegun`] if one player has not paid, then those of [`ChainGame::claim_timeout`].
    pub fn claim_timeout(&mut self, now: u64) -> Result<(), StakesError> {
        self.begun()?;
        Ok(self.game.claim_timeout(Some(self.clock), now)?)
    }

    /// Whether `caller` can free the storage of the game at `now`.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameNotOver`] if the game goes on, or has not begun,
    /// 2. [`Error::NotPayer`] if the caller has not paid first,
    /// 3. [`Error::TermsStand`] if the terms could be paid for once more.
    pub fn free(&self, caller: Address, now: u64) -> Result<(), StakesError> {
        let error = if !self.game.is_final() {
            Error::GameNotOver
        } else if self.game.game.payer() != caller {
            Error::NotPayer
        } else if now <= last_second(self.time) {
            Error::TermsStand
        } else {
            return Ok(());
        };
        Err(error.into())
    }

    /// What each player gets of both stakes; none while the game goes on, or its end can be contested.
    #[must_use]
    pub const fn shares(&self) -> Option<ByPlayer<u128>> {
        if !self.game.is_final() {
            return None;
        }
        // Checked terms have stakes of which two are a `u128`.
        let pot = self.stake.saturating_mul(2);
        Some(payout(pot, self.game.game.winner()))
    }

    fn begun(&self) -> Result<(), StakesError> {
        match self.paid_by {
            None => Ok(()),
            Some(_) => Err(StakesError::NotBegun),
        }
    }
}

/// The last second at which terms of this time can be paid for.
fn last_second(time: u64) -> u64 {
    time.saturating_add(StakedGame::FUNDED.into())
}

/// As the contract stores it: each part at a fixed place.
impl StakedGame {
    /// Bytes of the record.
    pub const LEN: usize = 33 + ChainGame::LEN;

    /// The record of the game.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let paid_by = match self.paid_by {
            None => 0,
            Some(Player::One) => 1,
            Some(Player::Two) => 2,
        };
        joined(&[
            &self.stake.to_le_bytes(),
            &self.clock.bank.to_le_bytes(),
            &self.clock.increment.to_le_bytes(),
            &self.time.to_le_bytes(),
            &self.game.to_bytes(),
            &[paid_by],
        ])
    }

    /// The game of a record; none if [`Self::to_bytes`] has not made it.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; Self::LEN]) -> Option<Self> {
        let (stake, bytes) = bytes.split_first_chunk()?;
        let (bank, bytes) = bytes.split_first_chunk()?;
        let (increment, bytes) = bytes.split_first_chunk()?;
        let (time, bytes) = bytes.split_first_chunk()?;
        let (game, bytes) = bytes.split_first_chunk()?;
        let ([paid_by], []) = bytes.split_first_chunk()? else {
            return None;
        };
        Some(Self {
            stake: u128::from_le_bytes(*stake),
            clock: ClockSpec {
                bank: u32::from_le_bytes(*bank),
                increment: u32::from_le_bytes(*increment),
            },
            time: u64::from_le_bytes(*time),
            game: ChainGame::from_bytes(game)?,
            paid_by: match paid_by {
                0 => None,
                1 => Some(Player::One),
                _ => Some(Player::Two),
            },
        })
    }
}
