//! A position as text, drawn as the classroom program draws it.

use core::{fmt, iter};

use crate::{Cell, Position, Shape, variant};

macro_rules! drawn {
    ($($(#[$doc:meta])* $position:ty;)*) => {$(
        $(#[$doc])*
        impl fmt::Display for $position {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let shape = self.shape();
                let winning = self.winning_cells();
                draw(f, shape, |cell| match self.disc(cell) {
                    None => ' ',
                    Some(player) if winning.contains(shape, cell) => player.winning_disc(),
                    Some(player) => player.disc(),
                })
            }
        }
    )*};
}

drawn! {
    /// The board, rows from the top, and the bins' numbers from 0; reads back with
    /// [`Position::read`]. No line break at the end.
    Position;
    /// The board, rows from the top, and the bins' numbers from 0. No line break at the end.
    variant::Position;
}

/// Draws a board with these symbols in its cells.
fn draw(f: &mut fmt::Formatter<'_>, shape: Shape, symbol: impl Fn(Cell) -> char) -> fmt::Result {
    for row in shape.iter_rows().rev() {
        rule(f, shape.bins())?;
        f.write_str("|")?;
        for bin in shape.iter_bins() {
            write!(f, " {} |", symbol(Cell { bin, row }))?;
        }
        f.write_str("\n")?;
    }
    rule(f, shape.bins())?;
    // The last digit of each number stands below the discs.
    shape
        .iter_bins()
        .zip(iter::once(3).chain(iter::repeat(4)))
        .try_for_each(|(bin, width)| write!(f, "{bin:>width$}"))
}

fn rule(f: &mut fmt::Formatter<'_>, bins: u8) -> fmt::Result {
    f.write_str("+")?;
    for _ in 0..bins {
        f.write_str("---+")?;
    }
    f.write_str("\n")
}
