//! The order in which moves are tried.

use connect4_rules::Shape;
use connect4_rules::variant::{Colour, Move, Position};

/// How promising a move of `mover` looks that led to `after`, where the game goes on: cells that
/// would complete a line, its own less those of the opponent who has most. That the next player can
/// complete a line at once weighs more than all of them, and drops and the middle come first among
/// moves that look the same.
pub(crate) fn promise(mover: Colour, action: Move, after: &Position) -> f32 {
    let shape = after.shape();
    let free = |colour| after.discs(colour).completing(shape) - after.occupied();
    let own = free(mover).len();
    let mut theirs = 0;
    let mut danger = 0.0;
    let next = after.player_after(mover);
    let mut other = next;
    while other != mover {
        let cells = free(other);
        theirs = theirs.max(cells.len());
        if other == next {
            let now = cells & after.drop_cells();
            let floats = after.powers(other).float > 0;
            if !now.is_empty() || (floats && !(cells & after.float_cells()).is_empty()) {
                danger = 100.0;
            }
        }
        other = after.player_after(other);
    }
    f32::from(own) - f32::from(theirs) - danger + kind(action, shape)
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
