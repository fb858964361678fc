//! The witness without input and output: what it decides, and what it writes before it says so.

use std::collections::{BTreeSet, HashMap, VecDeque, hash_map};
use std::hash::Hash;

use connect4_protocol::Address;
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::signed::wire::{Act, FRESH, Spoken, Telling, Told};
use connect4_protocol::signed::{
    Chain, Crypto, GameNumber, Moves, Signature, SignedTerms, WitnessedEnd,
};
use connect4_rules::{ByPlayer, Player};
use ipnet::IpNet;

use super::checked::Checked;
use super::entry::{Entry, Moment};
use super::fair::Clock;
use super::game::{Known, Output, Over, Running, keep};
use super::log::Keeps;
use crate::shares::may_use_more;
use crate::visitor::Visitor;

/// How often an entry says that the witness was there while clocks run, in milliseconds of fair time.
const ALIVE: u64 = 1_000;
/// The same while games without a clock alone go on: of what is not written, as much is nobody's after a crash.
const ALIVE_WITHOUT_CLOCK: u64 = 60 * 60 * 1_000;
/// Entries that wait for the log, at most.
const WAITING: usize = 10_000;

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

/// What terms would open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// A game that has begun already.
    Known,
    /// A game that begins.
    New,
}

/// What became of what a player said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It was taken.
    New,
    /// It is an offer of a draw.
    Offer,
    /// It was taken before.
    Repeated,
}

/// The log says what cannot have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

/// The witness: games that go on, those that have ended, and what has still to be written.
pub struct Core<C> {
    witness: Address,
    chain: Chain,
    crypto: C,
    bounds: Bounds,
    clock: Clock,
    running: HashMap<GameNumber, Running>,
    of_key: HashMap<Address, usize>,
    /// How many of the games that go on each network has opened.
    of_network: HashMap<IpNet, usize>,
    /// What happens without a message, by fair time.
    due: BTreeSet<(u64, GameNumber)>,
    over: HashMap<GameNumber, Over>,
    /// Until when each of those is kept.
    forget: BTreeSet<(u64, GameNumber)>,
    /// What is not being written yet.
    entries: Vec<Entry>,
    /// How many entries there were since the start, and how many of them the log has.
    count: u64,
    logged: u64,
    /// What goes out once so many entries are in the log.
    outputs: VecDeque<(u64, Output)>,
    is_full: bool,
    is_outdated: bool,
    /// How many games with a clock go on.
    with_clock: usize,
    /// The fair time of the last entry.
    written: u64,
}

impl<C: Crypto + Clone> Core<C> {
    /// The witness with this key, as its log has it. `now` is the time of the machine, since some start, and `wall` that
    /// since 1970, both in milliseconds.
    ///
    /// # Errors
    ///
    /// [`Damaged`] if the entries are none that this code has written.
    pub fn resume(
        witness: Address,
        chain: Chain,
        crypto: C,
        entries: &[Entry],
        wall: u64,
        now: u64,
    ) -> Result<Self, Damaged> {
        let mut core = Self::new(witness, chain, crypto, Moment::default());
        for entry in entries {
            core.replay(entry)?;
        }
        core.begin(wall, now);
        Ok(core)
    }

    /// A witness with this key, made at this moment, into which its log is [read](Self::replay) before it
    /// [begins](Self::begin).
    pub fn new(witness: Address, chain: Chain, crypto: C, made: Moment) -> Self {
        Self {
            witness,
            chain,
            crypto,
            bounds: Bounds::default(),
            clock: Clock::new(made, 0),
            running: HashMap::new(),
            of_key: HashMap::new(),
            of_network: HashMap::new(),
            due: BTreeSet::new(),
            over: HashMap::new(),
            forget: BTreeSet::new(),
            entries: Vec::new(),
            count: 0,
            logged: 0,
            outputs: VecDeque::new(),
            is_full: false,
            is_outdated: false,
            with_clock: 0,
            written: made.fair,
        }
    }

    /// Goes on after its whole log was read.
    pub fn begin(&mut self, wall: u64, now: u64) {
        let last = self.last();
        let start = Moment {
            at: last.at.max(wall),
            fair: last.fair,
        };
        self.clock = Clock::new(start, now);
        self.forget_until(start.at);
        self.stop_all(start);
        self.write(Entry::Started(start));
        let mut numbers: Vec<GameNumber> = self.running.keys().copied().collect();
        numbers.sort_unstable();
        for number in numbers {
            if let Some(game) = self.running.get_mut(&number) {
                game.is_logged = true;
                game.told = game.receipt();
                self.due.extend(game.due().map(|due| (due, number)));
                // The last move was written, and the end was not.
                if game.is_over() {
                    self.end(number, WitnessedEnd::Board, start);
                }
            }
        }
    }

    /// The moment of the last entry that was read.
    #[must_use]
    pub const fn last(&self) -> Moment {
        self.clock.moment()
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

    /// What is needed of an entry of the log that was read, when it is written anew.
    #[must_use]
    pub fn keeps(&self, entry: &Entry) -> Keeps {
        let running = |game: &GameNumber| match self.running.contains_key(game) {
            true => Keeps::Running,
            false => Keeps::Nothing,
        };
        match entry {
            Entry::Opened { terms, .. } => running(&terms.number(self.chain, &self.crypto)),
            Entry::Moved { game, .. } | Entry::Back { game, .. } => running(game),
            Entry::Ended { game, .. } if self.over.contains_key(game) => Keeps::End,
            Entry::Ended { .. } | Entry::Key(_) | Entry::Alive(_) | Entry::Started(_) => {
                Keeps::Nothing
            }
        }
    }

    fn stop_all(&mut self, time: Moment) {
        for game in self.running.values_mut() {
            game.stop(time.fair);
        }
    }

    /// Reads an entry of the log.
    ///
    /// # Errors
    ///
    /// [`Damaged`] if it is none that this code has written there.
    pub fn replay(&mut self, entry: &Entry) -> Result<(), Damaged> {
        let time = entry.time();
        self.clock = Clock::new(time, 0);
        self.written = time.fair;
        self.replayed(entry).ok_or(Damaged)
    }

    fn replayed(&mut self, entry: &Entry) -> Option<()> {
        match entry {
            Entry::Key(_) | Entry::Alive(_) => {}
            Entry::Started(time) => self.stop_all(*time),
            Entry::Back { game, player, time } => {
                self.running.get_mut(game)?.back(*player, time.fair);
            }
            Entry::Opened { terms, time } => {
                let number = terms.number(self.chain, &self.crypto);
                let game = Running::open(*terms, *time, None).ok()?;
                let is_new = !self.over.contains_key(&number);
                let before = self.insert(number, game);
                (is_new && before.is_none()).then_some(())?;
            }
            Entry::Moved {
                game,
                bin,
                signature,
                left,
                time,
            } => {
                let game = self.running.get_mut(game)?;
                game.make(*bin, *signature, *left, *time).then_some(())?;
            }
            Entry::Ended {
                game,
                moves,
                end,
                signatures,
                time,
            } => {
                // The game itself is left out of a log that was written anew.
                self.remove(*game);
                self.keep(*game, ended(*moves, *signatures, *end, time.at));
            }
        }
        Some(())
    }

    pub const fn set_bounds(&mut self, bounds: Bounds) {
        self.bounds = bounds;
    }

    #[must_use]
    pub const fn witness(&self) -> Address {
        self.witness
    }

    /// The moment while the clock of the machine shows `now`.
    pub fn look(&mut self, now: u64) -> Moment {
        self.clock.look(now)
    }

    /// How many games go on, and how many that have ended are kept.
    #[must_use]
    pub fn count(&self) -> (usize, usize) {
        (self.running.len(), self.over.len())
    }

    #[must_use]
    pub fn known(&self, number: GameNumber) -> Option<Known> {
        // Nothing more is signed by the key of a log that was lost.
        if self.is_outdated {
            return None;
        }
        if let Some(game) = self.running.get(&number) {
            return Some(Known::Running {
                terms: game.terms,
                is_logged: game.is_logged,
                told: game.told,
                offers: game.offers,
            });
        }
        self.over.get(&number).map(|over| Known::Over(over.told))
    }

    /// Why nothing is taken at the moment.
    fn refuses(&self) -> Result<(), Refusal> {
        let is_full = self.is_full || self.entries.len() >= WAITING;
        match (self.is_outdated, is_full) {
            (true, _) => Err(Refusal::OtherWitness),
            (false, true) => Err(Refusal::LogFull),
            (false, false) => Ok(()),
        }
    }

    /// Whether these terms, whose signatures need not be checked yet, can begin a game now.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Refusal::OtherWitness`] if the log was lost, or the terms name another witness,
    /// 2. [`Refusal::LogFull`],
    /// 3. [`Refusal::OtherTime`] if the terms are not of this time,
    /// 4. [`Refusal::Full`] if there are too many games, of all, of this visitor's network or of a player.
    pub fn may_open(
        &mut self,
        signed: &SignedTerms,
        from: Visitor,
        now: u64,
    ) -> Result<Opening, Refusal> {
        let time = self.look(now);
        let number = signed.number(self.chain, &self.crypto);
        if self.running.contains_key(&number) || self.over.contains_key(&number) {
            return Ok(Opening::Known);
        }
        self.refuses()?;
        if signed.terms.witness != Some(self.witness) {
            return Err(Refusal::OtherWitness);
        }
        if signed.terms.time.abs_diff(time.at / 1_000) > FRESH {
            return Err(Refusal::OtherTime);
        }
        let left = self.bounds.games.saturating_sub(self.running.len());
        let network = from.widest();
        let used = network.and_then(|network| self.of_network.get(&network));
        let used = used.copied().unwrap_or_default();
        let is_open_to = |player: Player| {
            let key = signed.terms.players.get(player).key();
            self.of_key
                .get(&key)
                .is_none_or(|count| *count < self.bounds.of_key)
        };
        let has_place = left > 0
            && may_use_more(used as f64, left as f64)
            && Player::ALL.into_iter().all(is_open_to);
        match has_place {
            true => Ok(Opening::New),
            false => Err(Refusal::Full),
        }
    }

    /// Begins the game of these terms, if it has not begun.
    ///
    /// # Errors
    ///
    /// As [`may_open`](Self::may_open).
    pub fn open(
        &mut self,
        signed: &Checked<SignedTerms>,
        from: Visitor,
        now: u64,
    ) -> Result<(), Refusal> {
        let time = self.look(now);
        let signed = signed.get();
        if self.may_open(signed, from, now)? == Opening::Known {
            return Ok(());
        }
        let number = signed.number(self.chain, &self.crypto);
        let game = Running::open(*signed, time, from.widest());
        self.insert(number, game.map_err(|_| Refusal::Unsupported)?);
        self.reschedule(number, None);
        self.write(Entry::Opened {
            terms: *signed,
            time,
        });
        self.outputs.push_back((self.count, Output::Opened(number)));
        Ok(())
    }

    /// Takes what a player says.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Refusal::OtherWitness`] if the log was lost,
    /// 2. [`Refusal::LogFull`],
    /// 3. [`Refusal::NoSuchGame`],
    /// 4. [`Refusal::OtherPosition`] if the game has ended, or it is not said at the newest position,
    /// 5. [`Refusal::Unsupported`] if a move is not legal.
    pub fn take(
        &mut self,
        number: GameNumber,
        spoken: &Checked<Spoken>,
        now: u64,
    ) -> Result<Heard, Refusal> {
        let time = self.look(now);
        let spoken = spoken.get();
        self.refuses()?;
        // Without a turn that was on time it may have come in earlier.
        if self.clock.is_on_time() {
            self.settle(number, time);
        }
        let Some(game) = self.running.get_mut(&number) else {
            return Err(match self.over.contains_key(&number) {
                true => Refusal::OtherPosition,
                false => Refusal::NoSuchGame,
            });
        };
        if game.end.is_some() {
            return Err(Refusal::OtherPosition);
        }
        if spoken.act == Act::Move {
            if spoken.moves == game.moves {
                return Ok(Heard::Repeated);
            }
            let Some((bin, before)) = spoken.moves.split_last() else {
                return Err(Refusal::OtherPosition);
            };
            if *before != *game.moves {
                return Err(Refusal::OtherPosition);
            }
            let bin = *bin;
            let due = game.due();
            // What is taken was in time.
            let in_time = due.map_or(time.fair, |due| time.fair.min(due.saturating_sub(1)));
            let left = game.left_after_move(in_time);
            if !game.make(bin, spoken.signature, left, time) {
                return Err(Refusal::Unsupported);
            }
            let (receipt, is_over) = (game.receipt(), game.is_over());
            self.reschedule(number, due);
            self.write(Entry::Moved {
                game: number,
                bin,
                signature: spoken.signature,
                left,
                time,
            });
            self.outputs
                .extend(receipt.map(|receipt| (self.count, Output::Told(number, receipt))));
            if is_over {
                self.end(number, WitnessedEnd::Board, time);
            }
            return Ok(Heard::New);
        }
        if spoken.moves != game.moves {
            return Err(Refusal::OtherPosition);
        }
        let end = match spoken.act {
            Act::Resign => WitnessedEnd::Resignation(spoken.by),
            Act::Draw | Act::Move => {
                if game.offers.get(spoken.by).is_some() {
                    return Ok(Heard::Repeated);
                }
                game.offers[spoken.by] = Some(*spoken);
                if game.offers.get(spoken.by.opponent()).is_none() {
                    let offer = Output::Offer(number, *spoken);
                    self.outputs.push_back((self.count, offer));
                    return Ok(Heard::Offer);
                }
                WitnessedEnd::Draw
            }
        };
        match end {
            _ if game.is_first() => {}
            WitnessedEnd::Draw => {
                for offer in Player::ALL
                    .into_iter()
                    .filter_map(|by| *game.offers.get(by))
                {
                    game.signatures[offer.by] = offer.signature;
                }
            }
            _ => game.signatures[spoken.by] = spoken.signature,
        }
        self.end(number, end, time);
        Ok(Heard::New)
    }

    /// A player is in the room: its clock does not stand any more, if it stood since a restart.
    pub fn back(&mut self, number: GameNumber, player: Player, now: u64) {
        let time = self.look(now);
        if self.refuses().is_err() {
            return;
        }
        if let Some(game) = self.running.get(&number)
            && game.end.is_none()
            && game.is_away(player)
        {
            self.go_on(number, player, time);
        }
    }

    fn go_on(&mut self, number: GameNumber, player: Player, time: Moment) {
        if let Some(game) = self.running.get_mut(&number) {
            let due = game.due();
            game.back(player, time.fair);
            self.reschedule(number, due);
            self.write(Entry::Back {
                game: number,
                player,
                time,
            });
        }
    }

    /// A turn, while the clock of the wall shows `wall`: ends the games whose time is over, and has the clocks go on that
    /// stood since a restart. A turn that is late does neither, as moves may wait that came in before: the next one does.
    pub fn tick(&mut self, now: u64, wall: u64) {
        let (time, is_on_time) = self.clock.turn(now, wall);
        self.forget_until(time.at);
        if self.refuses().is_err() {
            return;
        }
        while is_on_time
            && let Some((due, number)) = self.due.first().copied()
            && due <= time.fair
        {
            self.due.pop_first();
            self.settle(number, time);
        }
        let often = match self.with_clock {
            0 => ALIVE_WITHOUT_CLOCK,
            _ => ALIVE,
        };
        if !self.running.is_empty() && time.fair >= self.written + often {
            self.write(Entry::Alive(time));
        }
    }

    /// Does what is due in a game.
    fn settle(&mut self, number: GameNumber, time: Moment) {
        let Some(game) = self.running.get_mut(&number) else {
            return;
        };
        if game.due().is_none_or(|due| due > time.fair) {
            return;
        }
        if game.is_stopped()
            && let Some(player) = game.to_move()
        {
            self.go_on(number, player, time);
        } else {
            let end = game.late_end();
            self.end(number, end, time);
        }
    }

    /// Notes when something happens in a game next, in the place of what was noted before.
    fn reschedule(&mut self, number: GameNumber, before: Option<u64>) {
        if let Some(before) = before {
            self.due.remove(&(before, number));
        }
        let due = self.running.get(&number).and_then(Running::due);
        self.due.extend(due.map(|due| (due, number)));
    }

    /// Decides how a game has ended. Before both have moved it is void.
    fn end(&mut self, number: GameNumber, end: WitnessedEnd, time: Moment) {
        let Some(game) = self.running.get_mut(&number) else {
            return;
        };
        let end = match game.is_first() {
            true => WitnessedEnd::Void,
            false => end,
        };
        let due = game.due();
        game.end = Some(end);
        game.offers = ByPlayer::default();
        let (moves, signatures) = (game.moves, game.signatures);
        if game.terms.terms.clock.is_some() {
            self.with_clock -= 1;
        }
        self.reschedule(number, due);
        self.write(Entry::Ended {
            game: number,
            moves,
            end,
            signatures,
            time,
        });
        let told = ended(moves, signatures, end, time.at);
        self.outputs
            .push_back((self.count, Output::Told(number, told)));
    }

    fn write(&mut self, entry: Entry) {
        self.written = entry.time().fair;
        self.entries.push(entry);
        self.count += 1;
    }

    /// What has to be written next, in one piece, with the number by which [`written`](Self::written) is told of it;
    /// none if there is nothing.
    pub fn to_write(&mut self) -> Option<(Vec<Entry>, u64)> {
        if self.entries.is_empty() || self.is_outdated {
            return None;
        }
        self.clock.begin_write();
        Some((std::mem::take(&mut self.entries), self.count))
    }

    /// The log has the entries up to this number. Returns what goes out for that, to be signed first.
    #[must_use]
    pub fn written(&mut self, count: u64, now: u64) -> Vec<Output> {
        self.look(now);
        self.clock.end_write();
        self.is_full = false;
        self.logged = count;
        self.outputs()
    }

    /// What goes out for what the log has, to be signed first.
    #[must_use]
    pub fn outputs(&mut self) -> Vec<Output> {
        if self.is_outdated {
            return Vec::new();
        }
        let count = self.logged;
        let mut outputs = Vec::new();
        while self.outputs.front().is_some_and(|(at, _)| *at <= count)
            && let Some((_, output)) = self.outputs.pop_front()
        {
            match &output {
                Output::Opened(number) => {
                    if let Some(game) = self.running.get_mut(number) {
                        game.is_logged = true;
                    }
                }
                Output::Offer(..) => {}
                Output::Told(number, told) => match told.what {
                    Telling::Receipt { .. } => {
                        if let Some(game) = self.running.get_mut(number) {
                            game.told = Some(*told);
                        }
                    }
                    Telling::Ended(_) => {
                        self.remove(*number);
                        self.keep(*number, *told);
                    }
                },
            }
            outputs.push(output);
        }
        outputs
    }

    /// The log takes no more: until it [does](Self::written) nothing is taken, and no time counts.
    pub fn full(&mut self, now: u64) {
        self.look(now);
        self.clock.begin_write();
        self.is_full = true;
    }

    /// A player shows what this witness has said. Returns whether the log is older: then nothing is taken any more.
    pub fn is_older_than(&mut self, number: GameNumber, told: &Checked<Told>, now: u64) -> bool {
        let time = self.look(now);
        let told = told.get();
        let is_older = if let Some(game) = self.running.get(&number) {
            match told.what {
                // What was said was in the log before, so that it is not still being written.
                Telling::Receipt { .. } => match &game.told {
                    Some(said) if said.moves == told.moves => {
                        (said.what, said.at) != (told.what, told.at)
                    }
                    Some(said) => !said.moves.starts_with(&told.moves),
                    None => true,
                },
                Telling::Ended(_) => true,
            }
        } else if let Some(over) = self.over.get(&number) {
            let said = &over.told;
            match told.what {
                Telling::Receipt { .. } => !said.moves.starts_with(&told.moves),
                Telling::Ended(_) => {
                    (said.moves, said.what, said.at) != (told.moves, told.what, told.at)
                }
            }
        } else {
            // What is older than that may be forgotten.
            told.at + keep(told) > time.at
        };
        self.is_outdated |= is_older;
        is_older
    }

    /// Whether a player has shown what the log does not have.
    #[must_use]
    pub const fn is_outdated(&self) -> bool {
        self.is_outdated
    }

    fn insert(&mut self, number: GameNumber, game: Running) -> Option<Running> {
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

    fn keep(&mut self, number: GameNumber, told: Told) {
        self.forget.insert((Over::until(&told), number));
        self.over.insert(number, Over { told });
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

fn ended(moves: Moves, signatures: ByPlayer<Signature>, end: WitnessedEnd, at: u64) -> Told {
    Told {
        moves,
        signatures,
        at,
        what: Telling::Ended(end),
        witness: Signature::NONE,
    }
}
