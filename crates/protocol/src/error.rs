//! Why the contracts refuse a call.

use core::fmt;

use connect4_rules::variant::{LeaveError, MoveError, VariantError};
use connect4_rules::{DropError, ShapeError};

/// Why a contract refuses a call.
///
/// Clients know the variants by their numbers: new ones are only added at the end, and none is
/// removed.
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
#[non_exhaustive]
pub enum Error {
    /// There is no game with this number.
    #[codec(index = 0)]
    NoSuchGame = 0,
    /// The caller does not play this game.
    #[codec(index = 1)]
    NotAPlayer = 1,
    /// The other player is to move.
    #[codec(index = 2)]
    NotYourTurn = 2,
    /// The board has no such bin.
    #[codec(index = 3)]
    NoSuchBin = 3,
    /// The bin holds as many discs as it can.
    #[codec(index = 4)]
    BinFull = 4,
    /// The game has ended.
    #[codec(index = 5)]
    GameOver = 5,
    /// Both players are the same account.
    #[codec(index = 6)]
    SamePlayer = 6,
    /// The shape is out of bounds.
    #[codec(index = 7)]
    BadShape = 7,
    /// The time of the player to move has run out.
    #[codec(index = 8)]
    OutOfTime = 8,
    /// The game has no clock.
    #[codec(index = 9)]
    NoClock = 9,
    /// The player to move still has time.
    #[codec(index = 10)]
    TimeLeft = 10,
    /// Two stakes, or a credit after the payment of one, exceed a `u128`.
    #[codec(index = 11)]
    StakeTooLarge = 11,
    /// The game has not ended.
    #[codec(index = 12)]
    GameNotOver = 12,
    /// The other player has made no offer, or it has lapsed.
    #[codec(index = 13)]
    NoOffer = 13,
    /// The caller's own offer stands already.
    #[codec(index = 14)]
    AlreadyOffered = 14,
    /// The caller has no credit.
    #[codec(index = 15)]
    NothingToWithdraw = 15,
    /// The receiver did not accept the payment.
    #[codec(index = 16)]
    TransferFailed = 16,
    /// The caller did not pay the deposit for the storage.
    #[codec(index = 17)]
    NotPayer = 17,
    /// The table still waits for players.
    #[codec(index = 18)]
    NotStarted = 18,
    /// The game has started.
    #[codec(index = 19)]
    AlreadyStarted = 19,
    /// The caller has joined the table.
    #[codec(index = 20)]
    AlreadyJoined = 20,
    /// The table is for other players.
    #[codec(index = 21)]
    NotInvited = 21,
    /// The caller has left the game.
    #[codec(index = 22)]
    HasLeft = 22,
    /// The terms are out of bounds: players, pie rule or powers.
    #[codec(index = 23)]
    BadVariant = 23,
    /// The accounts are not as many as the players of the terms, or the opener is not among them.
    #[codec(index = 24)]
    WrongPlayers = 24,
    /// The time for a move is out of bounds.
    #[codec(index = 25)]
    BadLimit = 25,
    /// The game has no time limit.
    #[codec(index = 26)]
    NoLimit = 26,
    /// The game is played without such moves.
    #[codec(index = 27)]
    NotInVariant = 27,
    /// The caller has used this power as often as the terms allow.
    #[codec(index = 28)]
    NoPowerLeft = 28,
    /// A swap that is not the second player's first move.
    #[codec(index = 29)]
    NoSwapNow = 29,
    /// The board has no such row.
    #[codec(index = 30)]
    NoSuchRow = 30,
    /// The bin to pop has no disc of the caller at its bottom.
    #[codec(index = 31)]
    NotYourDisc = 31,
    /// The cell has no disc to take.
    #[codec(index = 32)]
    NoDisc = 32,
    /// The disc to take is the caller's own.
    #[codec(index = 33)]
    OwnDisc = 33,
    /// The row to clear has no disc.
    #[codec(index = 34)]
    RowEmpty = 34,
    /// The cell to float in is not above the top of its bin.
    #[codec(index = 35)]
    NotAboveTop = 35,
    /// The receiver of a payment is the zero address.
    #[codec(index = 36)]
    NoReceiver = 36,
    /// A session key is missing, or is the opponent's or the zero address.
    #[codec(index = 37)]
    BadKey = 37,
    /// A signature is missing, or not by the right key on the right statement.
    #[codec(index = 38)]
    BadSignature = 38,
    /// The signed position says no more than the chain knows.
    #[codec(index = 39)]
    NotNewer = 39,
    /// The caller is to move itself.
    #[codec(index = 40)]
    YourTurn = 40,
    /// The clock runs already.
    #[codec(index = 41)]
    ClockRuns = 41,
    /// The terms were made more than a day ago, or are ahead of the chain's time.
    #[codec(index = 42)]
    TermsExpired = 42,
    /// The terms of the game could still start another one, if it were freed.
    #[codec(index = 43)]
    TermsStand = 43,
}

impl Error {
    /// All errors, each at its number.
    pub const ALL: [Self; 44] = [
        Self::NoSuchGame,
        Self::NotAPlayer,
        Self::NotYourTurn,
        Self::NoSuchBin,
        Self::BinFull,
        Self::GameOver,
        Self::SamePlayer,
        Self::BadShape,
        Self::OutOfTime,
        Self::NoClock,
        Self::TimeLeft,
        Self::StakeTooLarge,
        Self::GameNotOver,
        Self::NoOffer,
        Self::AlreadyOffered,
        Self::NothingToWithdraw,
        Self::TransferFailed,
        Self::NotPayer,
        Self::NotStarted,
        Self::AlreadyStarted,
        Self::AlreadyJoined,
        Self::NotInvited,
        Self::HasLeft,
        Self::BadVariant,
        Self::WrongPlayers,
        Self::BadLimit,
        Self::NoLimit,
        Self::NotInVariant,
        Self::NoPowerLeft,
        Self::NoSwapNow,
        Self::NoSuchRow,
        Self::NotYourDisc,
        Self::NoDisc,
        Self::OwnDisc,
        Self::RowEmpty,
        Self::NotAboveTop,
        Self::NoReceiver,
        Self::BadKey,
        Self::BadSignature,
        Self::NotNewer,
        Self::YourTurn,
        Self::ClockRuns,
        Self::TermsExpired,
        Self::TermsStand,
    ];
}

/// As derived code would write it, but without a branch for each variant, which a contract pays
/// for.
impl codec::Encode for Error {
    fn encode_to<T: codec::Output + ?Sized>(&self, dest: &mut T) {
        dest.push_byte(*self as u8);
    }
}

impl codec::EncodeLike for Error {}

impl From<DropError> for Error {
    fn from(error: DropError) -> Self {
        match error {
            DropError::GameOver => Self::GameOver,
            DropError::NoSuchBin => Self::NoSuchBin,
            DropError::BinFull => Self::BinFull,
        }
    }
}

impl From<ShapeError> for Error {
    fn from(_: ShapeError) -> Self {
        Self::BadShape
    }
}

impl From<MoveError> for Error {
    fn from(error: MoveError) -> Self {
        match error {
            MoveError::GameOver => Self::GameOver,
            MoveError::NotInVariant => Self::NotInVariant,
            MoveError::NoPowerLeft => Self::NoPowerLeft,
            MoveError::NoSwapNow => Self::NoSwapNow,
            MoveError::NoSuchBin => Self::NoSuchBin,
            MoveError::NoSuchRow => Self::NoSuchRow,
            MoveError::BinFull => Self::BinFull,
            MoveError::NotYourDisc => Self::NotYourDisc,
            MoveError::NoDisc => Self::NoDisc,
            MoveError::OwnDisc => Self::OwnDisc,
            MoveError::RowEmpty => Self::RowEmpty,
            MoveError::NotAboveTop => Self::NotAboveTop,
        }
    }
}

impl From<LeaveError> for Error {
    fn from(error: LeaveError) -> Self {
        match error {
            LeaveError::GameOver => Self::GameOver,
            LeaveError::NotPlaying => Self::HasLeft,
        }
    }
}

impl From<VariantError> for Error {
    fn from(error: VariantError) -> Self {
        match error {
            VariantError::Shape(error) => error.into(),
            VariantError::PlayersOutOfBounds
            | VariantError::PieRuleNeedsTwo
            | VariantError::TooManyPowers => Self::BadVariant,
        }
    }
}

/// The reason, and what to do about it.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSuchGame => "there is no such game; check its number",
            Self::NotAPlayer => {
                "this account does not play this game; use the account of one of its players"
            }
            Self::NotYourTurn => "it is not your turn; wait for the other player",
            Self::NoSuchBin => {
                "there is no such bin; bins count from 0, up to one less than the board has"
            }
            Self::BinFull => "the bin is full; choose another",
            Self::GameOver => "the game has ended; start another to play on",
            Self::SamePlayer => "a game needs two different accounts; name another player",
            Self::BadShape => {
                "this board is out of bounds: it needs at least 5 bins of at least 4, a line of 3 \
                 to 6 that fits in, and bins * (capacity + 1) of at most 128"
            }
            Self::OutOfTime => {
                "the time to move is over; anybody may now claim the timeout, or have the late player \
                 of a variant removed"
            }
            Self::NoClock => "no clock runs in this game, so no time runs out; press the clock first",
            Self::TimeLeft => "the player to move still has time; claim after the deadline",
            Self::StakeTooLarge => "the stake is too large to be counted; choose a smaller one",
            Self::GameNotOver => "the game is not over; play it to its end first",
            Self::NoOffer => {
                "the other player has made no offer, or it lapsed with a move; make one yourself"
            }
            Self::AlreadyOffered => "your offer stands already; wait for the answer",
            Self::NothingToWithdraw => "nothing is owed to this account",
            Self::TransferFailed => {
                "the receiver did not accept the payment; the credit remains: withdraw it to another \
                 account"
            }
            Self::NotPayer => "this account did not pay the deposit; only the one that did may free the storage",
            Self::NotStarted => "the game has not started; wait until its table is full",
            Self::AlreadyStarted => "the game has started already; join another table",
            Self::AlreadyJoined => "this account has joined already; wait for the others",
            Self::NotInvited => "this table is for other players; join another, or open one",
            Self::HasLeft => "this account has left the game",
            Self::BadVariant => "these terms are out of bounds: 2 to 4 players, each power at most 9 times, the pie rule for two players only",
            Self::WrongPlayers => "name as many accounts as the terms have players; who opens a table is one of them",
            Self::BadLimit => "the time for a move is out of bounds: from 10 seconds to 30 days",
            Self::NoLimit => "this game has no time limit, so nobody can be removed for being late",
            Self::NotInVariant => "this game is played without such moves; its terms tell which there are",
            Self::NoPowerLeft => "this power is used up; make another move",
            Self::NoSwapNow => "only the second player's first move can be a swap",
            Self::NoSuchRow => "there is no such row; rows count from 0 at the bottom, up to one less than the capacity",
            Self::NotYourDisc => "the disc at the bottom of this bin is not yours; choose another bin",
            Self::NoDisc => "this cell has no disc; take one of an opponent",
            Self::OwnDisc => "this disc is your own; take one of an opponent",
            Self::RowEmpty => "this row has no disc; clear another",
            Self::NotAboveTop => "a disc floats only in a cell above the one where a drop would land; choose a higher one",
            Self::NoReceiver => "nobody has the zero address, so the payment would be lost; name another receiver",
            Self::BadKey => "a signed game takes a session key of each player, two different ones",
            Self::BadSignature => "a signature is not by the session key of its player on this game of this contract; ask for it again",
            Self::NotNewer => "the chain knows this position or a later one; nothing has to be done",
            Self::YourTurn => "as far as the chain knows it is your own turn; send the signed position along, or move",
            Self::ClockRuns => "the clock of the player to move runs already; wait for the move or the deadline",
            Self::TermsExpired => "these terms are more than a day old, or ahead of the chain's time; agree on new ones",
            Self::TermsStand => "the terms of this game could start it again; free its storage a day after their time",
        })
    }
}

impl core::error::Error for Error {}
