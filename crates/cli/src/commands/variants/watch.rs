//! `watch` of a variant.

use connect4_protocol::variants::Event;
use connect4_rules::variant::Position;

use crate::args::Global;
use crate::attend::attend;
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
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let variants = attend(report, session.variants(global, None)).await??;
    let mut watch = attend(report, variants.watch()).await??;
    // The state when the watch began: on public chains it is some blocks behind the newest one, in
    // which the game may be freed already.
    let then = attend(report, variants.game_at(number, watch.since())).await??;
    let mut seen = match then {
        Some(then) => then,
        None => {
            attend(report, lookup::variant(&variants, number))
                .await??
                .value
        }
    };
    report.watching_variant(&VariantAt::of(&variants, number, &seen))?;
    let mut position = *seen.position();
    let mut is_over = then.is_some_and(|then| then.is_over());
    let mut skipped = Skipped::default();
    while !is_over {
        skipped.tell(&session.client);
        if seen.has_started()
            && let Some(colour) = position.to_move()
        {
            report.variant_to_move(colour)?;
        }
        let at = loop {
            let at = attend(report, watch.next()).await??;
            if at.event.game() == number {
                break at;
            }
        };
        // Who is who follows from the newest state, which has all players.
        if let Some(now) = attend(report, variants.game_of(&at)).await?? {
            seen = now;
        }
        let before = match at.event {
            Event::MoveMade(_) => Some(position),
            _ => None,
        };
        report.variant_event(&at, Some(&seen), before.as_ref())?;
        match at.event {
            Event::MoveMade(made) => {
                play(&mut position, number, made.action)?;
                report.variant_board(&position)?;
            }
            Event::PlayerLeft(left) if seen.has_started() => {
                // Someone who left the table before has no colour, or has another one now.
                if let Some(colour) = seen.colour_of(left.player)
                    && seen.position().has_left(colour)
                {
                    let _ = position.leave(colour);
                }
            }
            Event::VariantStarted(_) => report.variant_board(&position)?,
            Event::VariantEnded(_) | Event::TableClosed(_) | Event::VariantFreed(_) => {
                is_over = true;
            }
            _ => {}
        }
    }
    Ok(())
}

fn play(
    position: &mut Position,
    number: u32,
    action: connect4_rules::variant::Move,
) -> Result<(), Failure> {
    position.play(action).map(|_| ()).map_err(|error| {
        Failure::Other(format!(
            "the events of game v{number} make no game: {error} in the move {action}"
        ))
    })
}
