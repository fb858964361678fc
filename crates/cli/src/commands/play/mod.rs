//! `play`: a game at this terminal.

mod classic;
mod fast;
mod someone;
mod variant;

use connect4_client::GameId;
use connect4_rules::{Shape, ShapeSpec};

use crate::args::{Board, Global, Play};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::play::Screen;

/// Resumes the game that is named or starts one, and plays it to its end.
pub async fn play(
    global: &Global,
    args: &Play,
    screen: &mut dyn Screen,
    farewell: &Farewell,
) -> Result<(), Failure> {
    match (args.game, args.terms.variant()?) {
        (Some(GameId::Variant(number)), _) => {
            variant::resume(global, args, number, screen, farewell).await
        }
        (Some(id @ GameId::Fast(_)), _) => {
            fast::resume(global, args, id.number(), screen, farewell).await
        }
        (Some(GameId::Classic(number)), _) => {
            classic::play(global, args, Some(number), screen, farewell).await
        }
        (None, Some(terms)) => variant::start(global, args, terms, screen, farewell).await,
        (None, None) => classic::play(global, args, None, screen, farewell).await,
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
