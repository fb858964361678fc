//! A set of cells.

use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Sub, SubAssign};

use crate::cell::bit;
use crate::{Bin, Cell, Shape};

/// A set of cells, one bit each, numbered as the top of [`Board`](crate::Board)'s file draws them:
/// the bit of a cell is `bin * (capacity + 1) + row`.
///
/// Which bit is which cell depends on the shape of the board, so methods that take or give cells
/// take the shape as well. Two sets combine by `|` (union), `&` (intersection), `^` (cells of
/// just one of them) and `-` (difference); sets of the same shape only.
///
/// # Examples
///
/// ```
/// use connect4_rules::{Cell, Cells, Shape};
///
/// let shape = Shape::STANDARD;
/// let mut cells = Cells::EMPTY.with(shape, Cell::new(1, 0));
/// cells.insert(shape, Cell::new(0, 1));
/// assert_eq!(cells, Cells::from_bits(0b1_0000010));
/// assert!(cells.contains(shape, Cell::new(0, 1)));
/// assert!(cells.iter(shape).eq([Cell::new(0, 1), Cell::new(1, 0)]));
///
/// // Sets collect into their union.
/// let bottom: Cells = shape.iter_bins().map(|bin| Cells::of(shape, Cell { bin, row: 0 })).collect();
/// assert_eq!(bottom.len(), 7);
/// assert_eq!(bottom & cells, Cells::of(shape, Cell::new(1, 0)));
/// assert_eq!((Cells::all(shape) - bottom).len(), 35);
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

    /// This cell alone; empty if the board has no such cell.
    #[must_use]
    pub const fn of(shape: Shape, cell: Cell) -> Self {
        match bit(shape, cell) {
            Some(bit) => Self(bit),
            None => Self::EMPTY,
        }
    }

    /// Every cell of the board.
    #[must_use]
    pub const fn all(shape: Shape) -> Self {
        // The bits of the lowest bin: 4 to 24.
        let bin = 1_u128.wrapping_shl(shape.capacity() as u32).wrapping_sub(1);
        Self(in_every_bin(shape, bin))
    }

    /// The cells of a row; none if the board has no such row.
    #[must_use]
    pub const fn row(shape: Shape, row: u8) -> Self {
        match bit(shape, Cell::new(0, row)) {
            Some(bit) => Self(in_every_bin(shape, bit)),
            None => Self::EMPTY,
        }
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

    /// The set with this cell as well; unchanged if the board has no such cell.
    #[must_use]
    pub const fn with(self, shape: Shape, cell: Cell) -> Self {
        Self(self.0 | Self::of(shape, cell).0)
    }

    /// The set without this cell.
    #[must_use]
    pub const fn without(self, shape: Shape, cell: Cell) -> Self {
        Self(self.0 & !Self::of(shape, cell).0)
    }

    /// Adds a cell, and returns whether that changed the set. A cell that the board does not have
    /// is not added.
    pub const fn insert(&mut self, shape: Shape, cell: Cell) -> bool {
        let before = self.0;
        *self = self.with(shape, cell);
        self.0 != before
    }

    /// Removes a cell, and returns whether that changed the set.
    pub const fn remove(&mut self, shape: Shape, cell: Cell) -> bool {
        let before = self.0;
        *self = self.without(shape, cell);
        self.0 != before
    }

    /// The cells of every run of [`Shape::line`] or more of these cells in a row, column or diagonal.
    #[must_use]
    pub fn lines(self, shape: Shape) -> Self {
        Self(lines(|| self.0, &shape))
    }

    /// The cells that are not in the set and would complete a line of [`Shape::line`] with it.
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_rules::{Cell, Cells, Shape};
    ///
    /// let shape = Shape::STANDARD;
    /// let three: Cells = [1, 2, 4].map(|bin| Cells::of(shape, Cell::new(bin, 0))).into_iter().collect();
    /// assert_eq!(three.completing(shape), Cells::of(shape, Cell::new(3, 0)));
    /// ```
    #[must_use]
    pub fn completing(self, shape: Shape) -> Self {
        let stride = u32::from(shape.stride());
        let mut completing = 0;
        for step in [1, stride.wrapping_sub(1), stride, stride.wrapping_add(1)] {
            completing |= completing_along(self.0, step, shape.line());
        }
        Self(completing & !self.0) & Self::all(shape)
    }

    /// Removes the first of them and returns it: that of the lowest row in the leftmost bin. The set
    /// has cells of the board alone.
    pub(crate) const fn take_first(&mut self, shape: Shape) -> Option<Cell> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        // Clears the lowest bit.
        self.0 &= self.0.wrapping_sub(1);
        let stride = shape.stride() as u32;
        // The stride is not 0.
        match (bit.checked_div(stride), bit.checked_rem(stride)) {
            (Some(bin), Some(row)) => Some(Cell::new(bin as u8, row as u8)),
            _ => None,
        }
    }

    /// The cells, by bin from the left and in it by row from the bottom.
    pub const fn iter(self, shape: Shape) -> CellsIter {
        CellsIter {
            bits: self.0,
            shape,
            next: Cell::new(0, 0),
        }
    }
}

/// The cells of every run of [`Shape::line`] or more of these cells in a row, column or diagonal.
///
/// A contract pays for this code on every move. It is 140 bytes shorter than with the cells and the
/// shape as values, which the compiler would keep from one direction to the next.
pub(crate) fn lines(cells: impl Fn() -> u128, shape: &Shape) -> u128 {
    let stride = u32::from(shape.stride());
    let mut lines = 0;
    // Up; then to the right and down, to the right, to the right and up. The stride is 5 to 25.
    for step in [1, stride.wrapping_sub(1), stride, stride.wrapping_add(1)] {
        lines |= lines_along(cells(), step, shape.line());
    }
    lines
}

/// The discs that lie in a line of `line` or more along one direction.
///
/// In plain form: a disc and the `line - 1` after it, `step` apart, are in the result if all of
/// them are set.
fn lines_along(discs: u128, step: u32, line: u8) -> u128 {
    // No step exceeds 26. The mask tells the compiler, which else adds a branch for shifts of 64
    // and more.
    let step = step & 31;
    // Each round keeps the discs whose run of successors is one longer.
    let mut lines = discs;
    for _ in 1..line {
        lines &= lines >> step;
    }
    // What is left starts a line. Each round adds the line's next disc.
    if lines != 0 {
        for _ in 1..line {
            lines |= lines << step;
        }
    }
    lines
}

/// The bits that have a line of `line` along one direction if they are set as well.
///
/// In plain form: a bit is in the result if for a number `before` the `before` bits before it and the
/// `line - 1 - before` bits after it, `step` apart, are set.
fn completing_along(discs: u128, step: u32, line: u8) -> u128 {
    // No step exceeds 26; see `lines_along`.
    let step = step & 31;
    // The bits with so many discs after them; `after[5]` is for lines of six.
    let mut after = [u128::MAX; 6];
    for number in 1..after.len() {
        after[number] = (after[number.wrapping_sub(1)] & discs) >> step;
    }
    let mut before = u128::MAX;
    let mut completing = 0;
    for number in (0..line).rev() {
        completing |= before & after.get(usize::from(number)).copied().unwrap_or(0);
        before = (before & discs) << step;
    }
    completing
}

/// The same bits in every bin, given those of the first.
const fn in_every_bin(shape: Shape, first: u128) -> u128 {
    let stride = shape.stride() as u32;
    let mut bits = first;
    let mut bins: u32 = 1;
    // Doubles the number of bins, of which the last round may make too many: at most 25 bins are
    // wanted, and no bit is shifted by 128 or more, as that would be past the last bin.
    while bins < shape.bins() as u32 {
        bits |= bits.wrapping_shl(bins.wrapping_mul(stride));
        bins = bins.wrapping_mul(2);
    }
    let length = (shape.bins() as u32).wrapping_mul(stride);
    match 1_u128.checked_shl(length) {
        Some(end) => bits & end.wrapping_sub(1),
        None => bits,
    }
}

/// The cells of a set; see [`Cells::iter`].
///
/// Walks bit by bit: as code this is a third of ranges and filters.
#[derive(Clone, Debug)]
pub struct CellsIter {
    /// The bits from `next` on.
    bits: u128,
    shape: Shape,
    next: Cell,
}

impl Iterator for CellsIter {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        while self.bits != 0 && self.next.bin.index() < self.shape.bins() {
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
                self.next.bin = Bin::new(cell.bin.index().wrapping_add(1));
                self.next.row = 0;
            }
        }
        None
    }
}

/// The union of sets.
impl FromIterator<Cells> for Cells {
    fn from_iter<I: IntoIterator<Item = Self>>(sets: I) -> Self {
        let mut union = Self::EMPTY;
        union.extend(sets);
        union
    }
}

/// Adds the cells of each set.
impl Extend<Cells> for Cells {
    fn extend<I: IntoIterator<Item = Self>>(&mut self, sets: I) {
        sets.into_iter().for_each(|set| *self |= set);
    }
}

impl BitOr for Cells {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Cells {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitAnd for Cells {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for Cells {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitXor for Cells {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitXorAssign for Cells {
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl Sub for Cells {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl SubAssign for Cells {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// `0x` and 32 hexadecimal digits: not every format has numbers of 128 bits.
#[cfg(feature = "serde")]
impl serde::Serialize for Cells {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:#034x}", self.0))
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Cells {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Digits;

        impl serde::de::Visitor<'_> for Digits {
            type Value = Cells;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("0x and 32 hexadecimal digits")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Cells, E> {
                text.strip_prefix("0x")
                    // A sign would be read as part of the number.
                    .filter(|digits| digits.len() == 32 && !digits.starts_with('+'))
                    .and_then(|digits| u128::from_str_radix(digits, 16).ok())
                    .map(Cells)
                    .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_str(Digits)
    }
}
