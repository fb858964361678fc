//! Numbers of games, as people and programs tell them.

use core::fmt;
use core::str::FromStr;

use connect4_rules::ParseError;

/// A game of either kind. The contracts of the games and of the variants number theirs apart, each
/// from 0.
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
pub enum GameId {
    /// A classic game with this number.
    Classic(u32),
    /// A game of a variant, or a table, with this number.
    Variant(u32),
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
        let (digits, id): (_, fn(u32) -> Self) = match text.strip_prefix('v') {
            Some(digits) => (digits, Self::Variant),
            None => (text, Self::Classic),
        };
        // A number with a sign parses, but is never written.
        digits
            .parse()
            .ok()
            .filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
            .map(id)
            .ok_or(ParseError::new(
                "the number of a game, such as 3, or v3 for a variant",
            ))
    }
}
