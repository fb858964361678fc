//! Part of a terminal that is drawn again in place.

use std::io;

use console::Term;

/// The lines from the board down to the cursor. The next board takes their place.
pub struct Region {
    term: Term,
    /// How many lines below the first one of the region the cursor is.
    height: usize,
}

impl Region {
    /// An empty region at the cursor of standard output.
    pub fn new() -> Self {
        Self {
            term: Term::stdout(),
            height: 0,
        }
    }

    /// Begins an empty region at the cursor; what is above it stays.
    pub const fn leave(&mut self) {
        self.height = 0;
    }

    /// Removes the lines of the region.
    pub fn clear(&mut self) -> io::Result<()> {
        // Lines that have scrolled away can't be drawn over.
        let (visible, _) = self.term.size();
        if self.height > 0 && self.height < usize::from(visible) {
            self.term.clear_last_lines(self.height)?;
        }
        self.height = 0;
        Ok(())
    }

    /// Counts text that was printed in the region, with a line break behind it.
    pub fn grow(&mut self, text: &str) {
        let (_, width) = self.term.size();
        self.height += height(text, width);
    }

    /// Counts the end of a line.
    pub const fn break_line(&mut self) {
        self.height += 1;
    }
}

/// How many lines of a terminal this wide a text takes.
fn height(text: &str, width: u16) -> usize {
    let width = usize::from(width).max(1);
    text.lines()
        .map(|line| console::measure_text_width(line).div_ceil(width).max(1))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_take_several() {
        assert_eq!(height("", 10), 0);
        assert_eq!(height("\n", 10), 1);
        assert_eq!(height("0123456789", 10), 1);
        assert_eq!(height("01234567890\n\nx", 10), 4);
        assert_eq!(height("\u{1b}[1m0123456789\u{1b}[0m", 10), 1);
    }
}
