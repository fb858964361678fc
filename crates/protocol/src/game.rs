//! A game between two accounts, as a contract stores it.

mod record;

use connect4_rules::{Bin, Board, Cells, Dropped, Outcome, Player, Position, Shape, ShapeSpec};

use crate::{Address, Clock, ClockSpec, End, Error};

/// A game between two accounts: all a contract stores of it, in one record.
///
/// It changes by [`Game::drop`], and ends otherwise by [`Game::resign`],
/// [`Game::agree_on_a_draw`] and [`Game::time_out`]. Most winners, the flag and the turns
/// could be told from the board; they are kept so that reading them takes no rules.
///
/// # Examples
///
/// ```
/// use connect4_protocol::{Address, Error, Game};
/// use connect4_rules::{Bin, Player, Shape};
///
/// let (alice, bob) = (Address([1; 20]), Address([2; 20]));
/// let mut game = Game::start(alice, bob, Shape::STANDARD.into())?;
/// assert_eq!(game.drop(bob, Bin::new(3), 0), Err(Error::NotYourTurn));
/// for _ in 0..3 {
///     game.drop(alice, Bin::new(3), 0)?;
///     game.drop(bob, Bin::new(4), 0)?;
/// }
/// assert!(!game.is_over());
/// game.drop(alice, Bin::new(3), 0)?;
/// assert_eq!(game.winner(), Some(Player::One));
/// assert_eq!(game.drop(bob, Bin::new(4), 0), Err(Error::GameOver));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::MaxEncodedLen, scale_info::TypeInfo)]
pub struct Game {
    player_one: Address,
    player_two: Address,
    board: Board,
    last_mover: Who,
    turns: u8,
    winner: Who,
    over: Over,
    payer: Address,
    clock: Clock,
}

/// Whether a game is over and how it ended, in one byte either way.
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
        player_one: Address,
        player_two: Address,
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
    pub const fn paid_by(mut self, payer: Address) -> Self {
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
    pub fn drop(&mut self, caller: Address, bin: Bin, now: u64) -> Result<Dropped, Error> {
        let player = self.seat_of(&caller)?;
        if player != self.next() {
            return Err(Error::NotYourTurn);
        }
        if self.clock.has_run_out(now) {
            return Err(Error::OutOfTime);
        }
        let row = self.board.drop(player, bin)?;
        // A cell was free, so this is at most the number of cells.
        self.turns = self.turns.wrapping_add(1);
        self.last_mover = Some(player).into();
        let outcome = self.board.outcome_after(player, self.turns);
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
    pub fn resign(&mut self, caller: Address) -> Result<(), Error> {
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
    fn seat_of(&self, account: &Address) -> Result<Player, Error> {
        if self.is_over() {
            return Err(Error::GameOver);
        }
        self.player_of(account).ok_or(Error::NotAPlayer)
    }

    /// The account of player one, who plays red and moves first.
    #[must_use]
    pub const fn player_one(&self) -> Address {
        self.player_one
    }

    /// The account of player two, who plays blue.
    #[must_use]
    pub const fn player_two(&self) -> Address {
        self.player_two
    }

    /// The account of a player.
    #[must_use]
    pub const fn account_of(&self, player: Player) -> Address {
        match player {
            Player::One => self.player_one,
            Player::Two => self.player_two,
        }
    }

    /// Which player an account is; none if it does not play this game.
    #[must_use]
    pub fn player_of(&self, account: &Address) -> Option<Player> {
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
        Position::from_parts(self.board, self.turns)
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
    pub const fn payer(&self) -> Address {
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
