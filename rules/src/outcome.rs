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

/// How a game between two accounts ended: on the board, or otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "scale",
    derive(codec::Decode, codec::MaxEncodedLen, scale_info::TypeInfo)
)]
#[repr(u8)]
pub enum End {
    /// One player has a line, and wins.
    #[cfg_attr(feature = "scale", codec(index = 0))]
    Line = 0,
    /// The board is full: a draw.
    #[cfg_attr(feature = "scale", codec(index = 1))]
    FullBoard = 1,
    /// One player gave up, and the other wins.
    #[cfg_attr(feature = "scale", codec(index = 2))]
    Resignation = 2,
    /// Both agreed on a draw.
    #[cfg_attr(feature = "scale", codec(index = 3))]
    Agreement = 3,
    /// One player's time ran out after both had moved, and the other wins.
    #[cfg_attr(feature = "scale", codec(index = 4))]
    Timeout = 4,
    /// One player's time ran out before both had moved: as if it had not been played.
    #[cfg_attr(feature = "scale", codec(index = 5))]
    Abort = 5,
}

/// As derivation would write it, but without a branch for each: a contract pays for them.
#[cfg(feature = "scale")]
impl codec::Encode for End {
    fn encode_to<T: codec::Output + ?Sized>(&self, dest: &mut T) {
        dest.push_byte(*self as u8);
    }
}

#[cfg(feature = "scale")]
impl codec::EncodeLike for End {}

impl End {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Line,
        Self::FullBoard,
        Self::Resignation,
        Self::Agreement,
        Self::Timeout,
        Self::Abort,
    ];
}

/// `by a line`, `on a full board`, `by resignation`, `by agreement`, `on time`, `aborted`.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Line => "by a line",
            Self::FullBoard => "on a full board",
            Self::Resignation => "by resignation",
            Self::Agreement => "by agreement",
            Self::Timeout => "on time",
            Self::Abort => "aborted",
        })
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
