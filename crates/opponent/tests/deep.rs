//! The search of games of drops: what it calls certain is so, and how well it plays.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use connect4_opponent::{Budget, Deep, Found, Level, Opponent, Standard, perfect_result};
use connect4_rules::variant::{self, Move, Variant, VariantSpec};
use connect4_rules::{Bin, Outcome, Play, Player, Position, Shape};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// The budgets of these tests are no times.
fn no_clock() -> Duration {
    Duration::ZERO
}

fn find(position: &Position, positions: u32) -> Option<Found> {
    Deep::new(no_clock).find(position, Budget::Playouts(positions))
}

/// A position after random drops that do not end the game; none if every drop would.
fn random(shape: Shape, plies: u8, dice: &mut ChaCha8Rng) -> Option<Position> {
    let mut position = Position::new(shape);
    while position.plies() < plies {
        let going_on = |bin: &Bin| {
            let mut after = position;
            after.drop(*bin).unwrap().outcome.is_none()
        };
        let bins: Vec<Bin> = position.legal_bins().filter(going_on).collect();
        if bins.is_empty() {
            return None;
        }
        let bin = bins[dice.random_range(0..bins.len())];
        position.drop(bin).unwrap();
    }
    Some(position)
}

/// The value for the player to move, by every line of play: 1, 0 or -1.
fn exact(position: &Position) -> i32 {
    match position.outcome() {
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Won(winner)) if winner == position.to_move() => return 1,
        Some(Outcome::Won(_)) => return -1,
        None => {}
    }
    let mut best = -1;
    for bin in position.legal_bins() {
        let mut after = *position;
        after.play(bin).unwrap();
        best = best.max(-exact(&after));
        if best == 1 {
            break;
        }
    }
    best
}

#[test]
fn what_is_certain_is_what_the_solver_says() {
    let mut dice = ChaCha8Rng::seed_from_u64(3);
    let mut standard = Standard::default();
    let mut deep = Deep::new(no_clock);
    let (mut certain, mut kept, mut seen) = (0, 0, 0);
    while seen < 150 {
        let plies = dice.random_range(15..36);
        let Some(position) = random(Shape::STANDARD, plies, &mut dice) else {
            continue;
        };
        seen += 1;
        let scores = standard.scores(&position);
        let best = scores.iter().map(|(_, score)| *score).max().unwrap();
        let found = deep.find(&position, Budget::Playouts(20_000)).unwrap();
        let (_, score) = scores.iter().find(|(bin, _)| *bin == found.bin).unwrap();
        if found.certain {
            certain += 1;
            assert_eq!(
                found.value,
                f64::from(best.signum()),
                "{position}\n{found:?}"
            );
            assert_eq!(score.signum(), best.signum(), "{position}\n{found:?}");
        }
        kept += i32::from(score.signum() == best.signum());
    }
    println!("of {seen}: {certain} certain, {kept} moves keep the result");
    assert!(certain > 100, "{certain}");
    assert!(kept > 145, "{kept}");
}

#[test]
fn what_is_certain_late_on_other_boards_is_what_every_line_of_play_says() {
    let shapes = [
        (8, 9, 4),
        (9, 9, 4),
        (9, 7, 4),
        (5, 24, 6),
        (25, 4, 5),
        (5, 4, 3),
        (6, 5, 4),
    ];
    let mut dice = ChaCha8Rng::seed_from_u64(4);
    for (bins, capacity, line) in shapes {
        let shape = Shape::new(bins, capacity, line).unwrap();
        let mut seen = 0;
        for _ in 0..5_000 {
            let plies = shape.cells() - dice.random_range(1..9);
            let Some(position) = random(shape, plies, &mut dice) else {
                continue;
            };
            let found = find(&position, 100_000).unwrap();
            assert!(found.certain, "{position}\n{found:?}");
            assert_eq!(
                found.value,
                f64::from(exact(&position)),
                "{position}\n{found:?}"
            );
            seen += 1;
            if seen == 20 {
                break;
            }
        }
        println!("{bins}x{capacity} line {line}: {seen}");
        assert!(seen >= 5, "{bins}x{capacity} line {line}: {seen}");
    }
}

/// John Tromp's results of whole boards.
#[test]
fn small_boards_have_the_results_that_are_known() {
    for (bins, capacity) in [(5, 4), (6, 4), (5, 5)] {
        let shape = Shape::new(bins, capacity, 4).unwrap();
        let found = find(&Position::new(shape), 5_000_000).unwrap();
        let expected = match perfect_result(shape).unwrap() {
            Outcome::Won(Player::One) => 1.0,
            Outcome::Won(Player::Two) => -1.0,
            Outcome::Draw => 0.0,
        };
        assert!(found.certain, "{bins}x{capacity}: {found:?}");
        assert_eq!(found.value, expected, "{bins}x{capacity}");
    }
}

/// In a third of the time: 20,000 positions take less than 2,000 games.
#[test]
fn it_beats_the_search_by_random_games() {
    let shape = Shape::new(8, 9, 4).unwrap();
    let mut deep = Deep::new(no_clock);
    let mut points = 0.0;
    for seed in 0..12 {
        let mut dice = ChaCha8Rng::seed_from_u64(seed / 2);
        let mut position = random(shape, 4, &mut dice).unwrap();
        let mut other = Opponent::new(Level::Hard, seed);
        let ours = [Player::One, Player::Two][usize::from(seed % 2 == 1)];
        let outcome = loop {
            let bin = match position.to_move() == ours {
                true => deep.find(&position, Budget::Playouts(20_000)).unwrap().bin,
                false => other.choose(&position).unwrap(),
            };
            if let Some(outcome) = position.drop(bin).unwrap().outcome {
                break outcome;
            }
        };
        points += match outcome {
            Outcome::Won(winner) if winner == ours => 1.0,
            Outcome::Won(_) => 0.0,
            Outcome::Draw => 0.5,
        };
    }
    println!("{points} of 12");
    assert!(points >= 8.0, "{points} of 12");
}

#[test]
fn a_line_is_stopped_even_if_there_is_another_and_a_game_that_is_over_has_no_move() {
    let wide = Shape::new(9, 7, 4).unwrap();
    let open = Position::from_moves(wide, "445566").unwrap();
    let won = find(&open, 1_000).unwrap();
    assert_eq!((won.value, won.certain), (1.0, true));
    let lost = Position::from_moves(wide, "44556").unwrap();
    let found = find(&lost, 1_000).unwrap();
    assert_eq!((found.value, found.certain), (-1.0, true));
    assert!([2, 6].map(Bin::new).contains(&found.bin), "{found:?}");
    let over = Position::from_moves(wide, "4455667").unwrap();
    assert_eq!(find(&over, 1_000), None);
}

/// On the standard board only the drops next to the middle keep the game a draw (V. Allis; J. Allen, 1988).
#[test]
fn under_the_pie_rule_the_best_level_begins_with_a_draw_and_swaps_what_wins() {
    let terms = VariantSpec {
        pie_rule: true,
        ..VariantSpec::classic(Shape::STANDARD)
    };
    let start = variant::Position::new(terms.try_into().unwrap());
    let mut openings = Vec::new();
    for seed in 0..8 {
        let first = Opponent::new(Level::Perfect, seed).choose(&start).unwrap();
        openings.push(first);
        let mut after = start;
        after.play(first).unwrap();
        let answer = Opponent::new(Level::Perfect, seed).choose(&after).unwrap();
        assert_ne!(answer, Move::Swap, "a draw is not swapped");
    }
    let drops = [Move::Drop(Bin::new(2)), Move::Drop(Bin::new(4))];
    assert!(
        openings.iter().all(|first| drops.contains(first)),
        "{openings:?}"
    );
    assert!(
        drops.iter().all(|drop| openings.contains(drop)),
        "{openings:?}"
    );
    for (first, swaps) in [("1", false), ("2", false), ("4", true)] {
        let after = variant::Position::from_moves(terms.try_into().unwrap(), first).unwrap();
        let answer = Opponent::new(Level::Perfect, 1).choose(&after).unwrap();
        assert_eq!(answer == Move::Swap, swaps, "after {first}");
        // After the swap the game is the same for the other player.
        let mut swapped = after;
        swapped.play(Move::Swap).unwrap();
        assert_eq!(
            Opponent::new(Level::Perfect, 1)
                .choose(&swapped)
                .map(|_| ()),
            Some(()),
        );
    }
}

/// What they are worth was measured by games (docs/fairness.md): a search would take a second.
#[test]
fn under_the_pie_rule_the_best_level_knows_the_first_drops_of_large_boards() {
    fn no_clock() -> Duration {
        panic!("nothing is searched");
    }
    fn hurry() -> Duration {
        static SECONDS: AtomicU64 = AtomicU64::new(0);
        Duration::from_secs(SECONDS.fetch_add(1, Ordering::Relaxed))
    }
    // The fairest drops, whether they are worth more than a half, and one that is worth much more.
    for (bins, capacity, fairest, is_swapped, middle) in [
        (8, 9, [1, 8], false, 4),
        (9, 9, [2, 8], true, 5),
        (9, 7, [2, 8], false, 5),
    ] {
        let terms: Variant = VariantSpec {
            pie_rule: true,
            ..VariantSpec::classic(Shape::new(bins, capacity, 4).unwrap())
        }
        .try_into()
        .unwrap();
        let after = |first: u8| variant::Position::from_moves(terms, &first.to_string()).unwrap();
        let mut best = Opponent::with_clock(Level::Perfect, 1, no_clock);
        let mut hurried = Opponent::with_clock(Level::Perfect, 1, hurry);
        let firsts: BTreeSet<Move> = (0..16)
            .map(|_| best.choose(&variant::Position::new(terms)).unwrap())
            .collect();
        let drops = fairest.map(|number| Move::Drop(Bin::new(number - 1)));
        assert_eq!(firsts, BTreeSet::from(drops), "{bins}x{capacity}");
        for first in fairest {
            let answer = hurried.choose(&after(first)).unwrap();
            let swaps = answer == Move::Swap;
            assert_eq!(swaps, is_swapped, "{bins}x{capacity}: {first}");
        }
        // A drop in the middle, and its mirror image, are worth more than what can be done against them.
        for first in [middle, bins + 1 - middle] {
            let answer = best.choose(&after(first));
            assert_eq!(answer, Some(Move::Swap), "{bins}x{capacity}: {first}");
        }
    }
}
