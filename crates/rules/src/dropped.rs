//! The result of a drop, and why one is refused.

use core::fmt;

use crate::Outcome;

/// Result of a drop that was taken.
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
pub struct Dropped {
    /// Row in which the disc came to lie, from 0 at the bottom.
    pub row: u8,
    /// How the game ended, if this drop ended it.
    pub outcome: Option<Outcome>,
}

/// Why a drop is refused: the first of these that applies, in this order.
///
/// The game has no other reasons, so the enum is exhaustive: who translates it into errors of
/// another kind is told by the compiler if that changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DropError {
    /// The game has ended: every drop is refused.
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
