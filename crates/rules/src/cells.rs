//! Places on a board, one and many.

use core::fmt;

use crate::Shape;

/// A place on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "scale",
    derive(
        codec::Encode,
        codec::Decode,
        codec::MaxEncodedLen,
        scale_info::TypeInfo
    )
)]
pub struct Cell {
    /// The bin, from 0 at the left.
    pub bin: u8,
    /// The height in the bin, from 0 at the bottom.
    pub row: u8,
}

/// `(bin,row)`, both from 0.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.bin, self.row)
    }
}

/// A set of cells, one bit each, as [`Board`](crate::Board) numbers them.
///
/// Which bit is which cell depends on the board's shape, so what asks about
/// cells takes it.
///
/// # Examples
///
/// ```
/// use connect4_rules::{Cell, Cells, Shape};
///
/// let shape = Shape::STANDARD;
/// let cells = Cells::from_bits(0b1_0000010);
/// assert!(cells.contains(shape, Cell { bin: 0, row: 1 }));
/// assert_eq!(
///     cells.iter(shape).collect::<Vec<_>>(),
///     [Cell { bin: 0, row: 1 }, Cell { bin: 1, row: 0 }]
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "scale",
    derive(
        codec::Encode,
        codec::Decode,
        codec::MaxEncodedLen,
        scale_info::TypeInfo
    )
)]
pub struct Cells(u128);

impl Cells {
    /// No cells.
    pub const EMPTY: Self = Self(0);

    /// The cells of these bits. Bits that are no cells of a board are ignored by it.
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    /// The bits.
    #[must_use]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are, 0 to 128.
    #[must_use]
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether this cell is one of them; never if the board has no such cell.
    #[must_use]
    pub const fn contains(self, shape: Shape, cell: Cell) -> bool {
        match bit(shape, cell) {
            Some(bit) => self.0 & bit != 0,
            None => false,
        }
    }

    /// The cells, by bin from the left and in it by row from the bottom.
    pub const fn iter(self, shape: Shape) -> Iter {
        Iter {
            bits: self.0,
            shape,
            next: Cell { bin: 0, row: 0 },
        }
    }
}

/// The cells of a set; see [`Cells::iter`].
///
/// Walks bit by bit: as code this is a third of ranges and filters.
#[derive(Clone, Debug)]
pub struct Iter {
    /// The bits from `next` on.
    bits: u128,
    shape: Shape,
    next: Cell,
}

impl Iterator for Iter {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        while self.bits != 0 && self.next.bin < self.shape.bins() {
            let cell = self.next;
            let set = self.bits & 1 != 0;
            self.bits >>= 1;
            // Neither exceeds the shape by more than one: they do not wrap.
            if cell.row < self.shape.capacity() {
                self.next.row = cell.row.wrapping_add(1);
                if set {
                    return Some(cell);
                }
            } else {
                self.next.bin = cell.bin.wrapping_add(1);
                self.next.row = 0;
            }
        }
        None
    }
}

impl core::ops::BitOr for Cells {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl core::ops::BitAnd for Cells {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// The bit of a cell, if the board has that cell.
pub(crate) const fn bit(shape: Shape, cell: Cell) -> Option<u128> {
    if cell.bin < shape.bins() && cell.row < shape.capacity() {
        // Below MAX_BITS, as the shape is in bounds: neither the sum nor the shift wraps.
        let place = cell.bin.wrapping_mul(shape.stride()).wrapping_add(cell.row);
        Some(1_u128.wrapping_shl(place as u32))
    } else {
        None
    }
}
