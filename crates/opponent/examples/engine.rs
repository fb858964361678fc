//! The best level as a program that talks by lines, for matches between two versions of it: see
//! `scripts/matches`. It uses nothing of the crate that earlier versions do not have.
//!
//!     engine time FACTOR      its clock runs so many times faster: 20 is 50 ms a move
//!     engine cpu FACTOR       the same by the processor's time of this program, on Linux
//!     engine steps COUNT      it looks at about so many positions, or plays so many games, for a move
//!
//! A line is a board and the moves on it, as `9x7 4453`, or `9x7 -`; the answer is the bin, from 1.

use std::io::{self, BufRead as _, Write as _};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use connect4_opponent::{Level, Opponent};
use connect4_rules::{Position, Shape};

type Failure = Box<dyn std::error::Error>;

/// How much faster the clock runs; or, of a clock that counts, nanoseconds for each look at it.
static RATE: AtomicU64 = AtomicU64::new(1);
static LOOKS: AtomicU64 = AtomicU64::new(0);
/// Number of positions between two looks of a search at its clock.
const LOOK: u64 = 64;
/// The first number is the time for which the processor has run this thread, in nanoseconds.
const SPENT: &str = "/proc/thread-self/schedstat";
/// The time that the best level takes for a move, in nanoseconds.
const MOVE: u64 = 1_000_000_000;

fn fast() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let nanos = u64::try_from(BEGUN.elapsed().as_nanos()).unwrap_or(u64::MAX);
    Duration::from_nanos(nanos.saturating_mul(RATE.load(Ordering::Relaxed)))
}

/// The time for which the processor has run this program, which other programs do not change.
fn processor() -> Duration {
    let spent = std::fs::read_to_string(SPENT).unwrap_or_default();
    let nanos = spent.split(' ').next().and_then(|nanos| nanos.parse().ok());
    Duration::from_nanos(
        nanos
            .unwrap_or(0_u64)
            .saturating_mul(RATE.load(Ordering::Relaxed)),
    )
}

fn counting() -> Duration {
    let looks = LOOKS.fetch_add(1, Ordering::Relaxed);
    Duration::from_nanos(looks.saturating_mul(RATE.load(Ordering::Relaxed)))
}

fn shape(text: &str) -> Result<Shape, Failure> {
    let (bins, capacity) = text.split_once('x').ok_or("a board is like 9x7")?;
    Ok(Shape::new(bins.parse()?, capacity.parse()?, 4)?)
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, number] = arguments.as_slice() else {
        return Err("usage: engine time FACTOR | cpu FACTOR | steps COUNT".into());
    };
    let number: u64 = number.parse()?;
    let clock = match kind.as_str() {
        "time" => {
            RATE.store(number, Ordering::Relaxed);
            fast
        }
        "cpu" => {
            std::fs::read(SPENT)?;
            RATE.store(number, Ordering::Relaxed);
            processor
        }
        "steps" => {
            RATE.store(MOVE * LOOK / number.max(LOOK), Ordering::Relaxed);
            counting
        }
        _ => return Err(format!("`{kind}` is none of time, cpu and steps").into()),
    };
    // One opponent for all games, so that what it keeps is not made anew for each.
    let mut opponent = Opponent::with_clock(Level::Perfect, 1, clock);
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (board, moves) = line.split_once(' ').ok_or("a line is a board and moves")?;
        let moves = if moves == "-" { "" } else { moves };
        let position = Position::from_moves(shape(board)?, moves)?;
        let bin = opponent.choose(&position).ok_or("the game is over")?;
        println!("{}", bin.index() + 1);
        io::stdout().flush()?;
    }
    Ok(())
}
