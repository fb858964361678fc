//! `watch`: games as they are played.

mod variant;

use std::convert::Infallible;
use std::future::pending;

use connect4_client::{Address, Contract, Error, Event, GameId, News};
use connect4_protocol::{self as protocol, Error as Refusal, Match};
use connect4_rules::{Bin, Position};

use super::following::{Following, States, then, until_end};
use crate::args;
use crate::args::Global;
use crate::failure::Failure;
use crate::game::{Game, GameAt};
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
        Some(id @ (GameId::Classic(_) | GameId::Fast(_))) => {
            let number = id.number();
            let contract = out.wait_for(session.contract(global, None)).await??;
            let watch = out.wait_for(Following::of(&contract, args.best)).await??;
            one(&contract, watch, number, out).await
        }
        Some(GameId::Variant(number)) => {
            variant::watch(global, &session, number, args.best, out).await
        }
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
    let (mut watch, mut watch_variants) = (None, None);
    match (&contract, &variants) {
        (Err(missing), Err(_)) => return Err(Error::NoContract(*missing).into()),
        (contract, variants) => {
            if let Ok(contract) = contract {
                watch = Some(out.wait_for(Following::of(contract, best)).await??);
                out.say(Said::Following {
                    contract: contract.address(),
                })?;
            }
            if let Ok(variants) = variants {
                watch_variants = Some(
                    out.wait_for(Following::of_variants(variants, best))
                        .await??,
                );
                out.say(Said::Following {
                    contract: variants.address(),
                })?;
            }
        }
    }
    let mut skipped = Skipped::default();
    loop {
        skipped.tell(&session.client);
        let next = async {
            tokio::select! {
                news = next(&mut watch) => news,
                news = next(&mut watch_variants) => news,
            }
        };
        let news = out.wait_for(next).await??;
        let at = news.at();
        let is_variant = at.event.game().is_some_and(GameId::is_variant);
        let game = match (&contract, &variants) {
            (_, Ok(variants)) if is_variant => {
                let game = out.wait_for(variants.game_of(at)).await??;
                game.map(Game::from)
            }
            (Ok(contract), _) if !is_variant => {
                let game = out.wait_for(contract.game_of(at)).await??;
                game.map(Game::from)
            }
            _ => None,
        };
        out.say(match &news {
            News::Happened(at) => Said::Event {
                at,
                game,
                before: None,
            },
            News::TakenBack(at) => Said::EventUndone { at, game },
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

/// What happens next, or is taken back; never anything without a subscription.
async fn next(following: &mut Option<Following>) -> Result<News, Error> {
    match following {
        Some(following) => following.next().await,
        None => pending().await,
    }
}

/// Reports what happens in a game until it has ended.
async fn one(
    contract: &Contract,
    mut watch: Following,
    number: u32,
    out: &mut Output,
) -> Result<(), Failure> {
    // The state when the watch began: on public chains it is some blocks behind the newest one, in
    // which the game may be freed already.
    let then = then(
        out.wait_for(contract.game_at(number, watch.since()))
            .await?,
    )?;
    let (first, position) = match &then {
        Some(then) => (*then, then.position()),
        None => {
            let game = out.wait_for(lookup::game(contract, number)).await??.value;
            (game, Position::new(game.shape()))
        }
    };
    let of_match = match contract.match_of(number).await {
        Err(error) if error.refusal() == Some(Refusal::NoSuchGame) => Match::default(),
        of_match => of_match?,
    };
    out.say(Said::Watching {
        at: GameAt::classic(contract, number, &first),
        of_match: Some(&of_match),
    })?;
    if then.as_ref().is_some_and(protocol::Game::is_over) {
        return Ok(());
    }
    let mut positions = States::new(position);
    let mut end = None;
    let mut has_moved = true;
    let mut skipped = Skipped::default();
    loop {
        skipped.tell(contract.client());
        let position = *positions.now();
        if has_moved && position.outcome().is_none() {
            out.say(Said::ToMove(position.to_move().into()))?;
        }
        let news = loop {
            match out.wait_for(until_end(&mut watch, end.as_ref())).await?? {
                None => return Ok(()),
                Some(news) if news.at().event.game() == Some(GameId::of_two(number)) => break news,
                Some(_) => {}
            }
        };
        has_moved = false;
        match news {
            News::Happened(at) => {
                out.say(Said::Event {
                    at: &at,
                    game: Some(first.into()),
                    before: None,
                })?;
                match at.event {
                    Event::DiscDropped(ref dropped) => {
                        let mut position = position;
                        lookup::replay_move(&mut position, Bin::new(dropped.bin), number)?;
                        out.say(Said::Board(position.into()))?;
                        positions.after(&at, position);
                        has_moved = true;
                    }
                    Event::Advanced(ref advanced) => {
                        let mut position = Position::new(first.shape());
                        for bin in advanced.moves.iter_bins() {
                            lookup::replay_move(&mut position, bin, number)?;
                        }
                        out.say(Said::Board(position.into()))?;
                        positions.after(&at, position);
                        has_moved = true;
                    }
                    Event::GameEnded(_) => end = Some(at),
                    _ => {}
                }
            }
            News::TakenBack(at) => {
                out.say(Said::EventUndone {
                    at: &at,
                    game: Some(first.into()),
                })?;
                if end.as_ref() == Some(&at) {
                    end = None;
                }
                if positions.take_back(&at) {
                    out.say(Said::Board((*positions.now()).into()))?;
                    has_moved = true;
                }
            }
        }
    }
}
