//! A rate that networks share.

use std::collections::HashMap;
use std::time::Instant;

use ipnet::IpNet;

use crate::rate::Rate;
use crate::visitor::Visitor;

/// Networks that are remembered without looking whether they have used anything lately.
const REMEMBERED: usize = 16_384;

/// Of what is left, a network that has used no more than this part may use more.
const PART: f64 = 1.0 / 8.0;

/// Whether a network that has used so much may use more of what is left of something that is bounded.
///
/// So one alone has a ninth of it, N have an (N + 8)th part each, and eight times as much is left for those who come
/// next, who have used nothing. This is the dynamic threshold of A. K. Choudhury and E. L. Hahne, "Dynamic queue length
/// thresholds for shared-memory packet switches" (1998).
pub fn may_use_more(used: f64, left: f64) -> bool {
    used <= PART * left
}

/// A rate that networks share as [`may_use_more`] says, wide ones of IPv6 as one.
///
/// What was used is forgotten exponentially, in the time in which the rate adds as much as its burst: then what the
/// networks have used lately is what all have used together.
pub struct Shares {
    rate: Rate,
    all: Used,
    /// There are at most as many with 1 or more as the burst of the rate.
    networks: HashMap<IpNet, Used>,
}

#[derive(Clone, Copy)]
struct Used {
    count: f64,
    at: Instant,
}

impl Used {
    const fn nothing(now: Instant) -> Self {
        Self {
            count: 0.0,
            at: now,
        }
    }

    /// What is not forgotten yet.
    fn lately(&mut self, rate: Rate, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        let forgets = f64::from(rate.per_second) / f64::from(rate.burst.max(1));
        self.count *= (-passed * forgets).exp();
        self.at = self.at.max(now);
        self.count
    }
}

impl Shares {
    pub fn new(rate: Rate, now: Instant) -> Self {
        Self {
            rate,
            all: Used::nothing(now),
            networks: HashMap::new(),
        }
    }

    /// Uses so much for this visitor. Returns whether there was as much, and its network may use it; a visitor who is
    /// not counted may use all that is left.
    #[must_use]
    pub fn spend(&mut self, visitor: Visitor, count: u64, now: Instant) -> bool {
        let count = count as f64;
        let left = f64::from(self.rate.burst) - self.all.lately(self.rate, now);
        let network = visitor.widest();
        let known = network.and_then(|network| self.networks.get_mut(&network));
        let used = known.map_or(0.0, |used| used.lately(self.rate, now));
        if count > left || !may_use_more(used, left) {
            return false;
        }
        self.all.count += count;
        if let Some(network) = network {
            if self.networks.len() >= REMEMBERED {
                self.networks
                    .retain(|_, used| used.lately(self.rate, now) >= 1.0);
            }
            let used = self.networks.entry(network);
            used.or_insert_with(|| Used::nothing(now)).count += count;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;

    use super::*;

    const RATE: Rate = Rate {
        burst: 1000,
        per_second: 100,
    };

    fn visitor(number: u32) -> Visitor {
        IpAddr::from(Ipv4Addr::from(0x0a00_0000 + number)).into()
    }

    /// How often a visitor gets 10 until it gets none.
    fn takes_all(shares: &mut Shares, number: u32, now: Instant) -> usize {
        let takes = || shares.spend(visitor(number), 10, now).then_some(());
        std::iter::from_fn(takes).count()
    }

    #[test]
    fn one_network_has_a_ninth_of_it() {
        let now = Instant::now();
        let mut shares = Shares::new(RATE, now);
        assert_eq!(takes_all(&mut shares, 1, now), 12, "120 of 1000");
        assert_eq!(takes_all(&mut shares, 2, now), 10, "an eighth of the rest");
        assert!(shares.spend(Visitor::Uncounted, 780, now), "all the rest");
        assert!(!shares.spend(Visitor::Uncounted, 1, now));
        assert!(!shares.spend(visitor(3), 1, now));
    }

    #[test]
    fn wide_networks_of_ipv6_are_one() {
        let now = Instant::now();
        let mut shares = Shares::new(RATE, now);
        let spend = |shares: &mut Shares, address: &str, count| {
            let address: IpAddr = address.parse().unwrap();
            shares.spend(address.into(), count, now)
        };
        assert!(spend(&mut shares, "2001:db8:0:1::1", 120));
        assert!(!spend(&mut shares, "2001:db8:0:2::1", 10));
        assert!(spend(&mut shares, "2001:db8:1:1::1", 10));
    }

    /// Many that take all that they get, for a long time: those who come then, who need half of all, have it at once.
    #[test]
    fn who_comes_next_finds_a_share() {
        let start = Instant::now();
        let mut shares = Shares::new(RATE, start);
        let mut taken: u64 = 0;
        for tenth in 0..1000 {
            let now = start + Duration::from_millis(100 * tenth);
            for number in 0..20 {
                taken += takes_all(&mut shares, number, now) as u64;
            }
            if tenth % 2 == 0 {
                let guest = 100 + u32::try_from(tenth).unwrap();
                assert!(shares.spend(visitor(guest), 10, now), "{tenth}");
            }
        }
        // 100 seconds, in each of which 100 are added.
        assert!(10 * taken + 500 * 10 <= 1000 + 100 * 100, "{taken}");
        let later = start + Duration::from_secs(1000);
        assert_eq!(takes_all(&mut shares, 1, later), 12, "all is forgotten");
    }

    #[test]
    fn networks_that_use_nothing_are_forgotten() {
        let start = Instant::now();
        let mut shares = Shares::new(RATE, start);
        for number in 0..100_000_u32 {
            let now = start + Duration::from_millis(100 * u64::from(number));
            assert!(shares.spend(visitor(number), 1, now));
        }
        assert!(shares.networks.len() <= REMEMBERED);
    }
}
