//! Numbers of games, as people and programs tell them.

use core::fmt;
use core::str::FromStr;

use connect4_rules::ParseError;

use crate::fast;

/// A game of any kind. The contracts of the games, of fast games and of the variants number theirs
/// apart, and people count each kind from 0.
///
/// # Examples
///
/// ```
/// use connect4_protocol::GameId;
///
/// assert_eq!(GameId::Classic(3).to_string(), "3");
/// assert_eq!("v3".parse(), Ok(GameId::Variant(3)));
/// assert_eq!("f3".parse(), Ok(GameId::Classic(connect4_protocol::fast::FIRST + 3)));
/// assert!("x3".parse::<GameId>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameId {
    /// A game between two accounts with this number; from [`fast::FIRST`] on a fast one.
    Classic(u32),
    /// A game of a variant, or a table, with this number.
    Variant(u32),
}

/// `3`; `f3` for the fast game whose number is [`fast::FIRST`] + 3; `v3` for a variant.
impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Classic(number) => match number.checked_sub(fast::FIRST) {
                Some(number) => write!(f, "f{number}"),
                None => write!(f, "{number}"),
            },
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
        let read = if let Some(digits) = text.strip_prefix('v') {
            number(digits).map(Self::Variant)
        } else if let Some(digits) = text.strip_prefix('f') {
            let fast = number(digits).and_then(|number| number.checked_add(fast::FIRST));
            fast.map(Self::Classic)
        } else {
            let classic = number(text).filter(|number| !fast::is_fast(*number));
            classic.map(Self::Classic)
        };
        read.ok_or(ParseError::new(
            "the number of a game, such as 3, f3 for a fast one, or v3 for a variant",
        ))
    }
}
