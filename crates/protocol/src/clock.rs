//! The clock of a game.

use crate::ClockSpec;

/// The clock of a game: the deadline of the player to move, and the time that the opponent has
/// left. Times are in seconds; deadlines since 1970, by the chain's timestamps.
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
pub struct Clock {
    pub(crate) deadline: u64,
    pub(crate) waiting: u32,
    pub(crate) increment: u32,
}

impl Clock {
    /// No clock: its time never runs out. It is encoded in as many bytes as any clock, so that all
    /// records of games have one length.
    pub(crate) const NONE: Self = Self {
        deadline: 0,
        waiting: 0,
        increment: 0,
    };

    /// Whether there is a clock.
    pub(crate) const fn runs(self) -> bool {
        self.deadline != 0
    }

    /// The clock of a game that starts `now`; the time of player one runs.
    #[must_use]
    pub const fn start(spec: ClockSpec, now: u64) -> Self {
        Self {
            deadline: now.saturating_add(spec.bank as u64),
            waiting: spec.bank,
            increment: spec.increment,
        }
    }

    /// A clock that goes on `now`, after it stood still: the player to move has `left`, the opponent
    /// `waiting`, in seconds.
    #[must_use]
    pub const fn resume(left: u32, waiting: u32, increment: u32, now: u64) -> Self {
        Self {
            deadline: now.saturating_add(left as u64),
            waiting,
            increment,
        }
    }

    /// The last second at which the player to move may move.
    #[must_use]
    pub const fn deadline(self) -> u64 {
        self.deadline
    }

    /// The bank of the opponent of the player to move, in seconds.
    #[must_use]
    pub const fn waiting(self) -> u32 {
        self.waiting
    }

    /// The time that a move adds to the bank of the player who made it, in seconds.
    #[must_use]
    pub const fn increment(self) -> u32 {
        self.increment
    }

    /// Whether `now` is after the deadline.
    #[must_use]
    pub const fn has_run_out(self, now: u64) -> bool {
        self.runs() && now > self.deadline
    }

    /// Ends the turn of the player to move at `now`, which is not after the deadline; from then on
    /// the opponent's time runs.
    pub fn press(&mut self, now: u64) {
        if !self.runs() {
            return;
        }
        // Time does not go back, so this is at most the bank at the start of the turn.
        let left = u32::try_from(self.deadline.saturating_sub(now)).unwrap_or(u32::MAX);
        self.deadline = now.saturating_add(u64::from(self.waiting));
        self.waiting = left.saturating_add(self.increment);
    }
}
