//! `review`: what each move of a game gave away.

use std::path::Path;

use connect4_opponent::Reviewer;
use connect4_record::{Record, Step};
use connect4_rules::variant::Move;
use connect4_rules::{Bin, Position, Shape};

use crate::args::{Global, Review};
use crate::failure::Failure;
use crate::lookup;
use crate::output::Output;
use crate::said::Said;
use crate::session::Session;
use crate::written;

/// Reviews the moves of a game, or of all games in a file.
pub async fn review(global: &Global, args: &Review, out: &mut Output) -> Result<(), Failure> {
    if let Some(file) = &args.file {
        return of_file(file, out).await;
    }
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
    let moves = connect4_client::drops(&connect4_client::moves(&history));
    // Stops where an event is none of a game.
    let mut position = Position::new(game.shape());
    for bin in &moves {
        lookup::replay_move(&mut position, *bin, id)?;
    }
    let moves: Vec<_> = moves.into_iter().map(|bin| (bin, None)).collect();
    of_moves(game.shape(), &moves, out).await
}

async fn of_file(file: &Path, out: &mut Output) -> Result<(), Failure> {
    let (games, mut bad) = written::read_good(file, out)?;
    for found in &games {
        let line = found.line;
        let Some(bins) = drops(&found.record) else {
            bad += 1;
            let why = "the game is one of a variant, and its moves cannot be reviewed";
            if games.len() == 1 {
                let file = file.display();
                return Err(Failure::Refused(format!("{file}, line {line}: {why}")));
            }
            out.say(Said::PassedOver {
                file,
                line: Some(line),
                why,
            })?;
            continue;
        };
        out.say(Said::Reviewing { file, line })?;
        let spent = spent(&found.record).chain(std::iter::repeat(None));
        let moves: Vec<_> = bins.into_iter().zip(spent).collect();
        of_moves(found.record.terms.shape(), &moves, out).await?;
    }
    written::passed_over(bad, "game")
}

/// The bins of a game in which two players drop discs in turn; none of other games. After a swap the discs
/// go on by turns.
pub(super) fn drops(record: &Record) -> Option<Vec<Bin>> {
    let moves = record.moves().filter(|step| *step != Move::Swap);
    let bins = moves.map(|step| match step {
        Move::Drop(bin) => Some(bin),
        _ => None,
    });
    bins.collect::<Option<_>>()
        .filter(|_| record.terms.players() == 2)
}

/// What each disc has cost its player, in milliseconds, as far as the record tells.
fn spent(record: &Record) -> impl Iterator<Item = Option<u64>> {
    let steps = record.steps.iter().zip(record.spent());
    let is_swap = |step: &Step| *step == Step::Move(Move::Swap);
    steps
        .filter(move |(step, _)| !is_swap(step))
        .map(|(_, spent)| spent)
}

async fn of_moves(
    shape: Shape,
    moves: &[(Bin, Option<u64>)],
    out: &mut Output,
) -> Result<(), Failure> {
    let progress = out.progress();
    let mut position = Position::new(shape);
    let mut reviewer = Reviewer::default();
    for (turn, (bin, spent)) in (0..).zip(moves.iter().copied()) {
        progress.say("thinking");
        let before = position;
        if position.drop(bin).is_err() {
            break;
        }
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
            spent,
        })?;
    }
    Ok(())
}
