//! How a game ends on the board.

use core::fmt;
use core::str::FromStr;

use crate::{ParseError, Player};

/// How a game ended.
///
/// # Examples
///
/// ```
/// use connect4_rules::{Outcome, Player};
///
/// let outcome = Outcome::Won(Player::One);
/// assert_eq!(outcome.winner(), Some(Player::One));
/// assert_eq!(outcome.to_string(), "winner: red");
/// assert_eq!("a tie".parse(), Ok(Outcome::Draw));
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
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// This player has a line.
    Won(Player),
    /// The board is full and nobody has a line.
    Draw,
}

impl Outcome {
    /// Who won; none if it is a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Self::Won(player) => Some(player),
            Self::Draw => None,
        }
    }
}

/// `winner: red`, `winner: blue` or `a tie`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Won(player) => write!(f, "winner: {player}"),
            Self::Draw => f.write_str("a tie"),
        }
    }
}

/// Reads what `Display` writes.
impl FromStr for Outcome {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let winner = text
            .strip_prefix("winner: ")
            .and_then(|colour| colour.parse().ok());
        match winner {
            Some(player) => Ok(Self::Won(player)),
            None if text == "a tie" => Ok(Self::Draw),
            None => Err(ParseError::new("winner: red, winner: blue or a tie")),
        }
    }
}
