//! The witness without input and output, by random walks: legal and hostile messages, pauses, a disk that fails, and
//! restarts at any moment.
//!
//! Whatever the walk does, the witness signs nothing that the log does not have, nothing that contradicts what it has
//! signed before, and no end that others judge otherwise.
//!
//! `CONNECT4_SEED` and `CONNECT4_SEQUENCES` choose the walks.

use std::collections::{BTreeMap, HashMap};

use codec::{DecodeAll as _, Encode as _};
use connect4_protocol::fast::Native;
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::signed::wire::{Act, Spoken, Telling, Told};
use connect4_protocol::signed::{
    AccountCrypto, Chain, Crypto, Digest, Domain, GameNumber, Moves, Party, Signature, SignedTerms,
    Terms, WitnessedEnd,
};
use connect4_protocol::{Address, ClockSpec};
use connect4_relay::Visitor;
use connect4_relay::witness::{Bounds, Checked, Core, Entry, Heard, Known, Moment, Output};
use connect4_rules::{ByPlayer, Player, ShapeSpec};
use connect4_testing::dice::Dice;

const CHAIN: Chain = Chain {
    id: 1,
    genesis: [1; 32],
};
const DOMAIN: Domain = Domain::without_stake(CHAIN);
const WITNESS: Address = Address([0xee; 20]);
/// When the walks begin, in milliseconds since 1970.
const START: u64 = 1_800_000_000_000;
const SMALL: ShapeSpec = ShapeSpec {
    bins: 5,
    capacity: 4,
    line: 3,
};
/// As the relay's documents say: how often it looks, and by how much it can be late.
const TURN: u64 = 100;
const LATE: u64 = 200;
const FIRST_MOVE: u64 = 30_000;
const BACK: u64 = 15_000;
const IDLE: u64 = 14 * 24 * 60 * 60 * 1_000;

/// Signatures that are made and checked by a hash: walks forge none.
#[derive(Clone, Copy)]
struct Cheap;

impl Crypto for Cheap {
    fn keccak256(&self, bytes: &[u8]) -> Digest {
        Native.keccak256(bytes)
    }

    fn recover(&self, digest: &Digest, signature: &Signature) -> Option<Address> {
        let (address, _) = signature.0.split_first_chunk()?;
        let address = Address(*address);
        (sign(address, digest) == *signature).then_some(address)
    }
}

impl AccountCrypto for Cheap {
    fn verify_sr25519(&self, _: &[u8; 32], _: &[u8], _: &[u8; 64]) -> bool {
        false
    }
}

fn sign(by: Address, digest: &Digest) -> Signature {
    let mut bytes = [0; 65];
    bytes[..20].copy_from_slice(&by.0);
    bytes[20..52].copy_from_slice(&Native.keccak256(&[&by.0[..], digest].concat()));
    Signature(bytes)
}

fn key(number: u8, player: Player) -> Address {
    Address([2 * number + 1 + u8::from(player == Player::Two); 20])
}

/// A game, with what its players and strangers have.
struct Play {
    number: GameNumber,
    signed: SignedTerms,
    /// Everything that was ever signed by a player.
    spoken: Vec<Spoken>,
    /// What each player has signed for each of its turns: an honest one signs a turn once.
    turns: BTreeMap<Vec<u8>, Spoken>,
    /// Everything that the witness has ever told.
    told: Vec<Told>,
    /// What each player has been told last.
    seen: ByPlayer<Option<Told>>,
    /// The fair times between which the clock stood after restarts; the last one may still stand.
    holds: Vec<(u64, u64)>,
    /// Moves that the witness has taken.
    taken: usize,
    /// Who has not come back since a restart, and until when its clock stands for that.
    away: ByPlayer<bool>,
    back_until: u64,
}

impl Play {
    fn say(&mut self, by: Player, act: Act, moves: Moves) -> Spoken {
        let mut spoken = Spoken {
            by,
            act,
            moves,
            signature: Signature::NONE,
        };
        let digest = spoken.statement(self.number).digest(&DOMAIN, &Cheap);
        spoken.signature = sign(self.signed.terms.players.get(by).key(), &digest);
        self.spoken.push(spoken);
        spoken
    }

    fn newest(&self) -> Moves {
        let receipts = self.told.iter().filter(|told| is_receipt(told));
        receipts
            .map(|told| told.moves)
            .max_by_key(|moves| moves.len())
            .unwrap_or_default()
    }

    /// A player is there again.
    fn back(&mut self, by: Player, fair: u64) {
        self.away[by] = false;
        if turn(self.taken) == by {
            self.release(fair);
        }
    }

    /// The witness has taken a move, so that the clock of the other player runs, unless that one is away.
    fn moved(&mut self, by: Player, fair: u64) {
        self.back(by, fair);
        self.taken += 1;
        if *self.away.get(by.opponent()) && fair < self.back_until {
            self.holds.push((fair, self.back_until));
        }
    }

    /// The clock runs from now on.
    fn release(&mut self, fair: u64) {
        if let Some((_, until)) = self.holds.last_mut() {
            *until = fair.min(*until);
        }
    }

    /// For how much fair time the clock can have run between these two.
    fn ran(&self, from: u64, to: u64) -> u64 {
        let held = self.holds.iter().map(|(since, until)| {
            let (since, until) = ((*since).max(from), (*until).min(to));
            until.saturating_sub(since)
        });
        to - from - held.sum::<u64>()
    }
}

fn is_receipt(told: &Told) -> bool {
    matches!(told.what, Telling::Receipt { .. })
}

/// What the log says of a game, by reading it plainly.
#[derive(Default)]
struct Logged {
    moves: Vec<(u8, u64, ByPlayer<u64>, Signature)>,
    end: Option<(WitnessedEnd, u64)>,
    opened: u64,
}

/// What the witness does while time passes.
#[derive(Clone, Copy)]
enum Passing {
    InTurns,
    StandsStill,
    Busy,
}

struct World {
    dice: Dice,
    core: Core<Cheap>,
    /// The machine's clock since some start, and the true time, both in milliseconds.
    now: u64,
    wall: u64,
    /// How much time can have counted for players, at most.
    fair: u64,
    /// How much time had counted at each time of the witness, at least and at most.
    fair_at: BTreeMap<u64, (u64, u64)>,
    /// The fair time that can be reached before the next turn.
    until: u64,
    /// The fair time that can be reached while something is being written.
    most: Option<u64>,
    /// By how much the clock of the wall was set back.
    set_back: u64,
    /// What is on the disk.
    log: Vec<Entry>,
    logged: HashMap<GameNumber, Logged>,
    writing: Option<(Vec<Entry>, u64)>,
    is_full: bool,
    plays: Vec<Play>,
    counts: BTreeMap<&'static str, u64>,
}

impl World {
    fn new(seed: u64) -> Self {
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
            log,
            logged: HashMap::new(),
            writing: None,
            is_full: false,
            plays: Vec::new(),
            counts: BTreeMap::new(),
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// Time passes, in which the witness takes its turns, stands still, or has so much to do that no turn comes.
    fn pass(&mut self, time: u64, how: Passing) {
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
    fn turn(&mut self) {
        if self.dice.once_in(50) {
            self.set_back = 0;
        }
        self.core.tick(self.now, self.wall - self.set_back);
        self.until = self.fair + TURN + LATE;
        self.note();
    }

    fn note(&mut self) {
        let at = self.core.look(self.now).at;
        let fair = self.fair_at.entry(at).or_insert((self.fair, self.fair));
        fair.1 = self.fair;
    }

    /// How much time had counted then, at least and at most.
    fn fair_at(&self, at: u64) -> (u64, u64) {
        let (_, fair) = self.fair_at.range(..=at).next_back().expect("a time");
        *fair
    }

    fn begin_write(&mut self) {
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
    fn end_write(&mut self) {
        let Some((entries, count)) = self.writing.take() else {
            return;
        };
        self.append(entries);
        self.is_full = false;
        self.most = None;
        let outputs = self.core.written(count, self.now);
        self.say_all(outputs);
    }

    fn append(&mut self, entries: Vec<Entry>) {
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
            self.log.push(entry);
        }
    }

    /// The witness is killed, and started again after a while, whatever it was writing.
    fn restart(&mut self) {
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

    /// What goes out is checked, and signed.
    fn say_all(&mut self, outputs: Vec<Output>) {
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

    fn say(&mut self, number: GameNumber, mut told: Told) {
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
            Telling::Receipt { left } => check_left(&terms, &told, left, logged),
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
    fn check_end(&self, play: &Play, told: &Told, end: WitnessedEnd, ran: u64) {
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
    fn check_log(&self, number: GameNumber, told: &Told) {
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

    /// A new game, by terms that are good or not.
    fn open(&mut self) {
        let number = self.plays.len() as u8;
        let clock = match self.dice.below(4) {
            0 => None,
            _ => Some(ClockSpec {
                bank: 1 + self.dice.below(8) as u32,
                increment: self.dice.below(3) as u32,
            }),
        };
        let shown = self.core.look(self.now).at / 1_000;
        let is_late = self.dice.once_in(16);
        let terms = Terms {
            players: ByPlayer::from_fn(|player| Party::Guest(key(number, player))),
            shape: SMALL,
            pie_rule: self.dice.once_in(2),
            clock,
            witness: Some(WITNESS),
            stake: 0,
            pool: 0,
            programs: ByPlayer::default(),
            event: None,
            previous: None,
            time: shown + 119 - self.dice.below(238) + if is_late { 300 } else { 0 },
            nonce: 0,
        };
        let number = terms.number(&DOMAIN, &Cheap);
        let signatures = terms.players.map(|party| sign(party.key(), &number.0));
        let signed = SignedTerms {
            terms,
            sessions: ByPlayer::default(),
            signatures,
        };
        let checked = Checked::terms(signed, CHAIN, &Cheap).expect("both have signed");
        match self.core.open(&checked, Visitor::Uncounted, self.now) {
            Ok(()) => {
                assert!(!is_late, "terms of another time");
                self.count("games");
            }
            Err(Refusal::OtherTime) => {
                assert!(is_late);
                return;
            }
            Err(refusal) => {
                assert!(self.is_full && refusal == Refusal::LogFull, "{refusal:?}");
                return;
            }
        }
        self.plays.push(Play {
            number,
            signed,
            spoken: Vec::new(),
            turns: BTreeMap::new(),
            told: Vec::new(),
            seen: ByPlayer::default(),
            holds: Vec::new(),
            taken: 0,
            away: ByPlayer::default(),
            back_until: 0,
        });
        self.note();
    }

    fn hear(&mut self, at: usize, spoken: Spoken) -> Option<Result<Heard, Refusal>> {
        let play = &self.plays[at];
        let keys = play.signed.terms.players.map(|party| party.key());
        let checked = Checked::spoken(spoken, play.number, &keys, &DOMAIN, &Cheap)?;
        let heard = self.core.take(play.number, &checked, self.now);
        if heard.is_ok() {
            assert!(!self.is_full, "nothing is taken while the log is full");
        }
        if heard == Ok(Heard::New) {
            match spoken.act {
                Act::Move => self.plays[at].moved(spoken.by, self.fair),
                Act::Resign | Act::Draw => self.plays[at].release(self.fair),
            }
        }
        self.note();
        Some(heard)
    }

    /// A player does something in a game.
    fn act(&mut self) {
        if self.plays.is_empty() {
            return;
        }
        let at = self.dice.below(self.plays.len() as u64) as usize;
        let by = self.dice.one_of(&Player::ALL);
        let choice = self.dice.below(24);
        let play = &mut self.plays[at];
        let (number, seen) = (play.number, *play.seen.get(by));
        let moves = seen.map(|told| told.moves).unwrap_or_default();
        let is_over = seen.is_some_and(|told| !is_receipt(&told));
        match choice {
            // An honest player moves once at each of its turns, and sends the same again.
            0..=9 => {
                if is_over || to_move(&moves) != by {
                    return;
                }
                let spoken = match play.turns.get(&*moves) {
                    Some(spoken) => *spoken,
                    None => {
                        let mut bins = moves.to_vec();
                        let swaps = play.signed.terms.pie_rule && bins.len() == 1;
                        bins.push(match swaps && self.dice.once_in(3) {
                            true => Moves::SWAP,
                            false => self.dice.below(u64::from(SMALL.bins)) as u8,
                        });
                        let next = Moves::from_bins(&bins).expect("few moves");
                        if play.signed.terms.play(&next).is_err() {
                            return;
                        }
                        let spoken = play.say(by, Act::Move, next);
                        play.turns.insert(moves.to_vec(), spoken);
                        spoken
                    }
                };
                self.hear(at, spoken);
            }
            10 => {
                let spoken = play.say(by, Act::Resign, moves);
                if self.dice.once_in(3) {
                    self.hear(at, spoken);
                }
            }
            11..=13 => {
                let spoken = play.say(by, Act::Draw, moves);
                self.hear(at, spoken);
            }
            // A player or a stranger sends what was signed long ago.
            14 | 15 => {
                if !play.spoken.is_empty() {
                    let spoken = play.spoken[self.dice.below(play.spoken.len() as u64) as usize];
                    self.hear(at, spoken);
                }
            }
            // A cheat signs any moves: two for one turn, one that is not its own, one that is not legal.
            16 | 17 => {
                let newest = play.newest();
                let keep = newest.len().saturating_sub(self.dice.below(3) as usize);
                let mut bins = newest[..keep].to_vec();
                for _ in 0..=self.dice.below(2) {
                    bins.push(self.dice.below(u64::from(SMALL.bins) + 1) as u8);
                }
                let act = self.dice.one_of(&[Act::Move, Act::Move, Act::Resign]);
                let moves = Moves::from_bins(&bins).expect("few moves");
                let spoken = play.say(by, act, moves);
                // Mostly it is refused: the walk ends games in other ways, too.
                if act == Act::Move || self.dice.once_in(4) {
                    self.hear(at, spoken);
                }
            }
            // What is signed for another game, or by another player.
            18 => {
                let mut spoken = play.say(by, Act::Resign, moves);
                spoken.by = by.opponent();
                assert!(self.hear(at, spoken).is_none(), "it is not signed");
                let spoken = self.plays[at].say(by, Act::Resign, moves);
                let other = (at + 1) % self.plays.len();
                if other != at {
                    assert!(self.hear(other, spoken).is_none(), "it is of another game");
                }
            }
            // It comes back, and shows what it has.
            19..=21 => {
                self.core.back(number, by, self.now);
                self.see(at, by);
                let play = &mut self.plays[at];
                // While the log is full the clock stands, and later it does so until it comes back again.
                if !self.is_full {
                    play.back(by, self.fair);
                }
                if play.told.is_empty() {
                    return;
                }
                let held = play.told[self.dice.below(play.told.len() as u64) as usize];
                let checked = Checked::told(held, WITNESS, number, &DOMAIN, &Cheap);
                let checked = checked.expect("the witness has signed it");
                let is_older = self.core.is_older_than(number, &checked, self.now);
                assert!(!is_older, "the log has {held:?}");
            }
            _ => {
                let terms = self.plays[at].signed;
                let checked = Checked::terms(terms, CHAIN, &Cheap).expect("signed");
                let is_known = self.core.known(number).is_some();
                let opened = self.core.open(&checked, Visitor::Uncounted, self.now);
                if opened.is_ok() && !is_known {
                    // It was lost by a restart, and begins anew.
                    let play = &mut self.plays[at];
                    play.holds.clear();
                    play.taken = 0;
                    play.away = ByPlayer::default();
                    self.note();
                }
                assert!(
                    opened.is_ok() || self.plays[at].told.is_empty(),
                    "{opened:?}"
                );
            }
        }
    }

    /// A player is told what the log has.
    fn see(&mut self, at: usize, by: Player) {
        let number = self.plays[at].number;
        let told = match self.core.known(number) {
            Some(Known::Running { told, .. }) => told,
            Some(Known::Over(told)) => Some(told),
            None => None,
        };
        let Some(told) = told else {
            return;
        };
        let is_it =
            |said: &&Told| (said.moves, said.at, said.what) == (told.moves, told.at, told.what);
        if !self.plays[at].told.iter().any(|said| is_it(&said)) {
            self.say(number, told);
        }
        let play = &mut self.plays[at];
        play.seen[by] = play.told.iter().find(is_it).copied();
    }

    fn step(&mut self) {
        match self.dice.below(64) {
            0 | 1 if self.plays.len() < 4 => self.open(),
            2..=5 => {
                let time = self.dice.below(3_000);
                self.pass(time, Passing::InTurns);
            }
            6 => match self.dice.once_in(2) {
                true => {
                    let time = self.dice.below(40_000);
                    self.pass(time, Passing::StandsStill);
                }
                false => {
                    let time = self.dice.below(2_000);
                    self.pass(time, Passing::Busy);
                }
            },
            7..=18 => self.begin_write(),
            19..=30 => self.end_write(),
            31 => {
                if self.writing.is_some() {
                    self.core.full(self.now);
                    self.is_full = true;
                    self.count("writes that failed");
                }
            }
            32 => self.restart(),
            _ => self.act(),
        }
    }

    /// What nobody does: the log is an old one. It is found out by what players show, and nothing is taken then.
    fn restore_a_backup(&mut self) {
        let kept = 1 + self.dice.below(self.log.len() as u64) as usize;
        let backup = &self.log[..kept];
        let has = |number: GameNumber, told: &Told| {
            let is_of = |entry: &&Entry| match (entry, told.what) {
                (Entry::Moved { game, .. }, Telling::Receipt { .. })
                | (Entry::Ended { game, .. }, Telling::Ended(_)) => *game == number,
                _ => false,
            };
            let needed = if is_receipt(told) {
                told.moves.len()
            } else {
                1
            };
            backup.iter().filter(is_of).count() >= needed
        };
        let mut core = resume(backup, self.wall, self.now);
        for at in 0..self.plays.len() {
            let play = &self.plays[at];
            let newest = play.told.iter();
            let newest = newest.max_by_key(|told| (told.moves.len(), !is_receipt(told)));
            let Some(newest) = newest.copied() else {
                continue;
            };
            let (number, is_lost) = (play.number, !has(play.number, &newest));
            // What is that old may have been forgotten.
            let is_recent = newest.moves.len() > 1;
            let checked = Checked::told(newest, WITNESS, number, &DOMAIN, &Cheap);
            let checked = checked.expect("the witness has signed it");
            let is_older = core.is_older_than(number, &checked, self.now);
            assert!(is_older == is_lost || !is_recent, "{newest:?} of {kept}");
            if !is_older {
                continue;
            }
            self.count("backups that were found out");
            let spoken = self.plays[at].say(Player::One, Act::Resign, newest.moves);
            let play = &self.plays[at];
            let keys = play.signed.terms.players.map(|party| party.key());
            let checked = Checked::spoken(spoken, number, &keys, &DOMAIN, &Cheap);
            let taken = core.take(number, &checked.expect("signed"), self.now);
            assert_eq!(taken, Err(Refusal::OtherWitness));
            for _ in 0..200 {
                self.now += TURN;
                core.tick(self.now, self.wall);
            }
            // What the start made of the backup is dropped with it, and nothing more is said.
            assert!(core.is_outdated());
            assert_eq!(core.to_write(), None);
            assert_eq!(core.written(u64::MAX, self.now), []);
            assert!(core.known(number).is_none());
            return;
        }
    }

    fn flush(&mut self) {
        self.end_write();
        self.begin_write();
        self.end_write();
        self.begin_write();
        self.end_write();
    }
}

fn resume(log: &[Entry], wall: u64, now: u64) -> Core<Cheap> {
    let core = Core::resume(WITNESS, CHAIN, Cheap, log, wall, now);
    let mut core = core.expect("a log that it has written");
    core.set_bounds(Bounds {
        games: 100,
        of_key: 10,
    });
    core
}

fn to_move(moves: &[u8]) -> Player {
    turn(moves.len())
}

/// The player to move after so many moves.
fn turn(moves: usize) -> Player {
    match moves % 2 {
        0 => Player::One,
        _ => Player::Two,
    }
}

fn mover_of(moves: &[u8]) -> Option<Player> {
    moves
        .len()
        .checked_sub(1)
        .map(|before| to_move(&moves[..before]))
}

/// What is left goes down by whole seconds of the mover alone, and up by the increment.
fn check_left(terms: &Terms, told: &Told, left: ByPlayer<u64>, logged: &Logged) {
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
    assert!(
        spent.is_multiple_of(1_000) && spent <= passed,
        "{spent} of {passed}"
    );
    assert!(spent < *was.get(mover), "it was in time");
}

/// Others judge the end as the witness has told it.
fn judge(play: &Play, told: &Told) {
    let finished = told.finished(&play.signed).expect("it is no void game");
    let outcome = finished.judge(CHAIN, &Cheap);
    assert!(outcome.is_ok(), "{outcome:?} of {told:?}");
}

fn walk(seed: u64) -> BTreeMap<&'static str, u64> {
    let mut world = World::new(seed);
    let steps = 200 + world.dice.below(400);
    for _ in 0..steps {
        world.step();
    }
    // In the end every game with a clock ends, whatever was done.
    for _ in 0..80 {
        world.flush();
        world.pass(1_000, Passing::InTurns);
    }
    world.flush();
    for play in &world.plays {
        if let Some(logged) = world.logged.get(&play.number) {
            let terms = play.signed.terms;
            let bins: Vec<u8> = logged.moves.iter().map(|(bin, ..)| *bin).collect();
            let moves = Moves::from_bins(&bins).expect("few moves");
            let is_over = terms.play(&moves).expect("legal moves").is_over();
            let has_to_end = is_over || terms.clock.is_some();
            assert!(logged.end.is_some() || !has_to_end, "it goes on for ever");
        }
    }
    world.restore_a_backup();
    world.counts
}

fn variable(name: &str, otherwise: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn whatever_happens_a_witness_contradicts_itself_in_nothing() {
    let first = variable("CONNECT4_SEED", 1);
    let walks = variable("CONNECT4_SEQUENCES", 3_000);
    let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
    for seed in first..first + walks {
        let walked = std::panic::catch_unwind(|| walk(seed));
        match walked {
            Ok(walked) => {
                for (what, count) in walked {
                    *counts.entry(what).or_default() += count;
                }
            }
            Err(cause) => {
                println!("walk {seed}, the {}. one", seed - first + 1);
                std::panic::resume_unwind(cause);
            }
        }
    }
    println!("{counts:?}");
    let least = walks / 100;
    for what in [
        "games",
        "receipts",
        "restarts",
        "torn groups",
        "writes that failed",
        "void",
        "ended on the board",
        "drawn",
        "resigned",
        "lapsed",
        "backups that were found out",
    ] {
        let count = counts.get(what).copied().unwrap_or_default();
        assert!(count > least, "{what}: {count}");
    }
}

/// A game in which both have moved, with a bank of one second, of a witness that takes its turns.
fn begun() -> (World, Play) {
    let mut world = World::new(1);
    let clock = ClockSpec {
        bank: 1,
        increment: 0,
    };
    while world.plays.is_empty() || world.plays[0].signed.terms.clock != Some(clock) {
        world = World::new(world.dice.below(u64::MAX));
        world.open();
    }
    let play = world.plays.remove(0);
    (world, play)
}

fn make(world: &mut World, play: &mut Play, bins: &[u8]) -> Result<Heard, Refusal> {
    let moves = Moves::from_bins(bins).expect("few moves");
    let by = mover_of(bins).expect("a move");
    let spoken = play.say(by, Act::Move, moves);
    let keys = play.signed.terms.players.map(|party| party.key());
    let checked = Checked::spoken(spoken, play.number, &keys, &DOMAIN, &Cheap);
    let checked = checked.expect("it is signed");
    world.core.take(play.number, &checked, world.now)
}

/// The witness takes its turns for so long.
fn turns(world: &mut World, time: u64) {
    for _ in 0..time / TURN {
        world.now += TURN;
        world.core.tick(world.now, world.wall);
    }
}

#[test]
fn a_move_that_waits_while_the_witness_is_busy_is_in_time() {
    let (mut world, mut play) = begun();
    for bins in [&[0][..], &[0, 1]] {
        assert_eq!(make(&mut world, &mut play, bins), Ok(Heard::New));
    }
    turns(&mut world, 900);
    for _ in 0..5_000 {
        world.now += 1;
        world.core.look(world.now);
    }
    let taken = make(&mut world, &mut play, &[0, 1, 2]);
    assert_eq!(taken, Ok(Heard::New), "it came in before");
    // The other one is out of time in a turn that is on time.
    turns(&mut world, 1_500);
    let late = make(&mut world, &mut play, &[0, 1, 2, 3]);
    assert_eq!(late, Err(Refusal::OtherPosition));
}

#[test]
fn a_turn_that_is_late_ends_no_game() {
    let (mut world, mut play) = begun();
    for bins in [&[0][..], &[0, 1]] {
        assert_eq!(make(&mut world, &mut play, bins), Ok(Heard::New));
    }
    turns(&mut world, 900);
    for _ in 0..1_000 {
        world.now += 1;
        world.core.look(world.now);
    }
    world.core.tick(world.now, world.wall);
    assert_eq!(make(&mut world, &mut play, &[0, 1, 2]), Ok(Heard::New));
}

#[test]
fn after_a_restart_the_clock_of_each_player_stands_until_it_is_back() {
    for is_back in [true, false] {
        let (mut world, mut play) = begun();
        for bins in [&[0][..], &[0, 1]] {
            assert_eq!(make(&mut world, &mut play, bins), Ok(Heard::New));
        }
        while let Some((entries, count)) = world.core.to_write() {
            world.log.extend(entries);
            let _told = world.core.written(count, world.now);
        }
        world.core = resume(&world.log, world.wall, world.now);
        world.core.back(play.number, Player::One, world.now);
        if is_back {
            world.core.back(play.number, Player::Two, world.now);
        }
        assert_eq!(make(&mut world, &mut play, &[0, 1, 2]), Ok(Heard::New));
        turns(&mut world, BACK - 1_000);
        let answer = make(&mut world, &mut play, &[0, 1, 2, 3]);
        let expected = match is_back {
            true => Err(Refusal::OtherPosition),
            false => Ok(Heard::New),
        };
        assert_eq!(answer, expected);
    }
}
