//! How much a relay may say.

use std::time::Duration;

use tokio::time::Instant;

/// Frames that may come at once.
const BURST: u32 = 200;
/// Time after which one more may come: 50 in a second.
const EACH: Duration = Duration::from_millis(20);

/// Counts what a relay sends. Players make a move in seconds, so one that sends much more wants to keep
/// this program busy.
#[derive(Debug)]
pub(crate) struct Allowance {
    left: u32,
    /// Until when what is left has been filled up.
    filled: Instant,
}

impl Allowance {
    /// A full allowance at this moment.
    pub const fn new(now: Instant) -> Self {
        Self {
            left: BURST,
            filled: now,
        }
    }

    /// Takes one frame at this moment. Returns whether it was allowed.
    pub fn take(&mut self, now: Instant) -> bool {
        let since = now.saturating_duration_since(self.filled);
        let more = u32::try_from(since.as_millis() / EACH.as_millis()).unwrap_or(u32::MAX);
        if more >= BURST - self.left {
            self.left = BURST;
            self.filled = now;
        } else {
            self.left = self.left.saturating_add(more);
            self.filled += EACH.saturating_mul(more);
        }
        let is_allowed = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_fifty_in_a_second() {
        let mut now = Instant::now();
        let mut allowance = Allowance::new(now);
        let mut allowed = |now| (0..2 * BURST).filter(|_| allowance.take(now)).count();
        assert_eq!(allowed(now), 200);
        for _ in 0..10 {
            now += Duration::from_secs(1);
            assert_eq!(allowed(now), 50);
        }
        now += Duration::from_secs(3600);
        assert_eq!(allowed(now), 200);
    }
}
