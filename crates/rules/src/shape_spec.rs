//! A shape that is not checked yet: as numbers and as text.

use core::fmt;
use core::str::FromStr;

use crate::parse::{self, ParseError};
use crate::{Shape, ShapeError};

/// A shape that was asked for and is not checked yet.
///
/// Its encoding is that of a [`Shape`], but any numbers decode, so that a contract can refuse a
/// shape out of bounds with an error of its own.
///
/// # Examples
///
/// ```
/// use connect4_rules::{Shape, ShapeError, ShapeSpec};
///
/// let asked: ShapeSpec = "5x1, line 4".parse()?;
/// assert_eq!(asked, ShapeSpec { bins: 5, capacity: 1, line: 4 });
/// assert_eq!(Shape::try_from(asked), Err(ShapeError::TooLowCapacity));
/// assert_eq!(Shape::try_from(ShapeSpec::from(Shape::STANDARD)), Ok(Shape::STANDARD));
/// # Ok::<(), connect4_rules::ParseError>(())
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[cfg_attr(feature = "declarations", ts(rename = "Shape"))]
pub struct ShapeSpec {
    /// How many bins.
    pub bins: u8,
    /// How many discs a bin holds.
    pub capacity: u8,
    /// How many in a row win.
    pub line: u8,
}

impl From<Shape> for ShapeSpec {
    fn from(shape: Shape) -> Self {
        Self {
            bins: shape.bins(),
            capacity: shape.capacity(),
            line: shape.line(),
        }
    }
}

impl TryFrom<ShapeSpec> for Shape {
    type Error = ShapeError;

    fn try_from(spec: ShapeSpec) -> Result<Self, ShapeError> {
        Self::new(spec.bins, spec.capacity, spec.line)
    }
}

/// As a [`Shape`] is shown: `7x6, line 4`.
impl fmt::Display for ShapeSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}, line {}", self.bins, self.capacity, self.line)
    }
}

/// Reads what `Display` writes.
impl FromStr for ShapeSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = || {
            let (size, line) = text.split_once(", line ")?;
            let (bins, capacity) = size.split_once('x')?;
            Some(Self {
                bins: parse::number(bins)?,
                capacity: parse::number(capacity)?,
                line: parse::number(line)?,
            })
        };
        read().ok_or(ParseError::new("a shape such as \"7x6, line 4\""))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ShapeSpec::from(*self).fmt(f)
    }
}

/// Reads what `Display` writes.
impl FromStr for Shape {
    type Err = ParseShapeError;

    fn from_str(text: &str) -> Result<Self, ParseShapeError> {
        let spec: ShapeSpec = text.parse().map_err(ParseShapeError::Form)?;
        Self::try_from(spec).map_err(ParseShapeError::OutOfBounds)
    }
}

/// Returned if a text is not that of a [`Shape`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseShapeError {
    /// The text does not have the form of a shape.
    Form(ParseError),
    /// The shape is out of bounds.
    OutOfBounds(ShapeError),
}

impl fmt::Display for ParseShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(error) => error.fmt(f),
            Self::OutOfBounds(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ParseShapeError {}

/// As the [`ShapeSpec`] is.
#[cfg(feature = "serde")]
impl serde::Serialize for Shape {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ShapeSpec::from(*self).serialize(serializer)
    }
}

/// Refuses a shape that is out of bounds.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Shape {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(ShapeSpec::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
