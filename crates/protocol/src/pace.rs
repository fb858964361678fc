//! How the moves of a match are made.

use crate::Address;

/// How the moves of a match are made. The pie rule is for [fast](crate::fast) games alone, so that no other
/// can be agreed on with it.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub enum Pace {
    /// Each by a transaction.
    #[default]
    #[codec(index = 0)]
    Classic,
    /// Signed, by the session key of the challenger with this address.
    #[codec(index = 1)]
    Fast(Address),
    /// As [`Self::Fast`], with the pie rule: player two may begin by a [swap](crate::fast::Moves::SWAP).
    #[codec(index = 2)]
    FastPieRule(Address),
}

impl Pace {
    /// That of a fast game for which the challenger names this session key.
    #[must_use]
    pub const fn fast(key: Address, pie_rule: bool) -> Self {
        match pie_rule {
            false => Self::Fast(key),
            true => Self::FastPieRule(key),
        }
    }

    /// Address of the challenger's session key; none if the game is not a fast one.
    #[must_use]
    pub const fn key(self) -> Option<Address> {
        match self {
            Self::Classic => None,
            Self::Fast(key) | Self::FastPieRule(key) => Some(key),
        }
    }

    /// Whether player two's first move can be a [swap](crate::fast::Moves::SWAP).
    #[must_use]
    pub const fn pie_rule(self) -> bool {
        matches!(self, Self::FastPieRule(_))
    }
}
