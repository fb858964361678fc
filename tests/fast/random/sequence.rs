//! A game of two players, each of which is honest or a cheat.

use connect4_protocol::fast::{Ending, Evidence, Kind, Moves, Signature, Statement};
use connect4_protocol::{End, payout};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::dice::Dice;

use super::Seen;
use super::bench::{Bench, Deed};
use super::cheat;
use super::honest::{Honest, Wish};
use super::model::{Model, Said, Signed, position, to_move};
use crate::world::{CLOCK, STAKE};

/// Steps before the cheats fall silent and the honest players end the game.
const STEPS: u64 = 70;
/// Steps in which they have to.
const TO_THE_END: u64 = 600;

#[derive(Default)]
pub struct Statements {
    pub log: Vec<(Player, Said, Vec<u8>)>,
    signed: Signed,
}

impl Statements {
    pub fn sign(&mut self, bench: &impl Bench, by: Player, statement: &Statement) -> Signature {
        let signature = bench.sign(by, statement);
        let key = key(by, statement);
        if self.signed.insert(key.clone(), signature).is_none() {
            self.log.push(key);
        }
        signature
    }

    /// What a player has signed; none if it has not.
    pub fn find(&self, by: Player, statement: &Statement) -> Option<Signature> {
        self.signed.get(&key(by, statement)).copied()
    }

    /// Whether a player who receives it takes it: signed by both, and legal.
    fn supports(&self, evidence: &Evidence, game: u32) -> bool {
        let signed = Player::ALL.into_iter().all(|player| {
            evidence.statement_of(player, game).is_none_or(|statement| {
                self.find(player, &statement) == Some(*evidence.signatures.get(player))
            })
        });
        signed && position(&evidence.moves).is_ok()
    }
}

fn key(by: Player, statement: &Statement) -> (Player, Said, Vec<u8>) {
    let said = match statement.kind {
        Kind::Position => Said::Position,
        Kind::Resignation => Said::Resignation,
        Kind::Draw { until } => Said::Draw(until),
        Kind::Press { .. } => unreachable!("the players of these games press by a call"),
    };
    (by, said, statement.moves.to_vec())
}

pub struct Sequence<B> {
    bench: B,
    dice: Dice,
    model: Model,
    statements: Statements,
    honest: ByPlayer<Option<Honest>>,
    /// When the game ended.
    ended: u64,
    seen: Seen,
}

impl<B: Bench> Sequence<B> {
    pub fn new(bench: B, mut dice: Dice) -> Self {
        let honest = match dice.below(8) {
            0 => [false, false],
            1 | 2 => [true, true],
            _ if dice.once_in(2) => [true, false],
            _ => [false, true],
        };
        Self {
            bench,
            dice,
            model: Model::new(CLOCK),
            statements: Statements::default(),
            honest: ByPlayer::from_fn(|seat| honest[seat as usize].then(|| Honest::new(seat))),
            ended: 0,
            seen: Seen::new(),
        }
    }

    pub fn into_bench(self) -> B {
        self.bench
    }

    fn note(&mut self, what: impl Into<String>) {
        *self.seen.entry(what.into()).or_default() += 1;
    }

    /// Plays the game to its end, and returns what occurred in it.
    pub fn play(&mut self) -> Seen {
        println!("\nseed {:#x}", self.dice.0);
        let honest = self.honest.one.iter().chain(&self.honest.two).count();
        self.note(["cheat and cheat", "honest and cheat", "honest and honest"][honest]);
        for _ in 0..STEPS {
            self.step();
        }
        if honest > 0 {
            let mut steps = 0;
            while !self.model.is_final() {
                steps += 1;
                assert!(steps < TO_THE_END, "an honest player can end every game");
                for seat in Player::ALL {
                    self.act(seat, false);
                }
                let seconds = self.dice.below(60);
                self.wait(seconds);
            }
        }
        self.check_the_end();
        std::mem::take(&mut self.seen)
    }

    fn step(&mut self) {
        let seat = self.dice.one_of(&Player::ALL);
        match self.dice.below(12) {
            0 => {
                let seconds = match self.dice.below(3) {
                    0 => self.dice.below(10),
                    1 => self.dice.below(120),
                    _ => self.dice.below(400),
                };
                self.wait(seconds);
            }
            1 => self.offer_a_draw(seat),
            2 if self.dice.once_in(12) => self.resign(seat),
            _ if self.honest.get(seat).is_some() => {
                let patient = !self.dice.once_in(8);
                self.act(seat, patient);
            }
            _ => self.cheat(seat),
        }
    }

    /// Lets time pass. An honest player looks at the chain before the time of a clock is over, its own
    /// or the opponent's.
    fn wait(&mut self, seconds: u64) {
        let until = self.bench.now() + seconds;
        while let Some(deadline) = self.model.contest.or(self.model.deadline) {
            if deadline >= until || deadline < self.bench.now() {
                break;
            }
            // It acts in the last second, if it has not before.
            self.bench.wait(deadline - self.bench.now());
            // Twice: to sign a move, and to bring it.
            for seat in Player::ALL {
                self.act(seat, true);
                self.act(seat, true);
            }
            if self.model.contest.or(self.model.deadline) == Some(deadline) {
                break;
            }
        }
        let left = until.saturating_sub(self.bench.now());
        self.bench.wait(left);
    }

    /// Calls the contract and the model, which have to agree. Returns whether it was done.
    fn call(&mut self, who: Player, deed: &Deed) -> bool {
        let now = self.bench.now();
        let contested = self.model.contest.is_some();
        let result = self.bench.does(who, deed);
        println!("{now} {who:?} {} -> {result:?}", told(deed));
        let expected = self.model.does(who, deed, &self.statements.signed, now);
        assert_eq!(result, expected, "{who:?} {deed:?} {:?}", self.model);
        self.model.agrees_with(&self.bench.state());
        let name = match deed {
            Deed::Advance { press: true, .. } => "advance and press",
            Deed::Advance { .. } => "advance",
            Deed::Press => "press",
            Deed::Drop(_) => "drop",
            Deed::Claim => "claim",
            Deed::Resign => "resign",
        };
        let came = result.map_or_else(|error| format!("{error:?}"), |()| "done".to_owned());
        self.note(format!("{name}: {came}"));
        if contested && self.model.over.is_none() {
            self.note("line: taken back");
        }
        if self.model.is_final() && result.is_ok() {
            self.ended = now;
        }
        result.is_ok()
    }

    /// An honest player does what it wishes.
    fn act(&mut self, seat: Player, patient: bool) {
        let now = self.bench.now();
        let Some(honest) = &mut self.honest[seat] else {
            return;
        };
        match honest.wish(&self.model, now, patient, &mut self.dice) {
            Wish::Wait => {}
            Wish::Call(deed) => assert!(self.call(seat, &deed), "an honest call is not refused"),
            Wish::Move(bin) => {
                honest.line.push(bin);
                println!("{now} {seat:?} signs {:?}", honest.line);
                let mut evidence = Evidence {
                    moves: Moves::from_bins(&honest.line).expect("a game"),
                    ..honest.held
                };
                let statement = Statement {
                    game: self.bench.number().into(),
                    kind: Kind::Position,
                    moves: &honest.line,
                };
                evidence.signatures[seat] = self.statements.sign(&self.bench, seat, &statement);
                honest.held = evidence;
            }
        }
        // It sends what it holds each time; half of it is lost.
        let held = self.honest.get(seat).as_ref().map(|honest| honest.held);
        if let Some(evidence) = held
            && self.dice.once_in(2)
        {
            self.deliver(seat.opponent(), &evidence);
        }
    }

    /// A cheat calls the contract, or sends something to the other.
    fn cheat(&mut self, seat: Player) {
        if self.dice.once_in(4) {
            let deed = cheat::deed(seat, &mut self.statements, &self.bench, &mut self.dice);
            self.call(seat, &deed);
            return;
        }
        let evidence = cheat::evidence(seat, &mut self.statements, &self.bench, &mut self.dice);
        self.deliver(seat.opponent(), &evidence);
    }

    /// Hands a position to an honest player, who takes it if it is signed and legal. When the game is
    /// over on the chain, or the time there, it is too late.
    fn deliver(&mut self, to: Player, evidence: &Evidence) {
        if let Some(honest) = &mut self.honest[to]
            && self.model.over.is_none()
            && self
                .model
                .deadline
                .is_none_or(|deadline| self.bench.now() <= deadline)
            && self.statements.supports(evidence, self.bench.number())
        {
            honest.receive(evidence);
        }
    }

    /// A player signs a draw at the position that it knows; the opponent may use it, or not.
    fn offer_a_draw(&mut self, seat: Player) {
        let until = self.bench.now() + 60;
        let Some(honest) = &mut self.honest[seat] else {
            return;
        };
        if !self.dice.once_in(6) {
            return;
        }
        honest.draws.push((honest.line.len(), until));
        let moves = honest.line.clone();
        let statement = Statement {
            game: self.bench.number().into(),
            kind: Kind::Draw { until },
            moves: &moves,
        };
        let ours = self.statements.sign(&self.bench, seat, &statement);
        // An honest opponent agrees if it knows the same position.
        let other = seat.opponent();
        if let Some(theirs) = &mut self.honest[other]
            && theirs.line == moves
            && self.dice.once_in(2)
        {
            theirs.draws.push((moves.len(), until));
            let mut evidence = Evidence {
                ending: Some(Ending::Draw { until }),
                moves: Moves::from_bins(&moves).expect("a game"),
                ..Evidence::start()
            };
            evidence.signatures[seat] = ours;
            evidence.signatures[other] = self.statements.sign(&self.bench, other, &statement);
            let press = false;
            let evidence = Box::new(evidence);
            self.call(other, &Deed::Advance { press, evidence });
        }
    }

    /// An honest player gives up by its signature; the opponent may use it, or play on.
    fn resign(&mut self, seat: Player) {
        let Some(honest) = &mut self.honest[seat] else {
            return;
        };
        honest.resigned = true;
        let moves = honest.line.clone();
        let statement = Statement {
            game: self.bench.number().into(),
            kind: Kind::Resignation,
            moves: &moves,
        };
        self.statements.sign(&self.bench, seat, &statement);
    }

    fn check_the_end(&mut self) {
        let Some((end, winner)) = self.model.over.filter(|_| self.model.is_final()) else {
            return;
        };
        self.note(format!("end: {end:?}"));
        assert_eq!(self.bench.credits(), payout(2 * STAKE, winner));
        for seat in Player::ALL {
            if let Some(honest) = self.honest.get(seat) {
                check_honest(seat, honest, &self.model.moves, end, winner, self.ended);
            }
        }
    }
}

/// A call, as a person reads it.
fn told(deed: &Deed) -> String {
    match deed {
        Deed::Advance { press, evidence } => {
            let and = if *press { " and press" } else { "" };
            format!("advance {:?} {:?}{and}", evidence.moves, evidence.ending)
        }
        other => format!("{other:?}"),
    }
}

/// Checks that an honest player did not end worse than by the latest position that it held.
fn check_honest(
    seat: Player,
    honest: &Honest,
    moves: &[u8],
    end: End,
    winner: Option<Player>,
    ended: u64,
) {
    // Its moves in the game are those that it made.
    let last = honest.made.range(..=moves.len()).next_back();
    if let Some((len, made)) = last {
        assert_eq!(moves[..*len], made[..], "{seat:?}: not its moves");
    }
    let its_turns = (0..moves.len()).filter(|turn| to_move(*turn) == seat);
    assert!(
        its_turns
            .clone()
            .all(|turn| honest.made.contains_key(&(turn + 1))),
        "{seat:?}: moves that it did not make"
    );
    if honest.resigned {
        return;
    }
    let won = winner == Some(seat);
    // An offer of a draw stands for its time, also if the game goes on.
    let agreed = |(len, until): &(usize, u64)| *len == moves.len() && ended <= *until;
    if end == End::Agreement && honest.draws.iter().any(agreed) {
        return;
    }
    // If it held the end of the game, it ended so, or better: the opponent may have given it the choice
    // by signing twice.
    if let Ok(position) = position(&honest.held.moves)
        && let Some(outcome) = position.outcome()
    {
        let worth = |winner: Option<Player>| match winner {
            Some(player) if player == seat => 2,
            None => 1,
            Some(_) => 0,
        };
        let (came, held) = (worth(winner), worth(outcome.winner()));
        assert!(came >= held, "{seat:?} held {outcome:?}");
        return;
    }
    match end {
        // By its own moves and legal ones of the opponent, and none has been taken back.
        End::Line => assert!(
            won || moves.len() >= honest.held.moves.len(),
            "{seat:?} held {:?}",
            honest.held.moves
        ),
        End::FullBoard => {}
        End::Timeout | End::Resignation => assert!(won, "{seat:?} lost {end}"),
        End::Agreement => panic!("{seat:?} did not agree"),
        End::Abort => assert!(honest.held.moves.len() < 2, "{seat:?}: aborted"),
        other => unreachable!("{other:?} is of a variant"),
    }
}
