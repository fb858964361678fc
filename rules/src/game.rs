//! A game between two accounts, as a contract stores it.

use core::fmt;

use crate::position::outcome;
use crate::{
    Bin, Board, Cells, Clock, ClockSpec, DropError, Dropped, End, Outcome, Player, Position, Shape,
    ShapeError, ShapeSpec,
};

/// An account on the chain: its 20 bytes.
pub type Account = [u8; 20];

/// A game between two accounts: all a contract stores of it, in one record.
///
/// It changes by [`Game::drop`], and ends otherwise by [`Game::resign`],
/// [`Game::agree_on_a_draw`] and [`Game::time_out`]. Most winners, the flag and the turns
/// could be told from the board; they are kept so that reading them takes no rules.
///
/// # Examples
///
/// ```
/// use connect4_rules::{Error, Game, Player, Shape};
///
/// let (alice, bob) = ([1; 20], [2; 20]);
/// let mut game = Game::start(alice, bob, Shape::STANDARD.into())?;
/// assert_eq!(game.drop(bob, 3, 0), Err(Error::NotYourTurn));
/// for _ in 0..3 {
///     game.drop(alice, 3, 0)?;
///     game.drop(bob, 4, 0)?;
/// }
/// assert!(!game.is_over());
/// game.drop(alice, 3, 0)?;
/// assert_eq!(game.winner(), Some(Player::One));
/// assert_eq!(game.drop(bob, 4, 0), Err(Error::GameOver));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(codec::MaxEncodedLen, scale_info::TypeInfo))]
pub struct Game {
    player_one: Account,
    player_two: Account,
    board: Board,
    last_mover: Who,
    turns: u8,
    winner: Who,
    over: Over,
    payer: Account,
    clock: Clock,
}

/// Whether a game is over and how it ended, in one byte either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "scale",
    derive(
        codec::Encode,
        codec::Decode,
        codec::MaxEncodedLen,
        scale_info::TypeInfo
    )
)]
#[repr(u8)]
enum Over {
    No = 0,
    Line = 1,
    FullBoard = 2,
    Resignation = 3,
    Agreement = 4,
    Timeout = 5,
    Abort = 6,
}

impl Over {
    const fn end(self) -> Option<End> {
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

impl From<End> for Over {
    fn from(end: End) -> Self {
        match end {
            End::Line => Self::Line,
            End::FullBoard => Self::FullBoard,
            End::Resignation => Self::Resignation,
            End::Agreement => Self::Agreement,
            End::Timeout => Self::Timeout,
            End::Abort => Self::Abort,
        }
    }
}

/// A player or nobody, in one byte whichever it is: an `Option` takes two for a
/// player, so that a record would change its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "scale",
    derive(
        codec::Encode,
        codec::Decode,
        codec::MaxEncodedLen,
        scale_info::TypeInfo
    )
)]
#[repr(u8)]
enum Who {
    One = 0,
    Two = 1,
    Nobody = 2,
}

impl Who {
    const fn player(self) -> Option<Player> {
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

impl Game {
    /// A new game; player one moves first.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::SamePlayer`] if both accounts are the same,
    /// 2. [`Error::BadShape`] if the shape is out of the bounds of [`Shape`].
    pub fn start(
        player_one: Account,
        player_two: Account,
        shape: ShapeSpec,
    ) -> Result<Self, Error> {
        if player_one == player_two {
            return Err(Error::SamePlayer);
        }
        Ok(Self {
            board: Board::new(Shape::try_from(shape)?),
            player_one,
            player_two,
            last_mover: Who::Nobody,
            turns: 0,
            winner: Who::Nobody,
            over: Over::No,
            payer: player_one,
            clock: Clock::NONE,
        })
    }

    /// The same game with another account as the one who pays for its storage: without
    /// this it is player one.
    #[must_use]
    pub const fn paid_by(mut self, payer: Account) -> Self {
        self.payer = payer;
        self
    }

    /// The same game with a clock that starts `now`, in seconds since 1970.
    #[must_use]
    pub const fn timed(mut self, clock: ClockSpec, now: u64) -> Self {
        self.clock = Clock::start(clock, now);
        self
    }

    /// Drops a disc of `caller` into a bin, counted from 0, at the time `now`, in seconds
    /// since 1970: without a clock it does not matter.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies, and leaves the game unchanged:
    ///
    /// 1. [`Error::GameOver`] if the game has ended,
    /// 2. [`Error::NotAPlayer`] if the caller does not play this game,
    /// 3. [`Error::NotYourTurn`] if the other player is to move,
    /// 4. [`Error::OutOfTime`] if the caller's time has run out,
    /// 5. [`Error::NoSuchBin`] if the board has no such bin,
    /// 6. [`Error::BinFull`] if the bin is full.
    ///
    /// First what no caller can change, then what no bin can change, then the bin:
    /// an answer is never one that a better choice of bin would only replace.
    pub fn drop(&mut self, caller: Account, bin: u8, now: u64) -> Result<Dropped, Error> {
        let player = self.seat_of(&caller)?;
        if player != self.next() {
            return Err(Error::NotYourTurn);
        }
        if self.clock.has_run_out(now) {
            return Err(Error::OutOfTime);
        }
        let row = self.board.drop(player, Bin::new(bin))?;
        // A cell was free, so this is at most the number of cells.
        self.turns = self.turns.wrapping_add(1);
        self.last_mover = Some(player).into();
        let outcome = outcome(&self.board, self.turns, player);
        if let Some(outcome) = outcome {
            self.winner = outcome.winner().into();
            self.over = match outcome {
                Outcome::Won(_) => Over::Line,
                Outcome::Draw => Over::FullBoard,
            };
        }
        self.clock.press(now);
        Ok(Dropped { row, outcome })
    }

    /// `caller` gives up, whoever is to move: the other player wins.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies, and leaves the game unchanged:
    ///
    /// 1. [`Error::GameOver`] if the game has ended,
    /// 2. [`Error::NotAPlayer`] if the caller does not play this game.
    pub fn resign(&mut self, caller: Account) -> Result<(), Error> {
        let player = self.seat_of(&caller)?;
        self.finish(End::Resignation, Some(player.opponent()))
    }

    /// Both players have agreed on a draw.
    ///
    /// # Errors
    ///
    /// [`Error::GameOver`] if the game has ended.
    pub fn agree_on_a_draw(&mut self) -> Result<(), Error> {
        self.finish(End::Agreement, None)
    }

    /// Ends the game if the time of who is to move has run out at the time `now`, in
    /// seconds since 1970. If both have moved the other player wins; else it is aborted.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies, and leaves the game unchanged:
    ///
    /// 1. [`Error::GameOver`] if the game has ended,
    /// 2. [`Error::NoClock`] if it has no clock,
    /// 3. [`Error::TimeLeft`] if the deadline is not over: at the deadline it is not.
    pub fn time_out(&mut self, now: u64) -> Result<(), Error> {
        let player = self.to_move().ok_or(Error::GameOver)?;
        let clock = self.clock().ok_or(Error::NoClock)?;
        if !clock.has_run_out(now) {
            return Err(Error::TimeLeft);
        }
        if self.turns < 2 {
            self.finish(End::Abort, None)
        } else {
            self.finish(End::Timeout, Some(player.opponent()))
        }
    }

    /// Ends the game like this. That the end and the winner go together is the caller's
    /// affair: it is for who keeps the rules of a match, as the methods above do.
    ///
    /// # Errors
    ///
    /// [`Error::GameOver`] if the game has ended.
    pub fn finish(&mut self, end: End, winner: Option<Player>) -> Result<(), Error> {
        if self.is_over() {
            return Err(Error::GameOver);
        }
        self.over = end.into();
        self.winner = winner.into();
        Ok(())
    }

    /// Which player an account is in a game that goes on.
    fn seat_of(&self, account: &Account) -> Result<Player, Error> {
        if self.is_over() {
            return Err(Error::GameOver);
        }
        self.player_of(account).ok_or(Error::NotAPlayer)
    }

    /// The account of player one, who plays red and moves first.
    #[must_use]
    pub const fn player_one(&self) -> Account {
        self.player_one
    }

    /// The account of player two, who plays blue.
    #[must_use]
    pub const fn player_two(&self) -> Account {
        self.player_two
    }

    /// The account of a player.
    #[must_use]
    pub const fn account_of(&self, player: Player) -> Account {
        match player {
            Player::One => self.player_one,
            Player::Two => self.player_two,
        }
    }

    /// Which player an account is; none if it does not play this game.
    #[must_use]
    pub fn player_of(&self, account: &Account) -> Option<Player> {
        if *account == self.player_one {
            Some(Player::One)
        } else if *account == self.player_two {
            Some(Player::Two)
        } else {
            None
        }
    }

    /// Whose turn it is; none after the end.
    #[must_use]
    pub const fn to_move(&self) -> Option<Player> {
        if self.is_over() {
            None
        } else {
            Some(self.next())
        }
    }

    /// Who has not moved last; player one at the start.
    const fn next(&self) -> Player {
        match self.last_mover.player() {
            Some(player) => player.opponent(),
            None => Player::One,
        }
    }

    /// The shape of the board.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.board.shape()
    }

    /// The board.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The position on the board.
    #[must_use]
    pub const fn position(&self) -> Position {
        Position::of(self.board, self.turns)
    }

    /// Who moved last; none before the first turn.
    #[must_use]
    pub const fn last_mover(&self) -> Option<Player> {
        self.last_mover.player()
    }

    /// How many turns have been taken.
    #[must_use]
    pub const fn turns(&self) -> u8 {
        self.turns
    }

    /// How many of them a player has taken.
    #[must_use]
    pub const fn turns_of(&self, player: Player) -> u8 {
        match player {
            Player::One => self.turns.div_ceil(2),
            Player::Two => self.turns / 2,
        }
    }

    /// Who won; none while nobody has, after a draw, and if it was aborted.
    #[must_use]
    pub const fn winner(&self) -> Option<Player> {
        self.winner.player()
    }

    /// Whether the game has ended.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        !matches!(self.over, Over::No)
    }

    /// How the game ended; none while it goes on.
    #[must_use]
    pub const fn end(&self) -> Option<End> {
        self.over.end()
    }

    /// Who won or that it is a draw; none while it goes on, and if it was aborted.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        match (self.over, self.winner.player()) {
            (Over::No | Over::Abort, _) => None,
            (_, Some(player)) => Some(Outcome::Won(player)),
            (_, None) => Some(Outcome::Draw),
        }
    }

    /// Who pays for the storage that the game takes, and may free it once it has ended.
    #[must_use]
    pub const fn payer(&self) -> Account {
        self.payer
    }

    /// The clock, if the game has one. Once the game has ended it stands.
    #[must_use]
    pub const fn clock(&self) -> Option<Clock> {
        if self.clock.runs() {
            Some(self.clock)
        } else {
            None
        }
    }

    /// The last second at which who is to move may move, in seconds since 1970; none
    /// without a clock and after the end.
    #[must_use]
    pub const fn deadline(&self) -> Option<u64> {
        if self.clock.runs() && !self.is_over() {
            Some(self.clock.deadline())
        } else {
            None
        }
    }

    /// The cells of every line of the winner; empty while nobody has won.
    #[must_use]
    pub fn winning_cells(&self) -> Cells {
        match self.winner.player() {
            Some(player) => self.board.lines(player),
            None => Cells::EMPTY,
        }
    }
}

/// The record byte for byte as derivation would write and read it. By hand, as a
/// contract pays for its code on every move: derived, writing takes 404 bytes of it
/// and reading 958, this 258 and 374, the look at the shape (which a contract that
/// wrote the record itself could do without) included.
#[cfg(feature = "scale")]
mod record {
    use codec::{Decode, Encode, EncodeLike, Input};

    use super::{Board, Game, Over, Who};
    use crate::{Cells, Clock, Player, Shape};

    const LEN: usize = 115;

    /// Aligned, as its parts then are: on the contract's machine an unaligned number
    /// is moved byte by byte. `inline(never)` below keeps the alignment known.
    #[repr(align(8))]
    struct Record([u8; LEN]);

    impl EncodeLike for Game {}

    impl Encode for Game {
        fn size_hint(&self) -> usize {
            LEN
        }

        fn using_encoded<R, F: FnOnce(&[u8]) -> R>(&self, f: F) -> R {
            f(&record(self).0)
        }
    }

    #[inline(never)]
    fn record(game: &Game) -> Record {
        let discs = |player| game.board.discs(player).bits().to_le_bytes();
        let shape = game.shape();
        let mut record = Record([0; LEN]);
        let bytes = &mut record.0;
        bytes[..20].copy_from_slice(&game.player_one);
        bytes[20..40].copy_from_slice(&game.player_two);
        bytes[40..56].copy_from_slice(&discs(Player::One));
        bytes[56..72].copy_from_slice(&discs(Player::Two));
        bytes[72] = shape.bins();
        bytes[73] = shape.capacity();
        bytes[74] = shape.line();
        bytes[75] = game.last_mover as u8;
        bytes[76] = game.turns;
        bytes[77] = game.winner as u8;
        bytes[78] = game.over as u8;
        bytes[79..99].copy_from_slice(&game.payer);
        bytes[99..107].copy_from_slice(&game.clock.deadline.to_le_bytes());
        bytes[107..111].copy_from_slice(&game.clock.waiting.to_le_bytes());
        bytes[111..115].copy_from_slice(&game.clock.increment.to_le_bytes());
        record
    }

    /// Refuses a shape out of bounds. That the other fields agree is not looked at.
    impl Decode for Game {
        fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
            let mut record = Record([0; LEN]);
            input.read(&mut record.0)?;
            game(&record).ok_or_else(|| "not a game".into())
        }
    }

    #[inline(never)]
    fn game(Record(bytes): &Record) -> Option<Game> {
        // The parts add up to LEN: to split them off can't fail, and costs nothing.
        let (player_one, bytes) = bytes.split_first_chunk::<20>()?;
        let (player_two, bytes) = bytes.split_first_chunk::<20>()?;
        let (one, bytes) = bytes.split_first_chunk::<16>()?;
        let (two, bytes) = bytes.split_first_chunk::<16>()?;
        let ([bins, capacity, line], bytes) = bytes.split_first_chunk::<3>()?;
        let ([last_mover, turns, winner, over], bytes) = bytes.split_first_chunk::<4>()?;
        let (payer, bytes) = bytes.split_first_chunk::<20>()?;
        let (deadline, bytes) = bytes.split_first_chunk::<8>()?;
        let (waiting, bytes) = bytes.split_first_chunk::<4>()?;
        let (increment, _) = bytes.split_first_chunk::<4>()?;
        let shape = Shape::new(*bins, *capacity, *line).ok()?;
        let discs = |bytes: &[u8; 16]| Cells::from_bits(u128::from_le_bytes(*bytes));
        Some(Game {
            player_one: *player_one,
            player_two: *player_two,
            board: Board::with_discs(shape, discs(one), discs(two)),
            last_mover: who(*last_mover)?,
            turns: *turns,
            winner: who(*winner)?,
            over: over_of(*over)?,
            payer: *payer,
            clock: Clock {
                deadline: u64::from_le_bytes(*deadline),
                waiting: u32::from_le_bytes(*waiting),
                increment: u32::from_le_bytes(*increment),
            },
        })
    }

    const fn over_of(byte: u8) -> Option<Over> {
        Some(match byte {
            0 => Over::No,
            1 => Over::Line,
            2 => Over::FullBoard,
            3 => Over::Resignation,
            4 => Over::Agreement,
            5 => Over::Timeout,
            6 => Over::Abort,
            _ => return None,
        })
    }

    const fn who(byte: u8) -> Option<Who> {
        match byte {
            0 => Some(Who::One),
            1 => Some(Who::Two),
            2 => Some(Who::Nobody),
            _ => None,
        }
    }

    #[cfg(test)]
    mod tests {
        extern crate std;

        use std::vec::Vec;

        use super::*;
        use crate::{Account, ClockSpec};

        /// What the record is by derivation.
        #[derive(Encode, Decode, PartialEq, Debug)]
        struct Derived {
            player_one: Account,
            player_two: Account,
            board: Board,
            last_mover: Who,
            turns: u8,
            winner: Who,
            over: Over,
            payer: Account,
            clock: Clock,
        }

        const CLOCKS: [Option<ClockSpec>; 2] = [
            None,
            Some(ClockSpec {
                bank: 60,
                increment: 5,
            }),
        ];

        fn start(clock: Option<ClockSpec>) -> Game {
            let game = Game::start([1; 20], [2; 20], Shape::STANDARD.into())
                .unwrap()
                .paid_by([3; 20]);
            match clock {
                Some(clock) => game.timed(clock, 1_700_000_000),
                None => game,
            }
        }

        #[test]
        fn the_record_is_what_derivation_would_make_of_it() {
            for clock in CLOCKS {
                let mut game = start(clock);
                for bin in [6, 5, 6, 5, 6, 5, 6] {
                    let caller = game.account_of(game.to_move().unwrap());
                    game.drop(caller, bin, 1_700_000_007).unwrap();
                    let derived = Derived {
                        board: game.board,
                        player_one: game.player_one,
                        player_two: game.player_two,
                        last_mover: game.last_mover,
                        turns: game.turns,
                        winner: game.winner,
                        over: game.over,
                        payer: game.payer,
                        clock: game.clock,
                    };
                    assert_eq!(game.encode(), derived.encode());
                }
            }
        }

        #[test]
        fn it_refuses_what_derivation_would_refuse() {
            for clock in CLOCKS {
                let game = start(clock).encode();
                for place in 0..game.len() {
                    for byte in 0..=u8::MAX {
                        let mut bytes: Vec<u8> = game.clone();
                        bytes[place] = byte;
                        let read = Game::decode(&mut bytes.as_slice()).map(|game| game.encode());
                        let derived =
                            Derived::decode(&mut bytes.as_slice()).map(|game| game.encode());
                        assert_eq!(read.ok(), derived.ok(), "byte {place}: {byte}");
                    }
                }
                assert!(Game::decode(&mut &game[..game.len() - 1]).is_err());
            }
        }
    }
}

/// Why a game, or the contract that keeps it, refuses a request.
///
/// New variants are only added at the end: clients know them by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "scale",
    derive(codec::Decode, codec::MaxEncodedLen, scale_info::TypeInfo)
)]
#[repr(u8)]
pub enum Error {
    /// There is no game with this number.
    #[cfg_attr(feature = "scale", codec(index = 0))]
    NoSuchGame = 0,
    /// The caller does not play this game.
    #[cfg_attr(feature = "scale", codec(index = 1))]
    NotAPlayer = 1,
    /// The other player is to move.
    #[cfg_attr(feature = "scale", codec(index = 2))]
    NotYourTurn = 2,
    /// The board has no such bin.
    #[cfg_attr(feature = "scale", codec(index = 3))]
    NoSuchBin = 3,
    /// The bin holds as many discs as it can.
    #[cfg_attr(feature = "scale", codec(index = 4))]
    BinFull = 4,
    /// The game has ended.
    #[cfg_attr(feature = "scale", codec(index = 5))]
    GameOver = 5,
    /// Both players are the same account.
    #[cfg_attr(feature = "scale", codec(index = 6))]
    SamePlayer = 6,
    /// The shape is out of bounds.
    #[cfg_attr(feature = "scale", codec(index = 7))]
    BadShape = 7,
    /// The caller is not the contract that referees these games.
    #[cfg_attr(feature = "scale", codec(index = 8))]
    NotReferee = 8,
    /// The time of who is to move has run out.
    #[cfg_attr(feature = "scale", codec(index = 9))]
    OutOfTime = 9,
    /// The game has no clock.
    #[cfg_attr(feature = "scale", codec(index = 10))]
    NoClock = 10,
    /// The deadline of who is to move is not over.
    #[cfg_attr(feature = "scale", codec(index = 11))]
    TimeLeft = 11,
    /// The clock is out of bounds.
    #[cfg_attr(feature = "scale", codec(index = 12))]
    BadClock = 12,
    /// There is a stake and no clock.
    #[cfg_attr(feature = "scale", codec(index = 13))]
    StakeNeedsClock = 13,
    /// The stake, or what it would add up to, is more than can be counted.
    #[cfg_attr(feature = "scale", codec(index = 14))]
    StakeTooLarge = 14,
    /// What was paid is not the stake.
    #[cfg_attr(feature = "scale", codec(index = 15))]
    WrongStake = 15,
    /// There is no open challenge with this number.
    #[cfg_attr(feature = "scale", codec(index = 16))]
    NoSuchChallenge = 16,
    /// The challenge is to somebody else.
    #[cfg_attr(feature = "scale", codec(index = 17))]
    NotChallenged = 17,
    /// The challenge is somebody else's.
    #[cfg_attr(feature = "scale", codec(index = 18))]
    NotChallenger = 18,
    /// The game goes on.
    #[cfg_attr(feature = "scale", codec(index = 19))]
    GameNotOver = 19,
    /// The other player offers nothing, or not any more.
    #[cfg_attr(feature = "scale", codec(index = 20))]
    NoOffer = 20,
    /// The caller's own offer stands already.
    #[cfg_attr(feature = "scale", codec(index = 21))]
    AlreadyOffered = 21,
    /// The game has had its rematch.
    #[cfg_attr(feature = "scale", codec(index = 22))]
    RematchStarted = 22,
    /// The game has no stakes, or they are settled.
    #[cfg_attr(feature = "scale", codec(index = 23))]
    NothingToSettle = 23,
    /// Nothing is owed to the caller.
    #[cfg_attr(feature = "scale", codec(index = 24))]
    NothingToWithdraw = 24,
    /// What is owed could not be paid: the receiver did not take it.
    #[cfg_attr(feature = "scale", codec(index = 25))]
    TransferFailed = 25,
    /// The caller did not pay for this storage.
    #[cfg_attr(feature = "scale", codec(index = 26))]
    NotPayer = 26,
}

impl Error {
    /// All of them, each at its number.
    pub const ALL: [Self; 27] = [
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
    ];
}

/// As derivation would write it, but without a branch for each: a contract pays for them.
#[cfg(feature = "scale")]
impl codec::Encode for Error {
    fn encode_to<T: codec::Output + ?Sized>(&self, dest: &mut T) {
        dest.push_byte(*self as u8);
    }
}

#[cfg(feature = "scale")]
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

/// What was wrong, and what to do.
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
                "the time to move is over; anybody may now claim the timeout, which ends the game"
            }
            Self::NoClock => "this game has no clock, so no time runs out; wait, or offer a draw",
            Self::TimeLeft => "the player to move still has time; claim once the deadline is over",
            Self::BadClock => {
                "this clock is out of bounds: the bank is from 1 second to 30 days, the increment \
                 at most a day"
            }
            Self::StakeNeedsClock => {
                "a game for a stake needs a clock, or who is losing could keep it for ever; add one"
            }
            Self::StakeTooLarge => "the stake is too large to be counted; choose a smaller one",
            Self::WrongStake => "what was paid is not the stake; pay just the stake of the terms",
            Self::NoSuchChallenge => {
                "there is no such open challenge; it may have been accepted or withdrawn"
            }
            Self::NotChallenged => "this challenge is to somebody else; choose another",
            Self::NotChallenger => "this challenge is somebody else's; only they can cancel it",
            Self::GameNotOver => "the game is not over; play it to its end first",
            Self::NoOffer => {
                "there is no offer of the other player, or a move has ended it; make one yourself"
            }
            Self::AlreadyOffered => "your offer stands already; wait for the answer",
            Self::RematchStarted => "the rematch of this game was started already; play that one",
            Self::NothingToSettle => "this game has no stakes that wait to be settled",
            Self::NothingToWithdraw => "nothing is owed to this account",
            Self::TransferFailed => {
                "the receiver did not take what is owed; it stays owed: pay it to another account"
            }
            Self::NotPayer => "this account did not pay the deposit; who did may free the storage",
        })
    }
}

impl core::error::Error for Error {}
