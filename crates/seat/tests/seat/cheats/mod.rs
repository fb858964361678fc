//! One honest player against an opponent who does all that its signatures allow, who decides which
//! messages arrive, and for whom the node lies at times. The honest player never ends worse than by
//! anything that it ever held.

mod opponent;

use std::collections::VecDeque;
use std::sync::Arc;

use connect4_protocol::End;
use connect4_protocol::fast::wire::{FromRelay, Offer, read};
use connect4_protocol::fast::{Ending, Evidence, FastGame, Moves};
use connect4_relay::{Room, SocketId, Visit};
use connect4_rules::{Player, Shape};
use connect4_seat::{Duty, Guard, Journal, SeatError};
use connect4_testing::dice::Dice;

use crate::counts::{Counts, play_all};
use crate::world::{Audit, Chain, Disk, TestSeat, drop, enter, press, room, seat};

/// Sequences in every run: on boards of three sizes, and on the standard board alone.
const USUAL: u64 = 2_000;
const STANDARD: u64 = 5_000;
/// Seconds of the chain until a game has to have ended: the honest player presses.
const LIMIT: u32 = 6_000;
/// Seconds without an answer after which the honest player presses.
const PATIENCE: u32 = 8;
/// Blocks that can be replaced, and seconds for which a node lies, at most: less than any clock.
const DEPTH: usize = 4;
const LIES: u64 = 10;
/// Seconds that a draw or a resignation has to be of use for it to count, whatever a node shows and whatever
/// blocks are replaced.
const LASTING: u64 = 20;

/// What the honest player held at any time.
struct Held {
    journal: Journal,
    /// The longest position that it could go on from when it held it: what comes later than the player's
    /// own disc on the chain, at the same turn, is of no use.
    position: Evidence,
    /// It has held the opponent's resignation while there was time to bring it.
    was_resigned_to: bool,
    /// It has accepted a draw, and one that stood long enough to be brought.
    has_agreed: bool,
    had_draw: bool,
    /// It has given the game up by its own decision.
    has_resigned: bool,
}

struct World {
    dice: Dice,
    chain: Chain,
    /// The game after the last blocks, the newest one last.
    blocks: VecDeque<FastGame>,
    /// What the node shows instead of the truth, and for how many seconds more.
    lie: Option<(FastGame, u64)>,
    disk: Disk,
    seat: TestSeat,
    /// The relay's room, and the honest program's socket in it.
    room: Arc<Room>,
    visit: Visit,
    last_socket: SocketId,
    /// A bystander who guards the game, in some sequences.
    guard: Option<Guard>,
    /// Transaction of the honest player that is in no block yet.
    sent: Option<Duty>,
    waits: u32,
    /// All that the cheat has: what the honest player sent, and what it has made of it.
    known: Vec<Evidence>,
    /// Offers of the honest player.
    offers: Vec<Offer>,
    cheat: Player,
    /// Whether the cheat plays on whatever it has signed, so that games get long.
    is_stubborn: bool,
    held: Held,
    audit: Audit,
    counts: Counts,
    /// What has happened, to be printed if the honest player is cheated.
    log: Vec<String>,
}

impl World {
    fn new(seed: u64, shapes: &[Shape]) -> Self {
        let mut dice = Dice(seed);
        let shape = dice.one_of(shapes);
        let chain = Chain::new(shape);
        let cheat = dice.one_of(&Player::ALL);
        let is_guarded = dice.once_in(4);
        let is_stubborn = dice.once_in(2);
        let disk = Disk::default();
        let room = room(chain.game);
        Self {
            visit: enter(&room, 1, cheat.opponent()),
            room,
            last_socket: 1,
            guard: is_guarded.then(|| Guard::new(chain.subject(), chain.game, chain.now)),
            seat: seat(cheat.opponent(), &disk, &chain),
            dice,
            blocks: VecDeque::from([chain.game]),
            chain,
            lie: None,
            disk,
            sent: None,
            waits: 0,
            known: vec![Evidence::start()],
            offers: Vec::new(),
            cheat,
            is_stubborn,
            held: Held {
                journal: Journal::default(),
                position: Evidence::start(),
                was_resigned_to: false,
                has_agreed: false,
                had_draw: false,
                has_resigned: false,
            },
            audit: Audit::default(),
            counts: Counts::new(),
            log: vec![format!("seed {seed}")],
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn note(&mut self, text: String) {
        let turns = self.chain.game.game.turns();
        self.log.push(format!(
            "{} [chain {turns}] {text}",
            self.chain.now % 100_000
        ));
    }

    fn learn(&mut self, evidence: Evidence) {
        let honest = self.cheat.opponent();
        self.audit.see(&evidence, &[honest]);
        self.known.push(evidence);
        self.tell();
    }

    /// The honest program sends what it holds to the room.
    fn tell(&mut self) {
        let (now, evidence) = (self.chain.now, *self.seat.evidence());
        let taken = self.room.take(&evidence, now);
        taken.expect("the room takes what an honest player holds");
        if let Some(offer) = self.seat.offered() {
            // The room may have another position.
            let _ = self.room.offer(offer, now);
        }
    }

    /// The honest program receives what the room shows.
    fn listen(&mut self) {
        while let Some(frame) = self.visit.next_frame() {
            match read(&frame) {
                Some(FromRelay::Position(evidence)) => {
                    let received = self.seat.receive(&evidence);
                    received.expect("the room shows what is valid");
                    self.look();
                    if *self.seat.evidence() != evidence {
                        self.tell();
                    }
                }
                Some(FromRelay::Offer(offer)) => {
                    let _ = self.seat.receive_offer(&offer);
                }
                _ => {}
            }
        }
    }

    /// The honest program opens another socket, if the relay has begun anew in another room.
    fn connect(&mut self, is_new: bool) {
        if is_new {
            self.room = room(self.chain.game);
        }
        self.last_socket += 1;
        self.visit = enter(&self.room, self.last_socket, self.cheat.opponent());
    }

    /// A bystander receives what the room shows, and does what has to be done on the chain.
    fn guard(&mut self) {
        let Some(guard) = &mut self.guard else {
            return;
        };
        guard.see(self.chain.game, self.chain.now);
        let received = guard.receive(&self.room.shown().position);
        received.expect("the room shows what is valid");
        if let Some(duty) = guard.duty() {
            let done = self.chain.perform(&duty);
            self.count("guard");
            self.note(format!("guard: {} {done:?}", did(&duty)));
        }
    }

    /// Notes what the honest player holds, which never gets less.
    fn look(&mut self) {
        let journal = self.disk.journal.borrow().clone();
        for piece in self.held.journal.pieces() {
            assert!(journal.covers(piece), "{} was thrown away", told(piece));
        }
        let has_lost = journal.resignations.get(self.cheat.opponent()).is_some();
        let is_resigned_to = journal.resignations.get(self.cheat).is_some();
        // Shortly before the cheat can claim, it may come too late to be used.
        let deadline = self.chain.subject().deadline(&self.chain.game);
        let is_soon = deadline.is_some_and(|last| self.chain.now + LASTING > last);
        let is_late = is_soon || self.chain.game.is_final();
        self.held.was_resigned_to |= is_resigned_to && !has_lost && !is_late;
        let position = journal.position;
        let is_past = self.chain.game.game.turns() > position.moves.turns();
        let has_moved_on = journal.dropped.is_some_and(|dropped| {
            let board = self
                .chain
                .subject()
                .game_of(&position)
                .map(|game| *game.board());
            let is_other = dropped.turns == position.moves.turns() && Ok(dropped.before) != board;
            if is_other && self.held.position.moves == position.moves {
                // It has answered what the cheat dropped on the chain in place of the last move.
                let before = Moves::from_bins(position.moves.before_last());
                self.held.position.moves = before.expect("bins of moves");
            }
            dropped.turns > position.moves.turns() || is_other
        });
        if !is_past && !has_moved_on && !is_late {
            self.held.position = position;
        }
        self.held.journal = journal;
    }

    /// What the node shows.
    fn seen(&mut self) -> FastGame {
        match &mut self.lie {
            Some((lie, left)) if *left > 0 => {
                *left -= 1;
                *lie
            }
            _ => self.chain.game,
        }
    }

    fn be_honest(&mut self) {
        // What it has sent is in a block after whatever the cheat does.
        if let Some(duty) = self.sent.take() {
            let done = self.chain.perform(&duty);
            self.note(format!("honest: {} {done:?}", did(&duty)));
        }
        let seen = self.seen();
        self.seat.see(seen, self.chain.now);
        self.seat.concede().expect("the disk works");
        self.look();
        if self.dice.once_in(2) {
            self.listen();
        }
        if self.dice.once_in(100) {
            self.count("new room");
            self.connect(true);
            self.tell();
        }
        if self.dice.once_in(50) {
            self.count("crash");
            self.connect(false);
            self.seat = seat(self.cheat.opponent(), &self.disk, &self.chain);
            self.seat.see(seen, self.chain.now);
        }
        if let Some(duty) = self.seat.duty() {
            self.count("duty");
            self.sent = Some(duty);
            return;
        }
        let latest = self.seat.latest();
        let honest = self.seat.player();
        if latest.to_move() == Some(honest) {
            self.waits = 0;
            if self.seat.offer().is_some() && self.dice.once_in(2) {
                let draw = self.seat.accept_draw().expect("there is an offer");
                self.count("accept");
                self.note(format!("honest: accepts {}", told(&draw)));
                // One that lapses in the next blocks is no agreement to rely on.
                let lasts = |until| until >= self.chain.now + LASTING;
                let is_lasting =
                    matches!(draw.ending, Some(Ending::Draw { until }) if lasts(until));
                self.held.has_agreed = true;
                self.held.had_draw |= is_lasting;
                self.learn(draw);
                return;
            }
            if self.dice.once_in(400) {
                let resigned = self.seat.resign().expect("the game goes on");
                self.count("give up");
                self.note("honest: resigns".into());
                self.held.has_resigned = true;
                self.known.push(resigned);
                return;
            }
            let bin = self.choose(&latest).index();
            self.drop(bin, &seen);
        } else {
            self.waits += 1;
            if self.waits > PATIENCE
                && let Ok(pressed) = self.seat.press()
            {
                let done = press(&mut self.chain, honest, &pressed);
                self.count("pressed");
                self.note(format!("honest: presses {done:?}"));
            }
            if self.dice.once_in(100)
                && let Ok(offer) = self.seat.offer_draw(self.chain.now + 60)
            {
                self.offers.push(offer);
                self.tell();
            }
        }
    }

    /// The honest player drops a disc. On the chain it is answered to what was seen: on another
    /// position the transaction is void.
    fn drop(&mut self, bin: u8, seen: &FastGame) {
        let mut elsewhere = Chain {
            game: *seen,
            now: self.chain.now,
        };
        let is_true = seen.game == self.chain.game.game && seen.stopped == self.chain.game.stopped;
        let chain = match is_true {
            true => &mut self.chain,
            false => &mut elsewhere,
        };
        match drop(&mut self.seat, chain, bin) {
            Ok(Some(evidence)) => {
                self.note(format!("honest: signs {}", told(&evidence)));
                self.learn(evidence);
            }
            Ok(None) => self.note(format!("honest: drops {bin} on the chain")),
            // Its move was made on the chain before.
            Err(SeatError::Bound(bound)) => {
                self.count("bound");
                if bound != bin {
                    self.drop(bound, seen);
                }
            }
            Err(SeatError::OnChainAlone) => self.count("bound"),
            Err(error) => panic!("{error}\n{}", self.log.join("\n")),
        }
    }

    /// A block is made, or the last ones are replaced.
    fn make_block(&mut self) {
        self.chain.now += 1;
        if self.dice.once_in(60) && !self.blocks.is_empty() {
            self.count("fork");
            let depth = self.dice.below(self.blocks.len() as u64) as usize;
            self.chain.game = self.blocks[depth];
            self.blocks.truncate(depth);
            self.note("the last blocks are replaced".into());
        }
        self.blocks.push_back(self.chain.game);
        if self.blocks.len() > DEPTH {
            self.blocks.pop_front();
        }
    }

    fn play(mut self) -> Counts {
        let mut is_final_for = 0;
        for _ in 0..LIMIT {
            self.make_block();
            if self.dice.once_in(80) {
                self.lie();
            }
            for _ in 0..self.dice.below(5) {
                self.cheat();
            }
            self.be_honest();
            self.guard();
            self.look();
            is_final_for = match self.chain.game.is_final() {
                true => is_final_for + 1,
                false => 0,
            };
            if is_final_for > DEPTH {
                self.check_end();
                return self.counts;
            }
        }
        panic!(
            "the game does not end: {:?}\n{}",
            self.chain.game,
            self.log.join("\n")
        );
    }

    /// Whether a position has more moves than the chain knows, and is a line of the cheat.
    fn has_lost_by(&self, position: &Evidence) -> bool {
        let made = self.chain.subject().game_of(position);
        position.moves.turns() > self.chain.game.game.turns()
            && made.is_ok_and(|made| made.winner() == Some(self.cheat))
    }

    fn check_end(&mut self) {
        let game = self.chain.game.game;
        let honest = self.cheat.opponent();
        let cheated = |why: &str| -> ! {
            let log = self.log.join("\n");
            panic!(
                "{why}: the cheat is {}, ended by {:?}\n{}\n{log}",
                self.cheat,
                game.end(),
                game.position()
            );
        };
        let end = game.end().expect("it is over");
        let held = &self.held;
        let may_agree = !self.offers.is_empty() || held.has_agreed;
        let what = match game.winner() {
            Some(winner) if winner == honest => "won",
            None if end == End::Agreement && may_agree => "agreed",
            _ if held.has_resigned => "given up",
            _ if held.was_resigned_to => cheated("the cheat had resigned"),
            Some(_) if held.had_draw => cheated("a draw was agreed"),
            // By a line of the cheat that it holds, and that the chain would have taken.
            _ if self.has_lost_by(&held.journal.position) => "lost",
            _ if end == End::Timeout => cheated("it has always answered in time"),
            _ if end == End::Agreement => cheated("it has agreed to nothing"),
            None if end == End::Abort => match held.position.moves.turns() {
                0 | 1 => "aborted",
                _ => cheated("both have moved"),
            },
            _ => {
                let position = &held.position;
                // The last position that it held is a part of how it ended.
                let is_part = self
                    .chain
                    .subject()
                    .replay(&position.moves)
                    .is_ok_and(|held| {
                        let shape = game.shape();
                        shape.iter_bins().all(|bin| {
                            (0..held.board().height(bin)).all(|row| {
                                let cell = connect4_rules::Cell { bin, row };
                                game.position().disc(cell) == held.position().disc(cell)
                            })
                        })
                    });
                let agreed = held.journal.resignations.get(honest);
                let is_line = |agreed: &Evidence| {
                    let game = self.chain.subject().game_of(agreed);
                    game.is_ok_and(|game| game.end() == Some(End::Line))
                };
                match agreed {
                    // It has agreed to a line. The chain may have another one of the same turn.
                    Some(agreed) if agreed.moves == position.moves && is_line(agreed) => "conceded",
                    _ if end == End::Resignation => cheated("it has not resigned"),
                    _ if !is_part => cheated(&format!("held {:?}", position.moves)),
                    _ => "lost",
                }
            }
        };
        self.count(what);
    }
}

fn told(evidence: &Evidence) -> String {
    let moves: String = evidence.moves.iter().map(|bin| bin.to_string()).collect();
    match evidence.ending {
        None => format!("'{moves}'"),
        Some(ending) => format!("{ending:?} at '{moves}'"),
    }
}

fn did(duty: &Duty) -> String {
    match duty {
        Duty::Advance(evidence) => format!("brings {}", told(evidence)),
        Duty::Claim => "claims".into(),
    }
}

const WANTED: [&str; 21] = [
    "advance", "press", "drop", "draw", "crash", "duty", "pressed", "won", "lost", "conceded",
    "resign", "accept", "give up", "fork", "lie", "claim", "agreed", "go back", "bound", "guard",
    "new room",
];

#[test]
fn an_honest_player_never_ends_worse_than_by_anything_that_it_held() {
    let small = Shape::new(5, 4, 3).expect("the smallest board");
    let shapes = [small, Shape::CLASSROOM, Shape::STANDARD];
    play_all(USUAL, &WANTED, |seed| World::new(seed, &shapes).play());
}

/// As many as one likes: CONTRIBUTING.md says how, and docs/decisions/0025 how many there were.
#[test]
fn on_the_standard_board_it_never_does_either() {
    let shapes = [Shape::STANDARD];
    play_all(STANDARD, &WANTED, |seed| World::new(seed, &shapes).play());
}
