//! What players do in the games of a witness: what is legal, and what a cheat or a stranger sends.

use connect4_protocol::ClockSpec;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Act, Spoken, Told};
use connect4_protocol::signed::{Moves, Party, SignedTerms, Terms};
use connect4_relay::Visitor;
use connect4_relay::witness::{Checked, Heard, Known};
use connect4_rules::{ByPlayer, Player};

use super::plays::*;
use super::world::World;

impl World {
    /// The terms of a game of this witness that both players have signed.
    pub fn terms(&self, number: u8, clock: Option<ClockSpec>, time: u64) -> SignedTerms {
        let terms = Terms {
            players: ByPlayer::from_fn(|player| Party::Guest(key(number, player))),
            shape: SMALL,
            pie_rule: number % 2 == 1,
            clock,
            witness: Some(WITNESS),
            stake: 0,
            pool: 0,
            programs: ByPlayer::default(),
            event: None,
            previous: None,
            time,
            nonce: 0,
        };
        let number = terms.number(&DOMAIN, &Cheap);
        SignedTerms {
            terms,
            sessions: ByPlayer::default(),
            signatures: terms.players.map(|party| sign(party.key(), &number.0)),
        }
    }

    /// A new game, by terms that are good or not.
    pub fn open(&mut self) {
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
        let time = shown + 119 - self.dice.below(238) + if is_late { 300 } else { 0 };
        let signed = self.terms(number, clock, time);
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
        self.plays.push(Play::of(signed));
        self.note();
    }

    pub fn hear(&mut self, at: usize, spoken: Spoken) -> Option<Result<Heard, Refusal>> {
        let play = &self.plays[at];
        let keys = play.signed.terms.players.map(|party| party.key());
        let checked = Checked::spoken(spoken, play.number, &keys, &DOMAIN, &Cheap)?;
        let round_trip = self.dice.one_of(&[0, 40, 400, 9_000]);
        let heard = self.core.take(play.number, &checked, round_trip, self.now);
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
    pub fn act(&mut self) {
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
    pub fn see(&mut self, at: usize, by: Player) {
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
}
