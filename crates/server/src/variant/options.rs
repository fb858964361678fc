//! What the player to move can do, and why not the rest.

use connect4_rules::variant::{Move, MoveError, Position};
use connect4_rules::{Bin, Cell};
use connect4_wire::{Obstacles, Targets};

/// What the player to move can do; `halted` says why nobody is to move, if nobody is.
pub fn options(position: &Position, halted: Option<String>) -> (Targets, Obstacles) {
    let bins = position.shape().iter_bins();
    let mut targets = Targets {
        drop: vec![None; bins.clone().count()],
        ..Targets::default()
    };
    if let Some(why) = halted {
        let all = || Some(why.clone());
        let obstacles = Obstacles {
            drop: bins.map(|_| all()).collect(),
            pop: all(),
            take: all(),
            clear: all(),
            float: all(),
            swap: all(),
        };
        return (targets, obstacles);
    }
    for action in position.legal_moves() {
        match action {
            Move::Drop(bin) => {
                if let Some(row) = targets.drop.get_mut(usize::from(bin.index())) {
                    *row = Some(position.height(bin));
                }
            }
            Move::Pop(bin) => targets.pop.push(bin.index()),
            Move::Take(cell) => targets.take.push(cell.into()),
            Move::Clear(row) => targets.clear.push(row),
            Move::Float(cell) => targets.float.push(cell.into()),
            Move::Swap => targets.swap = true,
        }
    }
    let corner = Cell::new(0, 0);
    let kind = |is_possible: bool, sample: Move, otherwise: &str| {
        (!is_possible).then(|| why_none(position, sample, otherwise))
    };
    let obstacles = Obstacles {
        drop: bins
            .map(|bin| position.check(Move::Drop(bin)).err())
            .map(|error| error.map(|error| error.to_string()))
            .collect(),
        pop: kind(
            !targets.pop.is_empty(),
            Move::Pop(Bin::new(0)),
            "the player to move has no disc at the bottom of a bin",
        ),
        take: kind(
            !targets.take.is_empty(),
            Move::Take(corner),
            "no disc of another player is on the board",
        ),
        clear: kind(
            !targets.clear.is_empty(),
            Move::Clear(0),
            "no disc is on the board",
        ),
        float: kind(
            !targets.float.is_empty(),
            Move::Float(corner),
            "no bin has two free cells or more above its highest disc",
        ),
        swap: kind(targets.swap, Move::Swap, "colours cannot be exchanged now"),
    };
    (targets, obstacles)
}

/// Why no move of the kind of `sample` is legal: `otherwise`, if it depends on the target.
fn why_none(position: &Position, sample: Move, otherwise: &str) -> String {
    match position.check(sample) {
        Err(
            error @ (MoveError::GameOver
            | MoveError::NotInVariant
            | MoveError::NoPowerLeft
            | MoveError::NoSwapNow),
        ) => error.to_string(),
        _ => otherwise.into(),
    }
}
