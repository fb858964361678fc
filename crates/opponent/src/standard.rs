//! Exact knowledge of the standard board.

use connect_four_ai::Solver;
use connect4_rules::{Bin, Cell, Position, Shape};

/// Knows what every position of the standard board leads to when both play perfectly.
#[derive(Default)]
pub struct Standard {
    solver: Solver,
}

impl Standard {
    /// What each legal bin leads to for who is to move, if both play perfectly from then on: 0 a
    /// draw, 1 a win with the player's last disc, 2 with the one before it, and so on; negative a
    /// loss in the same way. Empty if the game is over, and on any other board.
    pub fn scores(&mut self, position: &Position) -> Vec<(Bin, i8)> {
        if position.shape() != Shape::STANDARD || position.outcome().is_some() {
            return Vec::new();
        }
        let scores = self.solver.get_all_move_scores(&theirs(position));
        (0..)
            .map(Bin::new)
            .zip(scores)
            .filter_map(|(bin, score)| Some((bin, score?)))
            .collect()
    }

    /// The best bin, of several the one nearest to the middle; none if the game is over, and on any
    /// other board. Faster than all scores: it looks no further than to the first that is as good
    /// as the position.
    pub fn best(&mut self, position: &Position) -> Option<Bin> {
        if position.shape() != Shape::STANDARD || position.outcome().is_some() {
            return None;
        }
        let position = theirs(position);
        let columns = Solver::COLUMNS.into_iter();
        let playable = columns.filter(|&column| position.is_playable(column));
        let wins = playable
            .clone()
            .find(|&column| position.is_winning_move(column));
        let column = wins.or_else(|| {
            let worth = self.solver.solve(&position);
            playable.clone().find(|&column| {
                let mut after = position;
                after.play(column);
                // The solver has no score for a full board: it is a draw.
                let full = after.get_moves() == connect_four_ai::Position::BOARD_SIZE;
                (if full { 0 } else { -self.solver.solve(&after) }) == worth
            })
        })?;
        u8::try_from(column).ok().map(Bin::new)
    }
}

/// The position as the solver has it.
fn theirs(position: &Position) -> connect_four_ai::Position {
    let shape = position.shape();
    let us = position.to_move();
    let mut text = String::new();
    for row in shape.iter_rows().rev() {
        for bin in shape.iter_bins() {
            text.push(match position.disc(Cell { bin, row }) {
                Some(player) if player == us => 'x',
                Some(_) => 'o',
                None => '.',
            });
        }
    }
    connect_four_ai::Position::from_board_string(&text).expect("a standard board has 42 cells")
}
