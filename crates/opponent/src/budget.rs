//! Limits of searches.

use std::time::{Duration, Instant};

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
    begun: Instant,
    playouts: u32,
}

impl Meter {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            budget,
            begun: Instant::now(),
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
                    && (!playouts.is_multiple_of(LOOK) || self.begun.elapsed() < time)
            }
        }
    }
}
