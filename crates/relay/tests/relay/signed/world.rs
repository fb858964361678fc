//! A witness without input and output, its disk and its clocks, with a check of all that it says.

use std::collections::{BTreeMap, HashMap};

use codec::{DecodeAll as _, Encode as _};
use connect4_protocol::signed::wire::{Act, Spoken, Telling, Told};
use connect4_protocol::signed::{GameNumber, Signature, Terms, WitnessedEnd};
use connect4_relay::witness::{Bounds, Core, Entry, Moment, Needed, Output};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::dice::Dice;

use super::plays::*;

/// What the log says of a game, by reading it plainly.
#[derive(Default)]
pub struct Logged {
    pub moves: Vec<(u8, u64, ByPlayer<u64>, Signature)>,
    pub end: Option<(WitnessedEnd, u64)>,
    pub opened: u64,
}

/// What the witness does while time passes.
#[derive(Clone, Copy)]
pub enum Passing {
    InTurns,
    StandsStill,
    Busy,
}

pub struct World {
    pub dice: Dice,
    pub core: Core<Cheap>,
    /// The machine's clock since some start, and the true time, both in milliseconds.
    pub now: u64,
    pub wall: u64,
    /// How much time can have counted for players, at most.
    pub fair: u64,
    /// How much time had counted at each time of the witness, at least and at most.
    pub fair_at: BTreeMap<u64, (u64, u64)>,
    /// The fair time that can be reached before the next turn.
    pub until: u64,
    /// The fair time that can be reached while something is being written.
    pub most: Option<u64>,
    /// By how much the clock of the wall was set back.
    pub set_back: u64,
    /// What was ever written, and what of it is on the disk.
    pub whole: Vec<Entry>,
    pub log: Vec<Entry>,
    pub logged: HashMap<GameNumber, Logged>,
    pub writing: Option<(Vec<Entry>, u64)>,
    pub is_full: bool,
    pub plays: Vec<Play>,
    pub counts: BTreeMap<&'static str, u64>,
}

impl World {
    pub fn new(seed: u64) -> Self {
        let first = Entry::Alive(Moment { at: START, fair: 0 });
        let log = vec![first];
        Self {
            dice: Dice(seed),
            core: resume(&log, START, 0),
            now: 0,
            wall: START,
            fair: 0,
            fair_at: BTreeMap::from([(START, (0, 0))]),
            until: TURN + LATE,
            most: None,
            set_back: 0,
            whole: log.clone(),
            log,
            logged: HashMap::new(),
            writing: None,
            is_full: false,
            plays: Vec::new(),
            counts: BTreeMap::new(),
        }
    }

    pub fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// Time passes, in which the witness takes its turns, stands still, or has so much to do that no turn comes.
    pub fn pass(&mut self, time: u64, how: Passing) {
        let mut left = time;
        while left > 0 {
            let step = match how {
                Passing::StandsStill => left,
                Passing::InTurns => left.min(TURN),
                Passing::Busy => left.min(1 + self.dice.below(50)),
            };
            left -= step;
            self.now += step;
            self.wall += step;
            let counted = if step > TURN + LATE { TURN } else { step };
            self.fair = (self.fair + counted).min(self.until);
            if let Some(most) = self.most {
                self.fair = self.fair.min(most);
            }
            self.note();
            match how {
                Passing::Busy => {
                    if self.dice.once_in(4) {
                        self.act();
                    }
                }
                Passing::InTurns | Passing::StandsStill => self.turn(),
            }
        }
        if matches!(how, Passing::Busy) {
            self.turn();
        }
    }

    /// The witness looks at its clocks.
    pub fn turn(&mut self) {
        if self.dice.once_in(50) {
            self.set_back = 0;
        }
        self.core.tick(self.now, self.wall - self.set_back);
        self.until = self.fair + TURN + LATE;
        self.note();
    }

    pub fn note(&mut self) {
        let at = self.core.look(self.now).at;
        let fair = self.fair_at.entry(at).or_insert((self.fair, self.fair));
        fair.1 = self.fair;
    }

    /// How much time had counted then, at least and at most.
    pub fn fair_at(&self, at: u64) -> (u64, u64) {
        let (_, fair) = self.fair_at.range(..=at).next_back().expect("a time");
        *fair
    }

    pub fn begin_write(&mut self) {
        if self.writing.is_none() {
            self.writing = self.core.to_write();
            if self.writing.is_some() {
                self.most = Some(self.fair + LATE);
            }
        }
        let outputs = self.core.outputs();
        self.say_all(outputs);
    }

    /// The disk has what was written.
    pub fn end_write(&mut self) {
        let Some((entries, count)) = self.writing.take() else {
            return;
        };
        self.append(entries);
        self.is_full = false;
        self.most = None;
        let outputs = self.core.written(count, self.now);
        self.say_all(outputs);
    }

    pub fn append(&mut self, entries: Vec<Entry>) {
        for entry in entries {
            let entry = Entry::decode_all(&mut &entry.encode()[..]).expect("as it was written");
            match &entry {
                Entry::Key(_) | Entry::Alive(_) | Entry::Started(_) | Entry::Back { .. } => {}
                Entry::Opened { terms, time } => {
                    let number = terms.number(CHAIN, &Cheap);
                    let logged = self.logged.entry(number).or_default();
                    assert!(logged.opened == 0, "a game begins once");
                    logged.opened = time.at;
                }
                Entry::Moved {
                    game,
                    bin,
                    left,
                    time,
                    signature,
                } => {
                    let logged = self.logged.entry(*game).or_default();
                    logged.moves.push((*bin, time.at, *left, *signature));
                }
                Entry::Ended {
                    game, end, time, ..
                } => {
                    let logged = self.logged.entry(*game).or_default();
                    assert_eq!(logged.end, None, "a game ends once");
                    logged.end = Some((*end, time.at));
                }
            }
            self.whole.push(entry.clone());
            self.log.push(entry);
        }
    }

    /// The witness is killed, and started again after a while, whatever it was writing.
    pub fn restart(&mut self) {
        self.count("restarts");
        if let Some((mut entries, _)) = self.writing.take() {
            // The log keeps all of a group or nothing. Any part of it will do.
            let all = entries.len();
            entries.truncate(self.dice.below(all as u64 + 1) as usize);
            if entries.len() < all {
                self.count("torn groups");
            }
            self.append(entries);
        }
        let away = self.dice.below(60_000);
        self.wall += away;
        // Somebody may have set the clock back meanwhile.
        self.set_back = match self.dice.once_in(8) {
            true => self.dice.below(3_600_000),
            false => 0,
        };
        let shown = self.wall - self.set_back;
        self.now = self.dice.below(1_000_000);
        if self.dice.once_in(2) {
            self.shorten();
        }
        self.core = resume(&self.log, shown, self.now);
        self.is_full = false;
        self.most = None;
        self.until = self.fair + TURN + LATE;
        let fair = self.fair;
        for play in &mut self.plays {
            play.seen = ByPlayer::default();
            play.release(fair);
            play.holds.push((fair, fair + BACK));
            let logged = self.logged.get(&play.number);
            play.taken = logged.map_or(0, |logged| logged.moves.len());
            play.away = ByPlayer {
                one: true,
                two: true,
            };
            play.back_until = fair + BACK;
        }
        // Its clock may show what it has shown before.
        let at = self.core.look(self.now).at;
        drop(self.fair_at.split_off(&(at + 1)));
        self.note();
    }

    /// What is not needed of the log is left out.
    pub fn shorten(&mut self) {
        let mut core = Core::new(WITNESS, CHAIN, Cheap, Moment { at: START, fair: 0 });
        for entry in &self.log {
            core.replay(entry).expect("a log that it has written");
        }
        let (kept, mut needed) = (core.kept(), Needed::default());
        let mut log = Vec::new();
        for entry in &self.log {
            needed.add(entry.clone(), kept.keeps(entry), &mut log);
        }
        let last = needed.end(&mut log);
        log.push(last);
        assert_eq!(comes_of(&log), comes_of(&self.log));
        self.log = log;
        self.count("logs written anew");
    }

    /// What goes out is checked, and signed.
    pub fn say_all(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Opened(number) => {
                    assert!(self.logged.contains_key(&number), "it is in the log");
                }
                Output::Offer(..) => {}
                Output::Told(number, told) => self.say(number, told),
            }
        }
    }

    pub fn say(&mut self, number: GameNumber, mut told: Told) {
        self.check_log(number, &told);
        told.witness = sign(WITNESS, &told.digest(number, &DOMAIN, &Cheap));
        let at = self.plays.iter().position(|play| play.number == number);
        let at = at.expect("a game of the walk");
        let logged = &self.logged[&number];
        let play = &self.plays[at];
        let terms = play.signed.terms;
        for before in &play.told {
            let contradiction = told.contradicts(before, &terms, number);
            assert_eq!(contradiction, None, "{before:?} and {told:?}");
        }
        match told.what {
            Telling::Receipt { left } => {
                let before = told.moves.len().checked_sub(2);
                let since = before.map_or(logged.opened, |before| logged.moves[before].1);
                let (from, to) = (self.fair_at(since).1, self.fair_at(told.at).0);
                // After a restart it stood for a while, of which the walk knows the longest alone.
                let ran = match play.holds.is_empty() {
                    true => to.saturating_sub(from),
                    false => 0,
                };
                check_left(&terms, &told, left, logged, ran);
            }
            Telling::Ended(end) => {
                let since = logged.moves.last().map_or(logged.opened, |(_, at, ..)| *at);
                let ran = play.ran(self.fair_at(since).0, self.fair_at(told.at).1);
                self.check_end(play, &told, end, ran);
            }
        }
        let play = &mut self.plays[at];
        play.told.push(told);
        for player in Player::ALL {
            // A message can be lost with its socket.
            if !self.dice.once_in(8) {
                play.seen[player] = Some(told);
            }
        }
        let what = match told.what {
            Telling::Receipt { .. } => "receipts",
            Telling::Ended(WitnessedEnd::Void) => "void",
            Telling::Ended(WitnessedEnd::Board) => "ended on the board",
            Telling::Ended(WitnessedEnd::Draw) => "drawn",
            Telling::Ended(WitnessedEnd::Resignation(_)) => "resigned",
            Telling::Ended(WitnessedEnd::Lapse(_)) => "lapsed",
        };
        self.count(what);
    }

    /// The game ended in this way after its clock had run for so long, at most.
    pub fn check_end(&self, play: &Play, told: &Told, end: WitnessedEnd, ran: u64) {
        let terms = play.signed.terms;
        let is_first = told.moves.len() < 2;
        if end != WitnessedEnd::Void {
            judge(play, told);
        }
        match end {
            WitnessedEnd::Lapse(late) => {
                let (_, _, left, _) = self.logged[&play.number].moves[told.moves.len() - 1];
                assert!(ran >= *left.get(late), "{ran} of {left:?}");
            }
            WitnessedEnd::Void => {
                let is_by_player = |spoken: &Spoken| {
                    spoken.act != Act::Move && spoken.moves == told.moves && is_first
                };
                let least = match terms.clock {
                    Some(_) => FIRST_MOVE,
                    None => IDLE,
                };
                assert!(is_first || terms.clock.is_none(), "{told:?}");
                assert!(
                    ran >= least || play.spoken.iter().any(is_by_player),
                    "void after {ran} at {} {:?} {:?} {:?}",
                    told.at,
                    play.holds,
                    self.fair_at.iter().rev().take(3).collect::<Vec<_>>(),
                    self.log.last()
                );
            }
            _ => {}
        }
    }

    /// The log has what is said, and the signatures of the players for it.
    pub fn check_log(&self, number: GameNumber, told: &Told) {
        let logged = self.logged.get(&number).expect("the game is in the log");
        let bins: Vec<u8> = logged.moves.iter().map(|(bin, ..)| *bin).collect();
        assert!(bins.starts_with(&told.moves), "the moves are in the log");
        match told.what {
            Telling::Receipt { left } => {
                let (_, at, kept, signature) = logged.moves[told.moves.len() - 1];
                assert_eq!((at, kept), (told.at, left));
                let mover = mover_of(&told.moves).expect("a move");
                assert_eq!(*told.signatures.get(mover), signature);
            }
            Telling::Ended(end) => {
                assert_eq!(logged.end, Some((end, told.at)), "the end is in the log");
                assert_eq!(bins, *told.moves, "all moves are in it");
            }
        }
    }
}

/// What a witness that begins with this log writes while nobody comes.
fn comes_of(log: &[Entry]) -> Vec<Entry> {
    let mut core = resume(log, START, 0);
    let mut all = Vec::new();
    for now in (0..2 * BACK).step_by(100) {
        core.tick(now, START);
        if let Some((entries, count)) = core.to_write() {
            all.extend(entries);
            let _told = core.written(count, now);
        }
    }
    all
}

pub fn resume(log: &[Entry], wall: u64, now: u64) -> Core<Cheap> {
    let core = Core::resume(WITNESS, CHAIN, Cheap, log, wall, now);
    let mut core = core.expect("a log that it has written");
    core.set_bounds(Bounds {
        games: 100,
        of_key: 10,
    });
    core
}

/// What is left goes down by the time of the mover alone, which is `ran` at least, less half a second at most for its line,
/// and up by the increment.
pub fn check_left(terms: &Terms, told: &Told, left: ByPlayer<u64>, logged: &Logged, ran: u64) {
    let bank = terms.clock.map_or(0, |clock| u64::from(clock.bank) * 1_000);
    let mover = mover_of(&told.moves).expect("a move");
    let turns = told.moves.len();
    let start = ByPlayer {
        one: bank,
        two: bank,
    };
    let before = turns.checked_sub(2).map(|before| logged.moves[before]);
    let (since, was) = before.map_or((logged.opened, start), |(_, at, left, _)| (at, left));
    let other = mover.opponent();
    assert_eq!(left.get(other), was.get(other), "the other's clock stands");
    let Some(clock) = terms.clock.filter(|_| turns > 2) else {
        assert_eq!(left, was, "there is no bank to lose");
        return;
    };
    let increment = u64::from(clock.increment) * 1_000;
    let spent = was.get(mover) + increment - left.get(mover);
    let passed = told.at - since;
    assert!(spent <= passed, "{spent} of {passed}");
    let was = *was.get(mover);
    assert!(spent < was, "it was in time");
    assert!(spent + 500 >= ran.min(was - 1), "{spent} of {ran}");
}

/// Others judge the end as the witness has told it.
pub fn judge(play: &Play, told: &Told) {
    let finished = told.finished(&play.signed).expect("it is no void game");
    let outcome = finished.judge(CHAIN, &Cheap);
    assert!(outcome.is_ok(), "{outcome:?} of {told:?}");
}
