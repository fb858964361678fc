//! Prints the time that each level takes for a move: `cargo bench --package connect4-opponent`.
//! Times differ between machines, so nothing asserts them.

use std::time::Instant;

use connect4_opponent::{Level, Opponent, Reviewer};
use connect4_rules::variant::{Powers, VariantSpec};
use connect4_rules::{Bin, Position, Shape};

fn after(bins: &[u8], shape: Shape) -> Position {
    let mut position = Position::new(shape);
    for &bin in bins {
        position.drop(Bin::new(bin)).expect("legal");
    }
    position
}

/// A move of each level in variants, after two drops of each of two players.
fn variants() {
    let powers = Powers {
        take: 1,
        clear: 1,
        float: 1,
    };
    let terms = |players, pop_out, powers, (bins, capacity, line)| VariantSpec {
        players,
        pop_out,
        powers,
        ..VariantSpec::classic(Shape::new(bins, capacity, line).expect("in bounds"))
    };
    for spec in [
        terms(2, false, Powers::NONE, (7, 6, 4)),
        terms(2, true, powers, (7, 6, 4)),
        terms(4, false, powers, (9, 7, 4)),
        terms(4, true, powers, (25, 4, 5)),
        terms(4, true, powers, (9, 13, 6)),
    ] {
        let variant = spec.try_into().expect("in bounds");
        let position =
            connect4_rules::variant::Position::from_moves(variant, "4444").expect("legal");
        for level in Level::ALL {
            let begun = Instant::now();
            Opponent::new(level, 1).choose(&position);
            println!("{level:<8} {spec}: {:.1?}", begun.elapsed());
        }
    }
}

fn main() {
    // The solver's book ends with the eighth ply: the next few plies take it longest.
    let line = [3, 3, 2, 4, 3, 3, 3, 1, 1, 3, 5, 5, 1, 1, 4, 4];
    for level in Level::ALL {
        let mut opponent = Opponent::new(level, 1);
        for plies in [0, 4, 8, 9, 10, 12, 16] {
            let position = after(&line[..plies], Shape::STANDARD);
            let begun = Instant::now();
            let bin = opponent.choose(&position);
            println!(
                "{level:<8} 7x6, ply {plies:>2}: {:>10.1?}  {bin:?}",
                begun.elapsed()
            );
        }
        let wide = Shape::new(12, 8, 5).expect("in bounds");
        let begun = Instant::now();
        opponent.choose(&Position::new(wide));
        println!("{level:<8} 12x8, ply  0: {:>9.1?}", begun.elapsed());
    }
    let begun = Instant::now();
    let mut reviewer = Reviewer::default();
    for plies in 0..line.len() {
        let position = after(&line[..plies], Shape::STANDARD);
        reviewer.look_at(&position, Bin::new(line[plies]));
    }
    println!("review of {} moves: {:.1?}", line.len(), begun.elapsed());
    variants();
}
