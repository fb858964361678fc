//! `list`: the newest games.

use connect4_client::Error;

use super::variants;
use crate::args::{Global, List};
use crate::failure::Failure;
use crate::report::Report;
use crate::session::Session;

/// Lists games, the newest last: classic ones, then variants.
pub async fn list(global: &Global, args: &List, report: &mut dyn Report) -> Result<(), Failure> {
    let session = Session::open(global, false, report).await?;
    match session.contract(global, None).await {
        Ok(contract) => {
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
        }
        Err(Error::NoContract(address)) if global.contract.is_none() => {
            report.no_games(Some(address))?;
        }
        Err(error) => return Err(error.into()),
    }
    variants::list(global, &session, args.limit, report).await
}
