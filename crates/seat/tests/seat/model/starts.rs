//! Positions from which searches begin: a few discs before an end, on the smallest board.

use connect4_protocol::fast::{Ending, Moves};
use connect4_rules::{Bin, Player, Position};
use connect4_seat::Journal;
use connect4_testing::dice::Dice;

use super::state::{Held, Left, SHAPE, START, State, World, insert};

/// A position, and how far the cheat can go back from it.
pub struct Start {
    pub moves: Vec<u8>,
    pub honest: Player,
    /// Of how many of the honest player's last positions the cheat makes use.
    pub back: usize,
    /// By how many seconds the honest player's machine is fast.
    pub machine: u64,
    /// The honest player's disk has a resignation of the cheat at this line of the cheat's own.
    pub poison: Option<Vec<u8>>,
    /// It is the dispute of a game by signed terms.
    pub by_terms: bool,
    pub pie_rule: bool,
}

/// Bins by which the player to move ends the game.
fn ends(position: &Position) -> Vec<Bin> {
    let is_end = |bin: &Bin| {
        let mut after = *position;
        after.drop(*bin).is_ok() && after.outcome().is_some()
    };
    position.legal_bins().filter(is_end).collect()
}

/// The first moves, in a random order that the seed decides, that leave so many cells free, end no game,
/// and are as wanted.
pub fn find(seed: u64, free: usize, is_wanted: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    fn go_on(
        dice: &mut Dice,
        moves: &mut Vec<u8>,
        until: usize,
        is_wanted: &dyn Fn(&[u8]) -> bool,
    ) -> bool {
        if moves.len() == until {
            return is_wanted(moves);
        }
        let position = after(moves);
        let ends = ends(&position);
        let mut bins: Vec<Bin> = position
            .legal_bins()
            .filter(|bin| !ends.contains(bin))
            .collect();
        while !bins.is_empty() {
            let bin = bins.swap_remove(dice.below(bins.len() as u64) as usize);
            moves.push(bin.index());
            if go_on(dice, moves, until, is_wanted) {
                return true;
            }
            moves.pop();
        }
        false
    }
    let mut moves = Vec::new();
    let until = usize::from(SHAPE.cells()) - free;
    let is_found = go_on(&mut Dice(seed), &mut moves, until, &is_wanted);
    assert!(is_found, "there is such a position");
    moves
}

pub fn after(moves: &[u8]) -> Position {
    let mut position = Position::new(SHAPE);
    for bin in moves.iter().filter(|bin| **bin != Moves::SWAP) {
        position.drop(Bin::new(*bin)).expect("legal");
    }
    position
}

/// Bins by which the player to move after these moves completes a line.
pub fn wins(moves: &[u8]) -> Vec<u8> {
    let position = after(moves);
    let is_line = |bin: &Bin| {
        let mut after = position;
        after.drop(*bin).is_ok() && after.outcome().is_some_and(|end| end.winner().is_some())
    };
    position
        .legal_bins()
        .filter(is_line)
        .map(Bin::index)
        .collect()
}

impl Start {
    pub const fn new(moves: Vec<u8>, honest: Player) -> Self {
        Self {
            moves,
            honest,
            back: 2,
            machine: 0,
            poison: None,
            by_terms: false,
            pie_rule: false,
        }
    }

    /// The same in a dispute of a game by signed terms.
    pub fn by_terms(self) -> Self {
        Self {
            by_terms: true,
            ..self
        }
    }

    /// The same with the pie rule.
    pub fn fair(self) -> Self {
        Self {
            pie_rule: true,
            ..self
        }
    }

    /// The same discs after a swap, so that each player has the place of the other.
    pub fn swapped(self) -> Self {
        let mut moves = self.moves;
        moves.insert(1, Moves::SWAP);
        Self {
            moves,
            honest: self.honest.opponent(),
            pie_rule: true,
            ..self
        }
    }

    pub fn world(&self) -> World {
        match (self.by_terms, self.pie_rule) {
            (true, _) => World::by_terms(self.honest),
            (false, true) => World::fair(self.honest),
            (false, false) => World::new(self.honest, self.machine),
        }
    }

    /// Both have signed all moves, and the chain knows none of them.
    pub fn state(&self, left: Left) -> State {
        let world = self.world();
        let chain = world.start();
        let position = world.evidence(None, &self.moves);
        let mut journal = Journal {
            position,
            ..Journal::default()
        };
        if let Some(line) = &self.poison {
            let resigned = Some(Ending::Resignation(world.cheat));
            journal.resignations[world.cheat] = Some(world.evidence(resigned, line));
        }
        let mut state = State {
            chain,
            known: Moves::new(),
            now: START,
            blocks: if left.forks > 0 {
                vec![chain]
            } else {
                Vec::new()
            },
            journal,
            view: chain,
            seen_at: START,
            offer: None,
            sent: None,
            has_waited: false,
            is_idle: false,
            positions: Vec::new(),
            endings: Vec::new(),
            offers: Vec::new(),
            signed: Vec::new(),
            resigned: Vec::new(),
            left,
            held: Held {
                position: position.moves,
                acted_winning: false,
                acted_drawn: false,
                must_win: false,
                must_not_lose: false,
                has_resigned: false,
                has_accepted: false,
            },
        };
        let of = |player: Player| {
            (1..=self.moves.len()).rev().filter(move |turns| {
                let is_one = turns % 2 == 1;
                is_one == (player == Player::One)
            })
        };
        let first = |turns: usize| Moves::from_bins(&self.moves[..turns]).expect("few moves");
        for turns in of(world.honest).take(self.back) {
            insert(&mut state.positions, &first(turns));
        }
        for turns in of(world.cheat).take(self.back + 1) {
            insert(&mut state.signed, &first(turns));
        }
        // Its program is started.
        let seat = world.restarted(&state);
        state.journal = seat.journal().clone();
        state
    }
}
