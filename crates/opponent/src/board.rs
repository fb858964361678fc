//! Positions of the standard board as bits, for the solver.

pub(crate) const BINS: u32 = 7;
/// Number of discs that a bin holds.
const CAPACITY: u32 = 6;
/// Bits of a bin: its cells from the bottom, and one that stays free.
const STRIDE: u32 = CAPACITY + 1;
pub(crate) const CELLS: u8 = (BINS * CAPACITY) as u8;
/// The bins from the middle outwards: there the best moves are.
pub(crate) const FROM_THE_MIDDLE: [u32; BINS as usize] = [3, 2, 4, 1, 5, 0, 6];

/// The lowest cell of each bin.
const BOTTOM: u64 = {
    let mut cells = 0;
    let mut bin = 0;
    while bin < BINS {
        cells |= 1 << (bin * STRIDE);
        bin += 1;
    }
    cells
};
/// All cells.
const BOARD: u64 = BOTTOM * ((1 << CAPACITY) - 1);

pub(crate) const fn bin_cells(bin: u32) -> u64 {
    ((1 << CAPACITY) - 1) << (bin * STRIDE)
}

/// A position of the standard board:
///
/// ```text
///  5 12 19 26 33 40 47
///  4 11 18 25 32 39 46
///  3 10 17 24 31 38 45
///  2  9 16 23 30 37 44
///  1  8 15 22 29 36 43
///  0  7 14 21 28 35 42
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Board {
    /// The discs of the player to move.
    pub own: u64,
    pub all: u64,
}

impl Board {
    /// Number of discs.
    pub(crate) const fn plies(self) -> u8 {
        // At most 42.
        self.all.count_ones() as u8
    }

    /// The cells into which the next disc can fall.
    pub(crate) const fn drops(self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }

    /// The position after a disc of the player to move into one of [`Self::drops`].
    pub(crate) const fn after(self, cell: u64) -> Self {
        Self {
            own: self.own ^ self.all,
            all: self.all | cell,
        }
    }

    /// A number that no other position has.
    pub(crate) const fn key(self) -> u64 {
        self.own + self.all
    }

    /// The position with this [key](Self::key).
    pub(crate) const fn of_key(key: u64) -> Self {
        let mut board = Self { own: 0, all: 0 };
        let mut bin = 0;
        while bin < BINS {
            // The own discs of the bin, and as many ones as it has discs.
            let sum = (key >> (bin * STRIDE)) & ((1 << STRIDE) - 1);
            let discs = (1 << (sum + 1).ilog2()) - 1;
            board.all |= discs << (bin * STRIDE);
            board.own |= (sum - discs) << (bin * STRIDE);
            bin += 1;
        }
        board
    }

    pub(crate) const fn mirrored(self) -> Self {
        const fn flip(cells: u64) -> u64 {
            let mut flipped = 0;
            let mut bin = 0;
            while bin < BINS {
                let column = (cells >> (bin * STRIDE)) & ((1 << STRIDE) - 1);
                flipped |= column << ((BINS - 1 - bin) * STRIDE);
                bin += 1;
            }
            flipped
        }
        Self {
            own: flip(self.own),
            all: flip(self.all),
        }
    }

    /// A number that only the mirrored position has, too.
    pub(crate) const fn symmetric_key(self) -> u64 {
        let (key, mirrored) = (self.key(), self.mirrored().key());
        if key < mirrored { key } else { mirrored }
    }

    /// The drops that complete a line of the player to move.
    pub(crate) const fn wins(self) -> u64 {
        completing(self.own, self.all) & self.drops()
    }

    /// The drops after which the opponent does not win at once, if the player to move can't.
    pub(crate) const fn safe_drops(self) -> u64 {
        let theirs = completing(self.own ^ self.all, self.all);
        let mut drops = self.drops();
        let forced = drops & theirs;
        if forced != 0 {
            if forced & (forced - 1) != 0 {
                return 0;
            }
            drops = forced;
        }
        drops & !(theirs >> 1)
    }
}

/// The free cells that complete a line of these discs.
pub(crate) const fn completing(discs: u64, all: u64) -> u64 {
    let mut found = (discs << 1) & (discs << 2) & (discs << 3);
    let steps = [STRIDE, STRIDE - 1, STRIDE + 1];
    let mut at = 0;
    while at < steps.len() {
        let step = steps[at];
        let pair = (discs << step) & (discs << (2 * step));
        found |= pair & ((discs << (3 * step)) | (discs >> step));
        let pair = pair >> (3 * step);
        found |= pair & ((discs << step) | (discs >> (3 * step)));
        at += 1;
    }
    found & BOARD & !all
}

/// Score of a win with the next disc.
pub(crate) const fn wins_now(plies: u8) -> i16 {
    (CELLS as i16 + 1 - plies as i16) / 2
}
