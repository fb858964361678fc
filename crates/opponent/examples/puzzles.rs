//! Makes the puzzles of `src/puzzles.txt`, or checks them: `scripts/make-puzzles`.
//!
//! ```text
//! puzzles              makes them and prints the file; the same on every machine
//! puzzles --check N    has every Nth of the file, or all for 1, confirmed by both solvers
//! ```
//!
//! The levels play games against each other from openings at random. Their positions, and those that one
//! other drop leads to, are solved. A position in which exactly one drop wins, or exactly one holds a draw,
//! is a puzzle, if a solver of other people has the same score for each drop. Its grade comes from the discs
//! that are needed and from how often the levels find the drop.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::time::Instant;

use connect4_opponent::{Level, Opponent, Puzzle, Standard, puzzle::Goal};
use connect4_rules::{Bin, Cell, Player, Position, Shape, notation};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

const SEED: u64 = 27;
/// Most puzzles of each grade, from 1. There is little to find in those of the first.
const MOST: [usize; 5] = [150, 850, 850, 850, 850];
/// Games after which it ends even if a grade is not full.
const GAMES: u64 = 1200;
/// Most puzzles of one game, and among them of the first grade.
const MOST_OF_GAME: usize = 5;
const MOST_EASY_OF_GAME: usize = 1;
/// Discs of the positions that are looked at.
const DISCS: RangeInclusive<u8> = 10..=36;
/// Positions with fewer discs take longest: one of so many is looked at.
const EARLY: u8 = 14;
const EARLY_RATIO: u32 = 40;
/// Tries that each level has to find a drop.
const TRIES: u64 = 4;
/// The levels that play and that try.
const LEVELS: [Level; 3] = [Level::Easy, Level::Medium, Level::Hard];
const EDITION: u32 = 1;

struct Found {
    grade: u8,
    goal: Goal,
    discs: u8,
    /// The moves up to the answer.
    line: Vec<Bin>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => make(),
        [check, every] if check == "--check" => match every.parse() {
            Ok(every) => check_file(every),
            Err(_) => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: puzzles [--check N]");
    ExitCode::from(2)
}

fn make() -> ExitCode {
    let begun = Instant::now();
    let mut solvers = Solvers::default();
    let mut seen = HashSet::new();
    let mut found: Vec<Found> = Vec::new();
    let mut of_grade = [0; MOST.len()];
    let mut looked_at = 0;
    let mut games = 0;
    while games < GAMES && of_grade != MOST {
        let mut dice = ChaCha8Rng::seed_from_u64(SEED);
        dice.set_stream(games);
        games += 1;
        let (mut of_game, mut easy) = (0, 0);
        for line in candidates(&play(&mut dice), &mut dice) {
            if of_game == MOST_OF_GAME {
                break;
            }
            let position = after(&line);
            if position.outcome().is_some() || !seen.insert(key(&position)) {
                continue;
            }
            looked_at += 1;
            let Some((goal, discs, answer)) = solvers.puzzle(&position) else {
                continue;
            };
            let grade = grade(&position, goal, discs, answer);
            if grade == 1 && easy == MOST_EASY_OF_GAME {
                continue;
            }
            let count = &mut of_grade[usize::from(grade) - 1];
            if *count == MOST[usize::from(grade) - 1] {
                continue;
            }
            if let Err(text) = solvers.confirm(&position) {
                eprintln!("{text}");
                return ExitCode::FAILURE;
            }
            *count += 1;
            of_game += 1;
            easy += usize::from(grade == 1);
            let mut line = line;
            line.push(answer);
            found.push(Found {
                grade,
                goal,
                discs,
                line,
            });
        }
        if games % 50 == 0 {
            let seconds = begun.elapsed().as_secs();
            eprintln!("{games} games, {looked_at} positions, {of_grade:?} puzzles, {seconds} s");
        }
    }
    print(found);
    ExitCode::SUCCESS
}

fn print(mut found: Vec<Found>) {
    let word = |goal| match goal {
        Goal::Win => "win",
        Goal::Hold => "hold",
    };
    found.sort_by_key(|found| {
        (
            found.grade,
            word(found.goal),
            found.discs,
            found.line.clone(),
        )
    });
    println!("connect4 puzzles {EDITION}");
    let mut last = None;
    for Found {
        grade,
        goal,
        discs,
        line,
    } in found
    {
        let heading = (grade, goal, discs);
        if last != Some(heading) {
            println!("{grade} {} {discs}", word(goal));
            last = Some(heading);
        }
        println!("{}", notation::write(line));
    }
}

/// A game of two levels against each other, from an opening at random on.
fn play(dice: &mut ChaCha8Rng) -> Vec<Bin> {
    let mut position = Position::new(Shape::STANDARD);
    let mut line = Vec::new();
    let opening = dice.random_range(1..=5);
    let mut players = [(); 2].map(|()| {
        let level = LEVELS[dice.random_range(0..LEVELS.len())];
        Opponent::new(level, dice.random())
    });
    let mut starter = Opponent::new(Level::Random, dice.random());
    while position.outcome().is_none() {
        let turn = line.len();
        let player = match turn < opening {
            true => &mut starter,
            false => &mut players[turn % 2],
        };
        let Some(bin) = player.choose(&position) else {
            break;
        };
        position.drop(bin).expect("a legal drop");
        line.push(bin);
    }
    line
}

/// The positions of a game, and those that another drop would have led to, in an order at random.
fn candidates(game: &[Bin], dice: &mut ChaCha8Rng) -> Vec<Vec<Bin>> {
    let mut lines = Vec::new();
    for turn in 0..game.len() {
        let before = &game[..turn];
        for bin in after(before).legal_bins() {
            let mut line = before.to_vec();
            line.push(bin);
            // At most 42.
            let discs = line.len() as u8;
            let is_thinned = discs < EARLY && !dice.random_ratio(1, EARLY_RATIO);
            if DISCS.contains(&discs) && !is_thinned {
                lines.push(line);
            }
        }
    }
    for at in (1..lines.len()).rev() {
        lines.swap(at, dice.random_range(0..=at));
    }
    lines
}

fn after(line: &[Bin]) -> Position {
    let mut position = Position::new(Shape::STANDARD);
    for bin in line {
        position.drop(*bin).expect("a legal drop");
    }
    position
}

/// A number that only the same position has, and its mirror image.
fn key(position: &Position) -> u128 {
    let shape = position.shape();
    let of = |is_mirrored: bool| {
        let mut key = 0;
        for bin in shape.iter_bins() {
            let bin = match is_mirrored {
                true => Bin::new(shape.bins() - 1 - bin.index()),
                false => bin,
            };
            for row in shape.iter_rows() {
                let disc = match position.disc(Cell { bin, row }) {
                    None => 0,
                    Some(Player::One) => 1,
                    Some(Player::Two) => 2,
                };
                key = key * 3 + disc;
            }
        }
        key
    };
    of(false).min(of(true))
}

#[derive(Default)]
struct Solvers {
    ours: Standard,
    theirs: Option<connect_four_ai::Solver>,
}

impl Solvers {
    /// What is to be reached in a position, with how many discs and by which drop; none if it is no puzzle.
    fn puzzle(&mut self, position: &Position) -> Option<(Goal, u8, Bin)> {
        let scores = self.ours.scores(position);
        if scores.len() < 3 {
            return None;
        }
        let (answer, best) = scores.iter().copied().max_by_key(|(_, score)| *score)?;
        let next = scores
            .iter()
            .filter(|(bin, _)| *bin != answer)
            .map(|(_, score)| *score)
            .max()?;
        let left = Shape::STANDARD.cells() - position.plies();
        let (goal, most, score) = match (best, next) {
            (1.., ..=0) => (Goal::Win, left.div_ceil(2), best),
            (0, ..0) => (Goal::Hold, left / 2, next),
            _ => return None,
        };
        Some((goal, most + 1 - score.unsigned_abs(), answer))
    }

    /// Fails if the solvers have different scores.
    fn confirm(&mut self, position: &Position) -> Result<(), String> {
        let solver = self.theirs.get_or_insert_with(connect_four_ai::Solver::new);
        let theirs = solver.get_all_move_scores(&theirs(position));
        let theirs: Vec<(Bin, i8)> = (0..)
            .map(Bin::new)
            .zip(theirs)
            .filter_map(|(bin, score)| Some((bin, score?)))
            .collect();
        let ours = self.ours.scores(position);
        match ours == theirs {
            true => Ok(()),
            false => Err(format!("{position}\n{ours:?}\n{theirs:?}")),
        }
    }
}

/// The position in the type of the other solver.
fn theirs(position: &Position) -> connect_four_ai::Position {
    let shape = position.shape();
    let mut text = String::new();
    for row in shape.iter_rows().rev() {
        for bin in shape.iter_bins() {
            text.push(match position.disc(Cell { bin, row }) {
                Some(player) if player == position.to_move() => 'x',
                Some(_) => 'o',
                None => '.',
            });
        }
    }
    connect_four_ai::Position::from_board_string(&text).expect("a position")
}

/// The grade, from 1.
fn grade(position: &Position, goal: Goal, discs: u8, answer: Bin) -> u8 {
    let is_threat = goal == Goal::Hold && discs == 1;
    if is_threat || (goal == Goal::Win && discs == 1) {
        return 1;
    }
    let tries = LEVELS
        .into_iter()
        .flat_map(|level| (0..TRIES).map(move |seed| Opponent::new(level, seed).choose(position)));
    let missed = tries.filter(|tried| *tried != Some(answer)).count();
    match missed + usize::from(discs) {
        ..=6 => 2,
        7..=12 => 3,
        13..=16 => 4,
        _ => 5,
    }
}

fn check_file(every: usize) -> ExitCode {
    let begun = Instant::now();
    let mut solvers = Solvers::default();
    let mut checked = 0;
    let mut count = 0;
    for puzzle in Puzzle::all() {
        count += 1;
        if (puzzle.number - 1) % every.max(1) != 0 {
            continue;
        }
        let Ok(position) = puzzle.position() else {
            eprintln!("{puzzle:?}: not legal");
            return ExitCode::FAILURE;
        };
        if solvers.puzzle(&position) != Some((puzzle.goal, puzzle.discs, puzzle.answer)) {
            eprintln!("{puzzle:?}: not what the solver finds");
            return ExitCode::FAILURE;
        }
        if let Err(text) = solvers.confirm(&position) {
            eprintln!("{puzzle:?}: the solvers differ\n{text}");
            return ExitCode::FAILURE;
        }
        checked += 1;
    }
    let seconds = begun.elapsed().as_secs();
    println!("{checked} of {count} puzzles confirmed by two solvers in {seconds} s");
    match checked {
        0 => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}
