//! `list`: the newest games.

use connect4_client::{Contracts, Error, GameId};
use connect4_protocol::message::ContractKind;

use crate::args::{Global, List};
use crate::failure::Failure;
use crate::output::Output;
use crate::said::Said;
use crate::session::Session;

/// Lists games, the newest last: classic ones, then variants.
pub async fn list(global: &Global, args: &List, out: &mut Output) -> Result<(), Failure> {
    let session = Session::open(global, false, out).await?;
    classic(global, &session, args.limit, out).await?;
    variants(global, &session, args.limit, out).await
}

/// Lists classic games, if their contract is there.
async fn classic(
    global: &Global,
    session: &Session,
    limit: u32,
    out: &mut Output,
) -> Result<(), Failure> {
    let contract = match session.contract(global, None).await {
        Ok(contract) => contract,
        Err(Error::NoContract(address)) if global.contract.is_none() => {
            return out.say(Said::NoGames {
                missing: Some(address),
            });
        }
        Err(error) => return Err(error.into()),
    };
    let count = contract.game_count(ContractKind::Games).await?;
    if count == 0 {
        out.say(Said::NoGames { missing: None })?;
    }
    newest(&contract, count, GameId::Classic, limit, out).await
}

/// Lists variants and tables, if their contract is there.
async fn variants(
    global: &Global,
    session: &Session,
    limit: u32,
    out: &mut Output,
) -> Result<(), Failure> {
    let variants = match session.variants(global, None).await {
        Ok(variants) => variants,
        Err(Error::NoContract(_)) if global.variants.is_none() => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let count = variants.game_count(ContractKind::Variants).await?;
    if count > 0 {
        out.say(Said::VariantsFollow)?;
    }
    newest(&variants, count, GameId::Variant, limit, out).await
}

/// Lists the newest of a contract's games, at most so many, and says how many are too old to be listed.
async fn newest(
    contract: &Contracts,
    count: u32,
    id_of: fn(u32) -> GameId,
    limit: u32,
    out: &mut Output,
) -> Result<(), Failure> {
    let hidden = count.saturating_sub(limit);
    if hidden > 0 {
        out.say(Said::OlderGames { hidden, count })?;
    }
    for id in (hidden..count).map(id_of) {
        out.say(Said::Listed {
            contract: contract.address(),
            id,
            game: contract.game(id).await?,
        })?;
    }
    Ok(())
}
