//! Opponents at play in games of other terms.

use std::time::Duration;

use connect4_opponent::{Budget, Level, Opponent, Search};
use connect4_rules::Shape;
use connect4_rules::variant::{Colour, Move, Outcome, Position, Powers, Variant, VariantSpec};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const ONE_OF_EACH: Powers = Powers {
    take: 1,
    clear: 1,
    float: 1,
};

/// The levels whose choices follow from the seed.
const SEEDED: [Level; 4] = [Level::Random, Level::Easy, Level::Medium, Level::Hard];
/// The levels that look ahead.
const THINKING: [Level; 4] = [Level::Easy, Level::Medium, Level::Hard, Level::Perfect];

fn shape(bins: u8, capacity: u8, line: u8) -> VariantSpec {
    VariantSpec::classic(Shape::new(bins, capacity, line).unwrap())
}

fn standard(powers: Powers) -> VariantSpec {
    VariantSpec {
        powers,
        ..shape(7, 6, 4)
    }
}

fn after(terms: VariantSpec, moves: &str) -> Position {
    let position = Position::from_moves(terms.try_into().unwrap(), moves).unwrap();
    println!("{terms}, {:?} to move:\n{position}\n", position.to_move());
    position
}

/// Plays a game; returns the place of who won among the opponents.
fn play(variant: Variant, opponents: &mut [Opponent]) -> Option<usize> {
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
        assert_eq!(opponent.choose(&position), None, "the game is over");
    }
    let winner = position.outcome().and_then(Outcome::winner)?;
    Some(order[winner.index()])
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

#[test]
fn every_level_moves_legally_in_the_middle_of_a_game() {
    for (seed, terms) in (0..).zip(all_terms()).step_by(5) {
        let mut position = Position::new(terms.try_into().unwrap());
        let mut random = Opponent::new(Level::Random, seed);
        for _ in 0..6 {
            let action = random.choose(&position).expect("too early for an end");
            if position.play(action).unwrap().is_some() {
                break;
            }
        }
        for level in SEEDED {
            let chosen = Opponent::new(level, seed).choose(&position);
            let again = Opponent::new(level, seed).choose(&position);
            assert_eq!(chosen, again, "{level} chooses by its seed");
            match position.to_move() {
                None => assert_eq!(chosen, None),
                Some(_) => assert_eq!(position.check(chosen.expect("a move")), Ok(())),
            }
        }
    }
}

#[test]
fn it_plays_on_after_others_have_left() {
    let terms = VariantSpec {
        players: 4,
        ..standard(ONE_OF_EACH)
    };
    let mut position = after(terms, "1234 123");
    for leaver in [Colour::Yellow, Colour::Blue] {
        position.leave(leaver).unwrap();
        for level in THINKING {
            let action = Opponent::new(level, 1).choose(&position).expect("a move");
            assert_eq!(position.check(action), Ok(()));
        }
    }
    position.leave(Colour::Red).unwrap();
    assert_eq!(Opponent::new(Level::Hard, 1).choose(&position), None);
}

/// Every level but the random one makes the only move that wins at once.
fn wins(terms: VariantSpec, moves: &str, winning: &str) {
    let position = after(terms, moves);
    let mover = position.to_move().expect("an open game");
    let winners: Vec<String> = position
        .legal_moves()
        .filter(|&action| {
            let outcome = { position }.play(action).unwrap();
            outcome == Some(Outcome::Line(mover))
        })
        .map(|action| action.to_string())
        .collect();
    assert_eq!(winners, [winning]);
    for level in THINKING {
        for seed in 0..5 {
            let chosen = Opponent::new(level, seed).choose(&position);
            assert_eq!(
                chosen,
                Some(winning.parse().unwrap()),
                "{level}, seed {seed}"
            );
        }
    }
}

#[test]
fn a_drop_that_wins_is_made() {
    wins(standard(Powers::NONE), "112233", "4");
    let three = VariantSpec {
        players: 3,
        ..standard(Powers::NONE)
    };
    wins(three, "127 127 127", "1");
}

#[test]
fn a_pop_that_wins_is_made() {
    let terms = VariantSpec {
        pop_out: true,
        ..standard(Powers::NONE)
    };
    wins(terms, "444112263736", "p4");
}

#[test]
fn a_take_that_wins_is_made() {
    let take = Powers {
        take: 1,
        ..Powers::NONE
    };
    wins(standard(take), "14472736", "t4.1");
}

#[test]
fn a_clear_that_wins_is_made() {
    let clear = Powers {
        clear: 1,
        ..Powers::NONE
    };
    wins(standard(clear), "17111716", "r3");
}

#[test]
fn a_float_that_wins_is_made() {
    let float = Powers {
        float: 1,
        ..Powers::NONE
    };
    wins(standard(float), "1122337", "f4.2");
}

/// The levels that look two moves ahead do not let the next player win at once.
fn prevents_a_loss(terms: VariantSpec, moves: &str) {
    let position = after(terms, moves);
    let loses = |action: Move| {
        let mut after = position;
        after.play(action).unwrap();
        let next = after.to_move().expect("nobody wins yet");
        after.legal_moves().any(|reply| {
            let outcome = { after }.play(reply).unwrap();
            outcome == Some(Outcome::Line(next))
        })
    };
    let safe = position.legal_moves().filter(|&action| !loses(action));
    let safe: Vec<Move> = safe.collect();
    assert!(!safe.is_empty());
    assert!(safe.len() < position.legal_moves().count());
    for level in [Level::Medium, Level::Hard, Level::Perfect] {
        for seed in 0..5 {
            let chosen = Opponent::new(level, seed)
                .choose(&position)
                .expect("a move");
            assert!(safe.contains(&chosen), "{level}, seed {seed}: {chosen}");
        }
    }
}

#[test]
fn a_line_of_the_next_player_is_prevented() {
    prevents_a_loss(standard(Powers::NONE), "11223");
    let all = VariantSpec {
        pop_out: true,
        ..standard(ONE_OF_EACH)
    };
    // By a drop, a take, a clear or a pop.
    prevents_a_loss(all, "1717 1");
    let three = VariantSpec {
        players: 3,
        ..standard(Powers::NONE)
    };
    // Blue, who is to move, can stop green.
    prevents_a_loss(three, "127 537 467 1");
}

#[test]
fn a_line_that_ones_own_move_would_uncover_is_left_alone() {
    // Red would lose by a pop of bin 3.
    let terms = VariantSpec {
        pop_out: true,
        ..shape(7, 6, 3)
    };
    let position = after(terms, "335152");
    for level in [Level::Easy, Level::Medium, Level::Hard] {
        for seed in 0..3 {
            let chosen = Opponent::new(level, seed).choose(&position);
            assert_ne!(chosen, Some("p3".parse().unwrap()), "{level}, seed {seed}");
        }
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
        let position = after(terms, first);
        let mut dice = ChaCha8Rng::seed_from_u64(7);
        let candidates = Search::new(Budget::Playouts(10_000), || Duration::ZERO, &mut dice)
            .candidates(&position);
        let best = candidates.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let is_swap = best.map(|best| best.action == Move::Swap);
        assert_eq!(is_swap, Some(swaps), "after {first}: {candidates:?}");
    }
}

/// Games in which one opponent of a level meets others of a weaker one, in every seat equally often:
/// it has to get more than so many points of a win each, where a draw is shared.
fn beats(terms: VariantSpec, stronger: Level, weaker: Level, games: u64, more_than: f64) {
    let variant = Variant::try_from(terms).unwrap();
    let players = usize::from(variant.players());
    let mut points = 0.0;
    for seed in 0..games {
        let ours = seed as usize % players;
        let mut opponents: Vec<Opponent> = (0..players)
            .map(|seat| {
                let level = if seat == ours { stronger } else { weaker };
                Opponent::new(level, seed * 10 + seat as u64)
            })
            .collect();
        points += match play(variant, &mut opponents) {
            Some(winner) if winner == ours => 1.0,
            Some(_) => 0.0,
            None => 1.0 / players as f64,
        };
    }
    println!("{terms}: {stronger} among {weaker} has {points:.1} of {games}");
    assert!(
        points > more_than,
        "{terms}: {stronger} among {weaker}: {points} of {games}"
    );
}

#[test]
fn of_two_players_the_stronger_wins() {
    let pop_out = VariantSpec {
        pop_out: true,
        ..shape(6, 5, 4)
    };
    let all = VariantSpec {
        pop_out: true,
        pie_rule: true,
        ..standard(ONE_OF_EACH)
    };
    for terms in [pop_out, all] {
        beats(terms, Level::Easy, Level::Random, 10, 8.0);
        beats(terms, Level::Medium, Level::Easy, 10, 7.0);
    }
}

/// Among three or four the weaker ones decide together who wins: a strong player gets more than its
/// share, but cannot get all. Its share of 24 games would be 8 points among three, and 6 among four.
#[test]
fn of_more_players_the_stronger_gets_more_than_its_share() {
    for (players, powers, easy, medium) in [
        (3, Powers::NONE, 14.0, 18.0),
        (3, ONE_OF_EACH, 14.0, 18.0),
        (4, Powers::NONE, 8.0, 12.0),
    ] {
        let terms = VariantSpec {
            players,
            ..standard(powers)
        };
        beats(terms, Level::Easy, Level::Random, 24, easy);
        beats(terms, Level::Medium, Level::Random, 24, medium);
    }
}
