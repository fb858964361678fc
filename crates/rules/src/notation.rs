//! Moves as text.
//!
//! A move of the classic game is the character of its bin, as Connect Four solvers write it: counting
//! from **1**, so that `44444142` is eight drops, the first into the middle of seven bins. Bins past
//! the ninth are letters: `a` is the tenth, `p` the 25th, the most a board has. Capital letters are
//! read as well; small ones are written.
//!
//! ```text
//! bin, counted from 0    0 1 2 3 4 5 6 7 8 9 10 11 ... 24
//! character              1 2 3 4 5 6 7 8 9 a  b  c ...  p
//! ```
//!
//! A [`variant`](crate::variant) has more kinds of moves. A drop is the bin, counting from 1; the
//! others have a letter in front. A number above 9 is written in parentheses.
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
//! The moves of a game follow each other without anything between them. Spaces are skipped between
//! moves of a variant.
//!
//! # Examples
//!
//! ```
//! use connect4_rules::variant::Move;
//! use connect4_rules::{Bin, Cell, Position, Shape, notation};
//!
//! let moves = notation::parse("44a").collect::<Result<Vec<Bin>, _>>()?;
//! assert_eq!(moves, [3, 3, 9].map(Bin::new));
//! assert_eq!(notation::write(moves).to_string(), "44a");
//!
//! let position = Position::from_moves(Shape::STANDARD, "44444142")?;
//! assert_eq!(position.height(Bin::new(3)), 6);
//!
//! let error = Position::from_moves(Shape::STANDARD, "4x").unwrap_err();
//! assert_eq!(error.to_string(), "move 2, 'x': there is no such bin");
//! let error = Position::from_moves(Shape::STANDARD, "40").unwrap_err();
//! assert_eq!(error.to_string(), "move 2, '0': not a bin: bins are 1 to 9, then a to z");
//!
//! let moves = notation::parse("4s t3.2(12)").collect::<Result<Vec<Move>, _>>().unwrap();
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
//! # Ok::<(), notation::NotationError>(())
//! ```

use core::fmt;
use core::marker::PhantomData;

use crate::{Bin, DropError};

/// A move that can be written as text.
pub trait Notation: Copy {
    /// Why a position refuses such a move.
    type Refusal: fmt::Display;
    /// What an error says of a text that is not one.
    const NOT_ONE: &str;
    /// Whether a move is one character. Spaces between longer moves are skipped, and errors count
    /// their characters.
    const IS_CHARACTER: bool;

    /// Reads a move off the beginning of a text; none if there is no move, and then `text` may be
    /// anything.
    fn take(text: &mut &str) -> Option<Self>;

    /// Writes the move as [`take`](Self::take) reads it.
    ///
    /// # Errors
    ///
    /// Those of the formatter.
    fn write(self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl Bin {
    /// The bin that this character stands for, as in [`notation`](crate::notation).
    #[must_use]
    pub const fn from_char(character: char) -> Option<Self> {
        match character.to_digit(36) {
            None | Some(0) => None,
            // 1 to 35.
            Some(number) => Some(Self::new(number.wrapping_sub(1) as u8)),
        }
    }

    /// The character that stands for this bin, as in [`notation`](crate::notation);
    /// none past the 35th, which no board has.
    #[must_use]
    pub fn to_char(self) -> Option<char> {
        char::from_digit(u32::from(self.index()).saturating_add(1), 36)
    }
}

/// A move of the classic game. A bin past the 35th, which no board has, is written `?`, which does
/// not read back.
impl Notation for Bin {
    type Refusal = DropError;
    const NOT_ONE: &str = "not a bin: bins are 1 to 9, then a to z";
    const IS_CHARACTER: bool = true;

    fn take(text: &mut &str) -> Option<Self> {
        let mut characters = text.chars();
        let bin = Self::from_char(characters.next()?)?;
        *text = characters.as_str();
        Some(bin)
    }

    fn write(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.to_char().unwrap_or('?'))
    }
}

/// Reads a move string. The moves are not checked against a position; `from_moves` of the positions
/// does that. Ends after the first error.
#[must_use]
pub fn parse<M: Notation>(text: &str) -> Moves<'_, M> {
    Moves {
        text,
        rest: text,
        read: 0,
        kind: PhantomData,
    }
}

/// The moves of a string; see [`parse`].
#[derive(Clone, Debug)]
pub struct Moves<'a, M> {
    text: &'a str,
    rest: &'a str,
    /// How many moves were read.
    read: usize,
    kind: PhantomData<M>,
}

impl<'a, M: Notation> Moves<'a, M> {
    /// The next move, and its text with all that follows.
    pub(crate) fn step(&mut self) -> Option<(&'a str, Option<M>)> {
        if !M::IS_CHARACTER {
            self.rest = self.rest.trim_start();
        }
        let begin = self.rest;
        if begin.is_empty() {
            return None;
        }
        self.read = self.read.saturating_add(1);
        let action = M::take(&mut self.rest);
        if action.is_none() {
            self.rest = "";
        }
        Some((begin, action))
    }

    /// The error for the last move that was read, whose text begins here.
    pub(crate) fn error(&self, begin: &str, reason: Reason<M::Refusal>) -> NotationError<M> {
        let before = self.text.len().saturating_sub(begin.len());
        let before = self.text.get(..before).unwrap_or_default();
        NotationError {
            number: self.read,
            place: before.chars().count().saturating_add(1),
            character: begin.chars().next().unwrap_or_default(),
            reason,
        }
    }
}

impl<M: Notation> Iterator for Moves<'_, M> {
    type Item = Result<M, NotationError<M>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (begin, action) = self.step()?;
        Some(action.ok_or_else(|| self.error(begin, Reason::NotAMove)))
    }
}

/// Writes moves as [`parse`] reads them.
pub fn write<I>(moves: I) -> Written<I::IntoIter>
where
    I: IntoIterator<Item: Notation, IntoIter: Clone>,
{
    Written(moves.into_iter())
}

/// Moves whose `Display` is a move string; see [`write()`].
#[derive(Clone, Debug)]
pub struct Written<I>(I);

impl<I: Iterator<Item: Notation> + Clone> fmt::Display for Written<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.clone().try_for_each(|action| action.write(f))
    }
}

/// Returned if a move of a string is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NotationError<M: Notation = Bin> {
    /// Number of the move, from 1.
    pub number: usize,
    /// Place of its first character, from 1.
    pub place: usize,
    /// Its first character.
    pub character: char,
    /// Why the move is wrong.
    pub reason: Reason<M::Refusal>,
}

/// Why a move of a string is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason<E> {
    /// The text is not a move.
    NotAMove,
    /// The position refuses the move.
    Refused(E),
}

impl<M: Notation> fmt::Display for NotationError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match M::IS_CHARACTER {
            true => write!(f, "move {}, {:?}: ", self.number, self.character),
            false => write!(f, "move {}, at character {}: ", self.number, self.place),
        }?;
        match &self.reason {
            Reason::NotAMove => f.write_str(M::NOT_ONE),
            Reason::Refused(error) => error.fmt(f),
        }
    }
}

impl<M: Notation + fmt::Debug> core::error::Error for NotationError<M> where M::Refusal: fmt::Debug {}
