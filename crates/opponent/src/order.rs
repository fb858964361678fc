//! The order in which moves are tried.

use connect4_rules::variant::{ByColour, Colour, Move, Position};
use connect4_rules::{Cells, Shape};

/// Tells how promising the moves of a position look.
pub(crate) struct Order {
    mover: Colour,
    /// The cells that complete a line of each player, before the move.
    completing: ByColour<Cells>,
}

impl Order {
    pub(crate) fn new(position: &Position, mover: Colour) -> Self {
        let shape = position.shape();
        Self {
            mover,
            completing: ByColour::from_fn(|colour| position.discs(colour).completing(shape)),
        }
    }

    /// How promising a move looks that led to `after`, where the game goes on: cells that would
    /// complete a line, its own less those of the opponent who has most. That the next player can
    /// complete a line at once weighs more than all of them, and drops and the middle come first
    /// among moves that look the same.
    pub(crate) fn promise(&self, action: Move, after: &Position) -> f32 {
        let shape = after.shape();
        let occupied = after.occupied();
        let taken_out = matches!(action, Move::Pop(_) | Move::Take(_) | Move::Clear(_));
        let free = |colour| {
            // Where no disc comes down, the discs of the others are as they were.
            let completing = match colour == self.mover || taken_out {
                true => after.discs(colour).completing(shape),
                false => self.completing[colour],
            };
            completing - occupied
        };
        let next = after.player_after(self.mover);
        let mut theirs = 0;
        let mut other = next;
        while other != self.mover {
            theirs = theirs.max(free(other).len());
            other = after.player_after(other);
        }
        let threats = free(next);
        let danger = !threats.is_empty() && {
            let floats = after.powers(next).float > 0;
            !(threats & after.drop_cells()).is_empty()
                || (floats && !(threats & after.float_cells()).is_empty())
        };
        let danger = if danger { 100.0 } else { 0.0 };
        f32::from(free(self.mover).len()) - f32::from(theirs) - danger + kind(action, shape)
    }
}

/// From -1 to 1.
fn kind(action: Move, shape: Shape) -> f32 {
    // 0 in the middle, 1 at the edge.
    let off_middle = |bin: u8| {
        let middle = f32::from(shape.bins() - 1) / 2.0;
        (f32::from(bin) - middle).abs() / middle
    };
    match action {
        Move::Drop(bin) => 1.0 - off_middle(bin.index()),
        Move::Swap => 1.0,
        Move::Pop(bin) => -0.5 * off_middle(bin.index()),
        Move::Take(cell) | Move::Float(cell) => -0.5 - 0.5 * off_middle(cell.bin.index()),
        Move::Clear(_) => -0.5,
    }
}
