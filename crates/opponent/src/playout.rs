//! Games played to their end.

use connect4_rules::variant::{Move, Outcome, Position, Power};
use connect4_rules::{Bin, Cell, Cells, Shape};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

/// One in so many random moves is not a drop, if there are others.
const SPECIAL: u32 = 6;

/// Plays to the end: a player who can complete a line with a disc does, and else stops the line of
/// the next player; all other moves are random, and most of them drops.
pub(crate) fn play_out(mut position: Position, dice: &mut ChaCha8Rng) -> Option<Outcome> {
    loop {
        if let Some(outcome) = position.outcome() {
            return Some(outcome);
        }
        let action = next_move(&position, dice)?;
        position.play(action).ok()?;
    }
}

fn next_move(position: &Position, dice: &mut ChaCha8Rng) -> Option<Move> {
    let mover = position.to_move()?;
    let shape = position.shape();
    let drops = position.drop_cells();
    let winning = position.discs(mover).completing(shape);
    if let Some(cell) = first(winning & drops, shape) {
        return Some(Move::Drop(cell.bin));
    }
    if position.powers(mover).float > 0
        && let Some(cell) = first(winning & position.float_cells(), shape)
    {
        return Some(Move::Float(cell));
    }
    let next = position.player_after(mover);
    let threats = position.discs(next).completing(shape) & drops;
    if let Some(cell) = first(threats, shape) {
        return Some(Move::Drop(cell.bin));
    }
    if (drops.is_empty() || dice.random_ratio(1, SPECIAL))
        && let Some(action) = special(position, dice)
    {
        return Some(action);
    }
    match any(drops, shape, dice) {
        Some(cell) => Some(Move::Drop(cell.bin)),
        // Seldom: a full board, and the kind of move that was drawn is not there.
        None => position.legal_moves().next(),
    }
}

/// A random move other than a drop: of a random kind, if there is one of it.
fn special(position: &Position, dice: &mut ChaCha8Rng) -> Option<Move> {
    let mover = position.to_move()?;
    let shape = position.shape();
    let own = position.discs(mover);
    let powers = position.powers(mover);
    let kinds = [
        position.variant().pop_out(),
        powers.of(Power::Take) > 0,
        powers.of(Power::Clear) > 0,
        powers.of(Power::Float) > 0,
    ];
    let count = kinds.iter().filter(|&&may| may).count();
    if count == 0 {
        return None;
    }
    let chosen = dice.random_range(0..count);
    let (kind, _) = (0..).zip(kinds).filter(|&(_, may)| may).nth(chosen)?;
    match kind {
        0 => any(own & Cells::row(shape, 0), shape, dice).map(|cell| Move::Pop(cell.bin)),
        1 => any(position.occupied() - own, shape, dice).map(Move::Take),
        2 => any(position.occupied(), shape, dice).map(|cell| Move::Clear(cell.row)),
        _ => any(position.float_cells(), shape, dice).map(Move::Float),
    }
}

fn first(cells: Cells, shape: Shape) -> Option<Cell> {
    (!cells.is_empty()).then(|| cell_at(cells.bits().trailing_zeros(), shape))
}

fn any(cells: Cells, shape: Shape, dice: &mut ChaCha8Rng) -> Option<Cell> {
    if cells.is_empty() {
        return None;
    }
    let mut bits = cells.bits();
    for _ in 0..dice.random_range(0..cells.len()) {
        // Clears the lowest bit.
        bits &= bits - 1;
    }
    Some(cell_at(bits.trailing_zeros(), shape))
}

/// The cell of a bit: see [`Cells`]. This is faster than its iterator.
fn cell_at(bit: u32, shape: Shape) -> Cell {
    let stride = u32::from(shape.capacity()) + 1;
    // Less than 128.
    Cell {
        bin: Bin::new((bit / stride) as u8),
        row: (bit % stride) as u8,
    }
}
