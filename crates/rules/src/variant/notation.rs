//! Moves of a variant as text.
//!
//! A drop is written as in the classic game: the bin, counting from **1**. The others have a
//! letter in front. A number above 9 is written in parentheses.
//!
//! | move | text |
//! |---|---|
//! | drop into bin 4 | `4` |
//! | pop of bin 3 | `p3` |
//! | take of the disc in bin 3, row 2 | `t3.2` |
//! | clear of row 2 | `r2` |
//! | float into bin 12, row 5 | `f(12).5` |
//! | swap | `s` |
//!
//! The moves of a game follow each other without anything between them; spaces are skipped.
//!
//! # Examples
//!
//! ```
//! use connect4_rules::variant::{Move, notation};
//! use connect4_rules::{Bin, Cell};
//!
//! let moves: Vec<Move> = notation::parse("4s t3.2(12)").collect::<Result<_, _>>()?;
//! assert_eq!(
//!     moves,
//!     [
//!         Move::Drop(Bin::new(3)),
//!         Move::Swap,
//!         Move::Take(Cell::new(2, 1)),
//!         Move::Drop(Bin::new(11)),
//!     ]
//! );
//! assert_eq!(notation::write(moves).to_string(), "4st3.2(12)");
//! assert_eq!("r2".parse(), Ok(Move::Clear(1)));
//!
//! let error = notation::parse("44x").last().unwrap().unwrap_err();
//! assert_eq!(error.to_string(), "move 3, at character 3: not a move");
//! # Ok::<(), notation::NotationError>(())
//! ```

use core::fmt;
use core::str::FromStr;

use super::{Move, MoveError, Position, Variant};
use crate::{Bin, Cell};

/// Reads a move string. The moves are not checked against a position;
/// [`Position::from_moves`] does that. Ends after the first error.
#[must_use]
pub fn parse(text: &str) -> Moves<'_> {
    Moves {
        text,
        rest: text,
        read: 0,
    }
}

/// The moves of a string; see [`parse`].
#[derive(Clone, Debug)]
pub struct Moves<'a> {
    text: &'a str,
    rest: &'a str,
    /// How many moves were read.
    read: usize,
}

impl Moves<'_> {
    /// The error for the last move that was read, whose text begins where `rest` has this length.
    fn error(&self, length: usize, reason: Reason) -> NotationError {
        let before = self.text.len().saturating_sub(length);
        let characters = self.text.get(..before).unwrap_or_default().chars().count();
        NotationError {
            number: self.read,
            character: characters.saturating_add(1),
            reason,
        }
    }
}

impl Iterator for Moves<'_> {
    type Item = Result<Move, NotationError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rest = self.rest.trim_start();
        if self.rest.is_empty() {
            return None;
        }
        self.read = self.read.saturating_add(1);
        let length = self.rest.len();
        match take_move(&mut self.rest) {
            Some(action) => Some(Ok(action)),
            None => {
                self.rest = "";
                Some(Err(self.error(length, Reason::NotAMove)))
            }
        }
    }
}

/// Reads a move off the beginning of a text.
fn take_move(text: &mut &str) -> Option<Move> {
    let Some(letter) = text.chars().next().filter(char::is_ascii_alphabetic) else {
        return take_number(text).map(|bin| Move::Drop(Bin::new(bin)));
    };
    *text = text.get(1..)?;
    Some(match letter.to_ascii_lowercase() {
        'p' => Move::Pop(Bin::new(take_number(text)?)),
        't' => Move::Take(take_cell(text)?),
        'r' => Move::Clear(take_number(text)?),
        'f' => Move::Float(take_cell(text)?),
        's' => Move::Swap,
        _ => return None,
    })
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

/// As in [`notation`](self).
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Drop(bin) => write!(f, "{}", From1(bin.index())),
            Self::Pop(bin) => write!(f, "p{}", From1(bin.index())),
            Self::Take(cell) => write!(f, "t{}.{}", From1(cell.bin.index()), From1(cell.row)),
            Self::Clear(row) => write!(f, "r{}", From1(row)),
            Self::Float(cell) => write!(f, "f{}.{}", From1(cell.bin.index()), From1(cell.row)),
            Self::Swap => f.write_str("s"),
        }
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
        take_move(&mut rest)
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

/// Writes moves as [`parse`] reads them.
pub fn write<I>(moves: I) -> Written<I::IntoIter>
where
    I: IntoIterator<Item = Move>,
    I::IntoIter: Clone,
{
    Written(moves.into_iter())
}

/// Moves whose `Display` is a move string; see [`write()`].
#[derive(Clone, Debug)]
pub struct Written<I>(I);

impl<I: Iterator<Item = Move> + Clone> fmt::Display for Written<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.clone().try_for_each(|action| action.fmt(f))
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
    /// use connect4_rules::variant::{Colour, Outcome, Position, Variant};
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
    /// # Ok::<(), connect4_rules::variant::notation::NotationError>(())
    /// ```
    pub fn from_moves(variant: Variant, text: &str) -> Result<Self, NotationError> {
        let mut position = Self::new(variant);
        let mut moves = parse(text);
        loop {
            let length = moves.rest.trim_start().len();
            let Some(action) = moves.next() else {
                return Ok(position);
            };
            if let Err(error) = position.play(action?) {
                return Err(moves.error(length, Reason::Refused(error)));
            }
        }
    }
}

/// Why a string is no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NotationError {
    /// Number of the move that is wrong, from 1.
    pub number: usize,
    /// Place of its first character, from 1.
    pub character: usize,
    /// Why the move is wrong.
    pub reason: Reason,
}

/// Why a move of a string is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The text is not a move.
    NotAMove,
    /// The position refuses the move.
    Refused(MoveError),
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}, at character {}: ", self.number, self.character)?;
        match self.reason {
            Reason::NotAMove => f.write_str("not a move"),
            Reason::Refused(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for NotationError {}
