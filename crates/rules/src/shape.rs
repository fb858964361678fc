//! The size of a board, and the length of a line on it.

use core::fmt;

use crate::{Bin, Cell};

/// Size of a board and length of a winning line; always within bounds.
///
/// | number | bounds |
/// |---|---|
/// | `bins` | 5 or more |
/// | `capacity` | 4 or more |
/// | `line` | 3 to 6, and no longer than the longer side |
/// | `bins * (capacity + 1)` | at most 128, the bits of a [`Board`](crate::Board) |
///
/// # Examples
///
/// ```
/// use connect4_rules::{Shape, ShapeError};
///
/// let shape = Shape::new(7, 6, 4)?;
/// assert_eq!(shape, Shape::STANDARD);
/// assert_eq!(shape.to_string(), "7x6, line 4");
/// assert_eq!("7x6, line 4".parse(), Ok(shape));
/// assert_eq!(Shape::new(4, 6, 4), Err(ShapeError::TooFewBins));
/// # Ok::<(), ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "scale",
    derive(codec::Encode, codec::MaxEncodedLen, scale_info::TypeInfo)
)]
pub struct Shape {
    bins: u8,
    capacity: u8,
    line: u8,
}

impl Shape {
    /// The fewest bins a board can have.
    pub const MIN_BINS: u8 = 5;
    /// The lowest capacity a bin can have.
    pub const MIN_CAPACITY: u8 = 4;
    /// The shortest winning line.
    pub const MIN_LINE: u8 = 3;
    /// The longest winning line.
    pub const MAX_LINE: u8 = 6;
    /// The bits of a board: a bin takes one more of them than it has cells.
    pub const MAX_BITS: u8 = 128;

    /// The board of the boxed game: 7 bins of 6, four in a row.
    pub const STANDARD: Self = Self {
        bins: 7,
        capacity: 6,
        line: 4,
    };
    /// The board of the classroom program: 6 bins of 4, four in a row.
    pub const CLASSROOM: Self = Self {
        bins: 6,
        capacity: 4,
        line: 4,
    };

    /// A board of `bins` bins of `capacity` cells, won by `line` in a row.
    ///
    /// # Errors
    ///
    /// The first [`ShapeError`] that applies, in the order of its variants.
    pub const fn new(bins: u8, capacity: u8, line: u8) -> Result<Self, ShapeError> {
        if bins < Self::MIN_BINS {
            return Err(ShapeError::TooFewBins);
        }
        if capacity < Self::MIN_CAPACITY {
            return Err(ShapeError::TooLowCapacity);
        }
        if line < Self::MIN_LINE || line > Self::MAX_LINE {
            return Err(ShapeError::LineOutOfBounds);
        }
        if line > bins && line > capacity {
            return Err(ShapeError::LineTooLong);
        }
        // At most 255 * 256: no overflow in 32 bits.
        if bins as u32 * (capacity as u32 + 1) > Self::MAX_BITS as u32 {
            return Err(ShapeError::TooLarge);
        }
        Ok(Self {
            bins,
            capacity,
            line,
        })
    }

    /// How many bins there are: 5 to 25.
    #[must_use]
    pub const fn bins(self) -> u8 {
        self.bins
    }

    /// How many discs a bin holds: 4 to 24.
    #[must_use]
    pub const fn capacity(self) -> u8 {
        self.capacity
    }

    /// How many in a row win: 3 to 6.
    #[must_use]
    pub const fn line(self) -> u8 {
        self.line
    }

    /// How many cells there are, so how many drops fill the board: 20 to 120.
    #[must_use]
    pub const fn cells(self) -> u8 {
        // Less than MAX_BITS: does not wrap.
        self.bins.wrapping_mul(self.capacity)
    }

    /// The bins, from the left.
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_rules::{Bin, Shape};
    ///
    /// let mut bins = Shape::STANDARD.iter_bins();
    /// assert_eq!(bins.len(), 7);
    /// assert_eq!(bins.next(), Some(Bin::new(0)));
    /// assert_eq!(bins.next_back(), Some(Bin::new(6)));
    /// ```
    pub fn iter_bins(
        self,
    ) -> impl DoubleEndedIterator<Item = Bin> + ExactSizeIterator + Clone + use<> {
        (0..self.bins).map(Bin::new)
    }

    /// The rows, from 0 at the bottom; reversed, they are in the order in which a board is drawn.
    pub fn iter_rows(
        self,
    ) -> impl DoubleEndedIterator<Item = u8> + ExactSizeIterator + Clone + use<> {
        0..self.capacity
    }

    /// The cells, by bin from the left and in it by row from the bottom.
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_rules::{Cell, Shape};
    ///
    /// let cells: Vec<Cell> = Shape::STANDARD.iter_cells().collect();
    /// assert_eq!(cells.len(), 42);
    /// assert_eq!(cells[5..7], [Cell::new(0, 5), Cell::new(1, 0)]);
    /// ```
    pub fn iter_cells(self) -> impl DoubleEndedIterator<Item = Cell> + Clone + use<> {
        self.iter_bins()
            .flat_map(move |bin| self.iter_rows().map(move |row| Cell { bin, row }))
    }

    /// How many bits of a board a bin takes: its cells and the one above them.
    pub(crate) const fn stride(self) -> u8 {
        // At most 25: does not wrap.
        self.capacity.wrapping_add(1)
    }
}

/// [`Shape::STANDARD`].
impl Default for Shape {
    fn default() -> Self {
        Self::STANDARD
    }
}

/// Refuses a shape that is out of bounds.
#[cfg(feature = "scale")]
impl codec::Decode for Shape {
    fn decode<I: codec::Input>(input: &mut I) -> Result<Self, codec::Error> {
        let [bins, capacity, line] = <[u8; 3]>::decode(input)?;
        Self::new(bins, capacity, line).map_err(|_| "shape out of bounds".into())
    }
}

/// Why a shape is refused: the first of these that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ShapeError {
    /// Fewer than [`Shape::MIN_BINS`] bins.
    TooFewBins,
    /// A capacity below [`Shape::MIN_CAPACITY`].
    TooLowCapacity,
    /// A line shorter than [`Shape::MIN_LINE`] or longer than [`Shape::MAX_LINE`].
    LineOutOfBounds,
    /// A line longer than both sides of the board: nobody could win.
    LineTooLong,
    /// `bins * (capacity + 1)` exceeds [`Shape::MAX_BITS`].
    TooLarge,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewBins => write!(f, "a board needs at least {} bins", Shape::MIN_BINS),
            Self::TooLowCapacity => {
                write!(
                    f,
                    "a bin needs a capacity of at least {}",
                    Shape::MIN_CAPACITY
                )
            }
            Self::LineOutOfBounds => write!(
                f,
                "a line needs to be {} to {} long",
                Shape::MIN_LINE,
                Shape::MAX_LINE
            ),
            Self::LineTooLong => {
                f.write_str("a line can't be longer than both the bins and the capacity")
            }
            Self::TooLarge => write!(
                f,
                "a board this large does not fit: bins * (capacity + 1) can be at most {}",
                Shape::MAX_BITS
            ),
        }
    }
}

impl core::error::Error for ShapeError {}
