//! What is drawn of a position.

use connect4_rules::Cell;
use connect4_rules::variant::{self, Colour, Move, MoveError, Variant};
use connect4_wire::Position;

/// How a disc is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    None,
    /// It was put there by the last move.
    Last,
    /// It is in a line of the winner.
    Winning,
    /// The game is won, and it is in no line of the winner.
    Faded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disc {
    pub colour: Colour,
    pub mark: Mark,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    bins: u8,
    rows: u8,
    /// By rows from the bottom, in each the bins from the left.
    cells: Vec<Option<Disc>>,
}

impl Board {
    /// The board of a position; `last` is the cell that the last move has filled, if it has filled one.
    #[must_use]
    pub fn new(position: &Position, last: Option<Cell>) -> Self {
        let shape = position.terms.spec.shape;
        let is_won = !position.winning_cells.is_empty();
        let mark = |cell: Cell| match is_won {
            true if position.winning_cells.contains(&cell) => Mark::Winning,
            true => Mark::Faded,
            false if last == Some(cell) => Mark::Last,
            false => Mark::None,
        };
        let disc = |row: u8, bin: u8| {
            let colour = (*position
                .board
                .get(usize::from(bin))?
                .get(usize::from(row))?)?;
            let mark = mark(Cell::new(bin, row));
            Some(Disc { colour, mark })
        };
        let row = |row| (0..shape.bins).map(move |bin| disc(row, bin));
        Self {
            bins: shape.bins,
            rows: shape.capacity,
            cells: (0..shape.capacity).flat_map(row).collect(),
        }
    }

    /// The boards of a game from the empty one on, one more than there are moves.
    ///
    /// # Errors
    ///
    /// If the rules refuse a move.
    pub fn of_game(
        terms: Variant,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<Vec<Self>, MoveError> {
        let mut position = variant::Position::new(terms);
        // Exchanged colours are not drawn.
        let board = |position: &_, last| Self::new(&Position::of_variant(position, false), last);
        let mut boards = vec![board(&position, None)];
        for action in moves {
            let filled = match action {
                Move::Drop(bin) => Some(Cell {
                    bin,
                    row: position.height(bin),
                }),
                Move::Float(cell) => Some(cell),
                Move::Pop(_) | Move::Take(_) | Move::Clear(_) | Move::Swap => None,
            };
            position.play(action)?;
            boards.push(board(&position, filled));
        }
        Ok(boards)
    }

    #[must_use]
    pub const fn bins(&self) -> u8 {
        self.bins
    }

    /// Number of discs that a bin holds.
    #[must_use]
    pub const fn rows(&self) -> u8 {
        self.rows
    }

    /// The disc in a cell; none in an empty one, and beside the board.
    #[must_use]
    pub fn disc(&self, cell: Cell) -> Option<Disc> {
        if cell.bin.index() >= self.bins {
            return None;
        }
        let place = usize::from(cell.row) * usize::from(self.bins) + usize::from(cell.bin.index());
        *self.cells.get(place)?
    }

    /// The cells, by rows from the bottom.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let bins = self.bins;
        (0..self.rows).flat_map(move |row| (0..bins).map(move |bin| Cell::new(bin, row)))
    }
}
