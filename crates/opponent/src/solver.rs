//! A solver of the standard board: the exact score of any position.
//!
//! A search with alpha-beta pruning over bitboards, by null windows, with a table of positions that were
//! searched, and a [book](crate::book) of the opening, where searches would take longest. Before the positions after a
//! move are searched, the table is asked for all of them. Tests hold it against another solver.

use alloc::vec;
use alloc::vec::Vec;

use crate::board::{BINS, Board, CELLS, FROM_THE_MIDDLE, bin_cells, completing, wins_now};
use crate::book::{Book, DISCS};

/// Table of the positions that were searched: for each the bound that was found.
struct Table {
    /// Keys, 49 bits, above values of 8 bits.
    entries: Vec<u64>,
}

/// Entries of the table: 32 MB.
const ENTRIES_BITS: u32 = 22;
/// Scores from here on are lower bounds, those below upper bounds. 0 is an entry without either.
const LOWER: i16 = 100;
/// What makes the score of an upper bound positive.
const UPPER: i16 = 50;

impl Table {
    fn new() -> Self {
        Self {
            entries: vec![0; 1 << ENTRIES_BITS],
        }
    }

    /// Index of a key: the highest bits of a product (D. Knuth, The Art of Computer Programming, 6.4).
    const fn index(key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - ENTRIES_BITS)) as usize
    }

    /// The bound of a position, and whether it is a lower one.
    fn get(&self, key: u64) -> Option<(i16, bool)> {
        let entry = self.entries[Self::index(key)];
        // The lowest 8 bits.
        let value = i16::from(entry as u8);
        if entry >> 8 != key || value == 0 {
            return None;
        }
        Some(match value >= LOWER {
            true => (value - LOWER - UPPER, true),
            false => (value - UPPER, false),
        })
    }

    fn put(&mut self, key: u64, score: i16, is_lower: bool) {
        let value = score + UPPER + if is_lower { LOWER } else { 0 };
        // From 29 to 171.
        self.entries[Self::index(key)] = (key << 8) | u64::from(value as u8);
    }
}

/// Number of discs from which on it is quicker to search a position than to ask the table for all that follow it.
const ASK: u8 = 34;

pub(crate) struct Solver {
    /// None until it is needed.
    book: Option<Book>,
    table: Table,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            book: None,
            table: Table::new(),
        }
    }
}

impl Solver {
    /// Reads the book with these bytes. Returns whether it is one.
    pub(crate) fn read(&mut self, book: &[u8]) -> bool {
        self.book = Book::read(book);
        self.book.is_some()
    }

    pub(crate) const fn has_book(&self) -> bool {
        self.book.is_some()
    }

    /// Whether the book has a position.
    pub(crate) const fn is_in_book(board: Board) -> bool {
        board.plies() <= DISCS
    }

    /// The score of a position by the book; none if it has more discs, or there is no book.
    fn known(&mut self, board: Board) -> Option<i16> {
        #[cfg(feature = "book")]
        if Self::is_in_book(board) && !self.has_book() {
            self.book = Book::carried();
        }
        self.book.as_ref()?.score(board).map(i16::from)
    }

    /// Score of a position that nobody has won, for the player to move: 0 for a draw, 1 for a win with
    /// the player's last disc, 2 with the one before it, and so on; negative for a loss, counted in the
    /// opponent's discs.
    pub(crate) fn score(&mut self, board: Board) -> i16 {
        let plies = board.plies();
        if plies == CELLS {
            return 0;
        }
        if let Some(score) = self.known(board) {
            return score;
        }
        if board.wins() != 0 {
            return wins_now(plies);
        }
        let mut least = -(i16::from(CELLS - plies)) / 2;
        let mut most = wins_now(plies);
        while least < most {
            // First whether the game is won, drawn or lost, then how soon.
            let middle = least + (most - least) / 2;
            let middle = match middle <= 0 {
                true => middle.min(least / 2),
                false => middle.max(most / 2),
            };
            match self.search(board, plies, middle, middle + 1) {
                score if score <= middle => most = score,
                score => least = score,
            }
        }
        least
    }

    /// Whether the score of a position that nobody has won is at most this.
    pub(crate) fn is_at_most(&mut self, board: Board, most: i16) -> bool {
        let plies = board.plies();
        if plies == CELLS {
            return 0 <= most;
        }
        if let Some(score) = self.known(board) {
            return score <= most;
        }
        if board.wins() != 0 {
            return wins_now(plies) <= most;
        }
        self.search(board, plies, most, most + 1) <= most
    }

    /// Whether the player to move wins, from 1, a win, to -1, a loss. Faster than [`Self::score`].
    pub(crate) fn outcome(&mut self, board: Board) -> i16 {
        if !self.is_at_most(board, 0) {
            return 1;
        }
        match self.is_at_most(board, -1) {
            true => -1,
            false => 0,
        }
    }

    /// Score of a position where the player to move can't win at once: exact between the bounds, else a
    /// bound of it.
    fn search(&mut self, board: Board, plies: u8, mut least: i16, mut most: i16) -> i16 {
        let drops = board.safe_drops();
        if drops == 0 {
            return -(i16::from(CELLS - plies)) / 2;
        }
        if plies + 2 >= CELLS {
            return 0;
        }
        // Neither wins with the next disc.
        least = least.max(-(i16::from(CELLS - 2 - plies)) / 2);
        most = most.min(wins_now(plies) - 1);
        if least >= most {
            return least;
        }
        let key = board.key();
        match self.table.get(key) {
            Some((bound, true)) => {
                least = least.max(bound);
                if least >= most {
                    return least;
                }
            }
            Some((bound, false)) => {
                most = most.min(bound);
                if least >= most {
                    return most;
                }
            }
            None => {}
        }
        let mut ordered = [(0, 0); BINS as usize];
        let mut count = 0;
        for bin in FROM_THE_MIDDLE {
            let cell = drops & bin_cells(bin);
            if cell == 0 {
                continue;
            }
            let promise = completing(board.own | cell, board.all).count_ones();
            // The most promising first, and those of the middle before others.
            let mut at = count;
            while at > 0 && ordered[at - 1].0 < promise {
                ordered[at] = ordered[at - 1];
                at -= 1;
            }
            ordered[at] = (promise, cell);
            count += 1;
        }
        for &(_, cell) in ordered[..count].iter().filter(|_| plies < ASK) {
            let after = self.table.get(board.after(cell).key());
            if let Some((bound, false)) = after
                && -bound >= most
            {
                self.table.put(key, -bound, true);
                return -bound;
            }
        }
        for &(_, cell) in &ordered[..count] {
            let score = -self.search(board.after(cell), plies + 1, -most, -least);
            if score >= most {
                self.table.put(key, score, true);
                return score;
            }
            least = least.max(score);
        }
        self.table.put(key, least, false);
        least
    }
}
