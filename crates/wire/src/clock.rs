//! Clocks.

use serde::Serialize;

/// Clock of a game in progress, beside the deadline of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct RunningClock {
    /// Seconds that the player who waits has left.
    pub waiting: u32,
    /// Seconds that each move adds.
    pub increment: u32,
}

impl From<connect4_protocol::Clock> for RunningClock {
    fn from(clock: connect4_protocol::Clock) -> Self {
        Self {
            waiting: clock.waiting(),
            increment: clock.increment(),
        }
    }
}
