//! The standard board, solved.

use connect_four_ai::Solver;
use connect4_rules::{Bin, Cell, Position, Shape};

/// Solver of the standard board: it knows the result of every position under perfect play.
#[derive(Default)]
pub struct Standard {
    solver: Solver,
}

impl Standard {
    /// Score of each legal bin for the player to move, under perfect play from then on: 0 for a draw,
    /// 1 for a win with the player's last disc, 2 with the one before it, and so on; negative for a
    /// loss, counted in the opponent's discs. Empty if the game is over, and on any other board.
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

    /// The best bin, the nearest to the middle of several; none if the game is over, and on any other
    /// board. Faster than [`Self::scores`]: it stops at the first bin whose score is that of the
    /// position.
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
                // The solver has no score for a full board, which is a draw.
                let full = after.get_moves() == connect_four_ai::Position::BOARD_SIZE;
                (if full { 0 } else { -self.solver.solve(&after) }) == worth
            })
        })?;
        u8::try_from(column).ok().map(Bin::new)
    }
}

/// The position in the solver's type.
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
