//! Names of games, as people and programs use them.

use core::fmt;
use core::str::FromStr;

use connect4_rules::ParseError;

use crate::message::ContractKind;

/// Name of a game on the chain: its kind, and its number among the games of that kind, from 0.
///
/// # Examples
///
/// ```
/// use connect4_protocol::GameId;
///
/// assert_eq!(GameId::Classic(3).to_string(), "3");
/// assert_eq!("v3".parse(), Ok(GameId::Variant(3)));
/// assert!("x3".parse::<GameId>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS), ts(type = "string"))]
pub enum GameId {
    /// A game between two accounts whose moves are made on the chain.
    Classic(u32),
    /// A game of a variant, or the table at which it is to be played.
    Variant(u32),
}

impl GameId {
    /// Number of the game in its contract.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::Classic(number) | Self::Variant(number) => number,
        }
    }

    /// The game of the same kind with this number.
    #[must_use]
    pub const fn sibling(self, number: u32) -> Self {
        match self {
            Self::Classic(_) => Self::Classic(number),
            Self::Variant(_) => Self::Variant(number),
        }
    }

    /// The contract that has the game.
    #[must_use]
    pub const fn contract(self) -> ContractKind {
        match self {
            Self::Classic(_) => ContractKind::Games,
            Self::Variant(_) => ContractKind::Variants,
        }
    }

    /// Whether it is a game of a variant, or a table.
    #[must_use]
    pub const fn is_variant(self) -> bool {
        matches!(self, Self::Variant(_))
    }
}

/// `3`, or `v3` for a variant.
impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Classic(number) => write!(f, "{number}"),
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
        let read = match text.strip_prefix('v') {
            Some(digits) => number(digits).map(Self::Variant),
            None => number(text).map(Self::Classic),
        };
        read.ok_or(ParseError::new(
            "the number of a game, such as 3, or v3 for a variant",
        ))
    }
}
