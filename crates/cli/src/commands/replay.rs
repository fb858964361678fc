//! `replay`: a game again from its first move.

use connect4_client::{Event, GameId};
use connect4_rules::Position;

use super::variants;
use crate::args::{Global, Replay};
use crate::failure::Failure;
use crate::lookup;
use crate::report::Report;
use crate::session::Session;

/// Shows the moves of a game again, from its events.
pub async fn replay(
    global: &Global,
    args: &Replay,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let named = match args.game {
        Some(GameId::Variant(number)) => {
            return variants::replay(global, args, number, report).await;
        }
        Some(GameId::Classic(number)) => Some(number),
        None => None,
    };
    let session = Session::open(global, false, report).await?;
    let contract = session.contract(global, None).await?;
    let number = lookup::number(&contract, named).await?;
    let progress = report.progress();
    progress.say("looking for the game's blocks");
    let history = contract.history(number, args.from_block).await?;
    progress.clear();
    let game = connect4_client::replay(&history)?;
    let mut position = Position::new(game.shape());
    let mut moves = Vec::new();
    for at in &history {
        if report.is_animated() && !moves.is_empty() {
            tokio::time::sleep(args.pause).await;
        }
        report.event(at, Some(&game))?;
        match &at.event {
            Event::GameStarted(_) => report.board(&position)?,
            Event::DiscDropped(dropped) => {
                moves.push(lookup::replay_move(&mut position, dropped.bin, number)?);
                report.board(&position)?;
            }
            _ => {}
        }
    }
    Ok(report.replayed(&game, &moves)?)
}
