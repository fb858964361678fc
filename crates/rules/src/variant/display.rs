//! A position as text, drawn as the classic one is.

use core::fmt;

use super::Position;
use crate::display::draw;

/// The board, rows from the top, and the bins' numbers from 0. No line break at the end.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape();
        let winning = self.winning_cells();
        draw(f, shape, |cell| match self.disc(cell) {
            None => ' ',
            Some(colour) if winning.contains(shape, cell) => colour.winning_disc(),
            Some(colour) => colour.disc(),
        })
    }
}
