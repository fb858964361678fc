//! Solves positions of the standard board and times each, for `scripts/measured`.
//!
//!     solve positions COUNT DISCS…    prints as many random positions with each number of discs, as moves
//!     solve score [BOOK]              their scores by this crate, with the book in that file, or without one
//!     solve move BOOK                 the moves of the best level
//!     solve other                     their scores by the crate `connect-four-ai`, without its book
//!     solve other-book                and with it
//!
//! But for the first, a line of the input is the moves of a position; the answer is the score for the player to move, or
//! the bin, from 1, and the nanoseconds that it took. What was searched is kept for the positions that follow.

use std::io::{self, BufRead as _, Write as _};
use std::time::Instant;

use connect4_opponent::{Level, Opponent, Standard};
use connect4_rules::{Bin, Outcome, Position, Shape, notation};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

type Failure = Box<dyn std::error::Error>;

/// A solver, with what it keeps between positions.
enum Solver {
    Score(Standard),
    Move(Box<Opponent>),
    Other(connect_four_ai::Solver),
}

impl Solver {
    fn asked(arguments: &[&str]) -> Result<Self, Failure> {
        Ok(match arguments {
            ["score"] => Self::Score(Standard::default()),
            ["score", book] => Self::Score(with_book(book)?),
            ["move", book] => {
                let opponent = Opponent::new(Level::Perfect, 1);
                Self::Move(Box::new(opponent.with_solver(Some(with_book(book)?))))
            }
            ["other"] => Self::Other(connect_four_ai::Solver::empty()),
            ["other-book"] => Self::Other(connect_four_ai::Solver::new()),
            _ => return Err("usage: solve positions COUNT DISCS… | score [BOOK] | move BOOK | other | other-book".into()),
        })
    }

    /// The score or the bin, and the time that it took.
    fn solve(&mut self, moves: &str) -> Result<(i8, u128), Failure> {
        let position = Position::from_moves(Shape::STANDARD, moves)?;
        match self {
            Self::Score(standard) => {
                // The score of a position is that of the last drop to it, for the opponent.
                let mut bins = notation::parse(moves).collect::<Result<Vec<Bin>, _>>()?;
                let last = bins.pop().ok_or("no move")?;
                let before = notation::write(bins).to_string();
                let before = Position::from_moves(Shape::STANDARD, &before)?;
                let begun = Instant::now();
                let score = standard.score(&before, last);
                let took = begun.elapsed().as_nanos();
                Ok((-score.ok_or("no score")?, took))
            }
            Self::Move(opponent) => {
                let begun = Instant::now();
                let bin = opponent.choose(&position);
                let took = begun.elapsed().as_nanos();
                Ok((i8::try_from(bin.ok_or("no bin")?.index() + 1)?, took))
            }
            Self::Other(solver) => {
                let position = connect_four_ai::Position::from_moves(moves)
                    .map_err(|error| format!("{error:?}"))?;
                let begun = Instant::now();
                let score = solver.solve(&position);
                Ok((score, begun.elapsed().as_nanos()))
            }
        }
    }
}

fn with_book(path: &str) -> Result<Standard, Failure> {
    let mut standard = Standard::default();
    match standard.read_book(&std::fs::read(path)?) {
        true => Ok(standard),
        false => Err(format!("{path} is not a book").into()),
    }
}

/// Random drops after which nobody has won, and the player to move does not win at once.
fn quiet(dice: &mut ChaCha8Rng, discs: usize) -> Option<String> {
    let mut position = Position::new(Shape::STANDARD);
    let mut drops = Vec::new();
    while drops.len() < discs {
        let bins: Vec<Bin> = position.legal_bins().collect();
        let bin = bins[dice.random_range(0..bins.len())];
        drops.push(bin);
        if position.drop(bin).ok()?.outcome.is_some() {
            return None;
        }
    }
    let wins = position.legal_bins().any(|bin| {
        let outcome = position.clone().drop(bin).map(|dropped| dropped.outcome);
        matches!(outcome, Ok(Some(Outcome::Won(_))))
    });
    (!wins).then(|| notation::write(drops).to_string())
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["positions", count, discs @ ..] = arguments.as_slice() {
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        for discs in discs {
            let discs = discs.parse()?;
            let positions = std::iter::repeat_with(|| quiet(&mut dice, discs)).flatten();
            for position in positions.take(count.parse()?) {
                println!("{position}");
            }
        }
        return Ok(());
    }
    let mut solver = Solver::asked(&arguments)?;
    for line in io::stdin().lock().lines() {
        let (answer, nanoseconds) = solver.solve(&line?)?;
        println!("{answer} {nanoseconds}");
        io::stdout().flush()?;
    }
    Ok(())
}
