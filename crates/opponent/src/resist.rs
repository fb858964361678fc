//! Positions in which every drop loses: the one that loses latest.

use alloc::vec::Vec;

use connect4_rules::{Bin, Position};

/// The drop after which the opponent needs most discs to win, if every drop loses; of several one that stops a line,
/// then the nearest to the middle. It plays through this many positions at most; none if it has not found out by then
/// that every drop loses, and if the game is over.
pub(crate) fn latest_loss(position: &Position, most: u32) -> Option<Bin> {
    let mut proof = Proof { left: most };
    let mut drops: Vec<(Bin, Position)> = children(position).collect();
    drops.sort_by_key(|(bin, _)| {
        let stops = is_threatened(position, *bin);
        let middle = 2 * i16::from(bin.index()) + 1 - i16::from(position.shape().bins());
        (!stops, middle.abs())
    });
    if drops.iter().any(|(_, after)| after.outcome().is_some()) {
        return None;
    }
    // With one disc, with two, and so on: those drops are left after which so many do not suffice.
    for discs in 1..=position.shape().cells() - position.plies() {
        let mut left = Vec::new();
        for (bin, after) in &drops {
            if !proof.wins_within(after, discs)? {
                left.push((*bin, *after));
            }
        }
        if left.is_empty() {
            return drops.first().map(|(bin, _)| *bin);
        }
        drops = left;
    }
    None
}

/// The positions after each drop.
fn children(position: &Position) -> impl Iterator<Item = (Bin, Position)> {
    let before = *position;
    position.legal_bins().filter_map(move |bin| {
        let mut after = before;
        after.drop(bin).ok()?;
        Some((bin, after))
    })
}

/// Whether the opponent of the player to move would complete a line by a drop into this bin.
fn is_threatened(position: &Position, bin: Bin) -> bool {
    let opponent = position.to_move().opponent();
    let mut board = *position.board();
    board.drop(opponent, bin).is_ok() && !board.lines(opponent).is_empty()
}

struct Proof {
    /// Positions that may still be played through.
    left: u32,
}

impl Proof {
    /// Whether the player to move can force a win with this many of its own discs; none if that is too much to find
    /// out.
    fn wins_within(&mut self, position: &Position, discs: u8) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        let drops: Vec<_> = children(position).collect();
        let is_won =
            |(_, after): &(Bin, Position)| after.outcome().is_some_and(|it| it.winner().is_some());
        if drops.iter().any(is_won) {
            return Some(true);
        }
        if discs == 1 {
            return Some(false);
        }
        for (_, after) in drops {
            if after.outcome().is_none() && self.loses_within(&after, discs - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the player to move loses after each drop, as the opponent needs no more discs than this.
    fn loses_within(&mut self, position: &Position, discs: u8) -> Option<bool> {
        // Of the drops those that stop a line at once: any other loses to it.
        let stops = |bin: &Bin| is_threatened(position, *bin);
        let forced: Vec<Bin> = position.legal_bins().filter(stops).collect();
        for (bin, after) in children(position) {
            match after.outcome() {
                // It wins, or nobody does.
                Some(_) => return Some(false),
                None if !forced.is_empty() && !forced.contains(&bin) => {}
                None if !self.wins_within(&after, discs)? => return Some(false),
                None => {}
            }
        }
        Some(true)
    }
}

#[cfg(test)]
mod tests {
    use connect4_rules::Shape;

    use super::*;

    #[test]
    fn a_line_that_can_be_stopped_is_not_left_alone() {
        for moves in ["112233", "4435", ""] {
            let position = Position::from_moves(Shape::STANDARD, moves).unwrap();
            assert_eq!(latest_loss(&position, 2_000), None, "{position}");
        }
        // A line lies open at both ends: one of them is stopped all the same.
        let position = Position::from_moves(Shape::STANDARD, "33445").unwrap();
        let bin = latest_loss(&position, 2_000).expect("every drop loses");
        assert!([Bin::new(1), Bin::new(5)].contains(&bin), "{bin}");
    }
}
