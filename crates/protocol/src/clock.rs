//! The clock of a game.

/// The clock of a game on the chain, while it runs: the deadline of the player to move, and the time that the opponent has
/// left. Times are in seconds; deadlines since 1970, by the chain's timestamps.
///
/// # Examples
///
/// ```
/// use connect4_protocol::Clock;
///
/// let mut clock = Clock::resume(60, 60, 5, 1_000);
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
        now > self.deadline
    }

    /// Ends the turn of the player to move at `now`, which is not after the deadline; from then on
    /// the opponent's time runs.
    pub fn press(&mut self, now: u64) {
        // Time does not go back, so this is at most the bank at the start of the turn.
        let left = u32::try_from(self.deadline.saturating_sub(now)).unwrap_or(u32::MAX);
        self.deadline = now.saturating_add(u64::from(self.waiting));
        self.waiting = left.saturating_add(self.increment);
    }
}
