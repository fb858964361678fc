//! Random walks through games with a stake with real keys: two programs, of which one may be an opponent who signs
//! whatever it likes, the contract's rules, a network that loses, repeats and delays, and blocks that are replaced.

use std::collections::BTreeMap;

use connect4_protocol::End;
use connect4_protocol::signed::{Evidence, Kind, Moves, SignedEnd};
use connect4_rules::{Bin, ByPlayer, Player as Side};
use connect4_seat::{Call, Command, Input, Journal, Message, Subject};
use connect4_testing::dice::Dice;

use crate::counts::{Counts, play_all};
use crate::player::{FINAL, STAKE, World, offer, taker};
use crate::staked_world::DOMAIN;
use crate::world::key;

/// Walks in each run of the tests.
const USUAL: u64 = 2_000;
const STEPS: usize = 150;
/// Blocks after which a game has ended whose players move.
const PATIENCE: usize = 200;
/// How long before its time is over a person moves at the latest, in seconds.
const URGENT: u64 = 90;
/// Undisturbed blocks after which what a player holds is on the chain.
const ENOUGH: u8 = 3;

struct Walk {
    world: World,
    dice: Dice,
    cheat: Option<Side>,
    subject: Subject,
    /// What each player has signed as its move of a turn.
    signed: ByPlayer<BTreeMap<u8, Moves>>,
    /// Whether it has resigned, and whether it has agreed to a draw.
    has_resigned: ByPlayer<bool>,
    has_agreed: ByPlayer<bool>,
    /// For how many undisturbed blocks each has held what wins.
    won_for: ByPlayer<u8>,
    counts: Counts,
    path: Vec<String>,
}

impl Walk {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let cheat = match dice.below(3) {
            0 => None,
            1 => Some(Side::One),
            _ => Some(Side::Two),
        };
        let terms = offer().complete(&taker());
        let mut world = World::new();
        world.has_relay = dice.below(2) == 0;
        Self {
            world,
            dice,
            cheat,
            subject: Subject::staked(&terms, DOMAIN, &key(Side::One)).expect("terms"),
            signed: ByPlayer::from_fn(|_| BTreeMap::new()),
            has_resigned: ByPlayer::default(),
            has_agreed: ByPlayer::default(),
            won_for: ByPlayer::default(),
            counts: Counts::new(),
            path: vec![format!("cheat: {cheat:?}, seed {seed}")],
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn side(&mut self) -> Side {
        Side::ALL[self.dice.below(2) as usize]
    }

    fn fail(&self, what: &str) -> ! {
        panic!("{what}\n{}", self.path.join("\n"))
    }

    fn journal(&mut self, side: Side) -> Journal {
        self.world.program(side).journal().clone()
    }

    /// A step, after which no honest player holds less or has signed another move of a turn.
    fn step(&mut self, says: String, act: impl FnOnce(&mut Self)) {
        self.path.push(says);
        let before = Side::ALL.map(|side| self.journal(side));
        act(self);
        for (side, before) in Side::ALL.into_iter().zip(before) {
            let journal = self.journal(side);
            if before.pieces().any(|piece| !journal.covers(piece)) {
                self.fail("something was thrown away");
            }
            if journal.position.moves.turns() > before.position.moves.turns() {
                self.count("a longer position is held");
            }
            let moves = journal.position.moves;
            let is_own = match moves.turns() % 2 {
                1 => side == Side::One,
                _ => side == Side::Two && !moves.is_empty(),
            };
            if is_own && Some(side) != self.cheat {
                let signed = *self.signed[side].entry(moves.turns()).or_insert(moves);
                if signed != moves {
                    self.fail("two moves of a turn are signed");
                }
            }
        }
    }

    fn command(&mut self, side: Side, command: Command) -> bool {
        let done = self.world.command(side, command).is_ok();
        if done {
            match command {
                Command::Resign => self.has_resigned[side] = true,
                Command::OfferDraw | Command::AcceptDraw => self.has_agreed[side] = true,
                _ => {}
            }
        }
        done
    }

    fn random_command(&mut self) {
        let side = self.side();
        let bin = Bin::new(self.dice.below(7) as u8);
        let is_offered = self.world.program(side).shown().draw.is_some();
        let command = match self.dice.below(40) {
            _ if is_offered && self.dice.below(2) == 0 => Command::AcceptDraw,
            0 if self.dice.below(3) == 0 => Command::Resign,
            1 => Command::OfferDraw,
            2 => Command::AcceptDraw,
            3 => Command::Press,
            4 => Command::Settle,
            5 if self.dice.below(4) == 0 => Command::Refund,
            6 => Command::Withdraw,
            7..=12 => Command::MoveOnChain(bin),
            _ => Command::Move(bin),
        };
        self.step(format!("{side}: {command:?}"), |walk| {
            if walk.command(side, command) {
                walk.count(match command {
                    Command::Move(_) => "a move is signed",
                    Command::MoveOnChain(_) => "a move is sent to the chain",
                    Command::OfferDraw => "a draw is offered",
                    Command::AcceptDraw => "a draw is accepted",
                    Command::Press => "a clock is pressed",
                    Command::Resign => "a player resigns",
                    Command::Refund => "a refund is asked for",
                    _ => "another wish",
                });
            }
        });
    }

    fn deliver(&mut self) {
        let mail = self.world.mail.len() as u64;
        if mail == 0 {
            return;
        }
        // The newest ones more often.
        let back = self.dice.below(mail).min(self.dice.below(mail));
        let (to, message) = self.world.mail[(mail - 1 - back) as usize].clone();
        self.step(format!("{to} hears {message:?}"), |walk| {
            walk.world.tell(to, Input::Message(message));
        });
    }

    /// The cheat signs something on top of what it holds or has heard, and sends it or brings it.
    fn cheats(&mut self, cheat: Side) {
        let journal = self.journal(cheat);
        let mut moves = journal.position.moves.to_vec();
        moves.truncate(moves.len().saturating_sub(self.dice.below(4) as usize));
        let mut evidence = Evidence {
            moves: Moves::from_bins(&moves).unwrap_or_default(),
            ..journal.position
        };
        let is_resignation = self.dice.below(4) == 0;
        if !is_resignation {
            evidence.moves.push(Bin::new(self.dice.below(7) as u8));
        }
        let ending = is_resignation.then_some(SignedEnd::Resignation(cheat));
        evidence.end = ending;
        let unsigned = evidence;
        for side in Side::ALL {
            let Some(statement) = unsigned.statement_of(side, self.subject.number()) else {
                continue;
            };
            let len = statement.moves.len() as u8;
            let signer = match side == cheat {
                true => key(cheat),
                // What the honest player has signed, or else a forgery.
                false => match self.signed.get(side).get(&len) {
                    Some(signed) if **signed == *statement.moves => key(side),
                    _ => key(cheat),
                },
            };
            let is_move = statement.kind == Kind::Position;
            if is_move || side == cheat {
                evidence.signatures[side] =
                    self.subject.sign(&signer, statement.kind, statement.moves);
            }
        }
        let is_brought = self.dice.below(2) == 0;
        self.step(
            format!("cheat: {evidence:?}, to the chain: {is_brought}"),
            |walk| {
                if is_brought {
                    let press = walk.dice.below(3) == 0;
                    let brought = evidence;
                    let call = Call::Advance {
                        evidence: brought,
                        press,
                    };
                    walk.world.sent.push((cheat, call));
                } else {
                    walk.world.tell(
                        cheat.opponent(),
                        Input::Message(Message::Evidence(evidence)),
                    );
                }
                walk.count("the cheat signs");
            },
        );
    }

    fn block(&mut self) {
        let was = self.world.chain.game;
        let is_lost = self.dice.below(4) == 0;
        let is_reversed = self.dice.below(2) == 0;
        self.step("a block".into(), |walk| {
            if is_lost && walk.world.sent.pop().is_some() {
                walk.count("a transaction is lost");
            }
            if is_reversed {
                walk.world.sent.reverse();
            }
            walk.world.block();
        });
        let is = self.world.chain.game;
        let turns = |game: Option<connect4_protocol::signed::StakedGame>| {
            game.filter(|game| game.paid_by.is_none())
                .map(|game| game.game.game.moves())
        };
        if turns(was).is_none() && turns(is).is_some() {
            self.count("a game begins");
        }
        if turns(is) > turns(was) && turns(was).is_some() {
            self.count("a longer position is on the chain");
        }
    }

    fn fork(&mut self) {
        let depth = 1 + self.dice.below(FINAL as u64) as usize;
        let len = self.world.blocks.len();
        // What was final stays.
        if len < self.world.final_blocks.max(1) + depth {
            return;
        }
        self.step(format!("the last {depth} blocks are replaced"), |walk| {
            walk.world.blocks.truncate(len - depth);
            walk.world.chain = walk.world.blocks[len - depth - 1].clone();
            walk.world.sent.clear();
            walk.count("blocks are replaced");
        });
    }

    fn random_step(&mut self) {
        match self.dice.below(20) {
            0..=8 => self.random_command(),
            9..=11 => self.deliver(),
            12..=15 => self.block(),
            16 => self.fork(),
            17 => {
                let side = self.side();
                self.step(format!("{side} starts again"), |walk| {
                    walk.world.restart(side);
                    walk.world.tell(side, Input::Connected);
                    walk.count("a restart");
                });
            }
            18 => {
                // No time passes while one of an honest player runs, who would move.
                let is_calm =
                    self.world.chain.game.is_none_or(|game| {
                        game.game.contest.is_none() && game.game.clock.is_none()
                    });
                if is_calm {
                    let seconds = self.dice.below(100);
                    self.step("time passes".into(), |walk| {
                        walk.world.now += seconds;
                        // More than that of blocks that can be replaced.
                        walk.world.blocks = vec![walk.world.chain.clone(); FINAL + 1];
                        walk.world.final_blocks = FINAL + 1;
                    });
                }
            }
            _ => {
                if let Some(cheat) = self.cheat
                    && self.world.chain.game.is_some()
                {
                    self.cheats(cheat);
                }
            }
        }
    }

    /// Whether a player's time is nearly over: who is honest moves now.
    fn is_urgent(&self) -> bool {
        let game = self.world.chain.game.map(|game| game.game);
        let deadline = game.and_then(|game| self.subject.deadline(&game));
        deadline.is_some_and(|deadline| deadline < self.world.now + URGENT)
    }

    /// Whether a player holds what wins, and the chain takes it.
    fn has_won(&mut self, side: Side) -> bool {
        let journal = self.journal(side);
        let held = self.subject.game_of(&journal.position);
        let line = held.is_ok_and(|held| held.winner() == Some(side));
        let resigned = *journal.resignations.get(side.opponent());
        let wins = [line.then_some(journal.position), resigned];
        let now = self.world.now;
        self.world.chain.game.is_some_and(|game| {
            let mut wins = wins.iter().flatten();
            wins.any(|evidence| game.game.advanced_by(evidence, now).is_ok())
        })
    }

    fn is_over(&self) -> bool {
        let end = |stakes: &crate::staked_world::Stakes| {
            stakes.game.is_some_and(|game| game.game.is_final())
        };
        let last = self.world.blocks.iter().rev().take(FINAL + 1);
        last.clone().count() > FINAL && last.into_iter().all(end)
    }

    /// All arrives, and the honest players move, press and wait until the game has ended.
    fn finish(&mut self) {
        self.world.has_relay = self.dice.below(2) == 0;
        let honest = Side::ALL.map(|side| Some(side) != self.cheat);
        for round in 0..PATIENCE {
            if self.is_over() {
                return;
            }
            let game = self.world.chain.game;
            if game.is_none_or(|game| game.paid_by.is_some()) && round > FINAL + 2 {
                let is_idle = self.world.chain.spent == ByPlayer { one: 0, two: 0 };
                if is_idle && self.world.now > offer().until + 700 {
                    return;
                }
                self.world.now += 500;
            }
            for (side, is_honest) in Side::ALL.into_iter().zip(honest) {
                if !is_honest {
                    continue;
                }
                let is_won = self.has_won(side);
                self.won_for[side] += u8::from(is_won);
                self.step(format!("{side} goes on"), |walk| {
                    walk.world.tell(side, Input::Connected);
                    let to_move = walk
                        .world
                        .program(side)
                        .latest()
                        .and_then(|game| game.to_move());
                    if to_move == Some(side) {
                        for bin in 0..7 {
                            let bin = Bin::new(bin);
                            if walk.command(side, Command::Move(bin))
                                || walk.command(side, Command::MoveOnChain(bin))
                            {
                                break;
                            }
                        }
                    } else if !walk.world.has_relay || walk.cheat.is_some() {
                        walk.command(side, Command::Press);
                    }
                    if round % 8 == 7 {
                        walk.command(side, Command::Settle);
                    }
                });
            }
            self.step("a block".into(), |walk| walk.world.block());
            let deadline = self
                .world
                .chain
                .game
                .and_then(|game| self.subject.deadline(&game.game));
            let is_theirs = self.world.chain.game.is_some_and(|game| {
                let loser = game.game.game.winner().map(Side::opponent);
                let late = loser.or(game.game.game.to_move());
                late.is_some() && late == self.cheat
            });
            if let Some(deadline) = deadline
                && (is_theirs || (self.cheat.is_none() && round % 4 == 3))
                && self
                    .world
                    .chain
                    .game
                    .is_some_and(|game| is_theirs || game.game.contest.is_some())
            {
                self.step("time passes".into(), |walk| {
                    walk.world.now = walk.world.now.max(deadline + 1);
                });
            }
        }
        self.fail("the game does not end");
    }

    fn check(&mut self) {
        let chain = self.world.chain.clone();
        let Some(game) = chain.game else {
            self.count("end: nobody has paid");
            for side in Side::ALL {
                if *chain.spent.get(side) > 0 {
                    self.fail("a stake is gone");
                }
            }
            return;
        };
        let end = game.game.game.end();
        self.count(match end {
            Some(End::Line) => "end: a line",
            Some(End::FullBoard) => "end: a full board",
            Some(End::Resignation) => "end: a resignation",
            Some(End::Timeout) => "end: a timeout",
            Some(End::Abort) => "end: an abort",
            Some(End::Agreement) => "end: a draw",
            _ => "end: another one",
        });
        let (winner, cheat) = (game.game.game.winner(), self.cheat);
        for side in Side::ALL.into_iter().filter(|side| Some(*side) != cheat) {
            let gain = *chain.owed.get(side) as i128 - chain.spent.get(side);
            let share = match winner {
                Some(winner) if winner == side => STAKE as i128,
                Some(_) => -(STAKE as i128),
                None => 0,
            };
            if gain != share {
                self.fail(&format!("{side} has got {gain} in place of {share}"));
            }
            if winner == Some(side) || *self.has_resigned.get(side) {
                continue;
            }
            let has_agreed = *self.has_agreed.get(side);
            let journal = self.journal(side);
            let conceded = journal.resignations.get(side);
            match end {
                Some(End::Agreement) if !has_agreed => self.fail("it has agreed to no draw"),
                Some(End::Timeout) => self.fail("it lost on time"),
                Some(End::Resignation) if conceded.is_none() => self.fail("it has not resigned"),
                _ => {}
            }
            if *self.won_for.get(side) >= ENOUGH {
                self.fail("the opponent had resigned, or it had a line");
            }
        }
    }
}

fn walk(seed: u64) -> Counts {
    let mut walk = Walk::new(seed);
    // In half of the walks the beginning is undisturbed.
    if walk.dice.below(2) == 0 {
        let has_relay = std::mem::replace(&mut walk.world.has_relay, true);
        walk.step("both pay".into(), |walk| walk.world.blocks(10));
        walk.world.has_relay = has_relay;
    }
    for _ in 0..STEPS {
        if walk.is_over() || walk.is_urgent() {
            break;
        }
        walk.random_step();
    }
    walk.finish();
    walk.check();
    walk.counts
}

#[test]
fn walks_through_games_with_a_stake_with_real_keys() {
    let wanted = [
        "a game begins",
        "a move is signed",
        "a move is sent to the chain",
        "a draw is offered",
        "a draw is accepted",
        "a clock is pressed",
        "a player resigns",
        "a refund is asked for",
        "the cheat signs",
        "a transaction is lost",
        "a longer position is held",
        "a longer position is on the chain",
        "blocks are replaced",
        "a restart",
        "end: a line",
        "end: a resignation",
        "end: a draw",
        "end: a timeout",
        "end: nobody has paid",
    ];
    play_all(USUAL, &wanted, walk);
}
