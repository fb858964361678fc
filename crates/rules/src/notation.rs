//! Moves as text, as Connect Four solvers write them.
//!
//! One character a move, counting bins from **1**: `44444142` is eight drops, the
//! first into the middle of seven bins. Bins past the ninth are letters, so that a
//! move stays one character: `a` is the tenth, `p` the 25th, the most a board has.
//! Capital letters are read as well; small ones are written.
//!
//! ```text
//! bin, counted from 0    0 1 2 3 4 5 6 7 8 9 10 11 ... 24
//! character              1 2 3 4 5 6 7 8 9 a  b  c ...  p
//! ```
//!
//! # Examples
//!
//! ```
//! use connect4_rules::{Bin, Position, Shape, notation};
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
//! # Ok::<(), notation::NotationError>(())
//! ```

use core::fmt;
use core::iter::Enumerate;
use core::str::Chars;

use crate::{Bin, DropError, Position, Shape};

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

/// Reads a move string. The moves are not checked against a board;
/// [`Position::from_moves`] does that.
#[must_use]
pub fn parse(text: &str) -> Moves<'_> {
    Moves {
        characters: text.chars().enumerate(),
    }
}

/// The moves of a string; see [`parse`].
#[derive(Clone, Debug)]
pub struct Moves<'a> {
    characters: Enumerate<Chars<'a>>,
}

impl Moves<'_> {
    /// The next move: its place from 1, its character, and the bin if the character stands for one.
    fn step(&mut self) -> Option<(usize, char, Option<Bin>)> {
        let (index, character) = self.characters.next()?;
        Some((
            index.saturating_add(1),
            character,
            Bin::from_char(character),
        ))
    }
}

impl Iterator for Moves<'_> {
    type Item = Result<Bin, NotationError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (place, character, bin) = self.step()?;
        Some(bin.ok_or(NotationError {
            place,
            character,
            reason: Reason::NotABin,
        }))
    }
}

/// Writes moves as [`parse`] reads them. A bin past the 35th, which no board has,
/// is written `?`, which does not read back.
pub fn write<I>(moves: I) -> Written<I::IntoIter>
where
    I: IntoIterator<Item = Bin>,
    I::IntoIter: Clone,
{
    Written(moves.into_iter())
}

/// Moves whose `Display` is a move string; see [`write()`].
#[derive(Clone, Debug)]
pub struct Written<I>(I);

impl<I: Iterator<Item = Bin> + Clone> fmt::Display for Written<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .clone()
            .try_for_each(|bin| fmt::Write::write_char(f, bin.to_char().unwrap_or('?')))
    }
}

impl Position {
    /// The position after the moves of a string, played from the start.
    ///
    /// # Errors
    ///
    /// Names the first character that stands for no bin, or whose drop the position refuses.
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_rules::{Outcome, Player, Position, Shape};
    ///
    /// let position = Position::from_moves(Shape::STANDARD, "1212121")?;
    /// assert_eq!(position.outcome(), Some(Outcome::Won(Player::One)));
    ///
    /// let error = Position::from_moves(Shape::STANDARD, "12121212").unwrap_err();
    /// assert_eq!(error.to_string(), "move 8, '2': the game has ended");
    /// # Ok::<(), connect4_rules::notation::NotationError>(())
    /// ```
    pub fn from_moves(shape: Shape, text: &str) -> Result<Self, NotationError> {
        let mut position = Self::new(shape);
        let mut moves = parse(text);
        while let Some((place, character, bin)) = moves.step() {
            let refused = match bin {
                None => Some(Reason::NotABin),
                Some(bin) => position.drop(bin).err().map(Reason::Refused),
            };
            if let Some(reason) = refused {
                return Err(NotationError {
                    place,
                    character,
                    reason,
                });
            }
        }
        Ok(position)
    }
}

/// Returned if a move of a string is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NotationError {
    /// Place of the move, counted from 1.
    pub place: usize,
    /// Character of the move.
    pub character: char,
    /// Why the move is wrong.
    pub reason: Reason,
}

/// Why a move of a string is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The character stands for no bin.
    NotABin,
    /// The position refuses the drop.
    Refused(DropError),
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}, {:?}: ", self.place, self.character)?;
        match self.reason {
            Reason::NotABin => f.write_str("not a bin: bins are 1 to 9, then a to z"),
            Reason::Refused(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for NotationError {}
