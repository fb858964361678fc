//! `dispute`: a game by signed terms is taken to the chain, and played to its end there.

use connect4_client::Signer;
use connect4_client::fast::{GamesByTerms, LockedKey, OpenGame, rooms_at};
use connect4_protocol::fast::FastGame;

use super::guest::{Identified, failed};
use crate::accounts;
use crate::args::{Dispute, Global};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::output::Output;
use crate::play::signed::{self, SignedTable};
use crate::said::Said;
use crate::session::Session;

/// Takes the game that was begun last to the chain, and plays it.
pub async fn dispute(
    global: &Global,
    args: &Dispute,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let payer = accounts::signer(&args.signing)?.ok_or_else(|| {
        Failure::Usage(
            "name the account that pays, with --secret-file, --account or CONNECT4_SECRET".into(),
        )
    })?;
    let Identified { key, games, .. } = match args.own {
        true => Identified::account(global, payer.clone()),
        false => Identified::guest(global),
    }?;
    let game = games.latest_open(key.key().address()).map_err(failed)?;
    let Some(game) = game else {
        return settle(global, args, payer, key, games, out, farewell).await;
    };
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, Some(&payer)).await?;
    let (theirs, ours) = (game.domain, contract.domain()?);
    if theirs != ours {
        return Err(Failure::Refused(format!(
            "the game was signed for the contract {} on chain {}, not for {} on chain {}",
            theirs.contract, theirs.chain_id, ours.contract, ours.chain_id
        )));
    }
    let game = OpenGame {
        relay: args.relay.as_deref().map_or(game.relay, rooms_at),
        ..game
    };
    let mut table = SignedTable::resume(game, key, games, resumed_by(args, &session))?;
    let progress = out.progress();
    progress.say("looking for the game on the chain");
    let id = table.dispute(&contract, payer).await;
    progress.clear();
    let text = format!(
        "the game is {} on the chain; press starts the opponent's clock",
        id?
    );
    out.say(Said::Notice(&text))?;
    session.endure(out);
    signed::play(table, false, out, farewell).await
}

/// Brings the end of the game that ended last here to the chain, if it was taken there and is not over there.
async fn settle(
    global: &Global,
    args: &Dispute,
    payer: Signer,
    key: LockedKey,
    games: GamesByTerms,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let nothing = || Failure::Refused("no game goes on".into());
    let ended = games.latest_ended(key.key().address()).map_err(failed)?;
    let ended = ended.ok_or_else(nothing)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, Some(&payer)).await?;
    if contract.domain()? != ended.domain {
        return Err(nothing());
    }
    let mut table = SignedTable::ended(&ended, key, games, resumed_by(args, &session))?;
    let disputed = contract.dispute_of(table.number()).await?;
    let id = disputed.ok_or_else(nothing)?;
    let on_chain = contract.final_game::<FastGame>(id).await?;
    if on_chain.is_some_and(|game| game.is_final()) {
        return Err(nothing());
    }
    table.dispute(&contract, payer).await?;
    session.endure(out);
    if table.settle(out, farewell).await? {
        table.end(out).await?;
    }
    farewell.clear();
    Ok(())
}

/// The command that resumes the dispute.
fn resumed_by(args: &Dispute, session: &Session) -> String {
    let own = if args.own { " --own" } else { "" };
    let signing = args.signing.options();
    let place = session.place.options();
    format!("connect4 dispute{own}{signing}{place}")
}
