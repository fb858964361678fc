//! One thing at a time, for one address after the other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use connect4_relay::Visitor;
use tokio::sync::oneshot;

/// How many wait, at most.
pub const MOST_WAITING: usize = 64;
/// How many of one address wait, at most.
const MOST_OF_ADDRESS: u64 = 32;
/// A round for a single address. Networks with a share of several addresses come more often.
const ROUND: u64 = Visitor::WIDEST_SHARE as u64;

/// A turn that one has at a time, and a queue that is fair to addresses: each round has a turn for each
/// address that waits, whatever else it has asked for. If too many wait, the address that has most loses
/// its newest. Clones share it.
#[derive(Clone, Default)]
pub struct Turns(Arc<Mutex<Queue>>);

/// The turn, or a place in the queue for it, until it is dropped.
pub struct Turn {
    turns: Turns,
    rank: Rank,
}

#[derive(Default)]
struct Queue {
    waiting: BTreeMap<Rank, Waiting>,
    /// Who has the turn.
    serving: Option<(Rank, Visitor)>,
    /// The round of the latest turn.
    now: u64,
    arrivals: u64,
}

/// The order of turns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// An address that waits for several turns has them in several rounds.
    round: u64,
    arrival: u64,
}

struct Waiting {
    visitor: Visitor,
    begin: oneshot::Sender<()>,
}

impl Turns {
    /// Waits for the turn. None if too many wait.
    pub async fn take(&self, visitor: Visitor) -> Option<Turn> {
        let (turn, begins) = self.enter(visitor)?;
        begins.await.ok().map(|()| turn)
    }

    /// A place in the queue, and what tells that the turn has come, or ends if the place is lost.
    fn enter(&self, visitor: Visitor) -> Option<(Turn, oneshot::Receiver<()>)> {
        let (begin, begins) = oneshot::channel();
        let rank = self.lock().enter(visitor, begin)?;
        let turns = self.clone();
        Some((Turn { turns, rank }, begins))
    }

    /// How many wait.
    #[cfg(test)]
    pub fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.lock().leave(self.rank);
    }
}

impl Queue {
    fn enter(&mut self, visitor: Visitor, begin: oneshot::Sender<()>) -> Option<Rank> {
        let round = self.round_of(visitor);
        if round > self.now.saturating_add(ROUND * MOST_OF_ADDRESS) {
            return None;
        }
        self.arrivals += 1;
        let arrival = self.arrivals;
        let rank = Rank { round, arrival };
        self.waiting.insert(rank, Waiting { visitor, begin });
        if self.serving.is_none() {
            self.next();
        } else if self.waiting.len() > MOST_WAITING {
            // The address that has most waits for the latest round. It is told by its sender's end.
            self.waiting.pop_last();
        }
        Some(rank)
    }

    /// The round in which a visitor's next turn is: one after the latest in which the address has one.
    fn round_of(&self, visitor: Visitor) -> u64 {
        let all = || {
            let waiting = self.waiting.iter();
            let waiting = waiting.map(|(rank, waiting)| (rank.round, waiting.visitor));
            let serving = self.serving.iter();
            waiting.chain(serving.map(|(rank, visitor)| (rank.round, *visitor)))
        };
        let rounds = visitor.networks().map(|network| {
            let is_in = |(_, other): &(u64, Visitor)| other.networks().any(|one| one == network);
            let latest = all().filter(is_in).map(|(round, _)| round).max();
            let (_, share) = network;
            latest.unwrap_or_default().max(self.now) + ROUND / u64::from(share)
        });
        rounds.max().unwrap_or(self.now + ROUND)
    }

    fn leave(&mut self, rank: Rank) {
        match self.serving {
            Some((serving, _)) if serving == rank => self.next(),
            _ => drop(self.waiting.remove(&rank)),
        }
    }

    /// Gives the turn to the next one who still waits.
    fn next(&mut self) {
        self.serving = None;
        while let Some((rank, Waiting { visitor, begin })) = self.waiting.pop_first() {
            if begin.send(()).is_ok() {
                self.serving = Some((rank, visitor));
                self.now = rank.round;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn at(text: &str) -> Visitor {
        text.parse::<IpAddr>().unwrap().into()
    }

    /// Somebody in the queue.
    struct Asking {
        turn: Turn,
        begins: oneshot::Receiver<()>,
    }

    impl Asking {
        /// Whether it is its turn.
        fn begins(&mut self) -> bool {
            self.begins.try_recv().is_ok()
        }

        /// Whether its place was lost.
        fn is_out(&mut self) -> bool {
            self.begins.try_recv() == Err(oneshot::error::TryRecvError::Closed)
        }
    }

    fn ask(turns: &Turns, from: &str) -> Option<Asking> {
        let (turn, begins) = turns.enter(at(from))?;
        Some(Asking { turn, begins })
    }

    /// How many turns others have before this one, who asks as strangers with these addresses ask for as
    /// much as they can, before and all the time.
    fn turns_before(victim: &str, strangers: &[String]) -> usize {
        let turns = Turns::default();
        let crowd = |all: &mut Vec<Asking>| {
            for stranger in strangers {
                all.extend((0..=MOST_WAITING).map_while(|_| ask(&turns, stranger)));
            }
            all.retain_mut(|asking| !asking.is_out() || asking.turn.has_the_turn());
        };
        let mut all = Vec::new();
        crowd(&mut all);
        let mut victim = ask(&turns, victim).expect("a place");
        for before in 0.. {
            if victim.begins() {
                return before;
            }
            assert!(!victim.is_out(), "after {before}");
            crowd(&mut all);
            let serving = all.iter().position(|asking| asking.turn.has_the_turn());
            all.remove(serving.expect("somebody has the turn"));
        }
        unreachable!()
    }

    impl Turn {
        fn has_the_turn(&self) -> bool {
            let serving = self.turns.lock().serving;
            serving.is_some_and(|(rank, _)| rank == self.rank)
        }
    }

    #[test]
    fn who_fills_the_queue_from_some_addresses_has_so_many_turns_before_another() {
        for count in [1, 2, 5, 20] {
            let strangers: Vec<_> = (0..count).map(|last| format!("192.0.2.{last}")).collect();
            let before = turns_before("198.51.100.1", &strangers);
            assert!(before <= count + 1, "{count}: {before}");
        }
        // Addresses of IPv6 are counted by networks.
        let strangers: Vec<_> = (0..40).map(|last| format!("2001:db8::{last:x}")).collect();
        assert!(turns_before("2001:db8:1::1", &strangers) <= 2);
        let strangers: Vec<_> = (0..40)
            .map(|at| format!("2001:db8:0:{at:x}00::1"))
            .collect();
        assert!(turns_before("192.0.2.1", &strangers) <= 17);
    }

    #[test]
    fn addresses_have_turns_one_after_the_other() {
        let turns = Turns::default();
        let asked = ["a", "a", "a", "b", "c", "b"];
        let mut all: Vec<_> = asked
            .iter()
            .map(|name| (*name, ask(&turns, &format!("2001:db8:{name}::1")).unwrap()))
            .collect();
        let mut order = String::new();
        while !all.is_empty() {
            let next = all.iter_mut().position(|(_, asking)| asking.begins());
            order.push_str(all.remove(next.expect("one has the turn")).0);
        }
        assert_eq!(order, "aabcab");
    }

    #[test]
    fn the_address_that_has_most_loses_its_newest() {
        let turns = Turns::default();
        let mut first = ask(&turns, "192.0.2.1").unwrap();
        assert!(first.begins());
        let mut many: Vec<_> = (0..20).map(|_| ask(&turns, "192.0.2.1").unwrap()).collect();
        let mut others: Vec<_> = (20..MOST_WAITING)
            .map(|last| ask(&turns, &format!("198.51.100.{last}")).unwrap())
            .collect();
        assert!(!many.iter_mut().any(Asking::is_out));
        let mut one_more = ask(&turns, "203.0.113.1").unwrap();
        let out: Vec<_> = many.iter_mut().map(Asking::is_out).collect();
        assert_eq!(out.iter().position(|is_out| *is_out), Some(19), "{out:?}");
        assert!(!others.iter_mut().any(Asking::is_out) && !one_more.is_out());
    }

    #[test]
    fn an_address_waits_for_so_many_turns() {
        let turns = Turns::default();
        let all: Vec<_> = (0..100).map_while(|_| ask(&turns, "192.0.2.1")).collect();
        // The first one has the turn.
        assert_eq!(all.len() as u64, 1 + MOST_OF_ADDRESS);
        assert!(ask(&turns, "192.0.2.2").is_some());
        let here: Vec<_> = (0..40).map_while(|_| ask(&turns, "127.0.0.1")).collect();
        assert_eq!(here.len(), 40, "this machine is not counted");
    }

    #[test]
    fn who_gives_up_makes_place() {
        let turns = Turns::default();
        let mut all: Vec<_> = (0..4)
            .map(|last| ask(&turns, &format!("192.0.2.{last}")))
            .collect();
        let mut next = || all.remove(0).unwrap();
        let (mut first, second, mut third, fourth) = (next(), next(), next(), next());
        assert!(first.begins());
        drop((second, first));
        assert!(third.begins());
        // It has the turn without having heard of it.
        drop(third);
        drop(fourth);
        assert!(ask(&turns, "192.0.2.9").unwrap().begins());
    }
}
