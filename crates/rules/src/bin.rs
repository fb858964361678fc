//! A bin, into which discs are dropped.

use core::fmt;
use core::str::FromStr;

use crate::parse::{self, ParseError};

/// A bin, counted from 0 at the left.
///
/// A `Bin` need not exist on a given board:
/// [`Shape::iter_bins`](crate::Shape::iter_bins) gives those that do, and a drop into another is
/// refused with [`DropError::NoSuchBin`](crate::DropError::NoSuchBin).
///
/// Its SCALE encoding and its SCALE type are those of the index.
///
/// # Examples
///
/// ```
/// use connect4_rules::Bin;
///
/// let bin = Bin::new(3);
/// assert_eq!(bin.index(), 3);
/// assert_eq!(bin.to_char(), Some('4'));
/// assert_eq!(bin.to_string().parse(), Ok(bin));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "scale",
    derive(codec::Encode, codec::Decode, codec::MaxEncodedLen)
)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

/// Reads what `Display` writes.
impl FromStr for Bin {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse::number(text)
            .map(Self)
            .ok_or(ParseError::new("the number of a bin, from 0"))
    }
}

/// Metadata show a bin as the number it is encoded as, so that clients need no type for it.
#[cfg(feature = "scale")]
impl scale_info::TypeInfo for Bin {
    type Identity = u8;

    fn type_info() -> scale_info::Type {
        u8::type_info()
    }
}
