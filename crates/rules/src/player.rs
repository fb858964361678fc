//! The two players.

use core::fmt;
use core::str::FromStr;

use crate::ParseError;

/// One of the two players. One is red and moves first, two is blue.
///
/// # Examples
///
/// ```
/// use connect4_rules::Player;
///
/// assert_eq!(Player::One.opponent(), Player::Two);
/// assert_eq!(Player::Two.to_string(), "blue");
/// assert_eq!("blue".parse(), Ok(Player::Two));
/// assert_eq!(Player::ALL.map(Player::disc), ['●', '⬟']);
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
#[repr(u8)]
pub enum Player {
    /// Player one, red, who moves first.
    #[cfg_attr(feature = "serde", serde(rename = "red"))]
    One = 0,
    /// Player two, blue.
    #[cfg_attr(feature = "serde", serde(rename = "blue"))]
    Two = 1,
}

impl Player {
    /// Both players, in the order in which they move.
    pub const ALL: [Self; 2] = [Self::One, Self::Two];

    /// The other player.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// The colour of this player's discs: `red` or `blue`.
    #[must_use]
    pub const fn colour(self) -> &'static str {
        match self {
            Self::One => "red",
            Self::Two => "blue",
        }
    }

    /// How a disc of this player is shown: a circle or a pentagon.
    #[must_use]
    pub const fn disc(self) -> char {
        match self {
            Self::One => '●',
            Self::Two => '⬟',
        }
    }

    /// How a disc of a winning line is shown: a double circle or a hollow pentagon.
    #[must_use]
    pub const fn winning_disc(self) -> char {
        match self {
            Self::One => '◎',
            Self::Two => '⬠',
        }
    }
}

/// The colour.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.colour())
    }
}

/// Reads what `Display` writes.
impl FromStr for Player {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::ALL
            .into_iter()
            .find(|player| player.colour() == text)
            .ok_or(ParseError::new("red or blue"))
    }
}
