//! How many sockets an address has.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::limits::Limits;
use crate::rate::Bucket;

/// Addresses that are remembered, at most, besides those with open sockets.
const REMEMBERED: usize = 16_384;

/// The addresses of all sockets.
#[derive(Clone, Default)]
pub struct Addresses(Arc<Mutex<HashMap<IpAddr, Known>>>);

struct Known {
    sockets: u32,
    openings: Bucket,
}

impl Addresses {
    /// Counts one more socket of this address until the guest is dropped; none if that is too many.
    pub fn enter(&self, address: IpAddr, limits: &Limits, now: Instant) -> Option<Guest> {
        let address = network(address);
        if address.is_loopback() {
            return Some(Guest { counted: None });
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= REMEMBERED && !all.contains_key(&address) {
            all.retain(|_, known| known.sockets > 0 || !known.openings.is_full(now));
            if all.len() >= REMEMBERED {
                all.retain(|_, known| known.sockets > 0);
            }
        }
        let known = all.entry(address).or_insert_with(|| Known {
            sockets: 0,
            openings: Bucket::full(limits.openings_of_address, now),
        });
        if known.sockets >= limits.sockets_of_address || !known.openings.take(now) {
            return None;
        }
        known.sockets += 1;
        Some(Guest {
            counted: Some((self.clone(), address)),
        })
    }
}

/// A socket of an address.
pub struct Guest {
    counted: Option<(Addresses, IpAddr)>,
}

impl Drop for Guest {
    fn drop(&mut self) {
        if let Some((Addresses(all), address)) = &self.counted
            && let Some(known) = all
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get_mut(address)
        {
            known.sockets = known.sockets.saturating_sub(1);
        }
    }
}

/// What counts as one address: providers give a customer all addresses of IPv6 with the same 64 bits.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::rate::Rate;

    fn limits() -> Limits {
        Limits {
            sockets_of_address: 2,
            openings_of_address: Rate {
                burst: 3,
                per_second: 1,
            },
            ..Limits::default()
        }
    }

    fn at(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_has_so_many_sockets_at_the_same_time() {
        let (all, now) = (Addresses::default(), Instant::now());
        let enter = |address| all.enter(at(address), &limits(), now);
        let first = enter("192.0.2.1").expect("one");
        let _second = enter("::ffff:192.0.2.1").expect("two, written as IPv6");
        assert!(enter("192.0.2.1").is_none(), "three");
        assert!(enter("192.0.2.2").is_some(), "another address");
        drop(first);
        assert!(enter("192.0.2.1").is_some(), "one has left");
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let (all, now) = (Addresses::default(), Instant::now());
        let enter = |address| all.enter(at(address), &limits(), now);
        let _guests = (enter("2001:db8::1").unwrap(), enter("2001:db8::2").unwrap());
        assert!(enter("2001:db8::3:4:5:6").is_none());
        assert!(enter("2001:db8:0:1::1").is_some());
    }

    #[test]
    fn who_comes_and_goes_all_the_time_waits() {
        let (all, start) = (Addresses::default(), Instant::now());
        let enter = |seconds| {
            let now = start + Duration::from_secs(seconds);
            all.enter(at("192.0.2.1"), &limits(), now).is_some()
        };
        assert!(enter(0) && enter(0) && enter(0));
        assert!(!enter(0));
        assert!(enter(1) && !enter(1));
    }

    #[test]
    fn this_machine_is_not_counted() {
        let (all, now) = (Addresses::default(), Instant::now());
        for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            let guests: Vec<_> = (0..100)
                .filter_map(|_| all.enter(at(address), &limits(), now))
                .collect();
            assert_eq!(guests.len(), 100);
        }
    }

    #[test]
    fn addresses_that_have_left_are_forgotten() {
        let (all, now) = (Addresses::default(), Instant::now());
        let kept = all.enter(at("192.0.2.1"), &limits(), now);
        for number in 0..100_000_u32 {
            let address = IpAddr::V4((0x0a00_0000 + number).into());
            assert!(all.enter(address, &limits(), now).is_some());
        }
        let known = all.0.lock().unwrap();
        assert!(known.len() <= REMEMBERED);
        assert_eq!(known[&at("192.0.2.1")].sockets, 1);
        drop((known, kept));
    }
}
