//! Known results, held against searches.

use std::collections::HashMap;

use connect4_opponent::{Standard, perfect_result};
use connect4_rules::{Bin, Outcome, Player, Position, Shape};

/// The bins from the middle outwards: there the best moves are.
fn from_the_middle(position: &Position) -> Vec<Bin> {
    let middle = i16::from(position.shape().bins() / 2);
    let mut bins: Vec<Bin> = position.legal_bins().collect();
    bins.sort_by_key(|bin| (i16::from(bin.index()) - middle).abs());
    bins
}

/// Whether the player to move can force a win within so many plies.
fn wins_within(position: &Position, plies: u8) -> bool {
    if plies == 0 {
        return false;
    }
    let mut quiet = Vec::new();
    for bin in from_the_middle(position) {
        let mut after = *position;
        match after.drop(bin).expect("legal").outcome {
            Some(Outcome::Won(_)) => return true,
            Some(Outcome::Draw) => {}
            None => quiet.push(after),
        }
    }
    plies > 2 && quiet.iter().any(|after| loses_within(after, plies - 1))
}

/// Whether the player to move loses within so many plies, whatever it does.
fn loses_within(position: &Position, plies: u8) -> bool {
    let mut replies = Vec::new();
    for bin in from_the_middle(position) {
        let mut after = *position;
        match after.drop(bin).expect("legal").outcome {
            Some(_) => return false,
            None => replies.push(after),
        }
    }
    replies.iter().all(|after| wins_within(after, plies - 1))
}

#[test]
fn with_a_line_of_three_who_begins_wins_on_every_board() {
    let mut boards = 0;
    for bins in Shape::MIN_BINS..=Shape::MAX_BITS {
        for capacity in Shape::MIN_CAPACITY..=Shape::MAX_BITS {
            let Ok(shape) = Shape::new(bins, capacity, 3) else {
                continue;
            };
            boards += 1;
            let won = wins_within(&Position::new(shape), 9);
            assert!(won, "{shape}");
            assert_eq!(perfect_result(shape), Some(Outcome::Won(Player::One)));
        }
    }
    assert!(boards > 100, "{boards}");
}

/// Whether a player can force a win from here. `known` has the answers for positions before.
fn can_force(player: Player, position: &Position, known: &mut HashMap<Position, bool>) -> bool {
    if let Some(known) = known.get(position) {
        return *known;
    }
    let ours = position.to_move() == player;
    let mut quiet = Vec::new();
    for bin in from_the_middle(position) {
        let mut after = *position;
        match after.drop(bin).expect("legal").outcome {
            Some(Outcome::Won(_)) => return ours,
            Some(Outcome::Draw) if !ours => return false,
            Some(Outcome::Draw) => {}
            None => quiet.push(after),
        }
    }
    let forces = match ours {
        true => quiet.iter().any(|after| can_force(player, after, known)),
        false => quiet.iter().all(|after| can_force(player, after, known)),
    };
    known.insert(*position, forces);
    forces
}

#[test]
fn on_the_smallest_boards_the_known_results_are_found_again() {
    for (bins, capacity) in [(5, 4), (6, 4)] {
        let shape = Shape::new(bins, capacity, 4).expect("a board");
        let start = Position::new(shape);
        let winner = Player::ALL
            .into_iter()
            .find(|&player| can_force(player, &start, &mut HashMap::new()));
        let found = winner.map_or(Outcome::Draw, Outcome::Won);
        assert_eq!(perfect_result(shape), Some(found), "{shape}");
    }
}

#[test]
fn on_the_standard_board_the_solver_agrees() {
    let start = Position::new(Shape::STANDARD);
    let scores = Standard::default().scores(&start);
    let best = scores.iter().map(|(_, score)| *score).max();
    assert!(best.is_some_and(|best| best > 0));
    assert_eq!(
        perfect_result(Shape::STANDARD),
        Some(Outcome::Won(Player::One))
    );
}
