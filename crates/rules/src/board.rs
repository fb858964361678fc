//! The discs on a board.
//!
//! A set of cells is 128 bits: bin by bin from the left, each from its bottom,
//! and above each bin one bit that is never set. On 7 bins of 6:
//!
//! ```text
//!     6  13  20  27  34  41  48    never set
//!   +---------------------------+
//! 5 | 5  12  19  26  33  40  47 |
//! 4 | 4  11  18  25  32  39  46 |
//! 3 | 3  10  17  24  31  38  45 |
//! 2 | 2   9  16  23  30  37  44 |
//! 1 | 1   8  15  22  29  36  43 |
//! 0 | 0   7  14  21  28  35  42 |
//!   +---------------------------+
//!     0   1   2   3   4   5   6
//! ```
//!
//! The cell above is 1 further on, and with a stride of `capacity + 1` bits a
//! bin, the cell to the right is `stride` further, the one up to the right
//! `stride + 1`, the one down to the right `stride - 1`. A step that would leave
//! the board at the top or bottom ends on a bit that is never set, so lines never
//! continue at the other end of the next bin; one that would leave it at the
//! right is shifted out or ends above the last bin.

use crate::cell::bit;
use crate::cells::lines;
use crate::{Bin, ByPlayer, Cell, Cells, DropError, Outcome, Player, Shape};

/// The discs on a board, without whose turn it is; that is [`Position`](crate::Position).
///
/// # Examples
///
/// ```
/// use connect4_rules::{Bin, Board, Cell, Player, Shape};
///
/// let mut board = Board::new(Shape::STANDARD);
/// assert_eq!(board.drop(Player::One, Bin::new(3)), Ok(0));
/// assert_eq!(board.drop(Player::Two, Bin::new(3)), Ok(1));
/// assert_eq!(board.disc(Cell::new(3, 1)), Some(Player::Two));
/// assert!(board.stack(Bin::new(3)).eq([Player::One, Player::Two]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "scale",
    derive(
        codec::Encode,
        codec::Decode,
        codec::MaxEncodedLen,
        scale_info::TypeInfo
    )
)]
pub struct Board {
    one: Cells,
    two: Cells,
    shape: Shape,
}

impl Board {
    /// An empty board.
    #[must_use]
    pub const fn new(shape: Shape) -> Self {
        Self::with_discs(
            shape,
            ByPlayer {
                one: Cells::EMPTY,
                two: Cells::EMPTY,
            },
        )
    }

    /// A board with these discs on it, which are not checked: neither that they are stacked nor
    /// that a game leads to them. [`Position::from_discs`](crate::Position::from_discs) checks both.
    ///
    /// Discs that are not stacked, or that both players have, make no call panic, but answers
    /// about such a board have no meaning.
    #[must_use]
    pub const fn with_discs(shape: Shape, discs: ByPlayer<Cells>) -> Self {
        Self {
            one: discs.one,
            two: discs.two,
            shape,
        }
    }

    /// The same board with the discs of each player as the other's.
    #[must_use]
    pub const fn recoloured(&self) -> Self {
        Self {
            one: self.two,
            two: self.one,
            shape: self.shape,
        }
    }

    /// The shape of the board.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The cells where a player's discs lie.
    #[must_use]
    pub const fn discs(&self, player: Player) -> Cells {
        match player {
            Player::One => self.one,
            Player::Two => self.two,
        }
    }

    /// Whose disc lies in a cell; none if it is free or the board has no such cell.
    #[must_use]
    pub const fn disc(&self, cell: Cell) -> Option<Player> {
        if self.one.contains(self.shape, cell) {
            Some(Player::One)
        } else if self.two.contains(self.shape, cell) {
            Some(Player::Two)
        } else {
            None
        }
    }

    /// How many discs lie in a bin; 0 if the board has no such bin.
    #[must_use]
    pub const fn height(&self, bin: Bin) -> u8 {
        if bin.index() < self.shape.bins() {
            self.height_of_existing(bin)
        } else {
            0
        }
    }

    /// Whose discs lie in a bin, from the bottom; none if the board has no such bin.
    pub fn stack(&self, bin: Bin) -> impl Iterator<Item = Player> + Clone {
        let rows = self.shape.iter_rows();
        rows.map_while(move |row| self.disc(Cell { bin, row }))
    }

    /// The cells of every line of a player: of all its runs of [`Shape::line`] or more discs.
    #[must_use]
    pub fn lines(&self, player: Player) -> Cells {
        Cells::from_bits(lines(|| self.discs(player).bits(), &self.shape))
    }

    /// Drops a disc of `player` and returns the row in which it came to lie, from 0 at the bottom.
    /// A board knows neither turns nor the end of a game, so it refuses for neither.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies, and leaves the board unchanged:
    ///
    /// 1. [`DropError::NoSuchBin`] if the board has no such bin,
    /// 2. [`DropError::BinFull`] if the bin is full.
    pub fn drop(&mut self, player: Player, bin: Bin) -> Result<u8, DropError> {
        if bin.index() >= self.shape.bins() {
            return Err(DropError::NoSuchBin);
        }
        let row = self.height_of_existing(bin);
        let cell = Cell { bin, row };
        // The row is above the board exactly if the bin is full.
        let Some(bit) = bit(self.shape, cell) else {
            return Err(DropError::BinFull);
        };
        let discs = match player {
            Player::One => &mut self.one,
            Player::Two => &mut self.two,
        };
        *discs |= Cells::from_bits(bit);
        Ok(row)
    }

    /// The outcome after `mover` dropped the last of `plies` discs; none if the game goes on.
    #[must_use]
    pub fn outcome_after(&self, mover: Player, plies: u8) -> Option<Outcome> {
        if !self.lines(mover).is_empty() {
            Some(Outcome::Won(mover))
        } else if plies == self.shape.cells() {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    /// How many discs lie in a bin that the board has.
    const fn height_of_existing(&self, bin: Bin) -> u8 {
        let discs = self.one.bits() | self.two.bits();
        // Below MAX_BITS, as the bin exists: neither the product nor the shift wraps.
        let bottom = bin.index().wrapping_mul(self.shape.stride());
        // A bin is at most 24 bits, and the one above it is clear: it ends the count.
        (discs.wrapping_shr(bottom as u32) as u32).trailing_ones() as u8
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;

    /// The widest, the highest, the fullest boards, and those one plays on.
    const SIZES: [(u8, u8); 9] = [
        (5, 4),
        (6, 4),
        (7, 6),
        (9, 7),
        (16, 7),
        (8, 15),
        (25, 4),
        (5, 24),
        (6, 20),
    ];

    fn shapes() -> impl Iterator<Item = Shape> {
        SIZES.into_iter().flat_map(|(bins, capacity)| {
            (3..=6).filter_map(move |line| Shape::new(bins, capacity, line).ok())
        })
    }

    fn lines(shape: Shape, cells: &[Cell]) -> Vec<Cell> {
        let discs: Cells = cells.iter().map(|&cell| Cells::of(shape, cell)).collect();
        let [red, blue] = Player::ALL.map(|player| {
            let mut both = ByPlayer::default();
            both[player] = discs;
            Board::with_discs(shape, both).lines(player)
        });
        assert_eq!(red, blue);
        assert_eq!(red & discs, red, "a line is of discs");
        red.iter(shape).collect()
    }

    #[test]
    fn every_line_of_every_direction_at_every_place() {
        for shape in shapes() {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                for start in shape.iter_cells() {
                    // A step to the left of or below the board wraps to a number that no cell has.
                    let mut run: Vec<Cell> = (0..i16::from(shape.line()))
                        .map(|step| {
                            let bin = i16::from(start.bin.index()) + step * right;
                            let row = i16::from(start.row) + step * up;
                            Cell::new(bin as u8, row as u8)
                        })
                        .filter(|&cell| bit(shape, cell).is_some())
                        .collect();
                    run.sort();
                    let whole = run.len() == usize::from(shape.line());
                    let found = lines(shape, &run);
                    if whole {
                        assert_eq!(found, run, "{shape}");
                        // Without any one of its discs it is no line.
                        for gap in 0..run.len() {
                            let mut gappy = run.clone();
                            gappy.remove(gap);
                            assert_eq!(lines(shape, &gappy), [], "{shape}: {gappy:?}");
                        }
                    } else {
                        assert_eq!(found, [], "{shape}: {run:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_line_goes_on_in_the_next_bin_or_past_the_last() {
        for shape in shapes() {
            let stride = u32::from(shape.stride());
            for step in [1, stride - 1, stride, stride + 1] {
                for start in 0..128 {
                    // Cells whose bits are a step apart, on the board or not.
                    let run: Vec<Cell> = (0..u32::from(shape.line()))
                        .map(|count| (start + count * step) % 128)
                        .map(|place| Cell::new((place / stride) as u8, (place % stride) as u8))
                        .collect();
                    let neighbours = |pair: &[Cell]| {
                        pair[1].bin.index().abs_diff(pair[0].bin.index()) <= 1
                            && pair[1].row.abs_diff(pair[0].row) <= 1
                    };
                    let whole = run.iter().all(|&cell| bit(shape, cell).is_some())
                        && run.windows(2).all(neighbours);
                    assert_eq!(lines(shape, &run).is_empty(), !whole, "{shape}: {run:?}");
                }
            }
        }
    }

    #[test]
    fn steps_and_bits_stay_within_what_the_shifts_rely_on() {
        for bins in 0..=u8::MAX {
            for capacity in 0..=u8::MAX {
                if let Ok(shape) = Shape::new(bins, capacity, 3) {
                    assert!(shape.stride() < 31);
                    assert!(u32::from(bins) * u32::from(shape.stride()) <= 128);
                    assert!(u32::from(bins) * u32::from(capacity) == u32::from(shape.cells()));
                }
            }
        }
    }
}
