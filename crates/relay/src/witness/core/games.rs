//! All games of a witness, what each of their players and networks has of them, and when something happens next.

use std::collections::{BTreeSet, HashMap, hash_map};
use std::hash::Hash;

use connect4_protocol::Address;
use connect4_protocol::signed::wire::Told;
use connect4_protocol::signed::{GameNumber, Terms, WitnessedEnd};
use connect4_rules::{ByPlayer, Player};
use ipnet::IpNet;

use crate::shares::may_use_more;
use crate::visitor::Visitor;
use crate::witness::game::{Over, Running};

/// How many games there can be.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Games that go on. A network that has opened an eighth of what is left waits.
    pub games: usize,
    /// Those of one session key.
    pub of_key: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            games: usize::MAX,
            of_key: usize::MAX,
        }
    }
}

/// Games that go on, and those that have ended.
#[derive(Default)]
pub struct Games {
    pub bounds: Bounds,
    running: HashMap<GameNumber, Running>,
    of_key: HashMap<Address, usize>,
    /// How many of the games that go on each network has opened.
    of_network: HashMap<IpNet, usize>,
    /// How many games with a clock go on.
    with_clock: usize,
    /// What happens without a message, by fair time.
    due: BTreeSet<(u64, GameNumber)>,
    over: HashMap<GameNumber, Over>,
    /// Until when each of those is kept.
    forget: BTreeSet<(u64, GameNumber)>,
}

impl Games {
    /// How many games go on, and how many that have ended are kept.
    pub fn count(&self) -> (usize, usize) {
        (self.running.len(), self.over.len())
    }

    pub const fn has_clocks(&self) -> bool {
        self.with_clock > 0
    }

    pub fn running(&self, number: GameNumber) -> Option<&Running> {
        self.running.get(&number)
    }

    pub fn running_mut(&mut self, number: GameNumber) -> Option<&mut Running> {
        self.running.get_mut(&number)
    }

    pub fn all_running(&mut self) -> impl Iterator<Item = &mut Running> {
        self.running.values_mut()
    }

    /// The numbers of the games that go on, in order.
    pub fn numbers(&self) -> Vec<GameNumber> {
        let mut numbers: Vec<GameNumber> = self.running.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }

    /// The numbers of those that have ended.
    pub fn numbers_over(&self) -> impl Iterator<Item = GameNumber> {
        self.over.keys().copied()
    }

    /// The end of a game, without the signature of the witness.
    pub fn over(&self, number: GameNumber) -> Option<Told> {
        self.over.get(&number)?.told()
    }

    pub fn is_over(&self, number: GameNumber) -> bool {
        self.over.contains_key(&number)
    }

    pub fn is_known(&self, number: GameNumber) -> bool {
        self.running.contains_key(&number) || self.is_over(number)
    }

    /// Whether there is place for one more game, of all, of this visitor's network and of both players.
    pub fn has_place(&self, terms: &Terms, from: Visitor) -> bool {
        let left = self.bounds.games.saturating_sub(self.running.len());
        let network = from.widest();
        let used = network.and_then(|network| self.of_network.get(&network));
        let used = used.copied().unwrap_or_default();
        let is_open_to = |player: Player| {
            let count = self.of_key.get(&terms.players.get(player).key());
            count.is_none_or(|count| *count < self.bounds.of_key)
        };
        left > 0
            && may_use_more(used as f64, left as f64)
            && Player::ALL.into_iter().all(is_open_to)
    }

    /// Adds a game that goes on. Returns the one that was there by this number.
    pub fn insert(&mut self, number: GameNumber, game: Running) -> Option<Running> {
        for player in Player::ALL {
            let key = *game.keys().get(player);
            *self.of_key.entry(key).or_default() += 1;
        }
        if let Some(network) = game.opened_by {
            *self.of_network.entry(network).or_default() += 1;
        }
        if game.has_clock() {
            self.with_clock += 1;
        }
        self.running.insert(number, game)
    }

    /// Notes that the end of a game is decided, which goes on until the log has that.
    pub fn decide(&mut self, number: GameNumber, end: WitnessedEnd) {
        let Some(game) = self.running.get_mut(&number) else {
            return;
        };
        let due = game.due();
        if game.has_clock() {
            self.with_clock -= 1;
        }
        game.end = Some(end);
        game.offers = ByPlayer::default();
        self.reschedule(number, due);
    }

    /// Keeps the end of a game, which goes on no more.
    pub fn end(&mut self, number: GameNumber, told: &Told) {
        self.remove(number);
        self.forget.insert((Over::until(told), number));
        self.over.insert(number, Over::of(told));
    }

    fn remove(&mut self, number: GameNumber) {
        let Some(game) = self.running.remove(&number) else {
            return;
        };
        if game.has_clock() {
            self.with_clock -= 1;
        }
        for player in Player::ALL {
            count_down(&mut self.of_key, *game.keys().get(player));
        }
        if let Some(network) = game.opened_by {
            count_down(&mut self.of_network, network);
        }
    }

    /// Forgets the ends that are kept no longer than until then.
    pub fn forget_until(&mut self, at: u64) {
        while let Some((until, number)) = self.forget.first().copied()
            && until <= at
        {
            self.forget.pop_first();
            self.over.remove(&number);
        }
    }

    /// Notes when something happens in a game next, in the place of what was noted before.
    pub fn reschedule(&mut self, number: GameNumber, before: Option<u64>) {
        if let Some(before) = before {
            self.due.remove(&(before, number));
        }
        let due = self.running.get(&number).and_then(Running::due);
        self.due.extend(due.map(|due| (due, number)));
    }

    /// A game in which something is due at this fair time, once.
    pub fn next_due(&mut self, fair: u64) -> Option<GameNumber> {
        let (due, number) = self.due.first().copied()?;
        (due <= fair).then(|| {
            self.due.pop_first();
            number
        })
    }
}

fn count_down<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: K) {
    if let hash_map::Entry::Occupied(mut count) = counts.entry(key) {
        *count.get_mut() -= 1;
        if *count.get() == 0 {
            count.remove();
        }
    }
}
