//! Ended games that wait to be recorded.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

use connect4_protocol::signed::GameNumber;

use super::limits::{At, Counted, Limits, Over, Payees};
use crate::records::{Call, Checked, MOST_IN_CALL};

/// Games that wait, at most. Each relay has the same part of them.
const MOST: usize = 10_000;
/// For how many days games of one address wait, at most.
const DAYS: u32 = 3;

/// How many games are in a call at most, by how often they were in one that failed: one that is bad is soon alone. A
/// game that has failed more often is given up.
const IN_CALL: [usize; 3] = [MOST_IN_CALL, MOST_IN_CALL / 10, 1];

#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    pub checked: Checked,
    pub payees: Payees,
    /// When it came, in seconds since 1970.
    pub since: u64,
    /// How often it was in a call that failed.
    pub failed: usize,
}

/// All games that wait, each once for each relay that shows it: a relay can make up for whom a game is, and
/// would else keep the games of others from being paid by showing them first.
///
/// An address has no more of them than are paid for it in some days, so that a flood of one takes no place of others. A draw
/// waits if either player's address has room: an opponent could fill the own one.
#[derive(Debug, Default)]
pub struct Queue {
    games: BTreeMap<(GameNumber, u16), Waiting>,
    of_place: HashMap<At, u32>,
    of_relay: HashMap<u16, usize>,
}

impl Queue {
    /// How many games wait; one counts for each relay that shows it.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Takes a game. Returns whether it waits now, and has not before.
    pub fn put(&mut self, limits: &Limits, waiting: Waiting) -> bool {
        let relay = waiting.payees.relay();
        let key = (waiting.checked.number, relay);
        // For whom it is paid stays: a relay cannot count it for others by showing it again.
        if waiting.failed >= IN_CALL.len() || self.games.contains_key(&key) {
            return false;
        }
        let of_place = |place: &At| self.of_place.get(place).copied().unwrap_or(0);
        let mut places = waiting.payees.places();
        let most = limits.of_address.saturating_mul(DAYS);
        let is_full = places.all(|place| of_place(&place) >= most);
        let part = MOST / usize::try_from(limits.relays.max(1)).unwrap_or(MOST);
        let of_relay = self.of_relay.entry(relay).or_default();
        if is_full || *of_relay >= part {
            return false;
        }
        *of_relay += 1;
        for place in waiting.payees.places() {
            *self.of_place.entry(place).or_default() += 1;
        }
        self.games.insert(key, waiting);
        true
    }

    /// Takes a game out, for all relays that show it.
    pub fn remove(&mut self, number: GameNumber) {
        let of_game = self.games.range((number, 0)..=(number, u16::MAX));
        let keys: Vec<_> = of_game.map(|(key, _)| *key).collect();
        for key in keys {
            self.take(key);
        }
    }

    fn take(&mut self, key: (GameNumber, u16)) {
        let Some(waiting) = self.games.remove(&key) else {
            return;
        };
        if let Some(count) = self.of_relay.get_mut(&key.1) {
            *count = count.saturating_sub(1);
        }
        for place in waiting.payees.places() {
            if let Some(count) = self.of_place.get_mut(&place) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    self.of_place.remove(&place);
                }
            }
        }
    }

    /// Drops the games for which this says so.
    pub fn forget(&mut self, is_over: impl Fn(&Waiting) -> bool) {
        let over = self.games.iter().filter(|(_, waiting)| is_over(waiting));
        let over: Vec<_> = over.map(|(key, _)| *key).collect();
        for key in over {
            self.take(key);
        }
    }

    /// Whether there are as many games as one call can have.
    pub fn has_full_call(&self) -> bool {
        let mut calls = BTreeMap::<Call, usize>::new();
        for waiting in self.games.values() {
            *calls.entry(waiting.checked.call()).or_default() += 1;
        }
        calls.values().any(|count| *count >= MOST_IN_CALL)
    }

    /// When the game came that has waited for the longest.
    pub fn oldest(&self) -> Option<u64> {
        self.games.values().map(|waiting| waiting.since).min()
    }

    /// The games of the next call, `most` at most and those of one relay `of_relay` at most: first those of
    /// relays, then of players, who have had least, then those that came first. All have failed as often, and fit into one
    /// call, as the one of them that came first and can be paid for. They stay in the queue.
    pub fn next(
        &self,
        limits: &Limits,
        counted: &Counted,
        most: usize,
        of_relay: impl Fn(u16) -> usize,
    ) -> Vec<Waiting> {
        let mut kinds = BTreeMap::<(usize, Call), Vec<&Waiting>>::new();
        for waiting in self.games.values() {
            let kind = (waiting.failed, waiting.checked.call());
            kinds.entry(kind).or_default().push(waiting);
        }
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, games)| games.iter().map(|waiting| waiting.since).min());
        let mut calls = kinds.into_iter().map(|((failed, _), games)| {
            let in_call = IN_CALL.get(failed).copied().unwrap_or(1);
            Self::choose(games, limits, counted.clone(), most.min(in_call), &of_relay)
        });
        calls.find(|games| !games.is_empty()).unwrap_or_default()
    }

    fn choose(
        mut left: Vec<&Waiting>,
        limits: &Limits,
        mut counted: Counted,
        most: usize,
        of_relay: impl Fn(u16) -> usize,
    ) -> Vec<Waiting> {
        let mut taken = Vec::new();
        let mut numbers = HashSet::new();
        let mut of = HashMap::<u16, usize>::new();
        left.sort_unstable_by_key(|waiting| (waiting.since, waiting.checked.number));
        let had = |waiting: &&Waiting| counted.had(&waiting.payees);
        let places = left.iter().enumerate();
        let mut next: BinaryHeap<_> = places
            .map(|(place, waiting)| Reverse((had(waiting), place)))
            .collect();
        while taken.len() < most
            && let Some(Reverse((had, place))) = next.pop()
        {
            let waiting = left[place];
            let payees = &waiting.payees;
            // They may have had more since then: so it is the turn of others.
            let now = counted.had(payees);
            if now > had {
                next.push(Reverse((now, place)));
                continue;
            }
            let count = of.entry(payees.relay()).or_default();
            // One that another relay shows, too, is there once.
            let number = waiting.checked.number;
            if *count < of_relay(payees.relay())
                && counted.allows(limits, payees).is_ok()
                && numbers.insert(number)
            {
                *count += 1;
                counted.add(payees);
                taken.push(*waiting);
            }
        }
        taken
    }

    /// How many games no further payment of today can be for, of each kind. They wait.
    pub fn over(&self, limits: &Limits, counted: &Counted) -> Vec<(Over, usize)> {
        let games = self.games.values();
        let over: Vec<Over> = games
            .filter_map(|waiting| counted.allows(limits, &waiting.payees).err())
            .collect();
        let kinds = [Over::Pair, Over::Account, Over::Address].into_iter();
        let counts = kinds.map(|kind| (kind, over.iter().filter(|over| **over == kind).count()));
        counts.filter(|(_, count)| *count > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::signed::Ending;
    use connect4_protocol::signed::feed::Origin;
    use connect4_rules::ByPlayer;
    use connect4_testing::keys::session_key;
    use connect4_testing::signed::{CHAIN, SignedPlay};

    use super::*;

    const LIMITS: Limits = Limits {
        budget: 1000,
        pace: 1,
        relays: 1,
        of_pair: 100,
        of_account: 100,
        of_address: 100,
        moves: 5,
    };

    fn waiting(number: u64, since: u64) -> Waiting {
        shown_by(0, number, since)
    }

    fn shown_by(relay: u16, number: u64, since: u64) -> Waiting {
        let now = 1_800_000_000;
        let witness = session_key(900);
        let play = SignedPlay::new(number, witness.address(), None, now);
        let line = [3, 4, 3, 4, 3, 4, 3];
        let finished = play.finished(&line, Ending::Board, &witness, 1000 * now);
        let checked = Checked::ended(finished, CHAIN).unwrap();
        let [one, two] = [1, 2].map(|byte| At {
            relay,
            run: 7,
            origin: Origin([byte; 8]),
        });
        let payees = Payees {
            players: checked.players(),
            from: ByPlayer { one, two },
            gain: ByPlayer::from_fn(|_| true),
        };
        Waiting {
            checked,
            payees,
            since,
            failed: 0,
        }
    }

    /// Who had filled the place of the own address drew with a player who has lost points by that, and the draw was dropped.
    #[test]
    fn a_game_over_the_limits_waits_and_a_draw_also_if_the_address_of_one_player_is_full() {
        let limits = Limits {
            of_address: 2,
            ..LIMITS
        };
        let won = |number| {
            let mut game = waiting(number, number);
            game.payees.gain.two = false;
            game
        };
        let mut queue = Queue::default();
        let taken = (0..8).map(|number| queue.put(&limits, won(number)));
        assert_eq!(
            taken.filter(|is_taken| *is_taken).count(),
            6,
            "for three days"
        );
        assert!(queue.put(&limits, waiting(20, 20)), "the other has room");
        // Two a day, and none is lost.
        let mut days = Vec::new();
        loop {
            let games = queue.next(&limits, &Counted::default(), MOST_IN_CALL, |_| 100);
            if games.is_empty() {
                break;
            }
            for game in &games {
                queue.remove(game.checked.number);
            }
            days.push(games.len());
        }
        assert_eq!(days.iter().sum::<usize>(), 7);
        assert!(days.iter().all(|day| *day <= 2), "{days:?}");
    }

    /// Someone has a game in the queue that the contract refuses whenever it is in a block.
    #[test]
    fn a_game_that_has_calls_fail_is_soon_alone_and_then_given_up() {
        let mut queue = Queue::default();
        for number in 0..40 {
            queue.put(&LIMITS, waiting(number, number.min(1)));
        }
        let bad = waiting(0, 0).checked.number;
        let (mut calls, mut recorded) = (Vec::new(), 0);
        for time in 1.. {
            let games = queue.next(&LIMITS, &Counted::default(), MOST_IN_CALL, |_| 100);
            let Some(first) = games.first() else {
                break;
            };
            assert!(games.iter().all(|game| game.failed == first.failed));
            for game in &games {
                queue.remove(game.checked.number);
            }
            if !games.iter().any(|game| game.checked.number == bad) {
                recorded += games.len();
                continue;
            }
            calls.push(games.len());
            for game in games {
                let again = Waiting {
                    since: time,
                    failed: game.failed + 1,
                    ..game
                };
                queue.put(&LIMITS, again);
            }
        }
        assert_eq!((calls, recorded), (vec![30, 3, 1], 39));
    }

    /// It follows the other one, and says of each game that it is of its own players.
    #[test]
    fn a_relay_cannot_keep_the_games_of_another_by_showing_them_first() {
        let mut queue = Queue::default();
        assert!(queue.put(&LIMITS, shown_by(0, 1, 0)));
        assert!(queue.put(&LIMITS, shown_by(1, 1, 1)));
        let next = |queue: &Queue, of_first| {
            let left = |relay| if relay == 0 { of_first } else { 100 };
            let games = queue.next(&LIMITS, &Counted::default(), MOST_IN_CALL, left);
            let relays = games.iter().map(|game| game.payees.relay());
            relays.collect::<Vec<_>>()
        };
        assert_eq!(next(&queue, 100), [0]);
        // It has had its part.
        assert_eq!(next(&queue, 0), [1]);
        queue.remove(waiting(1, 0).checked.number);
        assert_eq!((queue.len(), queue.of_place.len()), (0, 0));
    }

    /// It says of each game that it is of players who have had nothing.
    #[test]
    fn a_relay_that_makes_up_its_players_takes_no_hour_of_others() {
        let game = |relay: u16, number: u64, origins: [u8; 8]| {
            let mut game = waiting(number, 0);
            game.payees.from = game.payees.from.map(|at| At {
                relay,
                origin: Origin(origins),
                ..at
            });
            game
        };
        let played_before = game(1, 99, [0xff; 8]);
        let mut queue = Queue::default();
        let mut counted = Counted::default();
        for number in 0..40 {
            queue.put(&LIMITS, game(0, number, number.to_be_bytes()));
            // Two who play all day, and came later.
            let mut honest = game(1, 100 + number, [0xff; 8]);
            honest.payees.players = played_before.payees.players;
            honest.since = 1;
            queue.put(&LIMITS, honest);
        }
        // The honest relay has had its games all day, while the other one waited for this hour.
        for _ in 0..40 {
            counted.add_earlier(&played_before.payees);
        }
        // Each hour has money for ten games.
        for hour in 0..4 {
            let games = queue.next(&LIMITS, &counted, 10, |_| 100);
            for game in &games {
                counted.add_earlier(&game.payees);
                queue.remove(game.checked.number);
            }
            let honest = games.iter().filter(|game| game.payees.relay() == 1);
            assert_eq!((games.len(), honest.count()), (10, 5), "hour {hour}");
        }
    }

    #[test]
    fn a_relay_that_shows_many_games_leaves_place_for_those_of_others() {
        let limits = Limits {
            relays: 2,
            of_address: u32::MAX,
            ..LIMITS
        };
        let mut queue = Queue::default();
        let one = waiting(1, 0);
        let mut is_taken = true;
        for number in 0..MOST as u64 {
            let mut other = one;
            other.checked.number.0[..8].copy_from_slice(&number.to_be_bytes());
            is_taken = queue.put(&limits, other);
        }
        assert!(!is_taken);
        assert_eq!(queue.len(), MOST / 2);
        assert!(queue.put(&limits, shown_by(1, 2, 0)));
    }

    #[test]
    fn games_that_have_failed_wait_for_their_turn() {
        let mut queue = Queue::default();
        for (number, since, failed) in [(1, 5, 1), (2, 3, 0), (3, 9, 0), (4, 5, 1)] {
            let waiting = Waiting {
                failed,
                ..waiting(number, since)
            };
            queue.put(&LIMITS, waiting);
        }
        let mut turns = Vec::new();
        loop {
            let games = queue.next(&LIMITS, &Counted::default(), MOST_IN_CALL, |_| 100);
            for game in &games {
                queue.remove(game.checked.number);
            }
            match games.first() {
                Some(first) => turns.push((first.failed, games.len())),
                None => break,
            }
        }
        assert_eq!(turns, [(0, 2), (1, 2)]);
    }
}
