//! The book of the solver: the scores of all positions of the standard board with eight discs.
//!
//! `book.bin` has one byte for each, in ascending order of the positions' keys, and no keys: which
//! positions there are follows from the rules. The scores of those with fewer discs follow, too.

use alloc::vec::Vec;

use crate::board::{BINS, Board, bin_cells, wins_now};

/// Discs of the positions whose scores the file has.
pub(crate) const DISCS: u8 = 8;
/// The scores, each of which is a byte in two's complement.
const SCORES: &[u8] = include_bytes!("book.bin");

/// The scores of all positions of up to [`DISCS`] discs that nobody has won.
pub(crate) struct Book {
    /// By symmetric keys, in ascending order.
    scores: Vec<(u64, i8)>,
}

/// The positions after one more disc that nobody has won.
fn next(board: Board) -> impl Iterator<Item = Board> {
    let quiet = board.drops() & !board.wins();
    (0..BINS)
        .map(move |bin| quiet & bin_cells(bin))
        .filter(|cell| *cell != 0)
        .map(move |cell| board.after(cell))
}

/// The positions that nobody has won by their number of discs, each with one of it and its mirrored one, in
/// ascending order of their symmetric keys.
pub(crate) fn positions() -> Vec<Vec<(u64, Board)>> {
    let start = Board::default();
    let mut levels = alloc::vec![alloc::vec![(start.symmetric_key(), start)]];
    for _ in 0..DISCS {
        let mut level: Vec<(u64, Board)> = levels
            .last()
            .into_iter()
            .flatten()
            .flat_map(|(_, board)| next(*board))
            .map(|board| (board.symmetric_key(), board))
            .collect();
        level.sort_unstable_by_key(|(key, _)| *key);
        level.dedup_by_key(|(key, _)| *key);
        levels.push(level);
    }
    levels
}

impl Book {
    pub(crate) fn read() -> Self {
        let mut levels = positions();
        let deepest = levels.pop().unwrap_or_default();
        let scores = SCORES.iter().map(|score| score.cast_signed());
        let mut below: Vec<(u64, i8)> = deepest
            .into_iter()
            .map(|(key, _)| key)
            .zip(scores)
            .collect();
        let mut all = below.clone();
        for level in levels.into_iter().rev() {
            let scored = level.into_iter().map(|(key, board)| {
                let best = next(board)
                    .filter_map(|after| find(&below, after))
                    .map(|score| -score)
                    .max();
                let score = match board.wins() {
                    0 => best.unwrap_or_default(),
                    // Less than 22.
                    _ => wins_now(board.plies()) as i8,
                };
                (key, score)
            });
            let scored: Vec<(u64, i8)> = scored.collect();
            all.extend(&scored);
            below = scored;
        }
        all.sort_unstable_by_key(|(key, _)| *key);
        Self { scores: all }
    }

    /// The score of a position that nobody has won; none if it has more discs.
    pub(crate) fn score(&self, board: Board) -> Option<i8> {
        match board.plies() <= DISCS {
            true => find(&self.scores, board),
            false => None,
        }
    }
}

fn find(scores: &[(u64, i8)], board: Board) -> Option<i8> {
    let key = board.symmetric_key();
    let at = scores.binary_search_by_key(&key, |(key, _)| *key).ok()?;
    scores.get(at).map(|(_, score)| *score)
}

#[cfg(test)]
mod tests {
    use std::{env, fs};

    use connect_four_ai::OpeningBook;

    use super::*;

    /// The file, made of the book of another solver; `CONNECT4_WRITE_BOOK=1` writes it.
    #[test]
    fn the_book_is_that_of_another_solver() {
        let theirs: OpeningBook = connect_four_ai::Solver::new().opening_book.unwrap();
        let levels = positions();
        let scores: Vec<u8> = levels[usize::from(DISCS)]
            .iter()
            .map(|(key, _)| theirs.map[key].cast_unsigned())
            .collect();
        if env::var_os("CONNECT4_WRITE_BOOK").is_some() {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/book.bin");
            fs::write(file, &scores).unwrap();
        }
        assert!(scores == SCORES, "CONNECT4_WRITE_BOOK=1 writes the book");
        let ours = Book::read();
        assert_eq!(ours.scores.len(), theirs.map.len());
        for (key, score) in ours.scores {
            assert_eq!(theirs.map.get(&key), Some(&score), "{key}");
        }
    }
}
