//! `watch` of a variant.

use connect4_client::{Event, GameId, News};
use connect4_rules::variant::Position;

use crate::args::Global;
use crate::attend::attend;
use crate::commands::following::{Following, States, then, until_end};
use crate::failure::Failure;
use crate::lookup;
use crate::report::{Report, VariantAt};
use crate::session::Session;
use crate::skipped::Skipped;

/// Reports what happens in a game, or at its table, until it has ended.
pub async fn watch(
    global: &Global,
    session: &Session,
    number: u32,
    best: bool,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let variants = attend(report, session.variants(global, None)).await??;
    let mut watch = attend(report, Following::of_variants(&variants, best)).await??;
    // The state when the watch began: on public chains it is some blocks behind the newest one, in
    // which the game may be freed already.
    let then = then(attend(report, variants.game_at(number, watch.since())).await?)?;
    let mut seen = match then {
        Some(then) => then,
        None => {
            attend(report, lookup::variant(&variants, number))
                .await??
                .value
        }
    };
    report.watching_variant(&VariantAt::of(&variants, number, &seen))?;
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
            report.variant_to_move(colour)?;
        }
        let news = loop {
            match attend(report, until_end(&mut watch, end.as_ref())).await?? {
                None => return Ok(()),
                Some(news) if news.at().event.game() == Some(GameId::Variant(number)) => {
                    break news;
                }
                Some(_) => {}
            }
        };
        // Who is who follows from the newest state, which has all players.
        if let Some(now) = attend(report, variants.game_of(news.at())).await?? {
            seen = now;
        }
        match news {
            News::Happened(at) => {
                let before = match at.event {
                    Event::MoveMade(_) => Some(position),
                    _ => None,
                };
                report.variant_event(&at, Some(&seen), before.as_ref())?;
                match at.event {
                    Event::MoveMade(ref made) => {
                        let mut position = position;
                        play(&mut position, number, made.action)?;
                        report.variant_board(&position)?;
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
                    Event::VariantStarted(_) => report.variant_board(&position)?,
                    Event::VariantEnded(_) | Event::TableClosed(_) | Event::VariantFreed(_) => {
                        end = Some(at);
                    }
                    _ => {}
                }
            }
            News::TakenBack(at) => {
                report.variant_event_taken_back(&at, Some(&seen))?;
                if positions.take_back(&at) {
                    report.variant_board(positions.now())?;
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
