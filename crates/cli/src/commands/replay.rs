//! `replay`: a game again from its first move.

use connect4_client::{Event, GameId};
use connect4_rules::{Bin, Position, Shape};

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
        Some(id @ (GameId::Classic(_) | GameId::Fast(_))) => Some(id.number()),
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
    let mut shown = Vec::new();
    for (place, at) in (1..).zip(&history) {
        if report.is_animated() && !shown.is_empty() {
            tokio::time::sleep(args.pause).await;
        }
        report.event(at, Some(&game))?;
        if matches!(at.event, Event::GameStarted(_)) {
            report.board(&position)?;
        }
        let moves = connect4_client::moves(&history[..place]);
        let same = moves
            .iter()
            .zip(&shown)
            .take_while(|(one, other)| one == other);
        let known = same.count();
        if known < shown.len() {
            // Signed moves take the place of those on the chain that differ.
            position = position_after(game.shape(), &moves[..known], number)?;
        }
        for (more, bin) in moves[known..].iter().enumerate() {
            if report.is_animated() && more > 0 {
                tokio::time::sleep(args.pause).await;
            }
            lookup::replay_move(&mut position, *bin, number)?;
            report.board(&position)?;
        }
        shown = moves;
    }
    Ok(report.replayed(&game, &shown)?)
}

/// The position after these moves of game `number`.
fn position_after(shape: Shape, moves: &[Bin], number: u32) -> Result<Position, Failure> {
    let mut position = Position::new(shape);
    for bin in moves {
        lookup::replay_move(&mut position, *bin, number)?;
    }
    Ok(position)
}
