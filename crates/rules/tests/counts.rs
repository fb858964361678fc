//! How many positions, move sequences and wins there are after each ply on 7 x 6.
//!
//! Play stops at a win. Without any look at lines the first two columns stay right
//! through ply 7, without diagonals through ply 10: the wins tell most.

use std::collections::HashMap;

use connect4_rules::{Outcome, Player, Position, Shape};

/// Distinct positions, move sequences, positions won exactly at this ply.
/// The positions are OEIS A212693.
const COUNTS: [(usize, u64, usize); 12] = [
    (1, 1, 0),
    (7, 7, 0),
    (49, 49, 0),
    (238, 343, 0),
    (1120, 2401, 0),
    (4263, 16807, 0),
    (16422, 117_649, 0),
    (54859, 823_536, 728),
    (184_275, 5_673_234, 1892),
    (558_186, 39_394_572, 19412),
    (1_662_623, 268_031_646, 44225),
    (4_568_683, 1_844_590_828, 273_261),
];

/// Both boards of a position of 49 bits in one number: the sum of the discs, one
/// player's, and a bit for each bin is different for each position.
fn key(position: &Position) -> u64 {
    let one = position.board().discs(Player::One).bits() as u64;
    let two = position.board().discs(Player::Two).bits() as u64;
    let bottom = (0..7).fold(0, |bits, bin| bits | 1 << (7 * bin));
    one + (one | two) + bottom
}

fn count_through(last_ply: usize) {
    // Each position, and how many move sequences lead to it.
    let mut level = vec![(Position::new(Shape::STANDARD), 1)];
    for (ply, expected) in COUNTS.iter().enumerate().take(last_ply + 1) {
        let sequences = level.iter().map(|(_, sequences)| sequences).sum();
        let won = level
            .iter()
            .filter(|(position, _)| matches!(position.outcome(), Some(Outcome::Won(_))))
            .count();
        println!(
            "ply {ply}: {} positions, {sequences} sequences, {won} won",
            level.len()
        );
        assert_eq!((level.len(), sequences, won), *expected, "ply {ply}");
        if ply == last_ply {
            break;
        }

        let mut places = HashMap::new();
        let mut next: Vec<(Position, u64)> = Vec::new();
        for (position, sequences) in level {
            for bin in position.legal_bins() {
                let mut after = position;
                after.drop(bin).expect("a legal drop");
                let place = *places.entry(key(&after)).or_insert(next.len());
                match next.get_mut(place) {
                    Some((_, more)) => *more += sequences,
                    None => next.push((after, sequences)),
                }
            }
        }
        level = next;
    }
}

#[test]
fn the_counts_through_ply_8() {
    count_through(8);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn the_counts_through_ply_11() {
    count_through(11);
}
