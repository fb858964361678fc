//! The book of the solver: the scores of all positions of the standard board with ten discs.
//!
//! `book.bin` has one byte for each where the player to move can neither win at once nor has lost at once, in ascending
//! order of the positions' keys, and no keys: which positions there are follows from the rules. The scores of the others,
//! and of those with fewer discs, follow, too.
//!
//! They come from the book of all positions with twelve discs in `bitbully-databases` 0.0.2 by Markus Thill (MIT), two
//! drops further back. Tests compare them with the book and the solver of another author.

use alloc::vec;
use alloc::vec::Vec;

use crate::board::{BINS, Board, bin_cells, wins_now};

/// Discs of the positions whose scores the file has.
pub(crate) const DISCS: u8 = 10;
/// The scores, each of which is a byte in two's complement.
#[cfg(feature = "book")]
const SCORES: &[u8] = include_bytes!("book.bin");

/// The scores of all positions of up to [`DISCS`] discs that nobody has won.
pub(crate) struct Book {
    /// By the number of discs.
    levels: Vec<Level>,
}

/// The scores of the positions with a number of discs.
struct Level {
    /// The symmetric keys of the positions, in ascending order.
    keys: Vec<u64>,
    scores: Vec<i8>,
}

impl Level {
    fn score(&self, board: Board) -> Option<i8> {
        let at = self.keys.binary_search(&board.symmetric_key()).ok()?;
        self.scores.get(at).copied()
    }
}

/// The positions after one more disc that nobody has won.
fn next(board: Board) -> impl Iterator<Item = Board> {
    let quiet = board.drops() & !board.wins();
    (0..BINS)
        .map(move |bin| quiet & bin_cells(bin))
        .filter(|cell| *cell != 0)
        .map(move |cell| board.after(cell))
}

/// The symmetric keys of the positions that nobody has won, by their number of discs, in ascending order.
fn keys() -> Vec<Vec<u64>> {
    let mut levels = vec![vec![Board::default().symmetric_key()]];
    for _ in 0..DISCS {
        let level = levels.last().into_iter().flatten();
        let mut level: Vec<u64> = level
            .flat_map(|key| next(Board::of_key(*key)))
            .map(Board::symmetric_key)
            .collect();
        level.sort_unstable();
        level.dedup();
        levels.push(level);
    }
    levels
}

/// The score of a position that is decided with the next two discs; none if it is not.
fn decided(board: Board) -> Option<i8> {
    let plies = board.plies();
    // From -21 to 21.
    match (board.wins(), board.safe_drops()) {
        (0, 0) => Some(-wins_now(plies + 1) as i8),
        (0, _) => None,
        _ => Some(wins_now(plies) as i8),
    }
}

impl Book {
    /// The book that the program carries.
    #[cfg(feature = "book")]
    pub(crate) fn carried() -> Option<Self> {
        Self::read(SCORES)
    }

    /// The book with these bytes; none if they are too few or too many.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut bytes = bytes.iter().map(|score| score.cast_signed());
        let mut keys = keys();
        let mut levels = Vec::new();
        let deepest = keys.pop().unwrap_or_default();
        let scores: Option<Vec<i8>> = deepest
            .iter()
            .map(|key| decided(Board::of_key(*key)).or_else(|| bytes.next()))
            .collect();
        let mut below = Level {
            keys: deepest,
            scores: scores?,
        };
        if bytes.next().is_some() {
            return None;
        }
        while let Some(keys) = keys.pop() {
            let score = |key: &u64| {
                let board = Board::of_key(*key);
                let best = next(board).filter_map(|after| below.score(after)).min();
                decided(board).unwrap_or_else(|| best.map_or(0, |score| -score))
            };
            let scores = keys.iter().map(score).collect();
            levels.push(core::mem::replace(&mut below, Level { keys, scores }));
        }
        levels.push(below);
        levels.reverse();
        Some(Self { levels })
    }

    /// The score of a position that nobody has won; none if it has more discs.
    pub(crate) fn score(&self, board: Board) -> Option<i8> {
        self.levels.get(usize::from(board.plies()))?.score(board)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::{env, fs};

    use connect_four_ai::OpeningBook;

    use super::*;

    /// A position as bits, from the lowest cell of the first bin upwards: 10 and 11 are discs of the players, 0 is what
    /// follows the last of a bin.
    fn bits(board: Board) -> u32 {
        let mut bits = 0_u64;
        for bin in 0..BINS {
            for cell in (0..6).map(|row| 1_u64 << (7 * bin + row)) {
                if board.all & cell != 0 {
                    bits = bits << 2 | 0b10 | u64::from(board.own & cell == 0);
                }
            }
            bits <<= 1;
        }
        // The highest one of 33 is left out where there are as many.
        (bits << 1) as u32
    }

    /// The score of a position with twelve discs.
    fn score_by(twelve: &HashMap<u32, i8>, board: Board) -> i8 {
        decided(board).unwrap_or_else(|| {
            let theirs = [board, board.mirrored()].map(|board| twelve.get(&bits(board)));
            let theirs = theirs.into_iter().flatten().next().unwrap();
            // 100 less the discs until the end.
            let until = i16::from(100 - theirs.abs());
            let score = (44 - (12 + until)) / 2;
            i8::try_from(score * i16::from(theirs.signum())).unwrap()
        })
    }

    fn score_with(twelve: &HashMap<u32, i8>, board: Board) -> i8 {
        match board.plies() {
            12 => score_by(twelve, board),
            _ => decided(board).unwrap_or_else(|| {
                let scores = next(board).map(|after| -score_with(twelve, after));
                scores.max().unwrap()
            }),
        }
    }

    /// `CONNECT4_WRITE_BOOK=book_12ply_distances.dat` writes the file by that of `bitbully-databases`.
    #[test]
    fn the_book_says_what_that_of_another_solver_says() {
        let mut scores = SCORES.to_vec();
        if let Some(file) = env::var_os("CONNECT4_WRITE_BOOK") {
            let bytes = fs::read(file).unwrap();
            let entries = bytes.as_chunks::<5>().0.iter().map(|[a, b, c, d, score]| {
                let position = u32::from_be_bytes([*a, *b, *c, *d]);
                (position, score.cast_signed())
            });
            let entries: HashMap<u32, i8> = entries.collect();
            let deepest = keys().pop().unwrap();
            let boards = deepest.into_iter().map(Board::of_key);
            let open = boards.filter(|board| decided(*board).is_none());
            scores = open
                .map(|board| score_with(&entries, board).cast_unsigned())
                .collect();
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/book.bin");
            fs::write(file, &scores).unwrap();
        }
        assert!(scores == SCORES, "CONNECT4_WRITE_BOOK writes the book");
        let ours = Book::carried().unwrap();
        let theirs: OpeningBook = connect_four_ai::Solver::new().opening_book.unwrap();
        // It has those with up to eight discs.
        let mut compared = 0;
        for level in &ours.levels[..=8] {
            for (key, score) in level.keys.iter().zip(&level.scores) {
                assert_eq!(theirs.map.get(key), Some(score), "{key}");
                compared += 1;
            }
        }
        assert_eq!(compared, theirs.map.len());
    }

    #[test]
    fn bytes_of_another_length_are_no_book() {
        assert!(Book::read(&SCORES[1..]).is_none());
        assert!(Book::read(&[SCORES, &[0]].concat()).is_none());
    }

    #[test]
    fn a_key_has_its_position() {
        for key in keys().into_iter().flatten().step_by(101) {
            assert_eq!(Board::of_key(key).key(), key);
        }
    }
}
