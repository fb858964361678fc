//! `dispute`: a game by signed terms is taken to the chain, and played to its end there.

use connect4_client::fast::{OpenGame, rooms_at};

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
    let game = game.ok_or_else(|| Failure::Refused("no game goes on".into()))?;
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
    let own = if args.own { " --own" } else { "" };
    let signing = args.signing.options();
    let place = session.place.options();
    let resumed_by = format!("connect4 dispute{own}{signing}{place}");
    let mut table = SignedTable::resume(game, key, games, resumed_by)?;
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
