//! Ended games that wait to be recorded.

use std::collections::HashMap;

use connect4_protocol::fast::{GameNumber, Results};

use super::limits::{At, Counted, Limits, Over, Payees};
use crate::records::Checked;

/// Games that wait, at most.
const MOST: usize = 10_000;
/// Seconds for which a game waits for another end, as the agreement of the loser, before it is recorded.
pub const SETTLE: u64 = 5;

/// A game that waits.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    pub checked: Checked,
    pub payees: Payees,
    /// When it came, in seconds since 1970.
    pub since: u64,
}

/// All games that wait, one end of each.
///
/// An address has no more of them than are paid for it in a day, so that a flood of one takes no place of others.
#[derive(Debug, Default)]
pub struct Queue {
    games: HashMap<GameNumber, Waiting>,
    of_place: HashMap<At, u32>,
}

impl Queue {
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Takes a game. Of two ends of a game the one that says more stays. Returns whether it waits now.
    pub fn put(&mut self, limits: &Limits, waiting: Waiting) -> bool {
        let number = waiting.checked.number;
        if let Some(held) = self.games.get_mut(&number) {
            let mut known = Results::default();
            known.add(&held.checked.piece);
            let is_news = waiting.checked.is_news_to(&known);
            if is_news {
                // For whom it is paid stays: a relay cannot count it for others by showing it again.
                held.checked = waiting.checked;
            }
            return is_news;
        }
        let of_place = |place: &At| self.of_place.get(place).copied().unwrap_or(0);
        let mut places = waiting.payees.places();
        let is_full = places.any(|place| of_place(&place) >= limits.of_address);
        if is_full || self.games.len() >= MOST {
            return false;
        }
        for place in waiting.payees.places() {
            *self.of_place.entry(place).or_default() += 1;
        }
        self.games.insert(number, waiting);
        true
    }

    /// Takes a game out.
    pub fn remove(&mut self, number: GameNumber) -> Option<Waiting> {
        let waiting = self.games.remove(&number)?;
        for place in waiting.payees.places() {
            if let Some(count) = self.of_place.get_mut(&place) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    self.of_place.remove(&place);
                }
            }
        }
        Some(waiting)
    }

    /// Drops the games for which this says so.
    pub fn forget(&mut self, is_over: impl Fn(&Waiting) -> bool) {
        let over = self.games.values().filter(|waiting| is_over(waiting));
        let over: Vec<GameNumber> = over.map(|waiting| waiting.checked.number).collect();
        for number in over {
            self.remove(number);
        }
    }

    /// When the game came that has waited for the longest.
    pub fn oldest(&self) -> Option<u64> {
        self.games.values().map(|waiting| waiting.since).min()
    }

    /// The games of the next call, `most` at most and those of one relay `of_relay` at most: first those of
    /// players who have had least, then those that came first. Games that came after `until` wait on. They stay
    /// in the queue.
    pub fn next(
        &self,
        limits: &Limits,
        mut counted: Counted,
        most: usize,
        of_relay: impl Fn(u16) -> usize,
        until: u64,
    ) -> Vec<Waiting> {
        let came = |waiting: &&Waiting| waiting.since <= until;
        let mut left: Vec<&Waiting> = self.games.values().filter(came).collect();
        let mut taken = Vec::new();
        let mut of = HashMap::<u16, usize>::new();
        left.sort_unstable_by_key(|waiting| (waiting.since, waiting.checked.number));
        // By rounds: one more of each player, before any has two more.
        while taken.len() < most && !left.is_empty() {
            left.sort_by_key(|waiting| counted.had(&waiting.payees));
            let least = left.first().map(|waiting| counted.had(&waiting.payees));
            let mut later = Vec::new();
            for waiting in left {
                let payees = &waiting.payees;
                let in_turn = Some(counted.had(payees)) <= least;
                if !in_turn {
                    later.push(waiting);
                    continue;
                }
                let count = of.entry(payees.relay()).or_default();
                if taken.len() >= most || *count >= of_relay(payees.relay()) {
                    continue;
                }
                if counted.allows(limits, payees).is_ok() {
                    *count += 1;
                    counted.add(payees);
                    taken.push(*waiting);
                }
            }
            left = later;
        }
        taken
    }

    /// Drops the games that no further payment of today can be for, and says how many of each kind.
    pub fn drop_over(&mut self, limits: &Limits, counted: &Counted) -> Vec<(Over, usize)> {
        let over: Vec<(GameNumber, Over)> = self
            .games
            .values()
            .filter_map(|waiting| {
                let over = counted.allows(limits, &waiting.payees).err()?;
                Some((waiting.checked.number, over))
            })
            .collect();
        let mut counts = Vec::new();
        for kind in [Over::Pair, Over::Account, Over::Address] {
            let count = over.iter().filter(|(_, over)| *over == kind).count();
            if count > 0 {
                counts.push((kind, count));
            }
        }
        for (number, _) in over {
            self.remove(number);
        }
        counts
    }
}
