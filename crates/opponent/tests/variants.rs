//! Opponents at play in games of other terms.

use connect4_opponent::variant::{Opponent, Search};
use connect4_opponent::{Budget, Level};
use connect4_rules::Shape;
use connect4_rules::variant::{Colour, Move, Outcome, Position, Powers, Variant, VariantSpec};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const ONE_OF_EACH: Powers = Powers {
    take: 1,
    clear: 1,
    float: 1,
};

fn shape(bins: u8, capacity: u8, line: u8) -> VariantSpec {
    VariantSpec::classic(Shape::new(bins, capacity, line).unwrap())
}

/// Plays a game; returns who won.
fn play(variant: Variant, opponents: &mut [Opponent]) -> Option<Colour> {
    let mut position = Position::new(variant);
    // The opponent of each colour: a swap exchanges the first two.
    let mut order: Vec<usize> = (0..opponents.len()).collect();
    while let Some(mover) = position.to_move() {
        let opponent = &mut opponents[order[mover.index()]];
        let action = opponent.choose(&position).expect("the game goes on");
        position.play(action).expect("it chooses what is legal");
        if action == Move::Swap {
            order.swap(0, 1);
        }
    }
    for opponent in opponents.iter_mut() {
        assert_eq!(opponent.choose(&position), None);
    }
    let winner = position.outcome().and_then(Outcome::winner)?;
    Some(Colour::ALL[order[winner.index()]])
}

/// Terms with each rule, and with all that go together.
fn all_terms() -> Vec<VariantSpec> {
    let mut all = Vec::new();
    for (bins, capacity, line) in [(5, 4, 3), (5, 4, 5), (7, 6, 4), (25, 4, 6)] {
        for players in 2..=4 {
            for pop_out in [false, true] {
                for powers in [Powers::NONE, ONE_OF_EACH] {
                    all.push(VariantSpec {
                        players,
                        pop_out,
                        pie_rule: players == 2,
                        powers,
                        ..shape(bins, capacity, line)
                    });
                }
            }
        }
    }
    all
}

#[test]
fn every_game_is_played_to_its_end_with_legal_moves() {
    for (seed, terms) in (0..).zip(all_terms()) {
        let variant = Variant::try_from(terms).unwrap();
        let mut opponents: Vec<Opponent> = variant
            .colours()
            .map(|colour| match (seed + colour.index() as u64) % 2 {
                0 => Opponent::new(Level::Random, seed),
                _ => Opponent::new(Level::Easy, seed),
            })
            .collect();
        println!("{terms}: {:?} wins", play(variant, &mut opponents));
    }
}

/// The first player wins the standard game by beginning in the middle, and loses it by beginning at
/// the edge (J. Allen, 1988; V. Allis, 1988): so the first is taken over, and the second is not.
#[test]
fn a_good_first_move_is_taken_over_by_a_swap_and_a_bad_one_is_not() {
    let terms = VariantSpec {
        pie_rule: true,
        ..shape(7, 6, 4)
    };
    for (first, swaps) in [("4", true), ("1", false)] {
        let position = Position::from_moves(terms.try_into().unwrap(), first).unwrap();
        let mut dice = ChaCha8Rng::seed_from_u64(7);
        let candidates = Search::new(Budget::Playouts(10_000), &mut dice).candidates(&position);
        let best = candidates.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let is_swap = best.map(|best| best.action == Move::Swap);
        assert_eq!(is_swap, Some(swaps), "after {first}: {candidates:?}");
    }
}
