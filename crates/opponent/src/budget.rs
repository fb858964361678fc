//! Limits of searches.

use core::time::Duration;

/// Tells the time that has passed since any moment.
pub type Clock = fn() -> Duration;

/// Limit of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// A number of games played to their end.
    Playouts(u32),
    /// A time; but the search ends sooner once it holds as many positions as fit in 64 MB.
    Time(Duration),
}

/// Most positions that a search by time holds.
const MOST_NODES: usize = 500_000;
/// Number of games between two looks at the clock.
const LOOK: u32 = 64;

/// What a search has used of its budget.
pub(crate) struct Meter {
    budget: Budget,
    clock: Clock,
    begun: Duration,
    playouts: u32,
}

impl Meter {
    pub(crate) fn new(budget: Budget, clock: Clock) -> Self {
        Self {
            budget,
            clock,
            begun: clock(),
            playouts: 0,
        }
    }

    /// Whether another game may be played, which is counted; the search holds so many positions.
    pub(crate) fn goes_on(&mut self, nodes: usize) -> bool {
        let playouts = self.playouts;
        self.playouts = playouts.saturating_add(1);
        match self.budget {
            Budget::Playouts(most) => playouts < most,
            Budget::Time(time) => {
                nodes < MOST_NODES
                    && (!playouts.is_multiple_of(LOOK)
                        || (self.clock)().saturating_sub(self.begun) < time)
            }
        }
    }
}

/// The clock of this machine.
#[cfg(feature = "std")]
pub(crate) fn system() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;

    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}
