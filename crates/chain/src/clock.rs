//! The time of blocks.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Where the time of blocks comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// This machine's clock, plus the time added by [`Chain::advance_clock`].
    ///
    /// [`Chain::advance_clock`]: crate::Chain::advance_clock
    #[default]
    System,
    /// Stands still at this many milliseconds since 1970 until [`Chain::advance_clock`] moves it.
    ///
    /// [`Chain::advance_clock`]: crate::Chain::advance_clock
    Manual(u64),
}

/// A [`Clock`] at work, which can be advanced.
pub struct RunningClock {
    clock: Clock,
    /// Milliseconds added.
    advanced: AtomicU64,
}

impl RunningClock {
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            advanced: AtomicU64::new(0),
        }
    }

    /// The time it shows, in milliseconds since 1970.
    pub fn now(&self) -> u64 {
        let now = match self.clock {
            Clock::Manual(at) => at,
            Clock::System => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| since.as_millis() as u64),
        };
        now.saturating_add(self.advanced.load(Ordering::Relaxed))
    }

    pub fn advance(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        self.advanced.fetch_add(millis, Ordering::Relaxed);
    }
}
