//! Random walks of games by signed terms: an honest player who is away at times, a cheat who signs what it likes,
//! disputes beside records, and all that both put on the chain judged together.
//!
//! The cheat has all that the honest player has ever sent; what it sends arrives late, twice, or never. A
//! violation is printed with its steps, and the same seed walks them again.

use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{
    Ending, Evidence, Kind, Moves, Native, Piece, PlayedGame, RecordedGame, Results, Signature,
};
use connect4_protocol::{End, Error};
use connect4_rules::{Bin, ByPlayer, Player, Shape};
use connect4_seat::{Moved, Received};
use connect4_testing::dice::Dice;

use crate::counts::{Counts, play_all};
use crate::terms::{Chain, NOW};
use crate::world::{BANK, DOMAIN, Disk, TestSeat};

/// Walks in every run.
const USUAL: u64 = 1_000;
/// Steps of a walk, at most.
const STEPS: usize = 60;
/// The smallest board.
const SHAPE: Shape = match Shape::new(5, 4, 3) {
    Ok(shape) => shape,
    Err(_) => panic!("the smallest board"),
};

struct Walk {
    dice: Dice,
    chain: Chain,
    is_disputed: bool,
    /// All moves of the dispute.
    known: Moves,
    disk: Disk,
    seat: TestSeat,
    cheat: Player,
    /// Lists of moves that the honest player has signed as positions.
    signed: Vec<Moves>,
    /// Other evidence that the cheat has of the honest player.
    ends: Vec<Evidence>,
    /// Halves of draws that the honest player has signed for good.
    halves: Vec<Moves>,
    records: Vec<Piece>,
    has_resigned: bool,
    counts: Counts,
    log: Vec<String>,
}

impl Walk {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let chain = Chain::on(SHAPE, 7);
        let cheat = dice.one_of(&Player::ALL);
        let disk = Disk::default();
        Self {
            seat: chain.seat(cheat.opponent(), &disk),
            dice,
            chain,
            is_disputed: false,
            known: Moves::new(),
            disk,
            cheat,
            signed: vec![Moves::new()],
            ends: Vec::new(),
            halves: Vec::new(),
            records: Vec::new(),
            has_resigned: false,
            counts: Counts::new(),
            log: vec![format!("seed {seed}")],
        }
    }

    fn note(&mut self, what: &'static str, detail: &impl core::fmt::Debug) {
        *self.counts.entry(what).or_default() += 1;
        self.log.push(format!("{what} {detail:?}"));
    }

    fn honest(&self) -> Player {
        self.cheat.opponent()
    }

    /// The honest player has signed a position: one for each turn.
    fn learn(&mut self, moves: Moves) {
        let twice = self
            .signed
            .iter()
            .find(|other| other.turns() == moves.turns() && **other != moves);
        assert_eq!(twice, None, "{:#?} {moves:?}", self.log);
        self.signed.push(moves);
    }

    fn chance(&mut self, of: u64) -> bool {
        self.dice.once_in(of)
    }

    fn bin(&mut self) -> Bin {
        match self.chance(8) {
            true => Bin::new(Moves::SWAP),
            false => Bin::new(self.dice.below(u64::from(SHAPE.bins())) as u8),
        }
    }

    /// Anything that the cheat can make: on top of what the honest player has signed, or of what the chain knows.
    fn paper(&mut self) -> Evidence {
        let signed = self.signed.clone();
        let mut moves = self.dice.one_of(&signed);
        let is_alone = self.is_disputed && self.chance(3);
        if is_alone {
            moves = self.known;
        }
        let ending = match self.dice.below(8) {
            0 => Some(Ending::Resignation(self.cheat)),
            1 | 2 => Some(Ending::Press {
                until: self.chain.now + self.dice.below(1_000_000),
            }),
            _ => None,
        };
        let bin = self.bin();
        moves.push(bin);
        let mut paper = self.chain.signed(&moves, ending);
        if is_alone {
            let honest = self.honest();
            paper.signatures[honest] = Signature::NONE;
        }
        let halves = self.halves.clone();
        if !halves.is_empty() && self.chance(4) {
            let moves = self.dice.one_of(&halves);
            let until = Ending::FOR_GOOD;
            return self.chain.signed(&moves, Some(Ending::Draw { until }));
        }
        let ends = self.ends.clone();
        match !ends.is_empty() && self.chance(4) {
            true => self.dice.one_of(&ends),
            false => paper,
        }
    }

    /// Whether the honest player has signed what evidence has of it.
    fn is_own(&self, evidence: &Evidence) -> bool {
        let number = self.chain.subject.number();
        match evidence.statement_of(self.honest(), number) {
            None => true,
            Some(statement) => match statement.kind {
                Kind::Position => self.signed.iter().any(|own| **own == *statement.moves),
                _ => self.ends.contains(evidence) || self.halves.contains(&evidence.moves),
            },
        }
    }

    fn move_on(&mut self) {
        let bin = self.bin();
        match self.seat.drop(bin) {
            Ok(Moved::Signed(evidence)) => {
                self.learn(evidence.moves);
                self.note("honest moves", &evidence.moves);
            }
            Ok(Moved::ForChain(evidence)) => {
                self.learn(evidence.moves);
                self.note("honest moves for the chain", &evidence.moves);
            }
            Ok(Moved::OnChain(_)) => panic!("moves are signed"),
            Err(_) => {}
        }
    }

    fn conceded(&mut self) {
        let honest = self.honest();
        if let Some(own) = self.seat.journal().resignations.get(honest)
            && !self.ends.contains(own)
        {
            let own = *own;
            self.ends.push(own);
            self.has_resigned = true;
            self.note("honest agrees", &own.moves);
        }
    }

    fn receive(&mut self) {
        let paper = self.paper();
        if self.is_own(&paper) && self.seat.receive(&paper) == Ok(Received::News) {
            self.note("honest receives", &(paper.ending, paper.moves));
        }
        self.conceded();
    }

    fn draws(&mut self) {
        let now = self.seat.now();
        let until = Ending::FOR_GOOD;
        let moves = self.seat.journal().position.moves;
        let half = |walk: &Self, until, moves: Moves| Offer {
            by: walk.cheat,
            until,
            moves,
            signature: walk.chain.sign(walk.cheat, Kind::Draw { until }, &moves),
        };
        match self.dice.below(4) {
            0 => {
                if let Ok(offer) = self.seat.offer_draw(now + 60) {
                    self.note("honest offers", &offer.moves);
                }
            }
            1 => {
                let offer = half(self, now + 60, moves);
                let _ = self.seat.receive_offer(&offer);
                if let Ok(accepted) = self.seat.accept_draw_for_good() {
                    self.halves.push(accepted.moves);
                    self.note("honest accepts", &accepted.moves);
                }
            }
            _ => {
                let signed = self.signed.clone();
                let moves = self.dice.one_of(&signed);
                let offered = self.seat.offered().map(|offer| offer.moves);
                if self.seat.complete_draw(&half(self, until, moves)) == Ok(true) {
                    assert_eq!(offered, Some(moves), "{:#?}", self.log);
                    self.halves.push(moves);
                    self.note("honest completes a draw", &moves);
                }
            }
        }
    }

    /// Somebody brings evidence to the chain.
    fn bring(&mut self, evidence: &Evidence) -> Result<bool, Error> {
        let brought = self.chain.advance(evidence);
        if brought == Ok(true) {
            self.known = evidence.moves;
        }
        brought
    }

    fn attack(&mut self) {
        if !self.is_disputed {
            self.is_disputed = true;
            self.note("a dispute begins", &());
        }
        let paper = self.paper();
        if self.is_own(&paper) && self.bring(&paper).is_ok() {
            self.note("cheat brings", &(paper.ending, paper.moves));
        }
        if self.chain.claim().is_ok() {
            self.note("somebody claims", &self.chain.game.game.winner());
        }
    }

    /// The honest player's program sees the chain, and does what is due.
    fn serve(&mut self) {
        let (game, now) = (self.chain.game, self.chain.now);
        if !self.is_disputed {
            return;
        }
        self.seat.see(game, now);
        self.seat.pass_time(now);
        self.seat.concede().expect("the disk works");
        self.conceded();
        match self.seat.duty() {
            Some(connect4_seat::Duty::Advance(evidence)) => {
                self.bring(&evidence)
                    .unwrap_or_else(|error| panic!("{error}: {:#?}", self.log));
                self.note("honest brings", &evidence.moves);
            }
            Some(connect4_seat::Duty::Claim) => {
                let claimed = self.chain.claim();
                assert_eq!(claimed, Ok(()), "{:#?}", self.log);
                self.note("honest claims", &());
            }
            None => {}
        }
        if self.chance(3)
            && let Ok(press) = self.seat.sign_press(now + 60)
        {
            // It may be late itself.
            if self.bring(&press).is_ok() {
                self.note("honest presses", &press.moves);
            }
        }
        self.seat.see(self.chain.game, now);
    }

    /// Somebody records a game: the chain judges it, and forgeries are refused.
    fn record(&mut self, evidence: &Evidence) -> bool {
        let played = |evidence: Evidence| {
            RecordedGame::of(&PlayedGame {
                terms: self.chain.terms,
                sessions: ByPlayer::default(),
                evidence,
            })
            .expect("two guests")
        };
        let checked = |evidence| played(evidence).check(&DOMAIN, &Native, self.chain.now);
        for player in Player::ALL {
            let mut forged = *evidence;
            forged.signatures[player] = *evidence.signatures.get(player.opponent());
            let needs = evidence.statement_of(player, self.chain.subject.number());
            assert!(
                needs.is_none() || checked(forged).is_err(),
                "{:#?}",
                self.log
            );
        }
        match checked(*evidence) {
            Ok((_, number, made)) => {
                assert_eq!(number, self.chain.subject.number());
                self.records.push(Piece::of(evidence, &made));
                true
            }
            Err(_) => false,
        }
    }

    fn cheat_records(&mut self) {
        let paper = self.paper();
        let is_own = self.is_own(&paper);
        if is_own && self.record(&paper) {
            self.note("cheat records", &(paper.ending, paper.moves));
        }
    }

    /// All that is on the chain, in any order.
    fn results(&mut self) -> Results {
        let mut pieces = self.records.clone();
        let twice = self.dice.one_of(&[0, 1]);
        pieces.extend_from_within(..pieces.len().min(twice));
        if self.is_disputed {
            let game = &self.chain.game;
            let is_final = game.is_final();
            pieces.push(Piece {
                moves: self.known,
                end: game.game.end().filter(|_| is_final),
                winner: game.game.winner().filter(|_| is_final),
            });
        }
        let mut results = Results::default();
        while !pieces.is_empty() {
            let place = self.dice.below(pieces.len() as u64) as usize;
            results.add(&pieces.swap_remove(place));
        }
        results
    }

    /// The honest player is back, and its program records what makes the result better.
    fn end(mut self) -> Counts {
        self.seat = self.chain.seat(self.honest(), &self.disk);
        for _ in 0..3 {
            let results = self.results();
            let Some(evidence) = self.seat.to_record(&results) else {
                break;
            };
            assert!(self.record(&evidence), "{:#?}", self.log);
            self.note("honest records", &(evidence.ending, evidence.moves));
        }
        let result = self.results().result();
        let other_order = self.results().result();
        assert_eq!(result, other_order, "{:#?}", self.log);
        self.note("result", &result);
        self.judge(&result);
        self.counts
    }

    /// What the honest player held it has, whatever was recorded or brought.
    fn judge(&self, result: &Piece) {
        let journal = self.seat.journal();
        let honest = self.honest();
        let held = &journal.position;
        let turns = held.moves.turns();
        let line = self.chain.subject.game_of(held).map(|game| game.winner());
        let is_lost = result.winner == Some(self.cheat);
        // Whoever has moved on after accepting leaves the choice to the other one, who has to answer that move.
        let is_for_good = |draw: &Evidence| {
            draw.moves.turns() >= turns
                && draw.ending
                    == Some(Ending::Draw {
                        until: Ending::FOR_GOOD,
                    })
        };
        let has_drawn = journal.draws.iter().any(is_for_good);
        let number = self.chain.subject.number();
        let is_signed = |evidence: &Evidence| evidence.statement_of(honest, number).is_some();
        let won = self.log.join("\n");
        if self.has_resigned {
            return;
        }
        if journal
            .resignations
            .get(self.cheat)
            .as_ref()
            .is_some_and(is_signed)
        {
            assert_eq!(result.winner, Some(honest), "the cheat had resigned\n{won}");
        }
        if line == Ok(Some(honest)) && self.halves.is_empty() {
            assert_eq!(result.winner, Some(honest), "it had a line\n{won}");
        }
        if has_drawn {
            assert!(!is_lost, "a draw was agreed\n{won}");
        }
        match (is_lost, result.end) {
            // Later than all that both have signed, or where the player was late itself.
            (true, Some(End::Line)) => {
                assert!(result.moves.turns() >= turns, "it had gone on\n{won}");
            }
            // What it holds may be the cheat's line, which is no better.
            (true, Some(End::Timeout)) => {
                let is_newest = result.moves.turns() + 1 >= turns;
                let is_lost_anyway = line == Ok(Some(self.cheat));
                assert!(is_newest || is_lost_anyway, "the position was old\n{won}");
            }
            (true, end) => panic!("lost by {end:?}\n{won}"),
            (false, Some(End::Agreement)) => assert!(
                !self.halves.is_empty() || journal.resignations.get(honest).is_some(),
                "it has agreed to no draw\n{won}"
            ),
            _ => {}
        }
    }
}

fn walk(seed: u64) -> Counts {
    let mut walk = Walk::new(seed);
    // In some walks nobody is away, in some the honest player for all of the dispute.
    let absence = walk.dice.below(3) * 40;
    let mut away = 0;
    for _ in 0..STEPS {
        away = away.max(1) - 1;
        match walk.dice.below(12) {
            0..=3 if away == 0 => walk.move_on(),
            4..=6 if away == 0 => walk.receive(),
            7 if away == 0 => walk.draws(),
            8 if away == 0 && walk.chance(12) => {
                if let Ok(resigned) = walk.seat.resign() {
                    walk.ends.push(resigned);
                    walk.has_resigned = true;
                    walk.note("honest resigns", &resigned.moves);
                }
            }
            8 => away = walk.dice.below(absence + 1),
            9 if walk.chance(2) => {
                walk.chain.now += u64::from(BANK) + 1;
                walk.note("time passes", &walk.chain.now.abs_diff(NOW));
            }
            9 => walk.cheat_records(),
            _ if walk.is_disputed || walk.chance(4) => walk.attack(),
            _ => {}
        }
        if away == 0 {
            walk.serve();
        }
    }
    walk.end()
}

#[test]
fn games_by_terms_end_as_what_was_signed() {
    let wanted = [
        "a dispute begins",
        "cheat brings",
        "cheat records",
        "honest accepts",
        "honest agrees",
        "honest brings",
        "honest claims",
        "honest completes a draw",
        "honest moves for the chain",
        "honest presses",
        "honest records",
        "honest resigns",
        "somebody claims",
    ];
    play_all(USUAL, &wanted, walk);
}
