//! `watch`: games as they are played.

use std::convert::Infallible;

use connect4_client::{Contract, Event, Watch};
use connect4_protocol::Game;
use connect4_rules::Position;

use crate::args;
use crate::args::Global;
use crate::failure::Failure;
use crate::lookup;
use crate::report::{GameAt, Report};
use crate::session::Session;

/// Follows a game until it ends, or all games until the program is stopped.
pub async fn watch(
    global: &Global,
    args: &args::Watch,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let session = Session::open(global, false, report).await?;
    let contract = session.contract(global, None).await?;
    let mut watch = contract.watch().await?;
    match args.game {
        Some(number) => one(&contract, &mut watch, number, report).await,
        None => match all(&contract, &mut watch, report).await {
            Err(failure) => Err(failure),
        },
    }
}

/// Reports what happens in all games.
async fn all(
    contract: &Contract,
    watch: &mut Watch,
    report: &mut dyn Report,
) -> Result<Infallible, Failure> {
    report.following(contract.address())?;
    loop {
        let at = watch.next().await?;
        let game = match at.event.game() {
            Some(number) => contract.game(number).await?,
            None => None,
        };
        report.event(&at, game.as_ref())?;
    }
}

/// Reports what happens in a game until it has ended.
async fn one(
    contract: &Contract,
    watch: &mut Watch,
    number: u32,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let game = lookup::game(contract, number).await?;
    // The state when the watch began: on public chains it is some blocks behind the newest one.
    let then = contract.game_at(number, watch.since()).await?;
    let mut position = match &then {
        Some(then) => then.position(),
        None => Position::new(game.shape()),
    };
    let first = then.unwrap_or(game);
    report.watching(&GameAt::of(contract, number, &first))?;
    let mut is_over = then.as_ref().is_some_and(Game::is_over);
    let mut has_moved = true;
    while !is_over {
        if has_moved && position.outcome().is_none() {
            report.to_move(position.to_move())?;
        }
        let at = loop {
            let at = watch.next().await?;
            if at.event.game() == Some(number) {
                break at;
            }
        };
        report.event(&at, Some(&game))?;
        has_moved = false;
        match at.event {
            Event::DiscDropped(dropped) => {
                lookup::replay_move(&mut position, dropped.bin, number)?;
                report.board(&position)?;
                has_moved = true;
            }
            Event::GameEnded(_) => is_over = true,
            _ => {}
        }
    }
    Ok(())
}
