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
    /// The caller is not the contract that referees these games.
    #[codec(index = 8)]
    NotReferee = 8,
    /// The time of the player to move has run out.
    #[codec(index = 9)]
    OutOfTime = 9,
    /// The game has no clock.
    #[codec(index = 10)]
    NoClock = 10,
    /// The player to move still has time.
    #[codec(index = 11)]
    TimeLeft = 11,
    /// The clock is out of bounds.
    #[codec(index = 12)]
    BadClock = 12,
    /// There is a stake and no clock.
    #[codec(index = 13)]
    StakeNeedsClock = 13,
    /// Two stakes, or a credit after the payment of one, exceed a `u128`.
    #[codec(index = 14)]
    StakeTooLarge = 14,
    /// The amount paid is not the stake.
    #[codec(index = 15)]
    WrongStake = 15,
    /// There is no open challenge with this number.
    #[codec(index = 16)]
    NoSuchChallenge = 16,
    /// The challenge is to another account.
    #[codec(index = 17)]
    NotChallenged = 17,
    /// Another account made the challenge.
    #[codec(index = 18)]
    NotChallenger = 18,
    /// The game has not ended.
    #[codec(index = 19)]
    GameNotOver = 19,
    /// The other player has made no offer, or it has lapsed.
    #[codec(index = 20)]
    NoOffer = 20,
    /// The caller's own offer stands already.
    #[codec(index = 21)]
    AlreadyOffered = 21,
    /// The rematch of the game has started.
    #[codec(index = 22)]
    RematchStarted = 22,
    /// The game has no stakes, or they are settled.
    #[codec(index = 23)]
    NothingToSettle = 23,
    /// The caller has no credit.
    #[codec(index = 24)]
    NothingToWithdraw = 24,
    /// The receiver did not accept the payment.
    #[codec(index = 25)]
    TransferFailed = 25,
    /// The caller did not pay the deposit for the storage.
    #[codec(index = 26)]
    NotPayer = 26,
    /// The table still waits for players.
    #[codec(index = 27)]
    NotStarted = 27,
    /// The game has started.
    #[codec(index = 28)]
    AlreadyStarted = 28,
    /// The caller has joined the table.
    #[codec(index = 29)]
    AlreadyJoined = 29,
    /// The table is for other players.
    #[codec(index = 30)]
    NotInvited = 30,
    /// The caller has left the game.
    #[codec(index = 31)]
    HasLeft = 31,
    /// The terms are out of bounds: players, pie rule or powers.
    #[codec(index = 32)]
    BadVariant = 32,
    /// The accounts are not as many as the players of the terms, or the opener is not among them.
    #[codec(index = 33)]
    WrongPlayers = 33,
    /// The time for a move is out of bounds.
    #[codec(index = 34)]
    BadLimit = 34,
    /// The game has no time limit.
    #[codec(index = 35)]
    NoLimit = 35,
    /// The game is played without such moves.
    #[codec(index = 36)]
    NotInVariant = 36,
    /// The caller has used this power as often as the terms allow.
    #[codec(index = 37)]
    NoPowerLeft = 37,
    /// A swap that is not the second player's first move.
    #[codec(index = 38)]
    NoSwapNow = 38,
    /// The board has no such row.
    #[codec(index = 39)]
    NoSuchRow = 39,
    /// The bin to pop has no disc of the caller at its bottom.
    #[codec(index = 40)]
    NotYourDisc = 40,
    /// The cell has no disc to take.
    #[codec(index = 41)]
    NoDisc = 41,
    /// The disc to take is the caller's own.
    #[codec(index = 42)]
    OwnDisc = 42,
    /// The row to clear has no disc.
    #[codec(index = 43)]
    RowEmpty = 43,
    /// The cell to float in is not above the top of its bin.
    #[codec(index = 44)]
    NotAboveTop = 44,
    /// The receiver of a payment is the zero address.
    #[codec(index = 45)]
    NoReceiver = 45,
    /// There is a stake, and the bank of the clock is too short for the chain's blocks.
    #[codec(index = 46)]
    ShortClock = 46,
    /// The challenge is another one than the caller saw.
    #[codec(index = 47)]
    OtherTerms = 47,
    /// The time in which the challenge could be accepted is over.
    #[codec(index = 48)]
    ChallengeExpired = 48,
    /// A session key is missing, or is the opponent's or the zero address.
    #[codec(index = 49)]
    BadKey = 49,
    /// A signature is missing, or not by the right key on the right statement.
    #[codec(index = 50)]
    BadSignature = 50,
    /// The signed position says no more than the chain knows.
    #[codec(index = 51)]
    NotNewer = 51,
    /// The caller is to move itself.
    #[codec(index = 52)]
    YourTurn = 52,
    /// The clock runs already.
    #[codec(index = 53)]
    ClockRuns = 53,
    /// The terms were made more than a day ago, or are ahead of the chain's time.
    #[codec(index = 54)]
    TermsExpired = 54,
    /// The terms have started a game.
    #[codec(index = 55)]
    TermsUsed = 55,
    /// The game began by signed terms: discs and rematches are signed, and not made on the chain.
    #[codec(index = 56)]
    BySignature = 56,
    /// The terms of the game could still start another one, if it were freed.
    #[codec(index = 57)]
    TermsStand = 57,
    /// An account that is not its own session key has named no key for the time of the terms.
    #[codec(index = 58)]
    BadSession = 58,
}

impl Error {
    /// All errors, each at its number.
    pub const ALL: [Self; 59] = [
        Self::NoSuchGame,
        Self::NotAPlayer,
        Self::NotYourTurn,
        Self::NoSuchBin,
        Self::BinFull,
        Self::GameOver,
        Self::SamePlayer,
        Self::BadShape,
        Self::NotReferee,
        Self::OutOfTime,
        Self::NoClock,
        Self::TimeLeft,
        Self::BadClock,
        Self::StakeNeedsClock,
        Self::StakeTooLarge,
        Self::WrongStake,
        Self::NoSuchChallenge,
        Self::NotChallenged,
        Self::NotChallenger,
        Self::GameNotOver,
        Self::NoOffer,
        Self::AlreadyOffered,
        Self::RematchStarted,
        Self::NothingToSettle,
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
        Self::ShortClock,
        Self::OtherTerms,
        Self::ChallengeExpired,
        Self::BadKey,
        Self::BadSignature,
        Self::NotNewer,
        Self::YourTurn,
        Self::ClockRuns,
        Self::TermsExpired,
        Self::TermsUsed,
        Self::BySignature,
        Self::TermsStand,
        Self::BadSession,
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
            Self::NotReferee => {
                "only the contract that referees these games may do this; call that one"
            }
            Self::OutOfTime => {
                "the time to move is over; anybody may now claim the timeout, or have the late player \
                 of a variant removed"
            }
            Self::NoClock => "this game has no clock, so no time runs out; wait, or offer a draw",
            Self::TimeLeft => "the player to move still has time; claim after the deadline",
            Self::BadClock => {
                "this clock is out of bounds: the bank is from 1 second to 30 days, the increment \
                 at most a day"
            }
            Self::StakeNeedsClock => {
                "a game for a stake needs a clock, or a losing player could withhold the stakes for \
                 ever; add one"
            }
            Self::StakeTooLarge => "the stake is too large to be counted; choose a smaller one",
            Self::WrongStake => "the amount paid is not the stake; pay exactly the stake of the terms",
            Self::NoSuchChallenge => {
                "there is no such open challenge; it may have been accepted or withdrawn"
            }
            Self::NotChallenged => "this challenge is to somebody else; choose another",
            Self::NotChallenger => "this challenge is somebody else's; only they can cancel it",
            Self::GameNotOver => "the game is not over; play it to its end first",
            Self::NoOffer => {
                "the other player has made no offer, or it lapsed with a move; make one yourself"
            }
            Self::AlreadyOffered => "your offer stands already; wait for the answer",
            Self::RematchStarted => "the rematch of this game was started already; play that one",
            Self::NothingToSettle => "this game has no stakes that wait to be settled",
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
            Self::ShortClock => "for a stake, or a game by signed terms, this clock is too short: the chain's blocks alone could use it up; take a bank of at least 5 minutes",
            Self::OtherTerms => "the challenge is not the one that you saw; look at it again",
            Self::ChallengeExpired => "the time in which this challenge could be accepted is over; make another, or ask for one",
            Self::BadKey => "a signed game takes a session key of each player, two different ones",
            Self::BadSignature => "a signature is not by the session key of its player on this game of this contract; ask for it again",
            Self::NotNewer => "the chain knows this position or a later one; nothing has to be done",
            Self::YourTurn => "as far as the chain knows it is your own turn; send the signed position along, or move",
            Self::ClockRuns => "the clock of the player to move runs already; wait for the move or the deadline",
            Self::TermsExpired => "these terms are more than a day old, or ahead of the chain's time; agree on new ones",
            Self::TermsUsed => "these terms have started a game already; play that one",
            Self::BySignature => "this game began by signed terms, so its moves and rematches are signed; sign it",
            Self::TermsStand => "the terms of this game could start it again; free its storage a day after their time",
            Self::BadSession => "an account has named no session key for the time of these terms; have it sign one",
        })
    }
}

impl core::error::Error for Error {}
