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

    /// The scores on a scale from -1, a loss at once, to 1, a win at once.
    pub(crate) fn values(&mut self, position: &Position) -> Vec<(Bin, f64)> {
        let most = f64::from((43 - position.plies()) / 2).max(1.0);
        self.scores(position)
            .into_iter()
            .map(|(bin, score)| (bin, f64::from(score) / most))
            .collect()
    }
}

/// The position as the solver has it.
fn theirs(position: &Position) -> connect_four_ai::Position {
    let shape = position.shape();
    let us = position.to_move();
    let mut text = String::new();
    for row in (0..shape.capacity()).rev() {
        for bin in 0..shape.bins() {
            text.push(match position.disc(Cell { bin, row }) {
                Some(player) if player == us => 'x',
                Some(_) => 'o',
                None => '.',
            });
        }
    }
    connect_four_ai::Position::from_board_string(&text).expect("a standard board has 42 cells")
}
