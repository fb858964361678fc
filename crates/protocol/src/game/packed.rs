//! Fields of a game's record that take one byte each.

use connect4_rules::Player;

use crate::End;

/// Whether a game has ended and how, in one byte.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
#[repr(u8)]
pub(super) enum Over {
    No = 0,
    Line = 1,
    FullBoard = 2,
    Resignation = 3,
    Agreement = 4,
    Timeout = 5,
    Abort = 6,
}

impl Over {
    pub(super) const fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0 => Self::No,
            1 => Self::Line,
            2 => Self::FullBoard,
            3 => Self::Resignation,
            4 => Self::Agreement,
            5 => Self::Timeout,
            6 => Self::Abort,
            _ => return None,
        })
    }

    pub(super) const fn end(self) -> Option<End> {
        Some(match self {
            Self::No => return None,
            Self::Line => End::Line,
            Self::FullBoard => End::FullBoard,
            Self::Resignation => End::Resignation,
            Self::Agreement => End::Agreement,
            Self::Timeout => End::Timeout,
            Self::Abort => End::Abort,
        })
    }
}

/// An end of a game between two accounts: an [`End`] without those that only variants have. The
/// contracts pass on this one, as its conversion is an addition and not a table.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(crate) enum TwoEnd {
    Line = 0,
    FullBoard = 1,
    Resignation = 2,
    Agreement = 3,
    Timeout = 4,
    Abort = 5,
}

impl TwoEnd {
    /// `None` of an end that only variants have.
    pub(super) const fn of(end: End) -> Option<Self> {
        Some(match end {
            End::Line => Self::Line,
            End::FullBoard => Self::FullBoard,
            End::Resignation => Self::Resignation,
            End::Agreement => Self::Agreement,
            End::Timeout => Self::Timeout,
            End::Abort => Self::Abort,
            End::LastLeft | End::NoMove | End::TurnLimit | End::Abandoned => return None,
        })
    }
}

impl From<TwoEnd> for Over {
    fn from(end: TwoEnd) -> Self {
        match end {
            TwoEnd::Line => Self::Line,
            TwoEnd::FullBoard => Self::FullBoard,
            TwoEnd::Resignation => Self::Resignation,
            TwoEnd::Agreement => Self::Agreement,
            TwoEnd::Timeout => Self::Timeout,
            TwoEnd::Abort => Self::Abort,
        }
    }
}

/// A player or nobody, in one byte. An `Option` would take two bytes for a player and one for
/// nobody, so that the length of a record would change.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
#[repr(u8)]
pub(super) enum Who {
    One = 0,
    Two = 1,
    Nobody = 2,
}

impl Who {
    pub(super) const fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::One),
            1 => Some(Self::Two),
            2 => Some(Self::Nobody),
            _ => None,
        }
    }

    pub(super) const fn player(self) -> Option<Player> {
        match self {
            Self::One => Some(Player::One),
            Self::Two => Some(Player::Two),
            Self::Nobody => None,
        }
    }
}

impl From<Option<Player>> for Who {
    fn from(player: Option<Player>) -> Self {
        match player {
            Some(Player::One) => Self::One,
            Some(Player::Two) => Self::Two,
            None => Self::Nobody,
        }
    }
}
