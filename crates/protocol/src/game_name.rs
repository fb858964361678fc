//! Names of games: those on the chain, and signed ones.

use core::fmt;
use core::str::FromStr;

use connect4_rules::ParseError;

use crate::GameId;
use crate::signed::GameNumber;

/// Name of a game on the chain, or of a signed one.
///
/// # Examples
///
/// ```
/// use connect4_protocol::signed::GameNumber;
/// use connect4_protocol::{GameId, GameName};
///
/// let signed = GameName::Terms(GameNumber([0xab; 32]));
/// assert_eq!(signed.to_string().parse(), Ok(signed));
/// assert!("0x12".parse::<GameName>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS), ts(type = "string"))]
pub enum GameName {
    /// A game on the chain.
    Chain(GameId),
    /// A signed game, by the digest of its terms.
    Terms(GameNumber),
}

impl GameName {
    /// The game on the chain; none of a signed one.
    #[must_use]
    pub const fn on_chain(self) -> Option<GameId> {
        match self {
            Self::Chain(game) => Some(game),
            Self::Terms(_) => None,
        }
    }
}

impl From<GameId> for GameName {
    fn from(game: GameId) -> Self {
        Self::Chain(game)
    }
}

impl From<GameNumber> for GameName {
    fn from(number: GameNumber) -> Self {
        Self::Terms(number)
    }
}

/// As [`GameId`], or `0x` and 64 hexadecimal digits.
impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain(game) => game.fmt(f),
            Self::Terms(number) => number.fmt(f),
        }
    }
}

/// Reads what `Display` writes.
impl FromStr for GameName {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text.starts_with("0x") {
            return text.parse().map(Self::Terms);
        }
        let game = text.parse().map(Self::Chain);
        game.map_err(|_| {
            ParseError::new(
                "the number of a game, such as 3, v3 for a variant, or 0x and the 64 \
                 digits of a game by signed terms",
            )
        })
    }
}
