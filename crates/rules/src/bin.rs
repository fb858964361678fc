//! Where a disc is dropped.

use core::fmt;

/// A bin, counted from 0 at the left.
///
/// Whether a board has such a bin is for the board to say:
/// [`DropError::NoSuchBin`](crate::DropError::NoSuchBin).
///
/// # Examples
///
/// ```
/// use connect4_rules::Bin;
///
/// let bin = Bin::new(3);
/// assert_eq!(bin.index(), 3);
/// assert_eq!(bin.to_char(), Some('4'));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bin(u8);

impl Bin {
    /// The bin with this index, from 0.
    #[must_use]
    pub const fn new(index: u8) -> Self {
        Self(index)
    }

    /// The index, from 0.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }
}

/// The index, from 0.
impl fmt::Display for Bin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
