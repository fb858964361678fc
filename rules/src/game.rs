//! A game between two accounts, as a contract stores it.

use core::fmt;

use crate::position::outcome;
use crate::{
    Bin, Board, Cells, DropError, Dropped, Outcome, Player, Position, Shape, ShapeError, ShapeSpec,
};

/// An account on the chain: its 20 bytes.
pub type Account = [u8; 20];

/// A game between two accounts: all a contract stores of it, in one record.
///
/// It changes by [`Game::drop`] alone. The winner, the flag and the turns could be
/// told from the board; they are kept so that reading them takes no rules.
///
/// # Examples
///
/// ```
/// use connect4_rules::{Error, Game, Player, Shape};
///
/// let (alice, bob) = ([1; 20], [2; 20]);
/// let mut game = Game::start(alice, bob, Shape::STANDARD.into())?;
/// assert_eq!(game.drop(bob, 3), Err(Error::NotYourTurn));
/// for _ in 0..3 {
///     game.drop(alice, 3)?;
///     game.drop(bob, 4)?;
/// }
/// assert!(!game.is_over());
/// game.drop(alice, 3)?;
/// assert_eq!(game.winner(), Some(Player::One));
/// assert_eq!(game.drop(bob, 4), Err(Error::GameOver));
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
    over: bool,
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
            over: false,
        })
    }

    /// Drops a disc of `caller` into a bin, counted from 0.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies, and leaves the game unchanged:
    ///
    /// 1. [`Error::GameOver`] if the game has ended,
    /// 2. [`Error::NotAPlayer`] if the caller does not play this game,
    /// 3. [`Error::NotYourTurn`] if the other player is to move,
    /// 4. [`Error::NoSuchBin`] if the board has no such bin,
    /// 5. [`Error::BinFull`] if the bin is full.
    ///
    /// First what no caller can change, then what no bin can change, then the bin:
    /// an answer is never one that a better choice of bin would only replace.
    pub fn drop(&mut self, caller: Account, bin: u8) -> Result<Dropped, Error> {
        if self.over {
            return Err(Error::GameOver);
        }
        let player = self.player_of(&caller).ok_or(Error::NotAPlayer)?;
        if player != self.next() {
            return Err(Error::NotYourTurn);
        }
        let row = self.board.drop(player, Bin::new(bin))?;
        // A cell was free, so this is at most the number of cells.
        self.turns = self.turns.wrapping_add(1);
        self.last_mover = Some(player).into();
        let outcome = outcome(&self.board, self.turns, player);
        if let Some(outcome) = outcome {
            self.winner = outcome.winner().into();
            self.over = true;
        }
        Ok(Dropped { row, outcome })
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
        if self.over { None } else { Some(self.next()) }
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

    /// Who won; none while nobody has, and after a draw.
    #[must_use]
    pub const fn winner(&self) -> Option<Player> {
        self.winner.player()
    }

    /// Whether the game has ended.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// How the game ended; none while it goes on.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        match (self.over, self.winner.player()) {
            (false, _) => None,
            (true, Some(player)) => Some(Outcome::Won(player)),
            (true, None) => Some(Outcome::Draw),
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

    use super::{Board, Game, Who};
    use crate::{Cells, Player, Shape};

    const LEN: usize = 79;

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
        bytes[78] = u8::from(game.over);
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
        let ([last_mover, turns, winner, over], _) = bytes.split_first_chunk::<4>()?;
        let shape = Shape::new(*bins, *capacity, *line).ok()?;
        let discs = |bytes: &[u8; 16]| Cells::from_bits(u128::from_le_bytes(*bytes));
        Some(Game {
            player_one: *player_one,
            player_two: *player_two,
            board: Board::with_discs(shape, discs(one), discs(two)),
            last_mover: who(*last_mover)?,
            turns: *turns,
            winner: who(*winner)?,
            over: match over {
                0 => false,
                1 => true,
                _ => return None,
            },
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
        use crate::Account;

        /// What the record is by derivation.
        #[derive(Encode, Decode, PartialEq, Debug)]
        struct Derived {
            player_one: Account,
            player_two: Account,
            board: Board,
            last_mover: Who,
            turns: u8,
            winner: Who,
            over: bool,
        }

        #[test]
        fn the_record_is_what_derivation_would_make_of_it() {
            let mut game = Game::start([1; 20], [2; 20], Shape::STANDARD.into()).unwrap();
            for bin in [6, 5, 6, 5, 6, 5, 6] {
                let caller = game.account_of(game.to_move().unwrap());
                game.drop(caller, bin).unwrap();
                let derived = Derived {
                    board: game.board,
                    player_one: game.player_one,
                    player_two: game.player_two,
                    last_mover: game.last_mover,
                    turns: game.turns,
                    winner: game.winner,
                    over: game.over,
                };
                assert_eq!(game.encode(), derived.encode());
            }
        }

        #[test]
        fn it_refuses_what_derivation_would_refuse() {
            let game = Game::start([1; 20], [2; 20], Shape::STANDARD.into()).unwrap();
            for place in 0..LEN {
                for byte in 0..=u8::MAX {
                    let mut bytes: Vec<u8> = game.encode();
                    bytes[place] = byte;
                    let read = Game::decode(&mut bytes.as_slice()).map(|game| game.encode());
                    let derived = Derived::decode(&mut bytes.as_slice()).map(|game| game.encode());
                    assert_eq!(read.ok(), derived.ok(), "byte {place}: {byte}");
                }
            }
            assert!(Game::decode(&mut &game.encode()[..LEN - 1]).is_err());
        }
    }
}

/// Why a game, or the contract that keeps it, refuses a request.
///
/// New variants are only added at the end: clients know them by their number.
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
}

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
        })
    }
}

impl core::error::Error for Error {}
