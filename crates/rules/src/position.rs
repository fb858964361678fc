//! A position of a game: the board and whose turn it is.

use core::fmt;

use crate::notation::NotationError;
use crate::play::played;
use crate::{Bin, Board, ByPlayer, Cell, Cells, DropError, Dropped, Outcome, Play, Player, Shape};

/// A board and whose turn it is.
///
/// # Examples
///
/// ```
/// use connect4_rules::{Bin, DropError, Player, Position, Shape};
///
/// let mut position = Position::new(Shape::STANDARD);
/// assert_eq!(position.to_move(), Player::One);
/// let dropped = position.drop(Bin::new(3))?;
/// assert_eq!((dropped.row, dropped.outcome), (0, None));
/// assert_eq!(position.to_move(), Player::Two);
///
/// // A refused drop changes nothing.
/// let before = position;
/// assert_eq!(position.drop(Bin::new(7)), Err(DropError::NoSuchBin));
/// assert_eq!(position, before);
/// # Ok::<(), DropError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    plies: u8,
}

impl Position {
    /// The start: an empty board, player one to move.
    #[must_use]
    pub const fn new(shape: Shape) -> Self {
        Self::from_parts(Board::new(shape), 0)
    }

    /// The position with this board after `plies` drops. Neither is checked;
    /// [`Position::from_discs`] does that.
    #[must_use]
    pub const fn from_parts(board: Board, plies: u8) -> Self {
        Self { board, plies }
    }

    /// The position with these discs on the board.
    ///
    /// # Errors
    ///
    /// [`Unreachable`] if no game leads to it, by the stacks, the numbers of discs and
    /// the lines. Positions in which every order of drops would make a line too early
    /// are not recognized.
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_rules::{ByPlayer, Cell, Cells, Position, Shape, Unreachable};
    ///
    /// let shape = Shape::STANDARD;
    /// let discs = ByPlayer {
    ///     one: Cells::of(shape, Cell::new(0, 0)),
    ///     two: Cells::of(shape, Cell::new(0, 1)),
    /// };
    /// assert_eq!(Position::from_discs(shape, discs)?.plies(), 2);
    /// // Blue moved last, but red lies on top.
    /// assert_eq!(
    ///     Position::from_discs(shape, discs.swapped()),
    ///     Err(Unreachable::NoLastDrop)
    /// );
    /// # Ok::<(), Unreachable>(())
    /// ```
    pub fn from_discs(shape: Shape, discs: ByPlayer<Cells>) -> Result<Self, Unreachable> {
        let board = Board::with_discs(shape, discs);
        let (ones, twos) = (discs.one.len(), discs.two.len());
        let heights = shape.iter_bins().map(|bin| board.height(bin));
        let stacked = heights.clone().fold(0, u8::saturating_add);
        // The discs of both players add up to those in the stacks unless one floats, lies off the
        // board, or lies where another does. A stack may still reach into the bit above its bin.
        let overflowing = heights.clone().any(|height| height > shape.capacity());
        if ones.saturating_add(twos) != stacked || overflowing {
            return Err(Unreachable::NotStacked);
        }
        if ones != twos && ones != twos.saturating_add(1) {
            return Err(Unreachable::NotAlternate);
        }
        let position = Self::from_parts(board, stacked);
        let (mover, waiting) = (position.to_move(), position.to_move().opponent());
        if !board.lines(mover).is_empty() {
            return Err(Unreachable::PlayedOn);
        }
        // One of the discs on top was dropped last, and before it there was no line.
        let last_drop = shape.iter_bins().any(|bin| {
            board.height(bin).checked_sub(1).is_some_and(|row| {
                let mut before = discs;
                before[waiting].remove(shape, Cell { bin, row })
                    && Board::with_discs(shape, before).lines(waiting).is_empty()
            })
        });
        if stacked > 0 && !last_drop {
            return Err(Unreachable::NoLastDrop);
        }
        Ok(position)
    }

    /// The position after the moves of a string, played from the start.
    ///
    /// # Errors
    ///
    /// Names the first character that stands for no bin, or whose drop the position refuses.
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_rules::{Outcome, Player, Position, Shape};
    ///
    /// let position = Position::from_moves(Shape::STANDARD, "1212121")?;
    /// assert_eq!(position.outcome(), Some(Outcome::Won(Player::One)));
    ///
    /// let error = Position::from_moves(Shape::STANDARD, "12121212").unwrap_err();
    /// assert_eq!(error.to_string(), "move 8, '2': the game has ended");
    /// # Ok::<(), connect4_rules::notation::NotationError>(())
    /// ```
    pub fn from_moves(shape: Shape, text: &str) -> Result<Self, NotationError> {
        played(Self::new(shape), text)
    }

    /// The board.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The shape of the board.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.board.shape()
    }

    /// How many discs have been dropped.
    #[must_use]
    pub const fn plies(&self) -> u8 {
        self.plies
    }

    /// The player to move; after the end, the player whose turn it would be.
    #[must_use]
    pub const fn to_move(&self) -> Player {
        if self.plies & 1 == 0 {
            Player::One
        } else {
            Player::Two
        }
    }

    /// How the game ended; none while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.board
            .outcome_after(self.to_move().opponent(), self.plies)
    }

    /// Whose disc lies in a cell; none if it is free or the board has no such cell.
    #[must_use]
    pub const fn disc(&self, cell: Cell) -> Option<Player> {
        self.board.disc(cell)
    }

    /// How many discs lie in a bin; 0 if the board has no such bin.
    #[must_use]
    pub const fn height(&self, bin: Bin) -> u8 {
        self.board.height(bin)
    }

    /// The bins a disc can be dropped into, from the left; none after the end.
    pub fn legal_bins(&self) -> impl Iterator<Item = Bin> + use<> {
        let board = self.board;
        let shape = board.shape();
        let bins = match self.outcome() {
            Some(_) => 0,
            None => usize::from(shape.bins()),
        };
        shape
            .iter_bins()
            .take(bins)
            .filter(move |&bin| board.height(bin) < shape.capacity())
    }

    /// Drops a disc of the player to move.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies, and leaves the position unchanged:
    ///
    /// 1. [`DropError::GameOver`] if the game has ended,
    /// 2. [`DropError::NoSuchBin`] if the board has no such bin,
    /// 3. [`DropError::BinFull`] if the bin is full.
    pub fn drop(&mut self, bin: Bin) -> Result<Dropped, DropError> {
        if self.outcome().is_some() {
            return Err(DropError::GameOver);
        }
        let player = self.to_move();
        let row = self.board.drop(player, bin)?;
        // A cell was free, so this is at most the number of cells.
        self.plies = self.plies.wrapping_add(1);
        Ok(Dropped {
            row,
            outcome: self.board.outcome_after(player, self.plies),
        })
    }

    /// The cells of every line of the winner; empty while nobody has won.
    ///
    /// The game ends with the first line, so these are the lines which the last
    /// drop completed.
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_rules::{Cell, Position};
    ///
    /// let position: Position = "
    ///     . . . . . .
    ///     . . . . . .
    ///     O O O . . .
    ///     X X X X . .
    /// "
    /// .parse()?;
    /// let row: Vec<Cell> = position.winning_cells().iter(position.shape()).collect();
    /// assert_eq!(row, [0, 1, 2, 3].map(|bin| Cell::new(bin, 0)));
    /// # Ok::<(), connect4_rules::ReadError>(())
    /// ```
    #[must_use]
    pub fn winning_cells(&self) -> Cells {
        // Only the player who moved last can have a line.
        self.board.lines(self.to_move().opponent())
    }
}

impl Play for Position {
    type Move = Bin;
    type Outcome = Outcome;

    fn legal_moves(&self) -> impl Iterator<Item = Bin> {
        self.legal_bins()
    }

    fn play(&mut self, bin: Bin) -> Result<Option<Outcome>, DropError> {
        self.drop(bin).map(|dropped| dropped.outcome)
    }
}

/// Why no game leads to a position: the first of these that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unreachable {
    /// A disc floats, lies off the board, or lies where another does.
    NotStacked,
    /// Red needs as many discs as blue, or one more.
    NotAlternate,
    /// The player to move has a line: the game had ended before the last drop.
    PlayedOn,
    /// No disc can be the one dropped last: all discs of that player are covered, or
    /// a line remains whichever of them is taken away.
    NoLastDrop,
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotStacked => "a disc does not lie on the bottom or on another disc",
            Self::NotAlternate => "red needs as many discs as blue, or one more",
            Self::PlayedOn => "the game had ended before the last drop",
            Self::NoLastDrop => "no disc on top can be the last that was dropped",
        })
    }
}

impl core::error::Error for Unreachable {}
