//! What two accounts agree on before they play.

use connect4_rules::{Shape, ShapeSpec};

use crate::{Address, ClockSpec, Error};

/// What a match is played on and for.
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
    /// The board.
    pub shape: ShapeSpec,
    /// The time that players have; none: as much as they like.
    pub clock: Option<ClockSpec>,
    /// What each of the two pays in, in the smallest unit that a contract sees.
    pub stake: u128,
}

impl Terms {
    /// Whether a match can be played on these terms.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::BadShape`] if the shape is out of the bounds of [`Shape`],
    /// 2. [`Error::BadClock`] if the clock is out of those of [`ClockSpec::is_in_bounds`],
    /// 3. [`Error::StakeTooLarge`] if two stakes are more than a `u128` counts,
    /// 4. [`Error::StakeNeedsClock`] if there is a stake and no clock: who is losing could
    ///    keep both stakes from who is winning for ever, by not moving.
    pub fn check(&self) -> Result<(), Error> {
        Shape::try_from(self.shape)?;
        if self.clock.is_some_and(|clock| !clock.is_in_bounds()) {
            return Err(Error::BadClock);
        }
        if self.stake.checked_mul(2).is_none() {
            return Err(Error::StakeTooLarge);
        }
        if self.stake > 0 && self.clock.is_none() {
            return Err(Error::StakeNeedsClock);
        }
        Ok(())
    }
}

/// An invitation to play.
///
/// # Examples
///
/// ```
/// use connect4_protocol::{Address, Challenge, ClockSpec, Error, Terms};
/// use connect4_rules::Shape;
///
/// let [alice, bob, charlie] = [1, 2, 3].map(|byte| Address([byte; 20]));
/// let terms = Terms {
///     shape: Shape::STANDARD.into(),
///     clock: Some(ClockSpec { bank: 300, increment: 5 }),
///     stake: 1_000,
/// };
/// let challenge = Challenge::new(alice, Some(bob), false, terms)?;
/// assert_eq!(challenge.accept(charlie, 1_000), Err(Error::NotChallenged));
/// assert_eq!(challenge.accept(bob, 999), Err(Error::WrongStake));
/// // Alice lets Bob move first.
/// assert_eq!(challenge.accept(bob, 1_000), Ok((bob, alice)));
/// # Ok::<(), Error>(())
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
pub struct Challenge {
    /// Who makes it.
    pub challenger: Address,
    /// To whom; none: to anyone.
    pub opponent: Option<Address>,
    /// Whether the challenger moves first.
    pub challenger_first: bool,
    /// What for.
    pub terms: Terms,
}

impl Challenge {
    /// A challenge on these terms.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::SamePlayer`] if it is to the challenger,
    /// 2. those of [`Terms::check`].
    pub fn new(
        challenger: Address,
        opponent: Option<Address>,
        challenger_first: bool,
        terms: Terms,
    ) -> Result<Self, Error> {
        if opponent == Some(challenger) {
            return Err(Error::SamePlayer);
        }
        terms.check()?;
        Ok(Self {
            challenger,
            opponent,
            challenger_first,
            terms,
        })
    }

    /// Players one and two, if `caller` may accept and has paid the stake.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::SamePlayer`] if the caller is the challenger,
    /// 2. [`Error::NotChallenged`] if it is to somebody else,
    /// 3. [`Error::WrongStake`] if `paid` is not the stake.
    pub fn accept(&self, caller: Address, paid: u128) -> Result<(Address, Address), Error> {
        if caller == self.challenger {
            return Err(Error::SamePlayer);
        }
        if self.opponent.is_some_and(|opponent| opponent != caller) {
            return Err(Error::NotChallenged);
        }
        if paid != self.terms.stake {
            return Err(Error::WrongStake);
        }
        Ok(if self.challenger_first {
            (self.challenger, caller)
        } else {
            (caller, self.challenger)
        })
    }

    /// Whether `caller` may decline.
    ///
    /// # Errors
    ///
    /// [`Error::NotChallenged`] if it is not to them by name.
    pub fn decline(&self, caller: Address) -> Result<(), Error> {
        if self.opponent == Some(caller) {
            Ok(())
        } else {
            Err(Error::NotChallenged)
        }
    }

    /// Whether `caller` may cancel.
    ///
    /// # Errors
    ///
    /// [`Error::NotChallenger`] if it is somebody else's.
    pub fn cancel(&self, caller: Address) -> Result<(), Error> {
        if self.challenger == caller {
            Ok(())
        } else {
            Err(Error::NotChallenger)
        }
    }
}
