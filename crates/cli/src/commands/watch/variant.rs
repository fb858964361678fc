//! `watch` of a variant.

use connect4_client::{Event, GameId, News};
use connect4_rules::variant::Position;

use crate::args::Global;
use crate::commands::following::{Following, States, then, until_end};
use crate::failure::Failure;
use crate::game::GameAt;
use crate::lookup;
use crate::output::Output;
use crate::said::Said;
use crate::session::Session;
use crate::skipped::Skipped;

/// Reports what happens in a game, or at its table, until it has ended.
pub async fn watch(
    global: &Global,
    session: &Session,
    number: u32,
    best: bool,
    out: &mut Output,
) -> Result<(), Failure> {
    let variants = out.wait_for(session.variants(global, None)).await??;
    let mut watch = out
        .wait_for(Following::of_variants(&variants, best))
        .await??;
    // The state when the watch began: on public chains it is some blocks behind the newest one, in
    // which the game may be freed already.
    let then = then(
        out.wait_for(variants.game_at(number, watch.since()))
            .await?,
    )?;
    let mut seen = match then {
        Some(then) => then,
        None => {
            out.wait_for(lookup::variant(&variants, number))
                .await??
                .value
        }
    };
    out.say(Said::Watching {
        at: GameAt::variant(&variants, number, &seen),
        of_match: None,
    })?;
    if then.is_some_and(|then| then.is_over()) {
        return Ok(());
    }
    let mut positions = States::new(*seen.position());
    let mut end = None;
    let mut skipped = Skipped::default();
    loop {
        skipped.tell(&session.client);
        let position = *positions.now();
        if seen.has_started()
            && let Some(colour) = position.to_move()
        {
            out.say(Said::ToMove(colour))?;
        }
        let news = loop {
            match out.wait_for(until_end(&mut watch, end.as_ref())).await?? {
                None => return Ok(()),
                Some(news) if news.at().event.game() == Some(GameId::Variant(number)) => {
                    break news;
                }
                Some(_) => {}
            }
        };
        // Who is who follows from the newest state, which has all players.
        if let Some(now) = out.wait_for(variants.game_of(news.at())).await?? {
            seen = now;
        }
        match news {
            News::Happened(at) => {
                let before = match at.event {
                    Event::MoveMade(_) => Some(position),
                    _ => None,
                };
                out.say(Said::Event {
                    at: &at,
                    game: Some(seen.into()),
                    before: before.as_ref(),
                })?;
                match at.event {
                    Event::MoveMade(ref made) => {
                        let mut position = position;
                        play(&mut position, number, made.action)?;
                        out.say(Said::Board(position.into()))?;
                        positions.after(&at, position);
                    }
                    Event::PlayerLeft(ref left) if seen.has_started() => {
                        // Someone who left the table before has no colour, or has another one now.
                        if let Some(colour) = seen.colour_of(left.player)
                            && seen.position().has_left(colour)
                        {
                            let mut position = position;
                            let _ = position.leave(colour);
                            positions.after(&at, position);
                        }
                    }
                    Event::VariantStarted(_) => out.say(Said::Board(position.into()))?,
                    Event::VariantEnded(_) | Event::TableClosed(_) | Event::VariantFreed(_) => {
                        end = Some(at);
                    }
                    _ => {}
                }
            }
            News::TakenBack(at) => {
                out.say(Said::EventUndone {
                    at: &at,
                    game: Some(seen.into()),
                })?;
                if positions.take_back(&at) {
                    out.say(Said::Board((*positions.now()).into()))?;
                }
                if end.as_ref() == Some(&at) {
                    end = None;
                }
            }
        }
    }
}

fn play(
    position: &mut Position,
    number: u32,
    action: connect4_rules::variant::Move,
) -> Result<(), Failure> {
    position.play(action).map(|_| ()).map_err(|error| {
        Failure::Other(format!(
            "the events of game v{number} are not a valid game: {error} in the move {action}"
        ))
    })
}
