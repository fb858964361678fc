//! A game between two accounts, as a contract stores it.

mod packed;
mod record;

use connect4_rules::{Bin, Board, Cells, Dropped, Outcome, Player, Position, Shape, ShapeSpec};

pub(crate) use self::packed::TwoEnd;
use self::packed::{Over, Who};
use crate::signed::Moves;
use crate::{Address, End, Error};

/// A game between two accounts: all that a contract stores of it, in one record.
///
/// [`Game::drop`] changes it, [`Game::resign`] ends it otherwise. The turns, and after most ends the winner, follow from
/// the board; they are stored so that reading them takes no rules.
///
/// # Examples
///
/// ```
/// use connect4_protocol::{Address, Error, Game};
/// use connect4_rules::{Bin, Player, Shape};
///
/// let (alice, bob) = (Address([1; 20]), Address([2; 20]));
/// let mut game = Game::start(alice, bob, Shape::STANDARD.into())?;
/// assert_eq!(game.drop(bob, Bin::new(3)), Err(Error::NotYourTurn));
/// for _ in 0..3 {
///     game.drop(alice, Bin::new(3))?;
///     game.drop(bob, Bin::new(4))?;
/// }
/// assert!(!game.is_over());
/// game.drop(alice, Bin::new(3))?;
/// assert_eq!(game.winner(), Some(Player::One));
/// assert_eq!(game.drop(bob, Bin::new(4)), Err(Error::GameOver));
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
        })
    }

    /// The same game with `payer` as the account that pays for its storage. Without this call it
    /// is that of player one.
    #[must_use]
    pub const fn paid_by(mut self, payer: Address) -> Self {
        self.payer = payer;
        self
    }

    /// The same game at its start.
    pub(crate) const fn restarted(&self) -> Self {
        Self {
            player_one: self.player_one,
            player_two: self.player_two,
            board: Board::new(self.board.shape()),
            last_mover: Who::Nobody,
            turns: 0,
            winner: Who::Nobody,
            over: Over::No,
            payer: self.payer,
        }
    }

    /// The same game before its end, for a signed game whose winner has resigned before, and for a client
    /// that replays its events.
    pub const fn reopen(&mut self) {
        self.over = Over::No;
        self.winner = Who::Nobody;
    }

    /// Drops a disc of `caller` into a bin.
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
    /// The order is from reasons that hold for every caller, over those that hold for every bin,
    /// to those of this bin. So an error about the bin means that another bin may be accepted.
    pub fn drop(&mut self, caller: Address, bin: Bin) -> Result<Dropped, Error> {
        let player = self.mover(&caller)?;
        self.drop_of(player, bin)
    }

    /// Drops a disc of the player to move into a bin. The errors are 4 and 5 of [`Self::drop`].
    pub(crate) fn drop_of(&mut self, player: Player, bin: Bin) -> Result<Dropped, Error> {
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
        Ok(Dropped { row, outcome })
    }

    /// The player that an account is, if it is to move. The errors are 1 to 3 of [`Self::drop`].
    pub(crate) fn mover(&self, caller: &Address) -> Result<Player, Error> {
        let player = self.seat_of(caller)?;
        if player != self.next() {
            return Err(Error::NotYourTurn);
        }
        Ok(player)
    }

    /// Gives the game up for `caller`, in whose turn or not; the opponent wins.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies, and leaves the game unchanged:
    ///
    /// 1. [`Error::GameOver`] if the game has ended,
    /// 2. [`Error::NotAPlayer`] if the caller does not play this game.
    pub fn resign(&mut self, caller: Address) -> Result<(), Error> {
        let player = self.seat_of(&caller)?;
        self.end_by(TwoEnd::Resignation, Some(player.opponent()))
    }

    /// Whether `caller` can free the storage of the game.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameNotOver`] if the game has not ended,
    /// 2. [`Error::NotPayer`] if another account has paid for the storage.
    pub fn free(&self, caller: Address) -> Result<(), Error> {
        if !self.is_over() {
            return Err(Error::GameNotOver);
        }
        match self.payer == caller {
            true => Ok(()),
            false => Err(Error::NotPayer),
        }
    }

    /// Ends the game with this end and this winner, and does not check that the two go together:
    /// for a client that replays the events of a game. The methods above are the checked ones.
    ///
    /// # Errors
    ///
    /// [`Error::GameOver`] if the game has ended, or if only variants end this way.
    pub fn finish(&mut self, end: End, winner: Option<Player>) -> Result<(), Error> {
        let end = TwoEnd::of(end).ok_or(Error::GameOver)?;
        self.end_by(end, winner)
    }

    /// Ends the game if it has not ended.
    pub(crate) fn end_by(&mut self, end: TwoEnd, winner: Option<Player>) -> Result<(), Error> {
        if self.is_over() {
            return Err(Error::GameOver);
        }
        self.over = end.into();
        self.winner = winner.into();
        Ok(())
    }

    /// The player that an account is, if the game has not ended.
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

    /// The player that an account is; none if it does not play this game.
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

    /// The player to move; none after the end.
    #[must_use]
    pub const fn to_move(&self) -> Option<Player> {
        if self.is_over() {
            None
        } else {
            Some(self.next())
        }
    }

    /// The opponent of the last mover; player one at the start.
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

    /// The position on the board by colours: after a swap player two is red, and player one is blue.
    #[must_use]
    pub const fn position(&self) -> Position {
        let board = match self.is_swapped() {
            true => self.board.recoloured(),
            false => self.board,
        };
        Position::from_parts(board, self.turns)
    }

    /// Whether player two has taken the first disc over, in a signed game with the pie rule.
    #[must_use]
    pub const fn is_swapped(&self) -> bool {
        let is_odd = matches!(self.last_mover, Who::One);
        self.turns % 2 != is_odd as u8
    }

    /// The player whose colour a player has in [`Self::position`]: the opponent after a swap. The same leads from a
    /// colour there to its player.
    #[must_use]
    pub const fn colour_of(&self, player: Player) -> Player {
        match self.is_swapped() {
            true => player.opponent(),
            false => player,
        }
    }

    /// How many moves were made: discs, and a swap.
    #[must_use]
    pub const fn moves(&self) -> u8 {
        self.turns.wrapping_add(self.is_swapped() as u8)
    }

    /// Drops a disc of who is to move, and does not look whether that ends the game. None if the move is not
    /// legal.
    pub(crate) fn place(&mut self, bin: Bin) -> Option<()> {
        let player = self.next();
        self.board.drop(player, bin).ok()?;
        self.turns = self.turns.wrapping_add(1);
        self.last_mover = Some(player).into();
        Some(())
    }

    /// Whether a player has a line.
    pub(crate) fn has_lines(&self) -> bool {
        Player::ALL.map(|player| !self.board.lines(player).is_empty()) != [false; 2]
    }

    /// Whether a move would be a [swap](Moves::SWAP), if the game has the pie rule.
    pub(crate) const fn is_swap(&self, bin: Bin) -> bool {
        bin.index() == Moves::SWAP && self.moves() == 1
    }

    /// Makes a move of the player to move: a drop or, where the pie rule holds, a [swap](Moves::SWAP).
    ///
    /// # Errors
    ///
    /// [`Error::GameOver`], [`Error::NoSuchBin`] or [`Error::BinFull`] if it is not legal.
    pub fn make(&mut self, bin: Bin, pie_rule: bool) -> Result<(), Error> {
        let player = self.to_move().ok_or(Error::GameOver)?;
        if pie_rule && self.is_swap(bin) {
            self.swap();
            return Ok(());
        }
        self.drop_of(player, bin)?;
        Ok(())
    }

    /// Player two takes the first disc over, and player one is to move.
    pub(crate) const fn swap(&mut self) {
        self.board = self.board.recoloured();
        self.last_mover = Who::Two;
    }

    /// The player who moved last; none before the first turn.
    #[must_use]
    pub const fn last_mover(&self) -> Option<Player> {
        self.last_mover.player()
    }

    /// How many discs were dropped.
    #[must_use]
    pub const fn turns(&self) -> u8 {
        self.turns
    }

    /// The winner; none before the end, after a draw and after an abort.
    #[must_use]
    pub const fn winner(&self) -> Option<Player> {
        self.winner.player()
    }

    /// Whether the game has ended.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        !matches!(self.over, Over::No)
    }

    /// How the game ended; none before the end.
    #[must_use]
    pub const fn end(&self) -> Option<End> {
        self.over.end()
    }

    /// The outcome; none before the end, and after an abort.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        match (self.over, self.winner.player()) {
            (Over::No | Over::Abort, _) => None,
            (_, Some(player)) => Some(Outcome::Won(player)),
            (_, None) => Some(Outcome::Draw),
        }
    }

    /// The account that pays for the storage of the game, and may free it after the end.
    #[must_use]
    pub const fn payer(&self) -> Address {
        self.payer
    }

    /// The cells of every line of the winner; empty without a winner, and without a line.
    #[must_use]
    pub fn winning_cells(&self) -> Cells {
        match self.winner.player() {
            Some(player) => self.board.lines(player),
            None => Cells::EMPTY,
        }
    }
}
