//! How a game of a variant ends.

use core::fmt;

use super::Colour;

/// How a game of a variant ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// This player has a line, and wins.
    Line(Colour),
    /// All others have left, and this player wins.
    LastLeft(Colour),
    /// The next player has no legal move: a draw.
    NoMove,
    /// [`Position::MAX_TURNS`](super::Position::MAX_TURNS) turns were taken: a draw.
    TurnLimit,
}

impl Outcome {
    /// Who won; none if it is a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Colour> {
        match self {
            Self::Line(colour) | Self::LastLeft(colour) => Some(colour),
            Self::NoMove | Self::TurnLimit => None,
        }
    }
}

/// `winner: red`, and so on, or `a tie`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner() {
            Some(colour) => write!(f, "winner: {colour}"),
            None => f.write_str("a tie"),
        }
    }
}
