//! The time that players have.

use core::fmt;

/// A clock as players agree on it: a time bank for each of them, and what every move
/// adds to the bank of who made it.
///
/// # Examples
///
/// ```
/// use connect4_protocol::{Clock, ClockSpec};
///
/// let spec = ClockSpec { bank: 60, increment: 5 };
/// let mut clock = Clock::start(spec, 1_000);
/// assert_eq!(clock.deadline(), 1_060);
/// // Red takes 20 of its 60 seconds, and gets 5.
/// clock.press(1_020);
/// assert_eq!(clock.waiting(), 45);
/// assert_eq!(clock.deadline(), 1_080);
/// assert!(!clock.has_run_out(1_080));
/// assert!(clock.has_run_out(1_081));
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
pub struct ClockSpec {
    /// What each player starts with, in seconds.
    pub bank: u32,
    /// What a move adds to it, in seconds.
    pub increment: u32,
}

impl ClockSpec {
    /// The longest bank: 30 days. Longer ones would let a player who is losing keep the
    /// stakes of both.
    pub const MAX_BANK: u32 = 30 * 24 * 60 * 60;
    /// The largest increment: a day.
    pub const MAX_INCREMENT: u32 = 24 * 60 * 60;

    /// Whether the bank is from 1 second to [`Self::MAX_BANK`] and the increment at most
    /// [`Self::MAX_INCREMENT`].
    #[must_use]
    pub const fn is_in_bounds(self) -> bool {
        self.bank >= 1 && self.bank <= Self::MAX_BANK && self.increment <= Self::MAX_INCREMENT
    }
}

/// `60 s + 5 s a move`.
impl fmt::Display for ClockSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s + {} s a move", self.bank, self.increment)
    }
}

/// A clock that runs. Times are seconds since 1970, by the chain's timestamps.
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
pub struct Clock {
    pub(crate) deadline: u64,
    pub(crate) waiting: u32,
    pub(crate) increment: u32,
}

impl Clock {
    /// No clock: its time never runs out. As bytes it is as long as any other, so that all
    /// games are.
    pub(crate) const NONE: Self = Self {
        deadline: 0,
        waiting: 0,
        increment: 0,
    };

    pub(crate) const fn runs(self) -> bool {
        self.deadline != 0
    }

    /// The clock of a game that starts `now`: that of who moves first runs.
    #[must_use]
    pub const fn start(spec: ClockSpec, now: u64) -> Self {
        Self {
            deadline: now.saturating_add(spec.bank as u64),
            waiting: spec.bank,
            increment: spec.increment,
        }
    }

    /// The last second at which who is to move may move.
    #[must_use]
    pub const fn deadline(self) -> u64 {
        self.deadline
    }

    /// What the bank of the other one holds, in seconds.
    #[must_use]
    pub const fn waiting(self) -> u32 {
        self.waiting
    }

    /// What a move adds to the bank of who made it, in seconds.
    #[must_use]
    pub const fn increment(self) -> u32 {
        self.increment
    }

    /// Whether the deadline is over. At the deadline itself it is not.
    #[must_use]
    pub const fn has_run_out(self, now: u64) -> bool {
        self.runs() && now > self.deadline
    }

    /// Who was to move has moved, not after the deadline; the other one's clock runs.
    pub fn press(&mut self, now: u64) {
        if !self.runs() {
            return;
        }
        // At most what a bank can hold, as time does not go back.
        let left = u32::try_from(self.deadline.saturating_sub(now)).unwrap_or(u32::MAX);
        self.deadline = now.saturating_add(u64::from(self.waiting));
        self.waiting = left.saturating_add(self.increment);
    }
}
