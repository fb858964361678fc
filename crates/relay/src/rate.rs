//! How often something may happen.

use std::time::Instant;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How often at once, after a rest.
    pub burst: u32,
    /// How often in a second, on average.
    pub per_second: u32,
}

impl Rate {
    #[must_use]
    pub const fn times(self, factor: u32) -> Self {
        Self {
            burst: self.burst.saturating_mul(factor),
            per_second: self.per_second.saturating_mul(factor),
        }
    }
}

/// What is left of a [`Rate`]: a bucket of tokens that fills again.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    rate: Rate,
    /// In thousandths of a token.
    left: u64,
    at: Instant,
}

/// Thousandths in a token. A millisecond adds as many of them as a second adds tokens.
const TOKEN: u64 = 1000;

impl Bucket {
    pub fn full(rate: Rate, now: Instant) -> Self {
        Self {
            rate,
            left: Self::size(rate),
            at: now,
        }
    }

    /// Takes a token. Returns whether there was one.
    pub fn take(&mut self, now: Instant) -> bool {
        self.take_many(1, now)
    }

    /// Takes so many tokens at once. Returns whether there were as many.
    pub fn take_many(&mut self, count: u64, now: Instant) -> bool {
        self.fill(now);
        match self.left.checked_sub(count.saturating_mul(TOKEN)) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// Empties it, and adds nothing before this time.
    pub fn empty_until(&mut self, then: Instant) {
        self.left = 0;
        self.at = then;
    }

    /// Whether it is as after a long rest.
    pub fn is_full(&mut self, now: Instant) -> bool {
        self.fill(now);
        self.left == Self::size(self.rate)
    }

    fn size(rate: Rate) -> u64 {
        u64::from(rate.burst) * TOKEN
    }

    fn fill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.at).as_millis();
        // Whole milliseconds alone are counted, so what is left of one counts the next time.
        if passed > 0 {
            let added = u64::try_from(passed)
                .unwrap_or(u64::MAX)
                .saturating_mul(self.rate.per_second.into());
            self.left = self.left.saturating_add(added).min(Self::size(self.rate));
            self.at = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn after_a_burst_it_goes_on_at_the_rate() {
        let start = Instant::now();
        let rate = Rate {
            burst: 3,
            per_second: 2,
        };
        let mut bucket = Bucket::full(rate, start);
        let taken = |bucket: &mut Bucket, milliseconds| {
            let now = start + Duration::from_millis(milliseconds);
            std::iter::from_fn(|| bucket.take(now).then_some(())).count()
        };
        assert_eq!(taken(&mut bucket, 0), 3, "the burst");
        assert_eq!(taken(&mut bucket, 499), 0);
        assert_eq!(taken(&mut bucket, 500), 1);
        assert_eq!(taken(&mut bucket, 2000), 3);
        assert!(!bucket.is_full(start + Duration::from_millis(3499)));
        assert!(bucket.is_full(start + Duration::from_millis(3500)));
        assert_eq!(taken(&mut bucket, 1_000_000), 3, "a rest saves no more");
        assert_eq!(taken(&mut bucket, 0), 0, "time that runs backwards");
        let mut bucket = Bucket::full(rate, start);
        assert!(!bucket.take_many(4, start));
        assert!(bucket.take_many(2, start) && !bucket.take_many(2, start));
        assert!(bucket.take_many(1, start));
    }

    #[test]
    fn an_emptied_one_fills_again_after_a_time() {
        let start = Instant::now();
        let rate = Rate {
            burst: 3,
            per_second: 1,
        };
        let mut bucket = Bucket::full(rate, start);
        bucket.empty_until(start + Duration::from_secs(5));
        let at = |seconds| start + Duration::from_secs(seconds);
        assert!(!bucket.take(at(0)) && !bucket.take(at(5)));
        assert!(bucket.take(at(6)) && !bucket.take(at(6)));
        assert!(!bucket.is_full(at(8)) && bucket.is_full(at(9)));
    }
}
