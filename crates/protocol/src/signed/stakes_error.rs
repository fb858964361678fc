//! Why the contract of the stakes refuses a call.

use core::fmt;

use super::Refused;
use crate::Error;

/// Why the contract of the stakes refuses a call.
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
pub enum StakesError {
    /// No game can be played by the terms.
    #[codec(index = 0)]
    Terms(Refused),
    /// A reason that the other contracts have, too.
    #[codec(index = 1)]
    Common(Error),
    /// The terms have no stake.
    #[codec(index = 2)]
    NoStake,
    /// Both players have paid, so that the game has begun.
    #[codec(index = 3)]
    Begun,
    /// The caller has paid already.
    #[codec(index = 4)]
    AlreadyPaid,
    /// One of the players has not paid, so that the game has not begun.
    #[codec(index = 5)]
    NotBegun,
    /// The payment and what the caller is owed are together less than the stake.
    #[codec(index = 6)]
    StakeUnpaid,
    /// The disc is for another board than that of the game.
    #[codec(index = 7)]
    OtherBoard,
}

impl From<Error> for StakesError {
    fn from(error: Error) -> Self {
        Self::Common(error)
    }
}

/// The reason, and what to do about it.
impl fmt::Display for StakesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Terms(refused) => return refused.fmt(f),
            Self::Common(error) => return error.fmt(f),
            Self::NoStake => "a game without a stake needs no contract; play it by signatures",
            Self::Begun => "both players have paid, and the game has begun; play it",
            Self::AlreadyPaid => {
                "this account has paid; wait for the other player, or ask for the stake back"
            }
            Self::NotBegun => "the other player has not paid; wait, or ask for the stake back",
            Self::StakeUnpaid => {
                "the payment, with what this account is owed, is less than the stake; pay more"
            }
            Self::OtherBoard => {
                "the board has changed since this move was made for it; look at it, and move again"
            }
        })
    }
}

impl core::error::Error for StakesError {}
