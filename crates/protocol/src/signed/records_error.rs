//! Why the contract of the records refuses a call.

use core::fmt;

use super::{Ends, Refused};

/// Why the contract of the records refuses a call.
///
/// Clients know the variants by their numbers: new ones are only added at the end, and none is removed.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub enum RecordsError {
    /// A game is none that can be recorded.
    #[codec(index = 0)]
    Game {
        /// Which of the call, from 0.
        place: u32,
        /// Why.
        refused: Refused,
    },
    /// The bytes of the call are no games, from this one on.
    #[codec(index = 1)]
    Unreadable {
        /// Which of the call, from 0.
        place: u32,
    },
    /// More ends stand in the list of a witness than [`Ends::MAX`].
    #[codec(index = 2)]
    LongList,
    /// The witness has not signed the list of the ends that have no signature of their own, or there is a list and no
    /// such end.
    #[codec(index = 3)]
    BadList,
    /// No game can be played by the terms, or they have no witness.
    #[codec(index = 4)]
    Terms(Refused),
    /// The witness of the terms has not signed one of the statements about their game.
    #[codec(index = 5)]
    NotSaid,
    /// Both statements can be true.
    #[codec(index = 6)]
    NoContradiction,
}

/// The reason, and what to do about it.
impl fmt::Display for RecordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Game { place, refused } => {
                return write!(f, "game {place} of the call, from 0: {refused}");
            }
            Self::Unreadable { place } => {
                return write!(f, "game {place} of the call, from 0, is no game");
            }
            Self::LongList => {
                let most = Ends::MAX;
                return write!(
                    f,
                    "a list has at most {most} ends; record them by several calls"
                );
            }
            Self::BadList => "the witness has not signed this list of ends, in this order",
            Self::Terms(refused) => return refused.fmt(f),
            Self::NotSaid => "the witness of the terms has not signed one of the statements",
            Self::NoContradiction => "both statements can be true",
        })
    }
}

impl core::error::Error for RecordsError {}
