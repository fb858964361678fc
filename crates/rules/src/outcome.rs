//! What a drop leads to.

use core::fmt;

use crate::Player;

/// How a game ended.
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

/// What a drop did.
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
pub struct Dropped {
    /// Where in its bin the disc came to lie, from 0 at the bottom.
    pub row: u8,
    /// How the game ended, if this drop ended it.
    pub outcome: Option<Outcome>,
}

/// Why a drop is refused. The first that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DropError {
    /// The game has ended: no drop would do.
    GameOver,
    /// The board has no such bin.
    NoSuchBin,
    /// The bin holds as many discs as it can.
    BinFull,
}

impl fmt::Display for DropError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GameOver => "the game has ended",
            Self::NoSuchBin => "there is no such bin",
            Self::BinFull => "the bin is full",
        })
    }
}

impl core::error::Error for DropError {}
