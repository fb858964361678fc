//! Moves of a variant as text, as [`notation`](crate::notation) describes them.

use core::fmt;
use core::str::FromStr;

use super::{Move, MoveError, Position, Variant};
use crate::notation::{Notation, NotationError};
use crate::play::played;
use crate::{Bin, Cell};

impl Notation for Move {
    type Refusal = MoveError;
    const NOT_ONE: &str = "not a move";
    const IS_CHARACTER: bool = false;

    fn take(text: &mut &str) -> Option<Self> {
        let Some(letter) = text.chars().next().filter(char::is_ascii_alphabetic) else {
            return take_number(text).map(|bin| Self::Drop(Bin::new(bin)));
        };
        *text = text.get(1..)?;
        Some(match letter.to_ascii_lowercase() {
            'p' => Self::Pop(Bin::new(take_number(text)?)),
            't' => Self::Take(take_cell(text)?),
            'r' => Self::Clear(take_number(text)?),
            'f' => Self::Float(take_cell(text)?),
            's' => Self::Swap,
            _ => return None,
        })
    }

    fn write(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drop(bin) => write!(f, "{}", From1(bin.index())),
            Self::Pop(bin) => write!(f, "p{}", From1(bin.index())),
            Self::Take(cell) => write!(f, "t{}.{}", From1(cell.bin.index()), From1(cell.row)),
            Self::Clear(row) => write!(f, "r{}", From1(row)),
            Self::Float(cell) => write!(f, "f{}.{}", From1(cell.bin.index()), From1(cell.row)),
            Self::Swap => f.write_str("s"),
        }
    }
}

fn take_cell(text: &mut &str) -> Option<Cell> {
    let bin = take_number(text)?;
    *text = text.strip_prefix('.')?;
    Some(Cell::new(bin, take_number(text)?))
}

/// Reads a number from 1 off the beginning of a text, and returns it from 0.
fn take_number(text: &mut &str) -> Option<u8> {
    let (number, rest) = match text.strip_prefix('(') {
        Some(inner) => {
            let (number, rest) = inner.split_once(')')?;
            (crate::parse::number(number)?, rest)
        }
        None => {
            let digit = text.chars().next()?.to_digit(10)?;
            (digit as u8, text.get(1..)?)
        }
    };
    *text = rest;
    number.checked_sub(1)
}

/// As in [`notation`](crate::notation).
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

/// A number from 0, which is shown from 1.
struct From1(u8);

impl fmt::Display for From1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match u16::from(self.0).saturating_add(1) {
            number @ 1..=9 => write!(f, "{number}"),
            number => write!(f, "({number})"),
        }
    }
}

/// Returned if a text is not one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseMoveError;

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "not a move: 4 drops into bin 4, p4 pops it, t4.2 takes the disc in its row 2, r2 clears \
             row 2, f4.5 floats a disc into row 5 of bin 4, s swaps; bins and rows count from 1, and \
             those above 9 are written in parentheses",
        )
    }
}

impl core::error::Error for ParseMoveError {}

/// Reads what `Display` writes; letters may be capital.
impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let mut rest = text;
        Self::take(&mut rest)
            .filter(|_| rest.is_empty())
            .ok_or(ParseMoveError)
    }
}

/// The notation.
#[cfg(feature = "serde")]
impl serde::Serialize for Move {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Move {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Notation;

        impl serde::de::Visitor<'_> for Notation {
            type Value = Move;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a move as text, such as \"4\" or \"t3.2\"")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Move, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Notation)
    }
}

impl Position {
    /// The position after the moves of a string, played from the start.
    ///
    /// # Errors
    ///
    /// Names the first move that is none, or that the position refuses.
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_rules::Shape;
    /// use connect4_rules::variant::{Colour, Move, Outcome, Position, Variant};
    ///
    /// let classic = Variant::classic(Shape::STANDARD);
    /// let position = Position::from_moves(classic, "1212121")?;
    /// assert_eq!(position.outcome(), Some(Outcome::Line(Colour::Red)));
    ///
    /// let error = Position::from_moves(classic, "12p1").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "move 3, at character 3: this game is played without such moves"
    /// );
    /// # Ok::<(), connect4_rules::notation::NotationError<Move>>(())
    /// ```
    pub fn from_moves(variant: Variant, text: &str) -> Result<Self, NotationError<Move>> {
        played(Self::new(variant), text)
    }
}
