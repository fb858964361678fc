//! Moves that were undone, as their blocks were replaced.

use std::collections::BTreeMap;
use std::fmt::Display;

/// A move that was seen at this terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made<M> {
    /// The move.
    pub what: M,
    /// Number of the block after which it was seen.
    pub block: u32,
}

/// The moves of a game that were seen at this terminal, by their turns from 0.
#[derive(Debug)]
pub struct Moves<M> {
    made: BTreeMap<u16, Made<M>>,
    /// Moves that were undone and can be made again.
    offered: BTreeMap<u16, M>,
}

impl<M> Default for Moves<M> {
    fn default() -> Self {
        Self {
            made: BTreeMap::new(),
            offered: BTreeMap::new(),
        }
    }
}

impl<M: Copy> Moves<M> {
    /// Remembers the move of a turn.
    pub fn made(&mut self, turn: impl Into<u16>, what: M, block: u32) {
        let turn = turn.into();
        self.made.insert(turn, Made { what, block });
        // What was chosen after it was for another position.
        self.offered.retain(|offered, _| *offered < turn);
    }

    /// Forgets the moves from a turn on, and returns those that are known, the last first.
    pub fn undo(&mut self, from: impl Into<u16>) -> Vec<Made<M>> {
        let from = from.into();
        let taken = self.made.split_off(&from);
        self.offered = taken
            .iter()
            .map(|(turn, made)| (*turn, made.what))
            .collect();
        taken.into_values().rev().collect()
    }

    /// The move of a turn that was undone; none if it was not.
    pub fn offered(&self, turn: impl Into<u16>) -> Option<M> {
        self.offered.get(&turn.into()).copied()
    }
}

/// That the last moves of a game were undone, in words. `thing` is what is made in a move, `count`
/// how many were undone, and `known` those of them that are known, in words, with their blocks.
pub fn text<T: Display>(thing: &str, count: u16, known: &[(T, u32)]) -> String {
    let (last, blocks) = match count {
        1 => (format!("the last {thing}"), "its block was"),
        count => (format!("the last {count} {thing}s"), "their blocks were"),
    };
    let known: Vec<String> = known
        .iter()
        .map(|(what, block)| format!("{what}, block {block}"))
        .collect();
    let known = match known.is_empty() {
        true => String::new(),
        false => format!(" ({})", known.join("; ")),
    };
    format!("Undone: {last}{known}; {blocks} replaced.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_undone_is_said_the_last_first() {
        assert_eq!(
            text("disc", 1, &[("bin 3 of red", 17)]),
            "Undone: the last disc (bin 3 of red, block 17); its block was replaced."
        );
        assert_eq!(
            text("disc", 2, &[("bin 4 of blue", 18), ("bin 3 of red", 17)]),
            "Undone: the last 2 discs (bin 4 of blue, block 18; bin 3 of red, block 17); their \
             blocks were replaced."
        );
        assert_eq!(
            text::<&str>("move", 1, &[]),
            "Undone: the last move; its block was replaced."
        );
    }

    #[test]
    fn a_move_that_was_undone_is_offered_until_its_turn_is_played_again() {
        let mut moves = Moves::default();
        for (turn, bin) in [3, 4, 5].into_iter().enumerate() {
            moves.made(turn as u16, bin, 10);
        }
        let taken = moves.undo(1_u16);
        let bins: Vec<i32> = taken.iter().map(|made| made.what).collect();
        assert_eq!(bins, [5, 4]);
        assert_eq!(
            (moves.offered(1_u16), moves.offered(2_u16)),
            (Some(4), Some(5))
        );
        assert_eq!(moves.offered(0_u16), None);
        moves.made(1_u16, 6, 12);
        assert_eq!((moves.offered(1_u16), moves.offered(2_u16)), (None, None));
    }
}
