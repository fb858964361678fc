//! `show`: a game as it stands.

use connect4_client::GameId;

use super::variants;
use crate::args::{Global, Show};
use crate::failure::Failure;
use crate::lookup;
use crate::owed::{self, Ours};
use crate::report::{GameAt, Report};
use crate::session::Session;

/// Shows a game with its match.
pub async fn show(global: &Global, args: &Show, report: &mut dyn Report) -> Result<(), Failure> {
    let named = match args.game {
        Some(GameId::Variant(number)) => return variants::show(global, number, report).await,
        Some(id @ (GameId::Classic(_) | GameId::Fast(_))) => Some(id.number()),
        None => None,
    };
    let session = Session::open(global, false, report).await?;
    let contract = session.contract(global, None).await?;
    let number = lookup::number(&contract, named).await?;
    let game = lookup::game(&contract, number).await;
    let ours = Ours::these(Vec::new());
    let game = ours.unless_there(game, &session, &contract, report).await?;
    let of_match = contract.match_of(number).await?;
    let owed = owed::players(&contract, number, &game).await?;
    let owed: Vec<_> = owed
        .iter()
        .map(|owed| owed::to(owed, &session, &contract))
        .collect();
    Ok(report.shown(&GameAt::of(&contract, number, &game), &of_match, &owed)?)
}
