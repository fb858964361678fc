//! Positions from pictures of them.

use core::fmt;
use core::str::FromStr;

use crate::{Bin, ByPlayer, Cell, Cells, Player, Position, Shape, ShapeError, Unreachable};

impl Position {
    /// Reads a position from a picture of the board, won by `line` in a row.
    ///
    /// Reads what `Display` shows, and the shorter form for documents and tests:
    /// a line of text for each row from the top, its cells apart by spaces. Blank
    /// lines, the `+---+` lines and lines of numbers are skipped.
    ///
    /// | cell | shown | short |
    /// |---|---|---|
    /// | free | blank | `.` |
    /// | red | `●`, winning `◎` | `X` |
    /// | blue | `⬟`, winning `⬠` | `O` |
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the text is no picture of a board, if the board is out of
    /// bounds, if no game leads to it, or if the discs shown as winning are not
    /// those of the winning lines.
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_rules::{Position, Shape};
    ///
    /// let short = "
    ///     . . . . . . .
    ///     . . . . . . .
    ///     . . . . . . .
    ///     . . . X . . .
    ///     . . . O . . .
    ///     . . . X O . .
    /// ";
    /// let position = Position::read(short, 4)?;
    /// assert_eq!(Ok(position), Position::read(&position.to_string(), 4));
    ///
    /// let floating = short.replace("X O", ". O");
    /// assert_eq!(
    ///     Position::read(&floating, 4).unwrap_err().to_string(),
    ///     "a disc does not lie on the bottom or on another disc"
    /// );
    /// # Ok::<(), connect4_rules::ReadError>(())
    /// ```
    pub fn read(text: &str, line: u8) -> Result<Self, ReadError> {
        // Rows come from the top: the height of the first is known once all are counted.
        let mut bins = 0;
        let mut capacity = 0;
        for row in rows(text) {
            let found = row.symbols().count();
            if capacity != 0 && found != bins {
                return Err(ReadError::Ragged { line: row.line });
            }
            bins = found;
            capacity = usize::saturating_add(capacity, 1);
        }
        // Numbers above 255 become 255, which is out of bounds too.
        let byte = |number| u8::try_from(number).unwrap_or(u8::MAX);
        let shape = Shape::new(byte(bins), byte(capacity), line).map_err(ReadError::BadShape)?;

        let mut discs = ByPlayer::<Cells>::default();
        for (cell, line, symbol) in symbols(text, shape) {
            let not_a_cell = ReadError::NotACell {
                line,
                bin: cell.bin,
            };
            if let Some(player) = owner(symbol).ok_or(not_a_cell)? {
                discs[player].insert(shape, cell);
            }
        }
        let position = Self::from_discs(shape, discs).map_err(ReadError::Unreachable)?;

        let winning = position.winning_cells();
        for (cell, line, symbol) in symbols(text, shape) {
            if marked(symbol).is_some_and(|marked| marked != winning.contains(shape, cell)) {
                return Err(ReadError::WrongMark {
                    line,
                    bin: cell.bin,
                });
            }
        }
        Ok(position)
    }
}

/// [`Position::read`] with four in a row.
impl FromStr for Position {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        Self::read(text, Shape::STANDARD.line())
    }
}

/// A line of text that shows a row of the board.
struct Row<'a> {
    /// Number of the line of text, from 1.
    line: usize,
    text: &'a str,
}

impl<'a> Row<'a> {
    /// The symbols of the cells, from the left.
    fn symbols(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let inner = self.text.strip_prefix('|');
        let framed = inner.is_some();
        let inner = inner.unwrap_or(self.text);
        inner
            .strip_suffix('|')
            .unwrap_or(inner)
            .split(move |c: char| if framed { c == '|' } else { c == ' ' })
            .map(str::trim)
            .filter(move |symbol| framed || !symbol.is_empty())
    }
}

/// The lines of text that show rows, from the top.
fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    text.lines()
        .enumerate()
        .map(|(index, text)| Row {
            line: index.saturating_add(1),
            text: text.trim(),
        })
        .filter(|row| {
            let numbers = row.text.chars().all(|c| c == ' ' || c.is_ascii_digit());
            !numbers && !row.text.starts_with('+')
        })
}

/// Each cell with the number of its line of text and its symbol.
fn symbols(text: &str, shape: Shape) -> impl Iterator<Item = (Cell, usize, &str)> {
    let heights = shape.iter_rows().rev();
    heights.zip(rows(text)).flat_map(move |(row, shown)| {
        shape
            .iter_bins()
            .zip(shown.symbols())
            .map(move |(bin, symbol)| (Cell { bin, row }, shown.line, symbol))
    })
}

/// The owner of the disc that a symbol shows, if it shows one; none if it is no symbol of a cell.
fn owner(symbol: &str) -> Option<Option<Player>> {
    match symbol {
        "" | "." => Some(None),
        "X" | "●" | "◎" => Some(Some(Player::One)),
        "O" | "⬟" | "⬠" => Some(Some(Player::Two)),
        _ => None,
    }
}

/// Whether a symbol shows a disc as winning; none if the symbol leaves that open.
fn marked(symbol: &str) -> Option<bool> {
    match symbol {
        "●" | "⬟" => Some(false),
        "◎" | "⬠" => Some(true),
        _ => None,
    }
}

/// Why a picture shows no position: lines of text are counted from 1, bins from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReadError {
    /// A row with more or fewer cells than the one above it.
    Ragged {
        /// The line of text.
        line: usize,
    },
    /// The board is out of bounds.
    BadShape(ShapeError),
    /// A cell shows neither a disc nor nothing.
    NotACell {
        /// The line of text.
        line: usize,
        /// The bin.
        bin: Bin,
    },
    /// No game leads there.
    Unreachable(Unreachable),
    /// A disc of a winning line is not shown as winning, or another disc is.
    WrongMark {
        /// The line of text.
        line: usize,
        /// The bin.
        bin: Bin,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ragged { line } => {
                write!(f, "line {line}: not as many cells as in the row above")
            }
            Self::BadShape(error) => error.fmt(f),
            Self::NotACell { line, bin } => {
                write!(f, "line {line}, bin {bin}: neither a disc nor a free cell")
            }
            Self::Unreachable(error) => error.fmt(f),
            Self::WrongMark { line, bin } => write!(
                f,
                "line {line}, bin {bin}: shown as winning without being so, or the other way about"
            ),
        }
    }
}

impl core::error::Error for ReadError {}
