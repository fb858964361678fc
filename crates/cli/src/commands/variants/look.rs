//! `show`, `list` and `replay` of variants.

use connect4_client::{Error, StepKind};

use crate::args::{Global, Replay};
use crate::failure::Failure;
use crate::lookup;
use crate::report::{Report, VariantAt};
use crate::session::Session;

/// Shows a game or a table.
pub async fn show(global: &Global, number: u32, report: &mut dyn Report) -> Result<(), Failure> {
    let session = Session::open(global, false, report).await?;
    let variants = session.variants(global, None).await?;
    let game = lookup::variant(&variants, number).await?;
    Ok(report.variant_shown(&VariantAt::of(&variants, number, &game))?)
}

/// Lists games and tables, the newest last.
pub async fn list(
    global: &Global,
    session: &Session,
    limit: u32,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let variants = match session.variants(global, None).await {
        Ok(variants) => variants,
        Err(Error::NoContract(_)) if global.variants.is_none() => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let count = variants.game_count().await?;
    let hidden = count.saturating_sub(limit);
    if count > 0 {
        report.variants_follow()?;
    }
    if hidden > 0 {
        report.older_games(hidden, count)?;
    }
    for number in hidden..count {
        let game = variants.game(number).await?;
        report.variant_listed(variants.address(), number, game.as_ref())?;
    }
    Ok(())
}

/// Shows a game again from its events.
pub async fn replay(
    global: &Global,
    args: &Replay,
    number: u32,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let session = Session::open(global, false, report).await?;
    let variants = session.variants(global, None).await?;
    let progress = report.progress();
    progress.say("looking for the game's blocks");
    let history = variants.history(number, args.from_block).await?;
    progress.clear();
    let (game, steps) = connect4_client::replay_variant(&history)?;
    let mut position = connect4_rules::variant::Position::new(game.variant());
    let mut steps = steps.into_iter().peekable();
    let mut moves = Vec::new();
    for (index, at) in history.iter().enumerate() {
        if report.is_animated() && !moves.is_empty() {
            tokio::time::sleep(args.pause).await;
        }
        let step = steps.next_if(|step| step.event == index);
        let Some(step) = step else {
            report.variant_event(at, Some(&game), None)?;
            if index == 0 {
                report.variant_board(&position)?;
            }
            continue;
        };
        report.variant_event(at, Some(&step.game), Some(&position))?;
        position = *step.game.position();
        if let StepKind::Move(action) = step.kind {
            moves.push(action);
            report.variant_board(&position)?;
        }
    }
    Ok(report.variant_replayed(&game, &moves)?)
}
