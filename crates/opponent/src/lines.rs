//! Boards of any shape as bits, for the search of games of drops.

use connect4_rules::{Cells, Shape};

/// What a search needs to know of a shape. The bits are those of [`Cells`].
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    pub shape: Shape,
    pub cells: u8,
    pub stride: u32,
    /// The lowest cell of each bin.
    pub bottom: u128,
    /// All cells.
    pub board: u128,
    /// The cells that player one gets where all other bins are filled before.
    pub of_player_one: u128,
    /// From a cell to the next one of a line, in all four directions.
    steps: [u32; 4],
}

impl Lines {
    pub(crate) fn new(shape: Shape) -> Self {
        let stride = u32::from(shape.capacity()) + 1;
        // Of all cells but those above it in its bin the discs were dropped before a disc falls there.
        let others = (shape.bins() - 1) * shape.capacity();
        let of_player_one = shape
            .iter_rows()
            .filter(|row| (others + row).is_multiple_of(2))
            .fold(Cells::EMPTY, |cells, row| cells | Cells::row(shape, row));
        Self {
            shape,
            cells: shape.cells(),
            stride,
            bottom: Cells::row(shape, 0).bits(),
            board: Cells::all(shape).bits(),
            of_player_one: of_player_one.bits(),
            steps: [1, stride - 1, stride, stride + 1],
        }
    }

    /// The cells into which the next disc can fall.
    pub(crate) const fn drops(&self, all: u128) -> u128 {
        all.wrapping_add(self.bottom) & self.board
    }

    /// The free cells that complete a line of these discs.
    pub(crate) fn completing(&self, discs: u128, all: u128) -> u128 {
        if self.shape.line() != 4 {
            let found = Cells::from_bits(discs).completing(self.shape);
            return found.bits() & !all;
        }
        let mut found = (discs << 1) & (discs << 2) & (discs << 3);
        for step in [self.stride, self.stride - 1, self.stride + 1] {
            let pair = (discs << step) & (discs << (2 * step));
            found |= pair & ((discs << (3 * step)) | (discs >> step));
            let pair = (discs >> step) & (discs >> (2 * step));
            found |= pair & ((discs >> (3 * step)) | (discs << step));
        }
        found & self.board & !all
    }

    /// Who wins if no more threats come up, and both fill the cells that give nothing away, until somebody has
    /// to play below a threat: 1 for the player to move, -1 for the other one, 0 if the board fills up.
    /// The threats are those of the player to move, and of the other one.
    pub(crate) const fn out_of_moves(&self, threats: [u128; 2], all: u128) -> i32 {
        let above = self.bottom << (self.stride - 1);
        let (mut filled, mut mover) = (all, 0);
        loop {
            // A player does not play below a threat of the other one, and not below an own one before it
            // has to, as the other would stop it.
            let closed = ((threats[0] | threats[1]) & !filled) >> 1 & !filled & self.board | above;
            // In each bin the bits below the lowest that is set.
            let open = (closed - self.bottom) & !closed & !filled & self.board;
            filled |= open;
            mover ^= (open.count_ones() % 2) as usize;
            let own = threats[mover];
            let drops = self.drops(filled);
            if drops == 0 {
                return 0;
            }
            let least_bad = drops & !(threats[mover ^ 1] >> 1);
            if least_bad == 0 {
                return if mover == 0 { -1 } else { 1 };
            }
            // It gives up an own threat, which the other one stops.
            let cell = least_bad & least_bad.wrapping_neg();
            filled |= cell | cell << 1;
            if own & (cell << 2) != 0 {
                return if mover == 0 { 1 } else { -1 };
            }
        }
    }

    /// How much the lines are worth that a player can still complete, more the more discs they have,
    /// and whether there is one. Those that lack one disc are counted as threats elsewhere.
    pub(crate) fn promise(&self, discs: u128, others: u128) -> (i32, bool) {
        let free = self.board & !others;
        let (mut worth, mut any) = (0, 0);
        for step in self.steps {
            let mut open = free;
            // Whether the line that begins at each bit has a disc, and whether it has two.
            let (mut some, mut two) = (discs, 0);
            let (mut next_free, mut next) = (free, discs);
            for _ in 1..self.shape.line() {
                next_free >>= step;
                next >>= step;
                open &= next_free;
                two |= some & next;
                some |= next;
            }
            any |= open;
            worth += (open & some).count_ones() as i32;
            worth += 2 * (open & two).count_ones() as i32;
        }
        (worth, any != 0)
    }
}
