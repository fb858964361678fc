//! `list`: the newest games.

use connect4_client::{Error, GameId};

use super::variants;
use crate::args::{Global, List};
use crate::failure::Failure;
use crate::owed::Ours;
use crate::report::Report;
use crate::session::Session;

/// Lists games, the newest last: those on the chain, fast ones, then variants; then what accounts are owed.
pub async fn list(global: &Global, args: &List, report: &mut dyn Report) -> Result<(), Failure> {
    let ours = Ours::of(&args.signing)?;
    let session = Session::open(global, false, report).await?;
    let contract = match session.contract(global, None).await {
        Ok(contract) => Some(contract),
        Err(Error::NoContract(address)) if global.contract.is_none() => {
            report.no_games(Some(address))?;
            None
        }
        Err(error) => return Err(error.into()),
    };
    let owing = match &contract {
        Some(contract) => {
            let mut owing = ours.owing(contract);
            let count = contract.game_count().await?;
            if count == 0 && contract.fast_game_count().await? == 0 {
                report.no_games(None)?;
            }
            let hidden = count.saturating_sub(args.limit);
            if hidden > 0 {
                report.older_games(hidden, count)?;
            }
            let fast = contract.fast_game_count().await?;
            let hidden_fast = fast.saturating_sub(args.limit);
            if hidden_fast > 0 {
                report.older_games(hidden_fast, fast)?;
            }
            let classic = (hidden..count).map(GameId::Classic);
            for id in classic.chain((hidden_fast..fast).map(GameId::Fast)) {
                let number = id.number();
                let game = contract.game(number).await?;
                report.listed(contract.address(), number, game.as_ref())?;
                if let Some(game) = game {
                    owing.count(number, &game).await?;
                }
            }
            Some((owing, contract))
        }
        None => None,
    };
    variants::list(global, &session, args.limit, report).await?;
    match owing {
        Some((owing, contract)) => ours.tell(owing, &session, contract, report).await,
        None => Ok(()),
    }
}
