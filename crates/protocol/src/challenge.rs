//! Challenge to a match.

use connect4_rules::ByPlayer;

use crate::{Address, Error, Terms};

/// Challenge to a match on given terms, to one account or to anyone.
///
/// # Examples
///
/// ```
/// use connect4_protocol::{Address, Challenge, ClockSpec, Error, Terms};
/// use connect4_rules::{ByPlayer, Shape};
///
/// let [alice, bob, charlie] = [1, 2, 3].map(|byte| Address([byte; 20]));
/// let terms = Terms {
///     shape: Shape::STANDARD.into(),
///     clock: Some(ClockSpec { bank: 300, increment: 5 }),
///     stake: 1_000,
/// };
/// let challenge = Challenge::new(alice, Some(bob), false, terms)?;
/// let now = 1_700_000_000;
/// assert_eq!(challenge.accept(charlie, 1_000, now), Err(Error::NotChallenged));
/// assert_eq!(challenge.accept(bob, 999, now), Err(Error::WrongStake));
/// // Alice lets Bob move first.
/// let players = challenge.accept(bob, 1_000, now)?;
/// assert_eq!(players, ByPlayer { one: bob, two: alice });
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
    /// Account that made the challenge, and has paid its stake.
    pub challenger: Address,
    /// Account that is challenged; none if anyone may accept.
    pub opponent: Option<Address>,
    /// Whether the challenger moves first.
    pub challenger_first: bool,
    /// Last second at which it can be accepted, since 1970; none if it stays open.
    pub expires: Option<u64>,
    /// Terms of the match.
    pub terms: Terms,
}

impl Challenge {
    /// A challenge on these terms, which does not expire.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::SamePlayer`] if the challenger challenges itself,
    /// 2. the errors of [`Terms::check`].
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
            expires: None,
            terms,
        })
    }

    /// The same challenge, made at `now`, with the last second at which it can be accepted. The last
    /// second that there is counts as none.
    ///
    /// # Errors
    ///
    /// [`Error::ChallengeExpired`] if that second is over.
    pub const fn until(mut self, expires: Option<u64>, now: u64) -> Result<Self, Error> {
        self.expires = match expires {
            Some(u64::MAX) => None,
            expires => expires,
        };
        if self.has_expired(now) {
            return Err(Error::ChallengeExpired);
        }
        Ok(self)
    }

    /// Whether it can't be accepted any more at `now`. It stays open until it is withdrawn.
    #[must_use]
    pub const fn has_expired(&self, now: u64) -> bool {
        match self.expires {
            Some(expires) => now > expires,
            None => false,
        }
    }

    /// The accounts of the match if `caller`, who has `paid` the stake, may accept the challenge at
    /// `now`. That it is the one that the caller has seen, the contract checks before: its number can
    /// be another one's when a chain takes blocks back.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::SamePlayer`] if the caller is the challenger,
    /// 2. [`Error::NotChallenged`] if another account is challenged,
    /// 3. [`Error::ChallengeExpired`] if it has expired,
    /// 4. [`Error::WrongStake`] if `paid` is not the stake.
    pub fn accept(
        &self,
        caller: Address,
        paid: u128,
        now: u64,
    ) -> Result<ByPlayer<Address>, Error> {
        if caller == self.challenger {
            return Err(Error::SamePlayer);
        }
        if self.opponent.is_some_and(|opponent| opponent != caller) {
            return Err(Error::NotChallenged);
        }
        if self.has_expired(now) {
            return Err(Error::ChallengeExpired);
        }
        if paid != self.terms.stake {
            return Err(Error::WrongStake);
        }
        let players = ByPlayer {
            one: self.challenger,
            two: caller,
        };
        Ok(if self.challenger_first {
            players
        } else {
            players.swapped()
        })
    }

    /// Checks that `caller` may decline the challenge.
    ///
    /// # Errors
    ///
    /// [`Error::NotChallenged`] if anyone may accept, or another account is challenged.
    pub fn decline(&self, caller: Address) -> Result<(), Error> {
        if self.opponent == Some(caller) {
            Ok(())
        } else {
            Err(Error::NotChallenged)
        }
    }

    /// Checks that `caller` may cancel the challenge.
    ///
    /// # Errors
    ///
    /// [`Error::NotChallenger`] if another account made it.
    pub fn cancel(&self, caller: Address) -> Result<(), Error> {
        if self.challenger == caller {
            Ok(())
        } else {
            Err(Error::NotChallenger)
        }
    }
}
