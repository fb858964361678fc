//! `dispute`: a game by signed terms is taken to the chain, and played to its end there.

use connect4_client::Signer;
use connect4_client::fast::{GamesByTerms, LockedKey, OpenGame, rooms_at};
use connect4_protocol::fast::{FastGame, GameNumber};

use super::guest::{Identified, failed};
use crate::accounts;
use crate::args::{Dispute, Global};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::output::Output;
use crate::play::signed::{self, SignedTable};
use crate::said::Said;
use crate::session::Session;

/// Games that have ended of which the chain is asked whether their end is missing there, at most.
const ASKED: usize = 64;

/// Takes a game to the chain, and plays it.
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
    let open = games.open(key.key().address()).map_err(failed)?;
    let mut latest_first = open.into_iter().rev();
    let game = latest_first.find(|game| is_meant(args, game.number()));
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
    let resumed_by = resumed_by(args, game.number(), &session);
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

fn is_meant(args: &Dispute, number: GameNumber) -> bool {
    args.game.is_none_or(|game| game == number)
}

/// Brings the end of a game that has ended here to the chain, if it was taken there and is not over there.
async fn settle(
    global: &Global,
    args: &Dispute,
    payer: Signer,
    key: LockedKey,
    games: GamesByTerms,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let nothing = match args.game {
        Some(game) => format!("game {game} does not go on here, and the chain needs no end of it"),
        None => "no game goes on".into(),
    };
    let mut latest_first = games
        .ended_of(key.key().address())
        .map_err(failed)?
        .filter(|(number, _)| is_meant(args, *number))
        .take(ASKED)
        .peekable();
    if latest_first.peek().is_none() {
        return Err(Failure::Refused(nothing));
    }
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, Some(&payer)).await?;
    let domain = contract.domain()?;
    let (number, ended) = loop {
        let Some((number, ended)) = latest_first.next() else {
            return Err(Failure::Refused(nothing));
        };
        if ended.domain == domain
            && let Some(id) = contract.dispute_of(number).await?
        {
            let on_chain = contract.final_game::<FastGame>(id).await?;
            if !on_chain.is_some_and(|game| game.is_final()) {
                break (number, ended);
            }
        }
    };
    let resumed_by = resumed_by(args, number, &session);
    let mut table = SignedTable::ended(&ended, key, games, resumed_by)?;
    table.dispute(&contract, payer).await?;
    session.endure(out);
    if table.settle(out, farewell).await? {
        table.end(out).await?;
    }
    farewell.clear();
    Ok(())
}

fn resumed_by(args: &Dispute, game: GameNumber, session: &Session) -> String {
    let own = if args.own { " --own" } else { "" };
    let signing = args.signing.options();
    let place = session.place.options();
    format!("connect4 dispute --game {game}{own}{signing}{place}")
}
