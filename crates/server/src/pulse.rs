//! When the chain has answered.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use connect4_relay::Counter;

/// An answer of the chain to a question that is asked to hear whether it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub at: Instant,
    pub took: Duration,
}

/// When the chain has answered, and how often the connection was lost.
#[derive(Default)]
pub struct Pulse {
    last: Mutex<Option<Answer>>,
    losses: Counter,
}

impl Pulse {
    /// The chain has answered what was asked at this time.
    pub fn answered(&self, asked: Instant) {
        let at = Instant::now();
        let took = at.saturating_duration_since(asked);
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Answer { at, took });
    }

    /// Its last answer; none before the first.
    pub fn last(&self) -> Option<Answer> {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn lost(&self) {
        self.losses.add();
    }

    pub fn losses(&self) -> u64 {
        self.losses.get()
    }
}
