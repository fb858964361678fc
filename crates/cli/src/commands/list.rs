//! `list`: the newest games.

use connect4_client::Error;

use crate::args::{Global, List};
use crate::failure::Failure;
use crate::report::Report;
use crate::session::Session;

/// Lists games, the newest last.
pub async fn list(global: &Global, args: &List, report: &mut dyn Report) -> Result<(), Failure> {
    let session = Session::open(global, false, report).await?;
    let contract = match session.contract(global, None).await {
        Ok(contract) => contract,
        Err(Error::NoContract(address)) if global.contract.is_none() => {
            return Ok(report.no_games(Some(address))?);
        }
        Err(error) => return Err(error.into()),
    };
    let count = contract.game_count().await?;
    if count == 0 {
        report.no_games(None)?;
    }
    let hidden = count.saturating_sub(args.limit);
    if hidden > 0 {
        report.older_games(hidden, count)?;
    }
    for number in hidden..count {
        let game = contract.game(number).await?;
        report.listed(contract.address(), number, game.as_ref())?;
    }
    Ok(())
}
