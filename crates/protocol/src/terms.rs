//! Terms of a match, on which two accounts agree before they play.

use connect4_rules::{Shape, ShapeSpec};

use crate::{ClockSpec, Error};

/// Terms of a match: board, time and stake.
///
/// # Examples
///
/// ```
/// use connect4_protocol::{Error, Terms};
/// use connect4_rules::Shape;
///
/// let mut terms = Terms { shape: Shape::STANDARD.into(), clock: None, stake: 0 };
/// assert_eq!(terms.check(), Ok(()));
/// // The loser could keep both stakes by never moving again.
/// terms.stake = 1_000;
/// assert_eq!(terms.check(), Err(Error::StakeNeedsClock));
/// ```
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
pub struct Terms {
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// Time that the players have; none if it is not limited.
    pub clock: Option<ClockSpec>,
    /// Amount that each of the two players pays in, in the smallest unit that a contract sees.
    pub stake: u128,
}

impl Terms {
    /// Shortest bank of a game for a stake, in seconds. On a chain with a block every 6 seconds a turn
    /// takes two blocks, that in which the player sees the opponent's disc and that of the player's
    /// own: each player's 21 turns of a full standard board then take 252 seconds without any
    /// thinking.
    pub const MIN_STAKED_BANK: u32 = 5 * 60;

    /// Whether a match can be played on these terms.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::BadShape`] if the shape is out of the bounds of [`Shape`],
    /// 2. [`Error::BadClock`] if the clock is out of the bounds of [`ClockSpec::is_in_bounds`],
    /// 3. [`Error::StakeTooLarge`] if two stakes exceed a `u128`,
    /// 4. [`Error::StakeNeedsClock`] if there is a stake and no clock: a losing player could
    ///    withhold both stakes for ever by not moving,
    /// 5. [`Error::ShortClock`] if there is a stake and a bank below [`Self::MIN_STAKED_BANK`]:
    ///    the time could run out by the chain's blocks alone.
    pub fn check(&self) -> Result<(), Error> {
        Shape::try_from(self.shape)?;
        if self.clock.is_some_and(|clock| !clock.is_in_bounds()) {
            return Err(Error::BadClock);
        }
        if self.stake.checked_mul(2).is_none() {
            return Err(Error::StakeTooLarge);
        }
        if self.stake == 0 {
            return Ok(());
        }
        match self.clock {
            None => Err(Error::StakeNeedsClock),
            Some(clock) if clock.bank < Self::MIN_STAKED_BANK => Err(Error::ShortClock),
            Some(_) => Ok(()),
        }
    }
}
