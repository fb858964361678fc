//! Why terms or an end are none.

use core::fmt;

use connect4_rules::Player;

/// Why terms are not valid, or what is said to be the end of a game is none.
///
/// The order is that in which they are looked for.
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
pub enum Refused {
    /// Of terms: they are not in the one form that they have: a zero address is named as a witness, or an account as one
    /// that has named itself as its key.
    #[codec(index = 0)]
    OtherForm,
    /// Of terms: the shape of the board is out of bounds.
    #[codec(index = 1)]
    BadShape,
    /// Of terms: both players are the same account.
    #[codec(index = 2)]
    SamePlayer,
    /// Of terms: both players sign by the same key, or one of them by the zero address.
    #[codec(index = 3)]
    BadKey,
    /// Of terms: the witness is a player, or the key of one.
    #[codec(index = 4)]
    PartialWitness,
    /// Of terms: the clock is out of bounds.
    #[codec(index = 5)]
    BadClock,
    /// Of terms: two stakes exceed a `u128`.
    #[codec(index = 6)]
    StakeTooLarge,
    /// Of terms: there is a stake and no clock, so that the loser could withhold both stakes for ever.
    #[codec(index = 7)]
    StakeNeedsClock,
    /// Of terms: there is a stake and a bank that is over by the chain's blocks alone.
    #[codec(index = 8)]
    ShortClock,
    /// Of terms: there is a stake and a witness, whose word is never taken for money.
    #[codec(index = 9)]
    WitnessedStake,
    /// The game has a stake, so that the contract of the stakes says what its end is.
    #[codec(index = 10)]
    Staked,
    /// There are fewer than two moves: not both have taken part.
    #[codec(index = 11)]
    TooShort,
    /// A move is not legal.
    #[codec(index = 12)]
    IllegalMove,
    /// The moves end the game, and something else is said to have ended it.
    #[codec(index = 13)]
    EndedBefore,
    /// The moves do not end the game, and nothing else is said to have ended it.
    #[codec(index = 14)]
    NotOver,
    /// The terms name no witness, and the end is one that only a witness tells: a lapse of time, or one with the
    /// signature of a witness.
    #[codec(index = 15)]
    NoWitness,
    /// The terms name a witness, and the end is without its signature.
    #[codec(index = 16)]
    Unwitnessed,
    /// Time is said to have lapsed in a game without a clock.
    #[codec(index = 17)]
    NoClock,
    /// Time is said to have lapsed for the player who is not to move.
    #[codec(index = 18)]
    NotToMove,
    /// The loser of a line has not agreed to it, in a game without a witness: a player who has missed a win could sign
    /// it later.
    #[codec(index = 19)]
    Unagreed,
    /// What this player has to have signed is not signed by its key.
    #[codec(index = 20)]
    BadSignature(Player),
    /// This player's account has not named the key, or not for the time of the terms.
    #[codec(index = 21)]
    BadSession(Player),
    /// The end is not signed by the witness, or is one of before the terms, or a lapse of before their bank can be over.
    #[codec(index = 22)]
    BadWitness,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherForm => "the terms are not in the form that they have",
            Self::BadShape => "the board has another shape than there can be",
            Self::SamePlayer => "both players are the same account",
            Self::BadKey => "both players sign by the same key, or one by none",
            Self::PartialWitness => "a player is the witness",
            Self::BadClock => "the clock is out of bounds",
            Self::StakeTooLarge => "the stakes are larger than can be counted",
            Self::StakeNeedsClock => "a game for a stake needs a clock",
            Self::ShortClock => "the clock is too short for a stake",
            Self::WitnessedStake => "a game for a stake has no witness",
            Self::Staked => "the contract says how a game for a stake ends",
            Self::TooShort => "not both players have moved",
            Self::IllegalMove => "a move is not legal",
            Self::EndedBefore => "the moves have ended the game before",
            Self::NotOver => "the game is not over",
            Self::NoWitness => "the terms name no witness",
            Self::Unwitnessed => "the witness has not signed the end",
            Self::NoClock => "the game has no clock",
            Self::NotToMove => "the time of the other player runs",
            Self::Unagreed => "the loser has not agreed to the line",
            Self::BadSignature(player) => return write!(f, "player {player} has not signed it"),
            Self::BadSession(player) => {
                return write!(f, "the account of player {player} has not named the key");
            }
            Self::BadWitness => "the end is not signed by the witness of the terms",
        })
    }
}

impl core::error::Error for Refused {}
