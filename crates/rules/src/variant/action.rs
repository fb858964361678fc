//! A turn, and why one is refused.

use core::fmt;

use super::Power;
use crate::{Bin, Cell};

/// What a player does in a turn. Bins count from 0 at the left, rows from 0 at the bottom; as
/// text, see [`notation`](crate::notation), both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "scale",
    derive(
        codec::Encode,
        codec::Decode,
        codec::MaxEncodedLen,
        scale_info::TypeInfo
    )
)]
pub enum Move {
    /// Puts a disc of the mover at the top of a bin.
    #[cfg_attr(feature = "scale", codec(index = 0))]
    Drop(Bin),
    /// Takes the mover's own disc out of the bottom of a bin.
    #[cfg_attr(feature = "scale", codec(index = 1))]
    Pop(Bin),
    /// Takes an opponent's disc out of a cell.
    #[cfg_attr(feature = "scale", codec(index = 2))]
    Take(Cell),
    /// Takes every disc out of a row.
    #[cfg_attr(feature = "scale", codec(index = 3))]
    Clear(u8),
    /// Puts a disc of the mover into a cell above the top of its bin.
    #[cfg_attr(feature = "scale", codec(index = 4))]
    Float(Cell),
    /// Exchanges the colours of the two players.
    #[cfg_attr(feature = "scale", codec(index = 5))]
    Swap,
}

impl Move {
    /// The power that the move uses; none if it uses none.
    #[must_use]
    pub const fn power(self) -> Option<Power> {
        match self {
            Self::Take(_) => Some(Power::Take),
            Self::Clear(_) => Some(Power::Clear),
            Self::Float(_) => Some(Power::Float),
            Self::Drop(_) | Self::Pop(_) | Self::Swap => None,
        }
    }
}

/// Why a move is refused: the first of these that applies, in this order.
///
/// The game has no other reasons, so the enum is exhaustive: who translates it into errors of
/// another kind is told by the compiler if that changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveError {
    /// The game has ended: every move is refused.
    GameOver,
    /// The variant does not have this kind of move.
    NotInVariant,
    /// The mover has used this power as often as the variant allows.
    NoPowerLeft,
    /// A swap that is not the second player's first move.
    NoSwapNow,
    /// The board has no such bin.
    NoSuchBin,
    /// The board has no such row.
    NoSuchRow,
    /// A drop into a bin whose top is the capacity.
    BinFull,
    /// A pop of a bin that has another player's disc, or none, at its bottom.
    NotYourDisc,
    /// A cell to take a disc from that has none.
    NoDisc,
    /// A disc to take that is the mover's own.
    OwnDisc,
    /// A row to clear that has no disc.
    RowEmpty,
    /// A cell to float in that is not above the top of its bin.
    NotAboveTop,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GameOver => "the game has ended",
            Self::NotInVariant => "this game is played without such moves",
            Self::NoPowerLeft => "this power is used up",
            Self::NoSwapNow => "only the second player's first move can be a swap",
            Self::NoSuchBin => "there is no such bin",
            Self::NoSuchRow => "there is no such row",
            Self::BinFull => "the bin is full",
            Self::NotYourDisc => "the disc at the bottom of the bin is not the mover's own",
            Self::NoDisc => "the cell has no disc",
            Self::OwnDisc => "the disc is the mover's own",
            Self::RowEmpty => "the row has no disc",
            Self::NotAboveTop => "a disc floats only above the top of its bin",
        })
    }
}

impl core::error::Error for MoveError {}
