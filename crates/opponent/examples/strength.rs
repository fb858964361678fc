//! How fair each pool's board is, and how strong each level, by games of the computer against itself: see
//! `scripts/fairness`. Prints the tables of docs/fairness.md.
//!
//!     strength fairness GAMES POSITIONS
//!     strength openings GAMES POSITIONS BOARD
//!     strength levels PAIRS

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use connect4_opponent::{Budget, Deep, Level, Opponent, Standard};
use connect4_rules::variant::{self, Move, Variant, VariantSpec};
use connect4_rules::{Bin, Outcome, Player, Position, Shape};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

#[path = "shared/tally.rs"]
mod tally;

use tally::{Tally, elo};

type Failure = Box<dyn std::error::Error>;

/// The pools with their boards, and whether they have the pie rule.
const POOLS: [(&str, &str, bool); 5] = [
    ("`standard`", "7x6", false),
    ("`pie`, `programs`", "7x6", true),
    ("`large`", "8x9", true),
    ("`large`", "9x9", true),
    ("`large`", "9x7", true),
];
/// The turns in which one of the drops is made that are worth about as much as the best, so that games
/// differ. The first two are not among them: how fair a game is depends on them most.
const VARIED: Range<u8> = 2..6;
const ABOUT: f64 = 0.02;
/// How much faster than that of the wall the clock of the levels runs: the best has 50 ms for a move.
const FASTER: u32 = 20;

/// For budgets that are no times.
fn no_clock() -> Duration {
    Duration::ZERO
}

/// Each look at it is a second later: what is searched for a time ends at once.
fn hurry() -> Duration {
    static SECONDS: AtomicU64 = AtomicU64::new(0);
    Duration::from_secs(SECONDS.fetch_add(1, Ordering::Relaxed))
}

fn fast() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed() * FASTER
}

/// The points of player one of an outcome.
fn points(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Won(Player::One) => 1.0,
        Outcome::Won(Player::Two) => 0.0,
        Outcome::Draw => 0.5,
    }
}

/// One strong player, who plays both sides.
struct Strong {
    deep: Deep,
    opponent: Opponent,
    positions: u32,
    dice: ChaCha8Rng,
}

impl Strong {
    fn new(positions: u32, seed: u64) -> Self {
        Self {
            deep: Deep::new(no_clock),
            opponent: Opponent::with_clock(Level::Perfect, 1, hurry),
            positions,
            dice: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// About so many positions for a move: a half more or less, so that games differ.
    fn budget(&mut self, positions: u32) -> Budget {
        Budget::Playouts(self.dice.random_range(positions / 2..=positions * 3 / 2))
    }

    /// What each drop is worth to the player who makes it, by so many positions for all of them.
    fn worths(&mut self, position: &Position, all: u32) -> Result<Vec<(Bin, f64)>, Failure> {
        let bins: Vec<Bin> = position.legal_bins().collect();
        let each = all / u32::try_from(bins.len())?;
        let mut worths = Vec::new();
        for bin in bins {
            let mut after = *position;
            let ends = after.drop(bin)?.outcome.is_some();
            let budget = self.budget(each);
            let reply = match ends {
                true => -1.0,
                false => self
                    .deep
                    .find(&after, budget)
                    .map_or(0.0, |found| found.value),
            };
            worths.push((bin, -reply));
        }
        Ok(worths)
    }

    /// One of the drops with the greatest of these values, or so much less.
    fn any(&mut self, values: &[(Bin, f64)], about: f64) -> Option<Bin> {
        let best = values.iter().map(|(_, value)| *value).fold(-9.0, f64::max);
        let good: Vec<Bin> = values
            .iter()
            .filter(|(_, value)| *value >= best - about)
            .map(|(bin, _)| *bin)
            .collect();
        (!good.is_empty()).then(|| good[self.dice.random_range(0..good.len())])
    }

    /// The points of who makes the first drop, and the moves.
    fn play(&mut self, shape: Shape, pie_rule: bool) -> Result<(f64, String), Failure> {
        let (mut drops, swapped) = match pie_rule {
            true => self.opening(shape)?,
            false => (Vec::new(), false),
        };
        let points = self.finish(shape, &mut drops)?;
        let moves = drops.iter().map(|bin| (bin.index() + 1).to_string());
        Ok((if swapped { 1.0 - points } else { points }, moves.collect()))
    }

    /// The first drop, and whether it was swapped: as the best level decides it, which knows both.
    fn opening(&mut self, shape: Shape) -> Result<(Vec<Bin>, bool), Failure> {
        let mut opening = variant::Position::new(Variant::try_from(VariantSpec {
            pie_rule: true,
            ..VariantSpec::classic(shape)
        })?);
        let first = self.opponent.choose(&opening).ok_or("no move")?;
        let Move::Drop(bin) = first else {
            return Err("a game begins with a drop".into());
        };
        opening.play(first)?;
        let answer = self.opponent.choose(&opening);
        Ok((vec![bin], answer == Some(Move::Swap)))
    }

    /// Plays on from these drops to the end: the points of who made the first one.
    fn finish(&mut self, shape: Shape, drops: &mut Vec<Bin>) -> Result<f64, Failure> {
        // What an earlier game has found is not known in this one: only so do the errors tell how far the shares
        // can be trusted.
        self.deep = Deep::new(no_clock);
        let mut position = Position::new(shape);
        for &bin in drops.iter() {
            position.drop(bin)?;
        }
        loop {
            let bin = if VARIED.contains(&position.plies()) {
                let worths = self.worths(&position, self.positions)?;
                self.any(&worths, ABOUT).ok_or("no move")?
            } else {
                let budget = self.budget(self.positions);
                self.deep.find(&position, budget).ok_or("no move")?.bin
            };
            drops.push(bin);
            if let Some(outcome) = position.drop(bin)?.outcome {
                return Ok(points(outcome));
            }
        }
    }
}

/// What each first drop on a board is worth to who makes it, where no solver knows it: rows of a table.
fn openings(games: u32, positions: u32, board: &str) -> Result<(), Failure> {
    let shape = tally::shape(board)?;
    let bins: Vec<Bin> = Position::new(shape).legal_bins().collect();
    // The other half is its mirror image.
    for &bin in &bins[..bins.len().div_ceil(2)] {
        let mut strong = Strong::new(positions, 1);
        let mut tally = Tally::default();
        for _ in 0..games {
            tally.add(&[strong.finish(shape, &mut vec![bin])?]);
        }
        println!("| {board} | {} | {} |", bin.index() + 1, tally.results());
    }
    Ok(())
}

fn fairness(games: u32, positions: u32) -> Result<(), Failure> {
    println!(
        "| pool | board | pie rule | first player: won | drawn | lost | share | different games |"
    );
    println!("|---|---|---|---:|---:|---:|---:|---:|");
    let mut solved = Vec::new();
    for (pool, board, pie_rule) in POOLS {
        // Other games than those by which the first drops are known.
        let mut strong = Strong::new(positions, 2);
        let mut tally = Tally::default();
        let mut different = HashSet::new();
        for _ in 0..games {
            let (points, moves) = strong.play(tally::shape(board)?, pie_rule)?;
            tally.add(&[points]);
            if !pie_rule {
                solved.push(moves.clone());
            }
            different.insert(moves);
        }
        let pie_rule = if pie_rule { "yes" } else { "no" };
        let (count, results) = (different.len(), tally.results());
        println!("| {pool} | {board} | {pie_rule} | {results} | {count} |");
    }
    by_perfect_play(&solved)
}

/// What games on the standard board are worth after each of the first drops, which the solver knows: rows of a table.
fn by_perfect_play(games: &[String]) -> Result<(), Failure> {
    println!("\n| discs | first player wins by perfect play | draws | loses | share |");
    println!("|---:|---:|---:|---:|---:|");
    let mut standard = Standard::default();
    for discs in 0..=VARIED.end {
        let mut tally = Tally::default();
        for moves in games {
            let mut position = Position::new(tally::shape("7x6")?);
            for digit in moves.chars().take(discs.into()) {
                let bin = digit.to_digit(10).ok_or("a move is a bin")?;
                position.drop(Bin::new(u8::try_from(bin)? - 1))?;
            }
            let worth = standard.evaluate(&position).ok_or("the game is over")?;
            let of_first = match position.to_move() {
                Player::One => worth.score.signum(),
                Player::Two => -worth.score.signum(),
            };
            tally.add(&[f64::from(of_first + 1) / 2.0]);
        }
        println!("| {discs} | {} |", tally.results());
    }
    Ok(())
}

/// The points of the first of two opponents in a game with the pie rule, who makes the first drop or not.
fn meet(terms: Variant, opponents: &mut [Opponent; 2], begins: bool) -> Result<f64, Failure> {
    // The opening has a swap, and what follows is a classic game: so a program plays it.
    let mut opening = variant::Position::new(terms);
    let mut position = Position::new(terms.shape());
    let mut mover = usize::from(!begins);
    let mut first_colour = mover;
    loop {
        let opponent = &mut opponents[mover];
        let action = match opening.turns() < 2 {
            true => opponent.choose(&opening),
            false => opponent.choose(&position).map(Move::Drop),
        };
        let action = action.ok_or("no move")?;
        if opening.turns() < 2 {
            opening.play(action)?;
        }
        match action {
            Move::Drop(bin) => {
                if let Some(outcome) = position.drop(bin)?.outcome {
                    let points = points(outcome);
                    return Ok(if first_colour == 0 {
                        points
                    } else {
                        1.0 - points
                    });
                }
            }
            _ => first_colour = 1 - first_colour,
        }
        mover = 1 - mover;
    }
}

fn levels(pairs: u32) -> Result<(), Failure> {
    println!("| board | level | against | won | drawn | lost | share | rating above it, 95 % |");
    println!("|---|---|---|---:|---:|---:|---:|---:|");
    for board in ["7x6", "9x7"] {
        let terms = Variant::try_from(VariantSpec {
            pie_rule: true,
            ..VariantSpec::classic(tally::shape(board)?)
        })?;
        for neighbours in Level::ALL.windows(2) {
            let (weaker, stronger) = (neighbours[0], neighbours[1]);
            let mut tally = Tally::default();
            let mut opponents = [(stronger, 1), (weaker, 2)]
                .map(|(level, seed)| Opponent::with_clock(level, seed, fast));
            for _ in 0..pairs {
                let first = meet(terms, &mut opponents, true)?;
                let second = meet(terms, &mut opponents, false)?;
                tally.add(&[first, second]);
            }
            let rating = elo(&tally);
            let results = tally.results();
            println!("| {board} | {stronger} | {weaker} | {results} | {rating} |");
        }
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["fairness", games, positions] => fairness(games.parse()?, positions.parse()?),
        ["openings", games, positions, board] => {
            openings(games.parse()?, positions.parse()?, board)
        }
        ["levels", pairs] => levels(pairs.parse()?),
        _ => Err(
            "usage: strength fairness GAMES POSITIONS | openings GAMES POSITIONS BOARD | levels PAIRS"
                .into(),
        ),
    }
}
