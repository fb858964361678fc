//! `watch`: games as they are played.

use std::convert::Infallible;
use std::future::pending;

use connect4_client::{Address, Contract, ContractEvent, Error, Event, GameId, Occurrence, Watch};
use connect4_protocol::Game;
use connect4_rules::Position;

use super::variants;
use crate::args;
use crate::args::Global;
use crate::attend::attend;
use crate::failure::Failure;
use crate::lookup;
use crate::report::{GameAt, Report};
use crate::session::Session;
use crate::skipped::Skipped;

/// Follows a game until it ends, or all games until the program is stopped.
pub async fn watch(
    global: &Global,
    args: &args::Watch,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let session = Session::open(global, false, report).await?;
    session.endure(report);
    match args.game {
        Some(GameId::Classic(number)) => {
            let contract = attend(report, session.contract(global, None)).await??;
            let mut watch = attend(report, contract.watch()).await??;
            one(&contract, &mut watch, number, report).await
        }
        Some(GameId::Variant(number)) => variants::watch(global, &session, number, report).await,
        None => match all(global, &session, report).await {
            Err(failure) => Err(failure),
        },
    }
}

/// Reports what happens in all games, classic and variants. One of the two contracts may be missing.
async fn all(
    global: &Global,
    session: &Session,
    report: &mut dyn Report,
) -> Result<Infallible, Failure> {
    let contract = found(attend(report, session.contract(global, None)).await?)?;
    let variants = found(attend(report, session.variants(global, None)).await?)?;
    let (mut watch, mut watch_variants) = (None, None);
    match (&contract, &variants) {
        (Err(missing), Err(_)) => return Err(Error::NoContract(*missing).into()),
        (contract, variants) => {
            if let Ok(contract) = contract {
                watch = Some(attend(report, contract.watch()).await??);
                report.following(contract.address())?;
            }
            if let Ok(variants) = variants {
                watch_variants = Some(attend(report, variants.watch()).await??);
                report.following(variants.address())?;
            }
        }
    }
    let mut skipped = Skipped::default();
    loop {
        skipped.tell(&session.client);
        let next = async {
            tokio::select! {
                at = next(&mut watch) => at.map(Either::Classic),
                at = next(&mut watch_variants) => at.map(Either::Variant),
            }
        };
        match attend(report, next).await?? {
            Either::Classic(at) => {
                let game = match &contract {
                    Ok(contract) => attend(report, contract.game_of(&at)).await??,
                    Err(_) => None,
                };
                report.event(&at, game.as_ref())?;
            }
            Either::Variant(at) => {
                let game = match &variants {
                    Ok(variants) => attend(report, variants.game_of(&at)).await??,
                    Err(_) => None,
                };
                report.variant_event(&at, game.as_ref(), None)?;
            }
        }
    }
}

/// An event of one of the two contracts.
enum Either {
    Classic(Occurrence),
    Variant(Occurrence<connect4_protocol::variants::Event>),
}

/// A contract, or the address at which there is none.
fn found<C>(opened: Result<C, Error>) -> Result<Result<C, Address>, Failure> {
    match opened {
        Ok(contract) => Ok(Ok(contract)),
        Err(Error::NoContract(address)) => Ok(Err(address)),
        Err(error) => Err(error.into()),
    }
}

/// The next event; never one without a watch.
async fn next<E: ContractEvent>(watch: &mut Option<Watch<E>>) -> Result<Occurrence<E>, Error> {
    match watch {
        Some(watch) => watch.next().await,
        None => pending().await,
    }
}

/// Reports what happens in a game until it has ended.
async fn one(
    contract: &Contract,
    watch: &mut Watch,
    number: u32,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    // The state when the watch began: on public chains it is some blocks behind the newest one, in
    // which the game may be freed already.
    let then = attend(report, contract.game_at(number, watch.since())).await??;
    let (first, mut position) = match &then {
        Some(then) => (*then, then.position()),
        None => {
            let game = attend(report, lookup::game(contract, number)).await??.value;
            (game, Position::new(game.shape()))
        }
    };
    report.watching(&GameAt::of(contract, number, &first))?;
    let mut is_over = then.as_ref().is_some_and(Game::is_over);
    let mut has_moved = true;
    let mut skipped = Skipped::default();
    while !is_over {
        skipped.tell(contract.client());
        if has_moved && position.outcome().is_none() {
            report.to_move(position.to_move())?;
        }
        let at = loop {
            let at = attend(report, watch.next()).await??;
            if at.event.game() == Some(number) {
                break at;
            }
        };
        report.event(&at, Some(&first))?;
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
