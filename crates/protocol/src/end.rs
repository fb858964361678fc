//! How a game between two accounts ends.

use core::fmt;

/// How a game between two accounts ended: on the board, or otherwise.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
#[repr(u8)]
pub enum End {
    /// One player has a line, and wins.
    #[codec(index = 0)]
    Line = 0,
    /// The board is full: a draw.
    #[codec(index = 1)]
    FullBoard = 1,
    /// One player gave up, and the other wins.
    #[codec(index = 2)]
    Resignation = 2,
    /// Both agreed on a draw.
    #[codec(index = 3)]
    Agreement = 3,
    /// One player's time ran out after both had moved, and the other wins.
    #[codec(index = 4)]
    Timeout = 4,
    /// One player's time ran out before both had moved: as if it had not been played.
    #[codec(index = 5)]
    Abort = 5,
}

/// As derivation would write it, but without a branch for each: a contract pays for them.
impl codec::Encode for End {
    fn encode_to<T: codec::Output + ?Sized>(&self, dest: &mut T) {
        dest.push_byte(*self as u8);
    }
}

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
