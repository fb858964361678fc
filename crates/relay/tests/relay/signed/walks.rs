//! The witness without input and output, by random walks: legal and hostile messages, pauses, a disk that fails, and
//! restarts at any moment.
//!
//! Whatever the walk does, the witness signs nothing that the log does not have, nothing that contradicts what it has
//! signed before, and no end that others judge otherwise.
//!
//! `CONNECT4_SEED` and `CONNECT4_SEQUENCES` choose the walks.

use std::collections::BTreeMap;

use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Act, Telling, Told};
use connect4_protocol::signed::{GameNumber, Moves};
use connect4_relay::witness::{Checked, Entry};
use connect4_rules::Player;

use super::plays::*;
use super::world::{Passing, World, resume};

impl World {
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
        let kept = 1 + self.dice.below(self.whole.len() as u64) as usize;
        let backup = &self.whole[..kept];
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
            let taken = core.take(number, &checked.expect("signed"), 0, self.now);
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
        "logs written anew",
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
