//! `play`: a game at this terminal.

mod game;
mod someone;

use connect4_rules::{Shape, ShapeSpec};

use crate::args::{Board, Global, Play};
use crate::commands::seek;
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::output::Output;

/// Resumes the game that is named or starts one, and plays it to its end.
pub async fn play(
    global: &Global,
    args: &Play,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    if args.guest {
        return seek::play(global, args, out, farewell).await;
    }
    if !args.sought.is_none() {
        return Err(Failure::Usage(
            "--clock and --pool are for games at a relay: add --guest".into(),
        ));
    }
    match (args.game, args.terms.variant()?) {
        (Some(number), _) => game::resume(global, args, number, out, farewell).await,
        (None, terms) => game::start(global, args, terms, out, farewell).await,
    }
}

/// A shape whose numbers are not below the bounds of a board, and which of them were raised, in
/// words.
fn raise(board: Board) -> Result<(ShapeSpec, Vec<String>), Failure> {
    let mut raised = Vec::new();
    let mut at_least = |name: &str, asked: u8, least: u8| {
        if asked < least {
            raised.push(format!("{name} raised from {asked} to {least}, the least"));
        }
        asked.max(least)
    };
    let shape = ShapeSpec {
        bins: at_least("bins", board.bins, Shape::MIN_BINS),
        capacity: at_least("capacity", board.capacity, Shape::MIN_CAPACITY),
        line: at_least("line", board.line, Shape::MIN_LINE),
    };
    Shape::try_from(shape).map_err(|error| Failure::Usage(error.to_string()))?;
    Ok((shape, raised))
}
