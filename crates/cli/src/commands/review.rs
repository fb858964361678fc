//! `review`: what each move of a game gave away.

use connect4_opponent::Reviewer;
use connect4_rules::Position;

use crate::args::{Global, Review};
use crate::failure::Failure;
use crate::lookup;
use crate::output::Output;
use crate::said::Said;
use crate::session::Session;

/// Reviews the moves of a game.
pub async fn review(global: &Global, args: &Review, out: &mut Output) -> Result<(), Failure> {
    let named = args
        .game
        .map(|game| lookup::classic(game, "its moves cannot be reviewed"));
    let named = named.transpose()?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, None).await?;
    let id = lookup::named(&contract, named).await?;
    let progress = out.progress();
    progress.say("looking for the game's blocks");
    let history = contract.history(id, args.from_block).await?;
    let game = connect4_client::replay(&history)?;
    let mut position = Position::new(game.shape());
    let mut reviewer = Reviewer::default();
    for (turn, bin) in (0..).zip(connect4_client::moves(&history)) {
        progress.say("thinking");
        let before = position;
        lookup::replay_move(&mut position, bin, id)?;
        let thought = tokio::task::spawn_blocking(move || {
            let verdict = reviewer.look_at(&before, bin);
            (reviewer, verdict)
        });
        let (again, verdict) = thought
            .await
            .map_err(|error| Failure::Other(format!("the review failed: {error}")))?;
        reviewer = again;
        let Some(verdict) = verdict else {
            continue;
        };
        progress.clear();
        out.say(Said::Reviewed {
            turn,
            player: before.to_move(),
            bin,
            verdict: &verdict,
        })?;
    }
    Ok(())
}
