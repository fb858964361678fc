//! Positions from which searches begin: a few discs before an end, on the smallest board.

use connect4_protocol::signed::Moves;
use connect4_rules::{Bin, Player, Position};
use connect4_testing::dice::Dice;

use super::state::SHAPE;

/// A position, and which player is honest.
pub struct Start {
    pub moves: Vec<u8>,
    pub honest: Player,
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
        Self { moves, honest }
    }

    /// The same discs after a swap, so that each player has the place of the other.
    pub fn swapped(self) -> Self {
        let mut moves = self.moves;
        moves.insert(1, Moves::SWAP);
        Self {
            moves,
            honest: self.honest.opponent(),
        }
    }
}
