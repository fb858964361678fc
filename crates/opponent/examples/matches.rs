//! Matches between two versions of the computer: see `scripts/matches`.
//!
//!     matches PAIRS SEED BOARD… -- NEW ARGUMENT… -- OLD ARGUMENT…
//!
//! Each pair begins with the same random drops, with the sides exchanged. NEW and OLD are programs that
//! talk as the example `engine` does.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use connect4_rules::{Bin, Outcome, Player, Position, Shape};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

#[path = "shared/tally.rs"]
mod tally;

use tally::{Tally, elo};

type Failure = Box<dyn std::error::Error>;

struct Engine {
    child: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Engine {
    fn start(command: &[String]) -> Result<Self, Failure> {
        let (program, arguments) = command.split_first().ok_or("no program is named")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let asks = child.stdin.take().ok_or("no input")?;
        let answers = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Self {
            child,
            asks,
            answers,
        })
    }

    fn choose(&mut self, board: &str, moves: &str) -> Result<Bin, Failure> {
        let moves = if moves.is_empty() { "-" } else { moves };
        writeln!(self.asks, "{board} {moves}")?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let bin: u8 = line.trim().parse()?;
        Ok(Bin::new(bin.checked_sub(1).ok_or("bins begin with 1")?))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The points of who plays the first colour: 1, a half or 0.
fn play(board: &str, opening: &str, sides: [&mut Engine; 2]) -> Result<f64, Failure> {
    let mut moves = opening.to_owned();
    let mut position = Position::from_moves(tally::shape(board)?, opening)?;
    let [one, two] = sides;
    loop {
        let mover = match position.to_move() {
            Player::One => &mut *one,
            Player::Two => &mut *two,
        };
        let bin = mover.choose(board, &moves)?;
        moves.push_str(&(bin.index() + 1).to_string());
        match position.drop(bin)?.outcome {
            None => {}
            Some(Outcome::Won(Player::One)) => return Ok(1.0),
            Some(Outcome::Won(Player::Two)) => return Ok(0.0),
            Some(Outcome::Draw) => return Ok(0.5),
        }
    }
}

/// Random drops after which nobody can win at once.
fn opening(shape: Shape, dice: &mut ChaCha8Rng) -> String {
    loop {
        let mut position = Position::new(shape);
        let mut moves = String::new();
        for _ in 0..dice.random_range(4..=7) {
            let bin = dice.random_range(0..shape.bins());
            if position.drop(Bin::new(bin)).is_ok() {
                moves.push_str(&(bin + 1).to_string());
            }
        }
        if tally::is_quiet(&position) {
            return moves;
        }
    }
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut parts = arguments.split(|argument| argument == "--");
    let (Some([pairs, seed, boards @ ..]), Some(new), Some(old)) =
        (parts.next(), parts.next(), parts.next())
    else {
        return Err("usage: matches PAIRS SEED BOARD… -- NEW… -- OLD…".into());
    };
    let pairs: u32 = pairs.parse()?;
    let mut new = Engine::start(new)?;
    let mut old = Engine::start(old)?;
    println!("| board | won | drawn | lost | share | Elo, 95 % |\n|---|---|---|---|---|---|");
    let mut all = Tally::default();
    for board in boards {
        let shape = tally::shape(board)?;
        let mut dice = ChaCha8Rng::seed_from_u64(seed.parse()?);
        let mut tally = Tally::default();
        for _ in 0..pairs {
            let opening = opening(shape, &mut dice);
            let first = play(board, &opening, [&mut new, &mut old])?;
            let second = 1.0 - play(board, &opening, [&mut old, &mut new])?;
            tally.add(&[first, second]);
            all.add(&[first, second]);
        }
        println!("| {board} | {} | {} |", tally.results(), elo(&tally));
    }
    println!("| all | {} | {} |", all.results(), elo(&all));
    Ok(())
}
