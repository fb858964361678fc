//! Names of games, as people and programs use them.

use core::fmt;
use core::str::FromStr;

use connect4_rules::ParseError;

use crate::fast;
use crate::message::ContractKind;

/// Name of a game: its kind, and its number among the games of that kind, from 0.
///
/// The contracts of the games and of fast games number theirs in one line of numbers, in which fast
/// ones begin at [`fast::FIRST`]. [`GameId::of_two`] and [`GameId::number`] convert between that line
/// and names; nothing else has to compare numbers.
///
/// # Examples
///
/// ```
/// use connect4_protocol::{GameId, fast};
///
/// assert_eq!(GameId::Classic(3).to_string(), "3");
/// assert_eq!("f3".parse(), Ok(GameId::Fast(3)));
/// assert_eq!("v3".parse(), Ok(GameId::Variant(3)));
/// assert!("x3".parse::<GameId>().is_err());
///
/// assert_eq!(GameId::of_two(fast::FIRST + 3), GameId::Fast(3));
/// assert_eq!(GameId::Fast(3).number(), fast::FIRST + 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS), ts(type = "string"))]
pub enum GameId {
    /// A game between two accounts whose moves are made on the chain.
    Classic(u32),
    /// A game between two accounts whose moves are signed off the chain.
    Fast(u32),
    /// A game of a variant, or the table at which it is to be played.
    Variant(u32),
}

impl GameId {
    /// The game between two accounts that has this number on the chain.
    #[must_use]
    pub const fn of_two(number: u32) -> Self {
        match number.checked_sub(fast::FIRST) {
            Some(fast) => Self::Fast(fast),
            None => Self::Classic(number),
        }
    }

    /// Number of the game in its contract.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::Classic(number) | Self::Variant(number) => number,
            Self::Fast(fast) => fast::FIRST.saturating_add(fast),
        }
    }

    /// Number of the game among those of its kind, from 0.
    #[must_use]
    pub const fn place(self) -> u32 {
        match self {
            Self::Classic(place) | Self::Fast(place) | Self::Variant(place) => place,
        }
    }

    /// The game of the same kind with this number among them.
    #[must_use]
    pub const fn sibling(self, place: u32) -> Self {
        match self {
            Self::Classic(_) => Self::Classic(place),
            Self::Fast(_) => Self::Fast(place),
            Self::Variant(_) => Self::Variant(place),
        }
    }

    /// The contract that has the game.
    #[must_use]
    pub const fn contract(self) -> ContractKind {
        match self {
            Self::Classic(_) => ContractKind::Games,
            Self::Fast(_) => ContractKind::Fast,
            Self::Variant(_) => ContractKind::Variants,
        }
    }

    /// Whether the game is a fast one.
    #[must_use]
    pub const fn is_fast(self) -> bool {
        matches!(self, Self::Fast(_))
    }

    /// Whether it is a game of a variant, or a table.
    #[must_use]
    pub const fn is_variant(self) -> bool {
        matches!(self, Self::Variant(_))
    }
}

/// `3`, `f3` for a fast game, `v3` for a variant.
impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Classic(number) => write!(f, "{number}"),
            Self::Fast(number) => write!(f, "f{number}"),
            Self::Variant(number) => write!(f, "v{number}"),
        }
    }
}

/// Reads what `Display` writes.
impl FromStr for GameId {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = |digits: &str| {
            // A number with a sign parses, but is never written.
            let number: u32 = digits.parse().ok()?;
            digits
                .bytes()
                .all(|byte| byte.is_ascii_digit())
                .then_some(number)
        };
        // The two kinds share the numbers of the chain.
        let of_two = |number: &u32| *number < fast::FIRST;
        let read = if let Some(digits) = text.strip_prefix('v') {
            number(digits).map(Self::Variant)
        } else if let Some(digits) = text.strip_prefix('f') {
            number(digits).filter(of_two).map(Self::Fast)
        } else {
            number(text).filter(of_two).map(Self::Classic)
        };
        read.ok_or(ParseError::new(
            "the number of a game, such as 3, f3 for a fast one, or v3 for a variant",
        ))
    }
}
