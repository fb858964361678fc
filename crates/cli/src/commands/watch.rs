//! `watch`: games as they are played.

use std::convert::Infallible;

use connect4_client::{Address, Error, Event, GameId, News};
use connect4_protocol::AnyGame;

use super::following::{Following, States, after, until_end};
use crate::args;
use crate::args::Global;
use crate::failure::Failure;
use crate::game::{GameAt, Position};
use crate::lookup;
use crate::output::Output;
use crate::said::Said;
use crate::session::Session;
use crate::skipped::Skipped;

/// Follows a game until it ends, or all games until the program is stopped.
pub async fn watch(global: &Global, args: &args::Watch, out: &mut Output) -> Result<(), Failure> {
    let session = Session::open(global, false, out).await?;
    session.endure(out);
    match args.game {
        Some(id) => one(global, &session, id, args.best, out).await,
        None => match all(global, &session, args.best, out).await {
            Err(failure) => Err(failure),
        },
    }
}

/// Reports what happens in all games, classic and variants. One of the two contracts may be missing.
async fn all(
    global: &Global,
    session: &Session,
    best: bool,
    out: &mut Output,
) -> Result<Infallible, Failure> {
    let contract = found(out.wait_for(session.contract(global, None)).await?)?;
    let variants = found(out.wait_for(session.variants(global, None)).await?)?;
    let all = match (&contract, &variants) {
        (Ok(contract), Ok(variants)) => contract.with_variants(variants),
        (Ok(one), Err(_)) | (Err(_), Ok(one)) => one.clone(),
        (Err(missing), Err(_)) => return Err(Error::NoContract(*missing).into()),
    };
    let mut watch = out.wait_for(Following::of(&all, best)).await??;
    for there in [&contract, &variants].into_iter().flatten() {
        out.say(Said::Following {
            contract: there.address(),
        })?;
    }
    let mut skipped = Skipped::default();
    loop {
        skipped.tell(&session.client);
        let news = out.wait_for(watch.next()).await??;
        let at = news.at();
        let game = out.wait_for(all.game_of(at)).await??;
        out.say(match &news {
            News::Happened(at) => Said::Event {
                at,
                game,
                before: None,
            },
            News::Replaced(at) => Said::EventUndone { at, game },
        })?;
    }
}

/// A contract, or the address at which there is none.
fn found<C>(opened: Result<C, Error>) -> Result<Result<C, Address>, Failure> {
    match opened {
        Ok(contract) => Ok(Ok(contract)),
        Err(Error::NoContract(address)) => Ok(Err(address)),
        Err(error) => Err(error.into()),
    }
}

/// Reports what happens in a game, or at its table, until it has ended.
async fn one(
    global: &Global,
    session: &Session,
    id: GameId,
    best: bool,
    out: &mut Output,
) -> Result<(), Failure> {
    let contract = out
        .wait_for(session.contract_of(global, id, None))
        .await??;
    let mut watch = out.wait_for(Following::of(&contract, best)).await??;
    // The state when the watch began: on public chains it is some blocks behind the newest one, in
    // which the game may be freed already.
    let then = out.wait_for(contract.game_at::<AnyGame>(id, watch.since()));
    let then = match then.await? {
        Err(Error::NoContract(_)) => None,
        then => then?,
    };
    let mut seen = match then {
        Some(then) => then,
        None => out.wait_for(lookup::game(&contract, id)).await??.value,
    };
    out.say(Said::Watching(GameAt::of(&contract, id, seen)))?;
    if then.is_some_and(|then| then.is_over()) {
        return Ok(());
    }
    let mut positions = States::new(match &then {
        Some(then) => then.into(),
        None => Position::first_of(&seen),
    });
    let mut end = None;
    let mut has_changed = true;
    let mut skipped = Skipped::default();
    loop {
        skipped.tell(&session.client);
        let position = *positions.now();
        if has_changed
            && seen.has_started()
            && let Some(colour) = position.to_move()
        {
            out.say(Said::ToMove(colour))?;
        }
        let news = loop {
            match out.wait_for(until_end(&mut watch, end.as_ref())).await?? {
                None => return Ok(()),
                Some(news) if news.at().event.game() == Some(id) => break news,
                Some(_) => {}
            }
        };
        // Which account plays which colour follows from the newest state, which has all players.
        if id.is_variant()
            && let Some(now) = out.wait_for(contract.game_of(news.at())).await??
        {
            seen = now;
        }
        has_changed = false;
        match news {
            News::Happened(at) => {
                out.say(Said::Event {
                    at: &at,
                    game: Some(seen),
                    before: match (&at.event, &position) {
                        (Event::MoveMade(_), Position::Variant(position)) => Some(position),
                        _ => None,
                    },
                })?;
                let after = after(position, &at.event, &seen, id)?;
                has_changed = after.is_some() || matches!(at.event, Event::VariantStarted(_));
                if has_changed && !matches!(at.event, Event::PlayerLeft(_)) {
                    out.say(Said::Board(after.unwrap_or(position)))?;
                }
                if let Some(after) = after {
                    positions.after(&at, after);
                }
                if matches!(
                    at.event,
                    Event::GameEnded(_)
                        | Event::VariantEnded(_)
                        | Event::TableClosed(_)
                        | Event::VariantFreed(_)
                ) {
                    end = Some(at);
                }
            }
            News::Replaced(at) => {
                out.say(Said::EventUndone {
                    at: &at,
                    game: Some(seen),
                })?;
                if end.as_ref() == Some(&at) {
                    end = None;
                }
                if positions.take_back(&at) {
                    out.say(Said::Board(*positions.now()))?;
                    has_changed = true;
                }
            }
        }
    }
}
