//! `watch`: games as they are played.

use std::convert::Infallible;
use std::future::pending;

use connect4_client::{Address, Contract, Error, Event, GameId, News};
use connect4_protocol::{Error as Refusal, Game, Match};
use connect4_rules::{Bin, Position};

use super::following::{Following, States, then, until_end};
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
        Some(id @ (GameId::Classic(_) | GameId::Fast(_))) => {
            let number = id.number();
            let contract = attend(report, session.contract(global, None)).await??;
            let watch = attend(report, Following::of(&contract, args.best)).await??;
            one(&contract, watch, number, report).await
        }
        Some(GameId::Variant(number)) => {
            variants::watch(global, &session, number, args.best, report).await
        }
        None => match all(global, &session, args.best, report).await {
            Err(failure) => Err(failure),
        },
    }
}

/// Reports what happens in all games, classic and variants. One of the two contracts may be missing.
async fn all(
    global: &Global,
    session: &Session,
    best: bool,
    report: &mut dyn Report,
) -> Result<Infallible, Failure> {
    let contract = found(attend(report, session.contract(global, None)).await?)?;
    let variants = found(attend(report, session.variants(global, None)).await?)?;
    let (mut watch, mut watch_variants) = (None, None);
    match (&contract, &variants) {
        (Err(missing), Err(_)) => return Err(Error::NoContract(*missing).into()),
        (contract, variants) => {
            if let Ok(contract) = contract {
                watch = Some(attend(report, Following::of(contract, best)).await??);
                report.following(contract.address())?;
            }
            if let Ok(variants) = variants {
                watch_variants =
                    Some(attend(report, Following::of_variants(variants, best)).await??);
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
            Either::Classic(news) => {
                let at = news.at();
                let game = match &contract {
                    Ok(contract) => attend(report, contract.game_of(at)).await??,
                    Err(_) => None,
                };
                match &news {
                    News::Happened(at) => report.event(at, game.as_ref())?,
                    News::TakenBack(at) => report.event_taken_back(at, game.as_ref())?,
                }
            }
            Either::Variant(news) => {
                let at = news.at();
                let game = match &variants {
                    Ok(variants) => attend(report, variants.game_of(at)).await??,
                    Err(_) => None,
                };
                match &news {
                    News::Happened(at) => report.variant_event(at, game.as_ref(), None)?,
                    News::TakenBack(at) => report.variant_event_taken_back(at, game.as_ref())?,
                }
            }
        }
    }
}

/// News of one of the two contracts.
enum Either {
    Classic(News),
    Variant(News),
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
    report: &mut dyn Report,
) -> Result<(), Failure> {
    // The state when the watch began: on public chains it is some blocks behind the newest one, in
    // which the game may be freed already.
    let then = then(attend(report, contract.game_at(number, watch.since())).await?)?;
    let (first, position) = match &then {
        Some(then) => (*then, then.position()),
        None => {
            let game = attend(report, lookup::game(contract, number)).await??.value;
            (game, Position::new(game.shape()))
        }
    };
    let of_match = match contract.match_of(number).await {
        Err(error) if error.refusal() == Some(Refusal::NoSuchGame) => Match::default(),
        of_match => of_match?,
    };
    report.watching(&GameAt::of(contract, number, &first), &of_match)?;
    if then.as_ref().is_some_and(Game::is_over) {
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
            report.to_move(position.to_move())?;
        }
        let news = loop {
            match attend(report, until_end(&mut watch, end.as_ref())).await?? {
                None => return Ok(()),
                Some(news) if news.at().event.game() == Some(GameId::of_two(number)) => break news,
                Some(_) => {}
            }
        };
        has_moved = false;
        match news {
            News::Happened(at) => {
                report.event(&at, Some(&first))?;
                match at.event {
                    Event::DiscDropped(ref dropped) => {
                        let mut position = position;
                        lookup::replay_move(&mut position, Bin::new(dropped.bin), number)?;
                        report.board(&position)?;
                        positions.after(&at, position);
                        has_moved = true;
                    }
                    Event::Advanced(ref advanced) => {
                        let mut position = Position::new(first.shape());
                        for bin in advanced.moves.iter_bins() {
                            lookup::replay_move(&mut position, bin, number)?;
                        }
                        report.board(&position)?;
                        positions.after(&at, position);
                        has_moved = true;
                    }
                    Event::GameEnded(_) => end = Some(at),
                    _ => {}
                }
            }
            News::TakenBack(at) => {
                report.event_taken_back(&at, Some(&first))?;
                if end.as_ref() == Some(&at) {
                    end = None;
                }
                if positions.take_back(&at) {
                    report.board(positions.now())?;
                    has_moved = true;
                }
            }
        }
    }
}
