//! What each address has open, and how often it comes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ipnet::IpNet;

use crate::rate::{Bucket, Rate};
use crate::visitor::Visitor;

/// Addresses that are remembered, at most, besides those that have something open.
const REMEMBERED: usize = 16_384;
/// How long an address that was put out opens nothing new.
const PUT_OUT: Duration = Duration::from_secs(10);

/// What one address may have of something: sockets, connections or requests.
///
/// All addresses of IPv6 with the same first 64 bits are one; those with the same 56 have four times as
/// much together, those with the same 48 sixteen times, but none more than [`most`](Self::most). A
/// [`Visitor`] who is not counted may have any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed {
    pub at_once: u32,
    /// How many at the same time a network may have, however wide it is.
    pub most: u32,
    /// How often one more.
    pub rate: Rate,
}

/// All addresses that have something open, or came lately. Clones share them.
#[derive(Clone)]
pub struct Addresses {
    allowed: Allowed,
    known: Arc<Mutex<HashMap<IpNet, Known>>>,
}

struct Known {
    open: u32,
    left: Bucket,
}

impl Addresses {
    /// No address yet, each of which will be allowed the same.
    #[must_use]
    pub fn new(allowed: Allowed) -> Self {
        Self {
            allowed,
            known: Arc::default(),
        }
    }

    /// Counts one more of this visitor until the guest is dropped; none if that is too many.
    #[must_use]
    pub fn enter(&self, visitor: Visitor, now: Instant) -> Option<Guest> {
        let mut all = self.lock();
        // A flood of the narrow network is none of the wider ones: those are not asked then.
        let has_place = self.networks(&mut all, visitor, now, |known, share| {
            let most = self.allowed.at_once.saturating_mul(share);
            let most = most.min(self.allowed.most);
            known.open < most && known.left.take(now)
        });
        if !has_place {
            return None;
        }
        for (network, _) in visitor.networks() {
            if let Some(known) = all.get_mut(&network) {
                known.open += 1;
            }
        }
        Some(Guest {
            addresses: self.clone(),
            visitor,
        })
    }

    /// Takes so much of this visitor's rate at once for something that is not open afterwards. Returns whether
    /// there was as much.
    #[must_use]
    pub fn spend(&self, visitor: Visitor, count: u32, now: Instant) -> bool {
        let mut all = self.lock();
        self.networks(&mut all, visitor, now, |known, _| {
            known.left.take_many(count.into(), now)
        })
    }

    /// Whether something holds for each network of a visitor, which is asked from the narrowest one on until it
    /// does not.
    fn networks(
        &self,
        all: &mut HashMap<IpNet, Known>,
        visitor: Visitor,
        now: Instant,
        mut holds: impl FnMut(&mut Known, u32) -> bool,
    ) -> bool {
        let is_known = |(network, _)| all.contains_key(&network);
        if !visitor.networks().all(is_known) {
            make_place(all, now);
        }
        visitor.networks().all(|(network, share)| {
            let rate = self.allowed.rate.times(share);
            let known = all.entry(network).or_insert_with(|| Known {
                open: 0,
                left: Bucket::full(rate, now),
            });
            holds(known, share)
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpNet, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets addresses that have nothing open, if there are many.
fn make_place(all: &mut HashMap<IpNet, Known>, now: Instant) {
    if all.len() >= REMEMBERED {
        all.retain(|_, known| known.open > 0 || !known.left.is_full(now));
    }
    if all.len() >= REMEMBERED {
        all.retain(|_, known| known.open > 0);
    }
}

/// Something that a visitor has open. It is counted until this is dropped.
pub struct Guest {
    addresses: Addresses,
    visitor: Visitor,
}

impl Guest {
    /// Has the address of one that misbehaves wait for 10 s before it opens another one, and then come at
    /// its rate, without a burst. What it has open stays.
    pub fn put_out(&self, now: Instant) {
        if let Some((network, _)) = self.visitor.networks().next()
            && let Some(known) = self.addresses.lock().get_mut(&network)
        {
            known.left.empty_until(now + PUT_OUT);
        }
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut all = self.addresses.lock();
        for (network, _) in self.visitor.networks() {
            if let Some(known) = all.get_mut(&network) {
                known.open = known.open.saturating_sub(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn addresses() -> Addresses {
        Addresses::new(Allowed {
            at_once: 2,
            most: 32,
            rate: Rate {
                burst: 3,
                per_second: 1,
            },
        })
    }

    fn at(text: &str) -> Visitor {
        text.parse::<IpAddr>().unwrap().into()
    }

    #[test]
    fn an_address_has_so_many_sockets_at_the_same_time() {
        let (all, now) = (addresses(), Instant::now());
        let enter = |address| all.enter(at(address), now);
        let first = enter("192.0.2.1").expect("one");
        let _second = enter("::ffff:192.0.2.1").expect("two, written as IPv6");
        assert!(enter("192.0.2.1").is_none(), "three");
        assert!(enter("192.0.2.2").is_some(), "another address");
        drop(first);
        assert!(enter("192.0.2.1").is_some(), "one has left");
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let (all, now) = (addresses(), Instant::now());
        let enter = |address| all.enter(at(address), now);
        let _guests = (enter("2001:db8::1").unwrap(), enter("2001:db8::2").unwrap());
        assert!(enter("2001:db8::3:4:5:6").is_none());
        assert!(enter("2001:db8:0:1::1").is_some());
    }

    #[test]
    fn wide_networks_of_ipv6_have_more_but_not_as_much_as_all_that_is_in_them() {
        let (all, now) = (addresses(), Instant::now());
        let enter = |network: u32| {
            let address = format!("2001:db8:0:{network:x}::1");
            all.enter(at(&address), now)
        };
        let of_56: Vec<_> = (0..0x100).filter_map(enter).collect();
        assert_eq!(of_56.len(), 8, "256 networks of 64 bits");
        let others: Vec<_> = (0x100..0x10000).filter_map(enter).collect();
        assert_eq!(of_56.len() + others.len(), 32, "65,536 of them");
        assert!(all.enter(at("2001:db8:1::1"), now).is_some(), "another one");
        drop((of_56, others));
        assert!(all.lock().values().all(|known| known.open == 0));
    }

    #[test]
    fn no_network_has_all_places_however_wide_it_is() {
        let all = Addresses::new(Allowed {
            most: 20,
            ..addresses().allowed
        });
        let now = Instant::now();
        let enter = |network: u32| {
            let address = format!("2001:db8:0:{network:x}::1");
            all.enter(at(&address), now)
        };
        let guests: Vec<_> = (0..0x10000).step_by(0x100).filter_map(enter).collect();
        assert_eq!(guests.len(), 20);
        assert!(all.enter(at("2001:db8:1::1"), now).is_some(), "another one");
    }

    #[test]
    fn who_comes_and_goes_all_the_time_waits() {
        let (all, start) = (addresses(), Instant::now());
        let enter = |seconds| {
            let now = start + Duration::from_secs(seconds);
            all.enter(at("192.0.2.1"), now).is_some()
        };
        assert!(enter(0) && enter(0) && enter(0));
        assert!(!enter(0));
        assert!(enter(1) && !enter(1));
    }

    #[test]
    fn who_was_put_out_waits_longer_and_others_do_not() {
        let (all, start) = (addresses(), Instant::now());
        let enter = |address, seconds| {
            let now = start + Duration::from_secs(seconds);
            all.enter(at(address), now)
        };
        let flood = enter("192.0.2.1", 0).expect("one");
        flood.put_out(start);
        drop(flood);
        assert!(enter("192.0.2.1", 9).is_none());
        assert!(enter("192.0.2.2", 9).is_some());
        assert!(enter("192.0.2.1", 11).is_some(), "at its rate");
        assert!(enter("192.0.2.1", 11).is_none(), "without a burst");
    }

    #[test]
    fn this_machine_is_not_counted() {
        let (all, now) = (addresses(), Instant::now());
        for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            let guests: Vec<_> = (0..100)
                .filter_map(|_| all.enter(at(address), now))
                .collect();
            assert_eq!(guests.len(), 100);
        }
    }

    #[test]
    fn addresses_that_have_left_are_forgotten() {
        let (all, now) = (addresses(), Instant::now());
        let kept = all.enter(at("192.0.2.1"), now);
        for number in 0..100_000_u32 {
            let address = IpAddr::V4((0x0a00_0000 + number).into());
            assert!(all.enter(address.into(), now).is_some());
        }
        let known = all.lock();
        assert!(known.len() <= REMEMBERED);
        let (network, _) = at("192.0.2.1").networks().next().unwrap();
        assert_eq!(known[&network].open, 1);
        drop((known, kept));
    }
}
