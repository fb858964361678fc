//! `list`: the newest games.

use connect4_client::{Error, GameId};
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
    for id in (older(count, limit, out)?..count).map(GameId::Classic) {
        out.say(Said::Listed {
            contract: contract.address(),
            id,
            game: contract.game(id).await?,
        })?;
    }
    Ok(())
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
    for id in (older(count, limit, out)?..count).map(GameId::Variant) {
        out.say(Said::Listed {
            contract: variants.address(),
            id,
            game: variants.game(id).await?,
        })?;
    }
    Ok(())
}

/// How many games are too old to be listed.
fn older(count: u32, limit: u32, out: &mut Output) -> Result<u32, Failure> {
    let hidden = count.saturating_sub(limit);
    if hidden > 0 {
        out.say(Said::OlderGames { hidden, count })?;
    }
    Ok(hidden)
}
