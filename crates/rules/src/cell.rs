//! A cell, which holds one disc or none.

use core::fmt;
use core::str::FromStr;

use crate::parse::{self, ParseError};
use crate::{Bin, Shape};

/// A cell of a board.
///
/// A `Cell` need not exist on a given board:
/// [`Shape::iter_cells`](crate::Shape::iter_cells) gives those that do.
///
/// # Examples
///
/// ```
/// use connect4_rules::{Bin, Cell};
///
/// let cell = Cell::new(3, 0);
/// assert_eq!(cell, Cell { bin: Bin::new(3), row: 0 });
/// assert_eq!(cell.to_string(), "(3,0)");
/// assert_eq!("(3,0)".parse(), Ok(cell));
/// ```
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Cell {
    /// The bin, from 0 at the left.
    #[cfg_attr(feature = "declarations", ts(type = "number"))]
    pub bin: Bin,
    /// The height in the bin, from 0 at the bottom.
    pub row: u8,
}

impl Cell {
    /// The cell in the bin with this index and in this row, both from 0.
    #[must_use]
    pub const fn new(bin: u8, row: u8) -> Self {
        Self {
            bin: Bin::new(bin),
            row,
        }
    }
}

/// `(bin,row)`, both from 0.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.bin, self.row)
    }
}

/// Reads what `Display` writes.
impl FromStr for Cell {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = || {
            let (bin, row) = text.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
            Some(Self::new(parse::number(bin)?, parse::number(row)?))
        };
        read().ok_or(ParseError::new("(bin,row), both from 0"))
    }
}

/// The bit of a cell in [`Cells`](crate::Cells), if the board has that cell.
pub(crate) const fn bit(shape: Shape, cell: Cell) -> Option<u128> {
    let bin = cell.bin.index();
    if bin < shape.bins() && cell.row < shape.capacity() {
        // Below MAX_BITS, as the shape is in bounds: neither the sum nor the shift wraps.
        let place = bin.wrapping_mul(shape.stride()).wrapping_add(cell.row);
        Some(1_u128.wrapping_shl(place as u32))
    } else {
        None
    }
}
