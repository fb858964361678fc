//! The standard board, solved.

use alloc::vec::Vec;

use connect4_rules::{Bin, Cell, Player, Position, Shape};

use crate::board::{Board, CELLS, FROM_THE_MIDDLE, bin_cells, wins_now};
use crate::solver::Solver;

/// What a position of the standard board holds under perfect play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// For the player to move, as in [`Standard::scores`].
    pub score: i8,
    /// The bins with that score, in ascending order.
    pub best_bins: Vec<Bin>,
    /// How many discs are dropped until the game is over.
    pub discs_left: u8,
}

/// Solver of the standard board: it knows the result of every position under perfect play.
#[derive(Default)]
pub struct Standard {
    solver: Solver,
}

impl Standard {
    /// Reads the book of the opening, for where the program does not carry it (feature `book`): the file `book.bin` of this
    /// crate. Returns whether it is one.
    pub fn read_book(&mut self, book: &[u8]) -> bool {
        self.solver.read(book)
    }

    /// Whether the book is read.
    #[must_use]
    pub const fn has_book(&self) -> bool {
        self.solver.has_book()
    }

    /// Whether the book has this position: what is asked about it here takes long without it.
    #[must_use]
    pub fn is_in_book(position: &Position) -> bool {
        board(position).is_some_and(Solver::is_in_book)
    }

    /// Who wins under perfect play, from 1, the player to move, to -1, the opponent, and the bin nearest to the middle
    /// that keeps that result and lets the opponent not win at once; none if the game is over, and on any other board. Much
    /// faster than [`Self::scores`] and [`Self::evaluate`], which know how soon.
    pub fn outcome(&mut self, position: &Position) -> Option<(i8, Bin)> {
        let board = board(position)?;
        if let Some((bin, _)) = drops(board).find(|(_, cell)| board.wins() & cell != 0) {
            return Some((1, bin));
        }
        // From -1 to 1.
        let outcome = self.solver.outcome(board) as i8;
        let mut keeps = |cell: &u64| match outcome {
            1 => self.solver.is_at_most(board.after(*cell), -1),
            0 => self.solver.is_at_most(board.after(*cell), 0),
            _ => true,
        };
        let cells = match board.safe_drops() {
            0 => board.drops(),
            safe => safe,
        };
        let mut cells = drops(board).filter(|(_, cell)| cells & cell != 0);
        let (bin, _) = cells.find(|(_, cell)| keeps(cell))?;
        Some((outcome, bin))
    }

    /// Score of a drop into a bin for the player to move, as in [`Self::scores`]; none if it is not legal, if the game is
    /// over, and on any other board.
    pub fn score(&mut self, position: &Position, bin: Bin) -> Option<i8> {
        let board = board(position)?;
        let (_, cell) = drops(board).find(|(other, _)| *other == bin)?;
        Some(self.score_of(board, cell))
    }

    fn score_of(&mut self, board: Board, cell: u64) -> i8 {
        let score = match board.wins() & cell {
            0 => -self.solver.score(board.after(cell)),
            _ => wins_now(board.plies()),
        };
        // From -21 to 21.
        score as i8
    }

    /// Score of each legal bin for the player to move, under perfect play from then on: 0 for a draw,
    /// 1 for a win with the player's last disc, 2 with the one before it, and so on; negative for a
    /// loss, counted in the opponent's discs. Empty if the game is over, and on any other board.
    pub fn scores(&mut self, position: &Position) -> Vec<(Bin, i8)> {
        let Some(board) = board(position) else {
            return Vec::new();
        };
        let mut scores: Vec<(Bin, i8)> = drops(board)
            .map(|(bin, cell)| (bin, self.score_of(board, cell)))
            .collect();
        scores.sort_unstable_by_key(|(bin, _)| *bin);
        scores
    }

    /// The position under perfect play; none if the game is over, and on any other board. Faster than [`Self::scores`],
    /// which has the exact score of every bin.
    pub fn evaluate(&mut self, position: &Position) -> Option<Evaluation> {
        let board = board(position)?;
        let score = self.solver.score(board);
        let mut best_bins: Vec<Bin> = drops(board)
            .filter(|(_, cell)| match board.wins() {
                0 => self.solver.is_at_most(board.after(*cell), -score),
                wins => wins & cell != 0,
            })
            .map(|(bin, _)| bin)
            .collect();
        best_bins.sort_unstable();
        let left = CELLS - board.plies();
        // A score counts from the last disc of the winner.
        let discs_left = match (score, u8::try_from(score.unsigned_abs()).unwrap_or(0)) {
            (1.., score) => 2 * (left.div_ceil(2) + 1 - score) - 1,
            (0, _) => left,
            (_, score) => 2 * (left / 2 + 1 - score),
        };
        Some(Evaluation {
            // From -21 to 21.
            score: score as i8,
            best_bins,
            discs_left,
        })
    }

    /// The best bin, the nearest to the middle of several; none if the game is over, and on any other
    /// board. Faster than [`Self::scores`]: it stops at the first bin whose score is that of the
    /// position.
    pub fn best(&mut self, position: &Position) -> Option<Bin> {
        let board = board(position)?;
        let wins = drops(board).find(|(_, cell)| board.wins() & cell != 0);
        let best = wins.or_else(|| {
            let worth = self.solver.score(board);
            // None is better.
            drops(board).find(|(_, cell)| self.solver.is_at_most(board.after(*cell), -worth))
        });
        best.map(|(bin, _)| bin)
    }
}

/// The bins that are not full from the middle outwards, and the cell into which a disc falls.
fn drops(board: Board) -> impl Iterator<Item = (Bin, u64)> {
    FROM_THE_MIDDLE
        .into_iter()
        // Less than 7.
        .map(move |bin| (Bin::new(bin as u8), board.drops() & bin_cells(bin)))
        .filter(|(_, cell)| *cell != 0)
}

/// The position for the solver; none if the game is over, and of any other board.
fn board(position: &Position) -> Option<Board> {
    let shape = position.shape();
    if shape != Shape::STANDARD || position.outcome().is_some() {
        return None;
    }
    let mut board = Board::default();
    let us = position.to_move();
    for bin in shape.iter_bins() {
        for row in shape.iter_rows() {
            let cell = 1 << (u32::from(bin.index()) * 7 + u32::from(row));
            let disc: Option<Player> = position.disc(Cell { bin, row });
            board.all |= if disc.is_some() { cell } else { 0 };
            board.own |= if disc == Some(us) { cell } else { 0 };
        }
    }
    Some(board)
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The position in the type of another solver.
    fn theirs(position: &Position) -> connect_four_ai::Position {
        let text: String = position
            .shape()
            .iter_rows()
            .rev()
            .flat_map(|row| {
                position.shape().iter_bins().map(move |bin| {
                    match position.disc(Cell { bin, row }) {
                        Some(player) if player == position.to_move() => 'x',
                        Some(_) => 'o',
                        None => '.',
                    }
                })
            })
            .collect();
        connect_four_ai::Position::from_board_string(&text).unwrap()
    }

    #[test]
    fn another_solver_finds_the_same_scores() {
        let mut dice = ChaCha8Rng::seed_from_u64(5);
        let mut ours = Standard::default();
        let mut solver = connect_four_ai::Solver::new();
        let mut seen = 0;
        for game in 0..50 {
            let mut position = Position::new(Shape::STANDARD);
            while position.outcome().is_none() {
                // Between its book and these the other one takes long.
                let is_quick = !(7..20).contains(&position.plies());
                if is_quick || game < 2 && (8..12).contains(&position.plies()) {
                    let scores = ours.scores(&position);
                    let expected = solver.get_all_move_scores(&theirs(&position));
                    let expected: Vec<(Bin, i8)> = (0..)
                        .map(Bin::new)
                        .zip(expected)
                        .filter_map(|(bin, score)| Some((bin, score?)))
                        .collect();
                    assert_eq!(scores, expected, "{position}");
                    let best = ours.best(&position).unwrap();
                    let most = scores.iter().map(|(_, score)| *score).max();
                    let of_best = scores.iter().find(|(bin, _)| *bin == best);
                    assert_eq!(of_best.map(|(_, score)| *score), most, "{position}");
                    let evaluated = ours.evaluate(&position).unwrap();
                    assert_eq!(Some(evaluated.score), most, "{position}");
                    let of_most = scores.iter().filter(|(_, score)| Some(*score) == most);
                    let bins: Vec<Bin> = of_most.map(|(bin, _)| *bin).collect();
                    assert_eq!(evaluated.best_bins, bins, "{position}");
                    let (outcome, bin) = ours.outcome(&position).unwrap();
                    assert_eq!(Some(outcome), most.map(i8::signum), "{position}");
                    let score = ours.score(&position, bin).unwrap();
                    assert_eq!(score.signum(), outcome, "{position}");
                    let mut after = position;
                    after.drop(bins[0]).unwrap();
                    let left = ours.evaluate(&after).map_or(0, |after| after.discs_left);
                    assert_eq!(evaluated.discs_left, left + 1, "{position}");
                    seen += 1;
                }
                let bins: Vec<Bin> = position.legal_bins().collect();
                position
                    .drop(bins[dice.random_range(0..bins.len())])
                    .unwrap();
            }
        }
        assert!(seen > 400, "{seen}");
    }
}
