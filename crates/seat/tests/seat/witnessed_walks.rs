//! Random walks through games without a stake with real keys: two programs, the relay's witness as it decides, and
//! connections that are lost with all that is on its way.

use std::collections::BTreeMap;

use connect4_protocol::signed::Native;
use connect4_protocol::signed::wire::{Act, Telling, ToWitness};
use connect4_protocol::signed::{Moves, WitnessedEnd};
use connect4_rules::{Bin, ByPlayer, Player as Side};
use connect4_seat::{Command, Input, Stage};
use connect4_testing::dice::Dice;

use crate::counts::{Counts, play_all};
use crate::witness_world::{CHAIN, World};

/// Walks in each run of the tests.
const USUAL: u64 = 1_000;
const STEPS: usize = 200;

struct Walk {
    world: World,
    dice: Dice,
    /// What each player has signed as its move of a turn.
    signed: ByPlayer<BTreeMap<usize, Moves>>,
    has_resigned: ByPlayer<bool>,
    has_agreed: ByPlayer<bool>,
    counts: Counts,
    path: Vec<String>,
}

impl Walk {
    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn fail(&self, what: &str) -> ! {
        panic!("{what}\n{}", self.path.join("\n"))
    }

    /// What the players say: no two moves of a turn, and nothing that the person does not want.
    fn check_said(&mut self) {
        for side in Side::ALL {
            let said: Vec<_> = self.world.to_witness[side as usize]
                .iter()
                .copied()
                .collect();
            for said in said {
                let ToWitness::Spoken(spoken) = said else {
                    continue;
                };
                let wanted = match spoken.act {
                    Act::Move => true,
                    Act::Resign => *self.has_resigned.get(side),
                    Act::Draw => *self.has_agreed.get(side),
                };
                if !wanted {
                    self.fail("it says what nobody wants");
                }
                if spoken.act != Act::Move {
                    continue;
                }
                let signed = self.signed[side].entry(spoken.moves.len());
                if *signed.or_insert(spoken.moves) != spoken.moves {
                    self.fail("two moves of a turn are signed");
                }
                let before = spoken.moves.before_last();
                let has_receipt = self.world.told.iter().any(|told| *told.moves == *before);
                if !before.is_empty() && !has_receipt {
                    self.fail("a move is answered before its receipt");
                }
            }
        }
    }

    fn step(&mut self) {
        let side = Side::ALL[self.dice.below(2) as usize];
        let bin = Bin::new(self.dice.below(5) as u8);
        match self.dice.below(48) {
            0 => {
                self.path.push(format!("{side} loses its connection"));
                self.count("a connection is lost");
                self.world.disconnect(side);
            }
            1 => {
                self.path.push(format!("{side} starts again"));
                self.count("a restart");
                self.world.restart(side);
            }
            2 => {
                let seconds = self.dice.below(25);
                self.path.push(format!("{seconds} s pass"));
                self.world.pass(seconds * 1_000);
            }
            3 => {
                self.path.push("a moment passes".into());
                self.world.pass(1_000);
            }
            4..=17 => {
                let command = match self.dice.below(40) {
                    0 if self.dice.below(3) == 0 => Command::Resign,
                    1 => Command::OfferDraw,
                    2..=9 => Command::AcceptDraw,
                    _ => Command::Move(bin),
                };
                self.path.push(format!("{side}: {command:?}"));
                if self.world.command(side, command).is_ok() {
                    match command {
                        Command::Resign => self.has_resigned[side] = true,
                        Command::OfferDraw | Command::AcceptDraw => self.has_agreed[side] = true,
                        _ => {}
                    }
                    self.count(match command {
                        Command::Resign => "a player resigns",
                        Command::OfferDraw => "a draw is offered",
                        Command::AcceptDraw => "a draw is accepted",
                        _ => "a move is signed",
                    });
                }
            }
            18..=28 => {
                self.path.push(format!("the witness hears {side}"));
                self.world.witness_hears(side);
            }
            31 if !self.world.mail.is_empty() => {
                let mail = &self.world.mail;
                let number = self.dice.below(mail.len() as u64) as usize;
                let (to, message) = mail[number].clone();
                self.path.push(format!("{to} hears the other player"));
                self.world.tell(to, Input::Message(message));
            }
            32 => {
                self.path.push(format!("{side} is heard again"));
                self.world.tell(side, Input::Connected);
            }
            29 | 30 => {
                self.path.push("all arrives".into());
                self.world.settle();
            }
            _ => {
                self.path.push(format!("{side} hears the room"));
                self.world.player_hears(side);
            }
        }
        self.check_said();
        for side in Side::ALL {
            let shown = self.world.program(side).shown();
            let has_end = self
                .world
                .told
                .iter()
                .any(|told| matches!(told.what, Telling::Ended(_)));
            if shown.stage == Stage::Over && !has_end {
                self.fail("it says that the game is over, and its witness has not");
            }
            if shown.is_contradicted {
                self.fail("the witness is honest");
            }
        }
    }

    /// Everything arrives, and both move until the game has ended, or there is none.
    fn finish(&mut self) {
        self.world.has_relay = true;
        for _ in 0..60 {
            for side in Side::ALL {
                self.world.tell(side, Input::Connected);
            }
            self.world.pass(12_000);
            self.world.settle();
            self.check_said();
            if self.world.left == [true, true] {
                return;
            }
            if self.has_no_game() {
                continue;
            }
            let game = self.world.program(Side::One).latest();
            if let Some(side) = game.and_then(|game| game.to_move()) {
                for bin in 0..5 {
                    if self
                        .world
                        .command(side, Command::Move(Bin::new(bin)))
                        .is_ok()
                    {
                        break;
                    }
                }
            }
        }
        if !self.has_no_game() {
            self.fail("the game does not end");
        }
    }

    /// Whether the player who offers has not heard of the taker in time, so that there is no game.
    fn has_no_game(&mut self) -> bool {
        let has_offered = self.world.program(Side::One).record().room.is_none();
        has_offered && self.world.told.is_empty()
    }

    /// Both have the end that the witness has told, which others judge alike.
    fn check(&mut self) {
        if self.has_no_game() {
            return self.count("end: the offer was over");
        }
        let mut ends = self
            .world
            .told
            .iter()
            .filter(|told| matches!(told.what, Telling::Ended(_)));
        let (Some(end), None) = (ends.next().copied(), ends.next()) else {
            self.fail("a game ends once");
        };
        for side in Side::ALL {
            let room = self
                .world
                .program(side)
                .record()
                .room
                .clone()
                .expect("its terms");
            if room.end != Some(end) {
                self.fail("a player has another end");
            }
        }
        let Telling::Ended(how) = end.what else {
            return;
        };
        let is_wanted = match how {
            WitnessedEnd::Resignation(by) => *self.has_resigned.get(by),
            WitnessedEnd::Draw => {
                *self.has_agreed.get(Side::One) && *self.has_agreed.get(Side::Two)
            }
            _ => true,
        };
        if !is_wanted {
            self.fail("nobody wanted this end");
        }
        self.count(match how {
            WitnessedEnd::Void => "end: void",
            WitnessedEnd::Board => "end: on the board",
            WitnessedEnd::Draw => "end: a draw",
            WitnessedEnd::Resignation(_) => "end: a resignation",
            WitnessedEnd::Lapse(_) => "end: a lapse",
        });
        if how != WitnessedEnd::Void {
            let finished = end.finished(&self.world.agreed()).expect("an end");
            if let Err(refused) = finished.judge(CHAIN, &Native) {
                self.fail(&format!("others refuse the end: {refused}"));
            }
        }
    }
}

fn walk(seed: u64) -> Counts {
    let mut dice = Dice(seed);
    let world = match dice.below(4) {
        0 => World::new(false),
        _ => World::begun(),
    };
    let mut walk = Walk {
        world,
        dice,
        signed: ByPlayer::from_fn(|_| BTreeMap::new()),
        has_resigned: ByPlayer::default(),
        has_agreed: ByPlayer::default(),
        counts: Counts::new(),
        path: vec![format!("seed {seed}")],
    };
    for _ in 0..STEPS {
        if walk.world.left == [true, true] {
            break;
        }
        walk.step();
    }
    walk.finish();
    walk.check();
    walk.counts
}

#[test]
fn walks_through_games_with_a_witness() {
    let wanted = [
        "a connection is lost",
        "a restart",
        "a player resigns",
        "a draw is offered",
        "a draw is accepted",
        "a move is signed",
        "end: the offer was over",
        "end: void",
        "end: on the board",
        "end: a draw",
        "end: a resignation",
        "end: a lapse",
    ];
    play_all(USUAL, &wanted, walk);
}
