//! A queue in which no network has all places.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ipnet::IpNet;

use crate::shares::may_use_more;
use crate::visitor::Visitor;

/// Places that networks share: one alone has a ninth of them, and eight times as many are left for those who come
/// next. Clones share them.
#[derive(Clone)]
pub struct Queue {
    most: usize,
    waiting: Arc<Mutex<Waiting>>,
}

#[derive(Default)]
struct Waiting {
    all: usize,
    of: HashMap<IpNet, usize>,
}

impl Queue {
    /// So many places, all of them free.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            most,
            waiting: Arc::default(),
        }
    }

    /// A place for this visitor until the turn is dropped; none if its network has its share. A visitor who is not
    /// counted may have all places.
    #[must_use]
    pub fn enter(&self, visitor: Visitor) -> Option<Turn> {
        let mut waiting = self.lock();
        let network = visitor.widest();
        let left = self.most.saturating_sub(waiting.all);
        let used = network.and_then(|network| waiting.of.get(&network));
        let used = used.copied().unwrap_or_default();
        if left == 0 || !may_use_more(used as f64, left as f64) {
            return None;
        }
        waiting.all += 1;
        if let Some(network) = network {
            *waiting.of.entry(network).or_default() += 1;
        }
        Some(Turn {
            queue: self.clone(),
            network,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in a [`Queue`].
pub struct Turn {
    queue: Queue,
    network: Option<IpNet>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut waiting = self.queue.lock();
        waiting.all = waiting.all.saturating_sub(1);
        if let Some(network) = self.network
            && let Some(of) = waiting.of.get_mut(&network)
        {
            *of = of.saturating_sub(1);
            if *of == 0 {
                waiting.of.remove(&network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    /// All places that a visitor gets.
    fn takes_all(queue: &Queue, address: &str) -> Vec<Turn> {
        let address: IpAddr = address.parse().unwrap();
        std::iter::from_fn(|| queue.enter(address.into())).collect()
    }

    #[test]
    fn a_network_has_a_share_and_gives_it_back() {
        let queue = Queue::new(64);
        let first = takes_all(&queue, "192.0.2.1");
        assert_eq!(first.len(), 8);
        let second = takes_all(&queue, "192.0.2.2");
        assert_eq!(second.len(), 7, "an eighth of what is left");
        let others: Vec<Turn> = (0..200)
            .flat_map(|number| takes_all(&queue, &format!("198.51.100.{number}")))
            .collect();
        assert_eq!(
            first.len() + second.len() + others.len(),
            64,
            "all are used"
        );
        drop(first);
        assert_eq!(takes_all(&queue, "192.0.2.1").len(), 1);
        drop((second, others));
        assert_eq!(
            takes_all(&queue, "127.0.0.1").len(),
            64,
            "it is not counted"
        );
        assert_eq!(takes_all(&queue, "192.0.2.1").len(), 8, "all have left");
        assert!(queue.lock().of.is_empty());
    }

    #[test]
    fn wide_networks_of_ipv6_are_one() {
        let queue = Queue::new(64);
        let turns = takes_all(&queue, "2001:db8:0:1::1");
        assert_eq!(turns.len(), 8);
        assert_eq!(takes_all(&queue, "2001:db8:0:2::1").len(), 0);
        assert_eq!(takes_all(&queue, "2001:db8:1:1::1").len(), 7);
    }
}
