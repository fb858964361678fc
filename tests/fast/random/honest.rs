//! What an honest player does: signs one move for each turn, keeps the latest position that it holds,
//! and answers on the chain when that knows less.

use std::collections::BTreeMap;

use connect4_protocol::fast::Evidence;
use connect4_rules::Player;
use connect4_testing::dice::Dice;

use super::bench::Deed;
use super::model::{Model, position, to_move};

/// An honest player, who has no more than its own notes and what the chain tells.
pub struct Honest {
    seat: Player,
    /// All moves of the latest position that it knows.
    pub line: Vec<u8>,
    /// The latest position that both have signed, as far as it knows.
    pub held: Evidence,
    /// The moves after each of its own, by their number: it never signs others.
    pub made: BTreeMap<usize, Vec<u8>>,
    /// Draws to which it has agreed: the number of moves, and the last second.
    pub draws: Vec<(usize, u64)>,
    pub resigned: bool,
}

/// What an honest player wants to do next.
pub enum Wish {
    /// To sign a move, and send it to the opponent.
    Move(u8),
    Call(Deed),
    Wait,
}

impl Honest {
    pub fn new(seat: Player) -> Self {
        Self {
            seat,
            line: Vec::new(),
            held: Evidence::start(),
            made: BTreeMap::new(),
            draws: Vec::new(),
            resigned: false,
        }
    }

    /// Whether a line has its own moves, where it has made any.
    fn keeps_to(&self, line: &[u8]) -> bool {
        let last = self.made.range(..=line.len()).next_back();
        last.is_none_or(|(len, made)| line[..*len] == made[..])
            && self
                .made
                .keys()
                .next_back()
                .is_none_or(|len| *len <= line.len())
    }

    /// Takes a position that the opponent, or somebody, sends.
    pub fn receive(&mut self, evidence: &Evidence) {
        let line = evidence.moves.to_vec();
        if evidence.ending.is_none() && line.len() > self.line.len() && self.keeps_to(&line) {
            self.line = line;
            self.held = *evidence;
        }
    }

    /// What to do, with the chain as it is. `patient`: the opponent may still answer off the chain.
    pub fn wish(&mut self, chain: &Model, now: u64, patient: bool, dice: &mut Dice) -> Wish {
        if chain.is_final() {
            return Wish::Wait;
        }
        let known = &chain.moves;
        let lost = chain
            .over
            .is_some_and(|(_, winner)| winner == Some(self.seat.opponent()));
        // The opponent has moved on the chain. If that made a line there, and it has signed another move
        // for the turn, that one is answered.
        let other_is_better = lost && self.line.len() >= known.len();
        if known.len() >= self.line.len()
            && *known != self.line
            && self.keeps_to(known)
            && !other_is_better
        {
            self.line.clone_from(known);
        }
        let over = position(&self.line).expect("legal").outcome().is_some();
        if let Some(last) = chain.contest {
            let longer = self.held.moves.len() > known.len();
            return if lost && now <= last && longer {
                Wish::Call(self.advance(false))
            } else if lost && now <= last && *known != self.line && self.to_move() && !over {
                Wish::Move(self.choose(dice))
            } else if now > last {
                Wish::Call(Deed::Claim)
            } else {
                Wish::Wait
            };
        }
        let behind = self.held.moves.len() > known.len();
        let runs_against_it = chain.deadline.is_some() && to_move(known.len()) == self.seat;
        if over && behind {
            return Wish::Call(self.advance(false));
        }
        if runs_against_it && behind {
            return Wish::Call(self.advance(false));
        }
        // Answered off the chain, where the clock runs on at the position before: if that ran out, the
        // game would end there.
        if behind && chain.deadline.is_some_and(|deadline| now <= deadline) {
            let waits = to_move(self.held.moves.len()) != self.seat;
            return Wish::Call(self.advance(waits));
        }
        if self.to_move() {
            let bin = self.choose(dice);
            // A move of the opponent that is known from the chain alone is signed by nobody, so the
            // answer goes to the chain, too.
            let unsigned = self.held.moves[..] != self.line[..];
            if runs_against_it || (unsigned && !self.line.is_empty()) {
                return Wish::Call(Deed::Drop(bin));
            }
            return Wish::Move(bin);
        }
        if chain.deadline.is_some_and(|deadline| now > deadline) && !runs_against_it {
            return Wish::Call(Deed::Claim);
        }
        if patient {
            return Wish::Wait;
        }
        if behind {
            return Wish::Call(self.advance(to_move(self.held.moves.len()) != self.seat));
        }
        if chain.deadline.is_none() && *known == self.line {
            return Wish::Call(Deed::Press);
        }
        Wish::Wait
    }

    fn to_move(&self) -> bool {
        to_move(self.line.len()) == self.seat
    }

    fn advance(&self, press: bool) -> Deed {
        Deed::Advance {
            press,
            evidence: Box::new(self.held),
        }
    }

    /// Its move at the end of its line: always the same one, once it is chosen.
    fn choose(&mut self, dice: &mut Dice) -> u8 {
        let next = self.line.len() + 1;
        if let Some(made) = self.made.get(&next) {
            return made[next - 1];
        }
        let position = position(&self.line).expect("legal");
        let bins: Vec<u8> = position.legal_bins().map(|bin| bin.index()).collect();
        let bin = dice.one_of(&bins);
        self.line.push(bin);
        self.made.insert(next, self.line.clone());
        self.line.pop();
        bin
    }
}
