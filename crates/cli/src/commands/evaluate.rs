//! `evaluate`: positions of the standard board, solved.

use std::path::Path;

use connect4_opponent::Standard;
use connect4_rules::{Position, Shape};

use crate::args::Evaluate;
use crate::failure::Failure;
use crate::input::Lines;
use crate::output::Output;
use crate::said::{Evaluated, Said};
use crate::written;

/// Evaluates the positions of the command line, or of standard input.
pub async fn evaluate(args: &Evaluate, out: &mut Output) -> Result<(), Failure> {
    let mut solver = Solver(None);
    if !args.positions.is_empty() {
        let positions = args.positions.iter().map(|moves| position(moves));
        let positions: Vec<_> = positions
            .collect::<Result<_, _>>()
            .map_err(Failure::Usage)?;
        for (moves, position) in args.positions.iter().zip(positions) {
            solver.say(moves, position, out).await?;
        }
        return Ok(());
    }
    let mut lines = Lines::read();
    let failed = |error| Failure::Other(format!("standard input cannot be read: {error}"));
    let (mut number, mut bad) = (0, 0);
    while let Some(line) = lines.next().await.map_err(failed)? {
        number += 1;
        let moves = line.trim();
        match position(moves) {
            _ if moves.is_empty() => {}
            Ok(position) => solver.say(moves, position, out).await?,
            Err(why) => {
                bad += 1;
                out.say(Said::PassedOver {
                    file: Path::new("-"),
                    line: Some(number),
                    why: &why,
                })?;
            }
        }
    }
    written::passed_over(bad, "line")
}

fn position(moves: &str) -> Result<Position, String> {
    Position::from_moves(Shape::STANDARD, moves)
        .map_err(|error| format!("`{}` is no position: {error}", moves.escape_debug()))
}

/// The solver, which is made when it is needed.
struct Solver(Option<Standard>);

impl Solver {
    async fn say(
        &mut self,
        moves: &str,
        position: Position,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let evaluated = match position.outcome() {
            Some(outcome) => Evaluated::Over(outcome),
            None => {
                let mut solver = self.0.take().unwrap_or_default();
                let solving = tokio::task::spawn_blocking(move || {
                    let found = solver.evaluate(&position);
                    (solver, found)
                });
                let failed = |error| Failure::Other(format!("the solver failed: {error}"));
                let (solver, found) = solving.await.map_err(failed)?;
                self.0 = Some(solver);
                let found = found.ok_or_else(|| Failure::Other("the game is over".into()))?;
                Evaluated::Open(found)
            }
        };
        out.say(Said::Evaluated {
            moves,
            evaluated: &evaluated,
        })
    }
}
