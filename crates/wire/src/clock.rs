//! Clocks.

use connect4_protocol::ClockSpec;
use serde::{Deserialize, Serialize};

/// A clock that players agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Clock {
    /// Seconds that each player has for all moves.
    pub bank: u32,
    /// Seconds that each move adds.
    pub increment: u32,
}

impl From<ClockSpec> for Clock {
    fn from(clock: ClockSpec) -> Self {
        Self {
            bank: clock.bank,
            increment: clock.increment,
        }
    }
}

impl From<Clock> for ClockSpec {
    fn from(clock: Clock) -> Self {
        Self {
            bank: clock.bank,
            increment: clock.increment,
        }
    }
}

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
