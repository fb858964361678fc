//! `table`, `tables` and `join`: games that start when all players have come.

use connect4_client::{Action, Address, Contracts, GameId, Named, Seen, Signer};
use connect4_protocol::variants::message::OpenTable;
use connect4_protocol::{AnyGame, variants};

use crate::accounts;
use crate::args::{Global, Join, Table, Tables};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::game::GameAt;
use crate::lookup;
use crate::output::Output;
use crate::play;
use crate::play::chain;
use crate::said::Said;
use crate::session::Session;

/// Opens a table; with `--play`, plays the game once the table is full.
pub async fn open_table(
    global: &Global,
    args: &Table,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let signer = accounts::signer_or_alice(&args.signing)?;
    let mut players: Vec<Address> = Vec::new();
    if !args.invited.is_empty() {
        players.push(signer.address());
        players.extend(args.invited.iter().map(Named::address));
    }
    let count = match (args.terms.players, players.len()) {
        (Some(count), _) => count,
        (None, 0) => 2,
        (None, named) => u8::try_from(named).unwrap_or(u8::MAX),
    };
    let terms = args.terms.with_players(count)?;
    args.terms.board.shape()?;
    let session = Session::open(global, false, out).await?;
    let progress = out.progress();
    let (variants, deployment) = session
        .variants_or_deploy(global, &signer, &progress)
        .await?;
    progress.say("opening a table");
    let message = OpenTable {
        players,
        variant: terms,
        limit: args.limit,
    };
    let receipt = variants.send(&signer, message).await?;
    let id = receipt.value;
    let table = lookup::game(&variants, id).await?;
    progress.clear();
    let reach = lookup::reach(&session, &variants);
    out.say(Said::TableOpened {
        at: GameAt::of(&variants, id, table.value),
        deployment: deployment.as_ref(),
        sent: (&receipt).into(),
        reach: &reach,
    })?;
    if !args.play {
        return Ok(());
    }
    wait_and_play(&session, variants, id, table, signer, out, farewell).await
}

/// Lists the open tables, the newest last.
pub async fn tables(global: &Global, args: &Tables, out: &mut Output) -> Result<(), Failure> {
    let session = Session::open(global, false, out).await?;
    let variants = match session.variants(global, None).await {
        Ok(variants) => variants,
        Err(connect4_client::Error::NoContract(_)) if global.variants.is_none() => {
            return out.say(Said::NoTables);
        }
        Err(error) => return Err(error.into()),
    };
    let most = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let found = variants.open_tables(most.max(1)).await?;
    if found.is_empty() {
        out.say(Said::NoTables)?;
    }
    for (number, table) in found.iter().take(most).rev() {
        out.say(Said::Listed {
            contract: variants.address(),
            id: GameId::Variant(*number),
            game: Some(AnyGame::from(*table)),
        })?;
    }
    Ok(())
}

/// Joins a table; with `--play`, plays the game once the table is full.
pub async fn join(
    global: &Global,
    args: &Join,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let id = args.game;
    if !id.is_variant() {
        return Err(Failure::Usage(format!(
            "{id} is not a table: tables have numbers such as v{}",
            id.number()
        )));
    }
    let signer = accounts::signer(&args.signing)?;
    let session = Session::open(global, false, out).await?;
    let variants = session.variants(global, signer.as_ref()).await?;
    let before = lookup::game(&variants, id).await?;
    let signer = match signer {
        Some(signer) => signer,
        None => expected(&before).ok_or_else(accounts::unnamed)?,
    };
    let progress = out.progress();
    progress.say("joining the table");
    let based_on = variants.based_on(id, &before);
    let receipt = based_on.perform(&signer, id, Action::Join).await?;
    progress.clear();
    let table = lookup::game(&variants, id).await?;
    out.say(Said::Joined {
        account: signer.address(),
        at: GameAt::of(&variants, id, table.value),
        sent: Some((&receipt).into()),
    })?;
    if !args.play {
        return Ok(());
    }
    wait_and_play(&session, variants, id, table, signer, out, farewell).await
}

/// The first development account for which a seat is kept.
fn expected(table: &variants::Game) -> Option<Signer> {
    table
        .seats()
        .filter(|(_, joined)| !joined)
        .find_map(|(account, _)| accounts::known(account))
}

/// Waits until a table is full, and plays the seat of the signer.
async fn wait_and_play(
    session: &Session,
    variants: Contracts,
    id: GameId,
    table: Seen<variants::Game>,
    signer: Signer,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let table = chain::Table::new(variants, id, table.map(AnyGame::from), vec![signer]);
    play::play(session, table, false, out, farewell).await
}
