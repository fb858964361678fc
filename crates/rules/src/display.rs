//! A position as the classroom program shows it.

use core::fmt;

use crate::{Cell, Position};

/// The board, rows from the top, and the bins' numbers from 0; reads back with
/// [`Position::read`]. No line break at the end.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape();
        let winning = self.winning_cells();
        for row in (0..shape.capacity()).rev() {
            rule(f, shape.bins())?;
            f.write_str("|")?;
            for bin in 0..shape.bins() {
                let cell = Cell { bin, row };
                let disc = match self.disc(cell) {
                    None => ' ',
                    Some(player) if winning.contains(shape, cell) => player.winning_disc(),
                    Some(player) => player.disc(),
                };
                write!(f, " {disc} |")?;
            }
            f.write_str("\n")?;
        }
        rule(f, shape.bins())?;
        // The last digit stands below the discs.
        write!(f, "{:>3}", 0)?;
        for bin in 1..shape.bins() {
            write!(f, "{bin:>4}")?;
        }
        Ok(())
    }
}

fn rule(f: &mut fmt::Formatter<'_>, bins: u8) -> fmt::Result {
    f.write_str("+")?;
    for _ in 0..bins {
        f.write_str("---+")?;
    }
    f.write_str("\n")
}
