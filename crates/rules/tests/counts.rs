//! Numbers of positions, move sequences and wins after each ply on 7 x 6.
//!
//! Play stops at a win. Rules that found no lines at all would still have the first two numbers
//! right through ply 7, and rules that found no diagonals through ply 10. So the wins test most.

use std::collections::HashMap;

use connect4_rules::{Outcome, Player, Position, Shape, perft};

/// Distinct positions, move sequences, positions won exactly at this ply. The positions are OEIS
/// A212693. The sequences are counted twice: by the walk below and by `perft`.
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

/// A different number for each position: the discs of player one, plus all discs, plus the bit at
/// the bottom of each bin. They take 49 bits.
fn key(position: &Position) -> u64 {
    let one = position.board().discs(Player::One).bits() as u64;
    let two = position.board().discs(Player::Two).bits() as u64;
    let bottom = (0..7).fold(0, |bits, bin| bits | 1 << (7 * bin));
    one + (one | two) + bottom
}

/// Counts the sequences one by one, so that two ways of counting agree.
fn perft_through(last_ply: usize) {
    let start = Position::new(Shape::STANDARD);
    for (depth, (_, sequences, _)) in (0..).zip(COUNTS).take(last_ply + 1) {
        assert_eq!(perft(&start, depth), sequences, "{depth} drops");
    }
}

#[test]
fn perft_through_ply_7() {
    perft_through(7);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn perft_through_ply_9() {
    perft_through(9);
}

#[test]
fn perft_counts_no_sequence_that_ends_early() {
    // Red wins with a seventh drop into the first bin, which is one of seven; then nobody drops.
    let position = Position::from_moves(Shape::STANDARD, "121212").unwrap();
    println!("{position}");
    assert_eq!(perft(&position, 0), 1);
    assert_eq!(perft(&position, 1), 7);
    assert_eq!(perft(&position, 2), 6 * 7);
    let won = Position::from_moves(Shape::STANDARD, "1212121").unwrap();
    assert_eq!((perft(&won, 0), perft(&won, 1)), (1, 0));
}

#[test]
fn perft_of_a_board_that_is_nearly_full() {
    // The classroom's draw, with two drops to go: into bins 4 and 2.
    let moves = "121311423223446466555653".get(..22).unwrap();
    let position = Position::from_moves(Shape::CLASSROOM, moves).unwrap();
    println!("{position}");
    let free = position.legal_bins().count();
    assert_eq!(perft(&position, 1), free as u64);
    assert_eq!(perft(&position, 3), 0, "the board is full");
    assert_eq!(perft(&position, u8::MAX), 0);
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
