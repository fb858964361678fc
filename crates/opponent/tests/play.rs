//! Opponents at play.

use connect4_opponent::{Fault, Level, Looking, Opponent, Outlook, Reviewer, Standard, Worth};
use connect4_rules::{Bin, Outcome, Player, Position, Shape, notation};

/// The position after these moves, bins from 1.
fn after(moves: &str, shape: Shape) -> Position {
    let mut position = Position::new(shape);
    for bin in notation::parse(moves) {
        position.drop(bin.unwrap()).unwrap();
    }
    position
}

/// Plays a game; red first.
fn play(shape: Shape, red: &mut Opponent, blue: &mut Opponent) -> Outcome {
    let mut position = Position::new(shape);
    loop {
        let mover = match position.to_move() {
            Player::One => &mut *red,
            Player::Two => &mut *blue,
        };
        let bin = mover.choose(&position).expect("the game goes on");
        let dropped = position.drop(bin).expect("it chooses what is legal");
        if let Some(outcome) = dropped.outcome {
            println!("{position}\n{outcome}");
            return outcome;
        }
    }
}

#[test]
fn every_level_reads_back() {
    for level in Level::ALL {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    let error = "best".parse::<Level>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`best` is no level: use one of random, easy, medium, hard, perfect"
    );
}

#[test]
fn every_level_plays_every_shape_to_its_end() {
    let shapes = [
        Shape::CLASSROOM,
        Shape::new(5, 4, 3).unwrap(),
        Shape::new(5, 4, 5).unwrap(),
        Shape::new(25, 4, 6).unwrap(),
    ];
    for shape in shapes {
        for level in [Level::Random, Level::Easy] {
            for seed in 0..3 {
                let mut red = Opponent::new(level, seed);
                let mut blue = Opponent::new(Level::Random, seed + 100);
                play(shape, &mut red, &mut blue);
            }
        }
    }
}

#[test]
fn a_game_that_is_over_has_no_choice() {
    for level in Level::ALL {
        let over = after("1212121", Shape::STANDARD);
        assert_eq!(Opponent::new(level, 0).choose(&over), None);
        let over = after("1212121", Shape::CLASSROOM);
        assert_eq!(Opponent::new(level, 0).choose(&over), None);
    }
}

/// Red wins from the middle bin with its very last disc (V. Allis; J. Allen, 1988).
#[test]
fn the_standard_board_is_known() {
    let mut standard = Standard::default();
    let scores: Vec<i8> = standard
        .scores(&Position::new(Shape::STANDARD))
        .into_iter()
        .map(|(_, score)| score)
        .collect();
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);
    assert_eq!(standard.scores(&Position::new(Shape::CLASSROOM)), []);
    // A full bin has no score.
    let full = after("444444", Shape::STANDARD);
    assert!(
        standard
            .scores(&full)
            .iter()
            .all(|(bin, _)| bin.index() != 3)
    );
}

#[test]
fn perfect_play_wins_for_red() {
    for seed in 0..3 {
        let mut perfect = Opponent::new(Level::Perfect, seed);
        let mut other = Opponent::new(
            [Level::Random, Level::Easy, Level::Hard][seed as usize],
            seed,
        );
        let outcome = play(Shape::STANDARD, &mut perfect, &mut other);
        assert_eq!(outcome, Outcome::Won(Player::One));
    }
}

#[test]
fn a_line_is_completed_and_the_opponents_is_stopped_on_any_shape() {
    // Three in a row with one or both ends free, on a board that the solver does not know.
    let wide = Shape::new(9, 7, 4).unwrap();
    let mut hard = Opponent::new(Level::Hard, 1);
    let win = after("112233", wide);
    assert_eq!(
        hard.choose(&win),
        Some(Bin::new(3)),
        "red completes its own"
    );
    let stop = after("11223", wide);
    assert_eq!(hard.choose(&stop), Some(Bin::new(3)), "blue stops red");
}

/// Plays twenty games, half of them as red: the stronger level wins most.
#[test]
fn each_level_is_stronger_than_the_one_before() {
    let shape = Shape::CLASSROOM;
    for [weaker, stronger] in [[Level::Random, Level::Easy], [Level::Easy, Level::Medium]] {
        let mut points = 0.0;
        for seed in 0..20 {
            let (mut weak, mut strong) =
                (Opponent::new(weaker, seed), Opponent::new(stronger, seed));
            let (outcome, ours) = if seed % 2 == 0 {
                (play(shape, &mut strong, &mut weak), Player::One)
            } else {
                (play(shape, &mut weak, &mut strong), Player::Two)
            };
            points += match outcome {
                Outcome::Won(player) if player == ours => 1.0,
                Outcome::Won(_) => 0.0,
                Outcome::Draw => 0.5,
            };
        }
        println!("{stronger} has {points} of 20 points against {weaker}");
        assert!(points > 11.0, "{stronger} against {weaker}: {points} of 20");
    }
}

#[test]
fn a_review_tells_what_each_move_gave_away() {
    let mut reviewer = Reviewer::default();
    // Red wins from the middle with the last of its 21 discs, and from no other bin.
    let start = Position::new(Shape::STANDARD);
    let middle = reviewer.look_at(&start, Bin::new(3)).unwrap();
    assert_eq!(
        (middle.made, middle.best),
        (Worth::WinsIn(21), Worth::WinsIn(21))
    );
    assert_eq!(middle.best_bins, [Bin::new(3)]);
    let next_to_it = reviewer.look_at(&start, Bin::new(2)).unwrap();
    assert_eq!(next_to_it.made, Worth::Draw);
    assert_eq!(next_to_it.fault(), Fault::Blunder, "it gives the win away");
    assert_eq!(middle.fault(), Fault::None);
    let edge = reviewer.look_at(&start, Bin::new(0)).unwrap();
    assert!(matches!(edge.made, Worth::LosesIn(_)));

    // Blue has to stop three in a row. If it does not, red has to complete them.
    let three = after("11223", Shape::STANDARD);
    let missed = reviewer.look_at(&three, Bin::new(6)).unwrap();
    assert_eq!(missed.made, Worth::LosesIn(1));
    assert!(missed.fault() > Fault::None);
    let won = after("112237", Shape::STANDARD);
    let taken = reviewer.look_at(&won, Bin::new(3)).unwrap();
    assert_eq!(
        (taken.made, taken.best),
        (Worth::WinsIn(1), Worth::WinsIn(1))
    );
    assert_eq!(
        reviewer.look_at(&after("1212121", Shape::STANDARD), Bin::new(0)),
        None
    );

    // On other boards the verdict is that of a search.
    let open = after("2233", Shape::CLASSROOM);
    let verdict = reviewer.look_at(&open, Bin::new(5)).unwrap();
    assert!(verdict.fault() > Fault::None, "{verdict:?}");
}

#[test]
fn a_look_ahead_tells_what_each_drop_is_worth() {
    let mut reviewer = Reviewer::default();
    let start = Position::new(Shape::STANDARD);
    let ahead = reviewer.look_ahead(&start).unwrap();
    let wins = Worth::WinsIn(21);
    assert_eq!((ahead.worth, ahead.worth.value()), (wins, 1.0));
    assert_eq!(ahead.best_bins, [Bin::new(3)]);
    let worths: Vec<Worth> = ahead.bins.iter().map(|(_, worth)| *worth).collect();
    let (loses, later) = (Worth::LosesIn(20), Worth::LosesIn(21));
    assert_eq!(
        worths,
        [loses, later, Worth::Draw, wins, Worth::Draw, later, loses]
    );

    // The verdict on a move says the same of it.
    let blunder = reviewer.look_at(&start, Bin::new(2)).unwrap();
    assert_eq!((blunder.made, blunder.best), (worths[2], ahead.worth));

    // After the middle the best that blue can do is to lose to the last of red's other 20 discs.
    let ahead = reviewer.look_ahead(&after("4", Shape::STANDARD)).unwrap();
    assert_eq!((ahead.worth, ahead.worth.value()), (loses, -1.0));
    // A full bin is none of the bins.
    let full = after("444444", Shape::STANDARD);
    let ahead = reviewer.look_ahead(&full).unwrap();
    assert_eq!(ahead.bins.len(), 6);
    assert!(ahead.bins.iter().all(|(bin, _)| *bin != Bin::new(3)));
    let over = after("1212121", Shape::STANDARD);
    assert_eq!(reviewer.look_ahead(&over), None);
}

#[test]
fn a_look_ahead_by_a_search_does_not_depend_on_those_before() {
    let mut reviewer = Reviewer::default();
    let open = after("2233", Shape::CLASSROOM);
    let first = reviewer.look_ahead(&open).unwrap();
    assert_eq!(first.bins.len(), 6);
    assert!(matches!(first.worth, Worth::About(_)));
    reviewer.look_ahead(&after("22", Shape::CLASSROOM)).unwrap();
    assert_eq!(reviewer.look_ahead(&open), Some(first));

    // A line that can be completed is a sure win, and the only best bin where one end alone is free.
    let ahead = reviewer
        .look_ahead(&after("112233", Shape::CLASSROOM))
        .unwrap();
    assert_eq!((ahead.worth, ahead.worth.value()), (Worth::About(1.0), 1.0));
    assert_eq!(ahead.best_bins, [Bin::new(3)]);
}

/// In positions where every drop loses within the next two discs of the opponent, each level that looks ahead makes one
/// that loses latest.
#[test]
fn a_lost_game_is_lost_as_late_as_can_be() {
    let mut reviewer = Reviewer::default();
    let mut dice = Opponent::new(Level::Random, 3);
    let (mut lost, mut seed) = (0, 0);
    while lost < 60 {
        let mut position = Position::new(Shape::STANDARD);
        while let Some(bin) = dice.choose(&position) {
            position.drop(bin).unwrap();
            let ahead = look_late(&mut reviewer, &position);
            let Some(ahead) = ahead.filter(|ahead| matches!(ahead.worth, Worth::LosesIn(1 | 2)))
            else {
                continue;
            };
            lost += 1;
            for level in [Level::Easy, Level::Medium, Level::Hard] {
                seed += 1;
                let made = Opponent::new(level, seed).choose(&position).unwrap();
                assert!(
                    ahead.best_bins.contains(&made),
                    "{level} {made}: {ahead:?}\n{position}"
                );
            }
        }
    }
}

/// What a position holds after so many discs that the solver is quick.
fn look_late(reviewer: &mut Reviewer, position: &Position) -> Option<Outlook> {
    match position.plies() {
        16.. => reviewer.look_ahead(position),
        _ => None,
    }
}

/// Who wins is known first, with a bin that keeps it; then what each bin is worth, a best one first.
#[test]
fn a_position_is_looked_at_move_by_move() {
    let mut reviewer = Reviewer::default();
    for (shape, line) in [
        (Shape::STANDARD, "44444122"),
        (Shape::STANDARD, "444441556722"),
        (Shape::STANDARD, "12345671234567"),
        (Shape::CLASSROOM, "33"),
    ] {
        let position = Position::from_moves(shape, line).expect("legal");
        let all = reviewer.look_ahead(&position).expect("it goes on");
        let mut looking = Looking::at(position);
        assert_eq!(looking.outlook(), None);
        reviewer.look_on(&mut looking);
        if shape == Shape::STANDARD {
            let first = looking.outlook().expect("an outlook");
            assert_eq!(first.worth.value(), all.worth.value(), "{line}");
            let [bin] = first.best_bins[..] else {
                panic!("{first:?}");
            };
            let worth = all.bins.iter().find(|(other, _)| *other == bin);
            assert_eq!(
                worth.map(|(_, worth)| worth.value()),
                Some(all.worth.value())
            );
        }
        for seen in 1..=all.bins.len() {
            if !looking.is_complete() {
                reviewer.look_on(&mut looking);
                let outlook = looking.outlook().expect("an outlook");
                assert_eq!(outlook.bins.len(), seen);
                let is_as_known = |it: &(Bin, Worth)| all.bins.contains(it);
                assert!(outlook.bins.iter().all(is_as_known), "{outlook:?}");
            }
        }
        assert!(looking.is_complete());
        assert_eq!(looking.outlook(), Some(all));
    }
    let over = Position::from_moves(Shape::STANDARD, "1212121").expect("legal");
    let mut looking = Looking::at(over);
    reviewer.look_on(&mut looking);
    assert!(looking.is_complete() && looking.outlook().is_none());
}
