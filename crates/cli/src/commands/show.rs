//! `show`: a game as it stands.

use connect4_client::GameId;

use crate::args::{Global, Show};
use crate::failure::Failure;
use crate::game::GameAt;
use crate::lookup;
use crate::output::Output;
use crate::owed::{self, Ours};
use crate::said::Said;
use crate::session::Session;

/// Shows a game with its match, or a variant or table.
pub async fn show(global: &Global, args: &Show, out: &mut Output) -> Result<(), Failure> {
    let session = Session::open(global, false, out).await?;
    let named = match args.game {
        Some(GameId::Variant(number)) => {
            let variants = session.variants(global, None).await?;
            let game = lookup::variant(&variants, number).await?;
            return out.say(Said::Shown {
                at: GameAt::variant(&variants, number, &game),
                of_match: None,
                owed: &[],
            });
        }
        named => named.map(GameId::number),
    };
    let contract = session.contract(global, None).await?;
    let number = lookup::number(&contract, named).await?;
    let game = lookup::game(&contract, number).await;
    let ours = Ours::these(Vec::new());
    let game = ours.unless_there(game, &session, &contract, out).await?;
    let of_match = contract.match_of(number).await?;
    let owed = owed::players(&contract, number, &game).await?;
    let owed: Vec<_> = owed
        .iter()
        .map(|owed| owed::to(owed, &session, &contract))
        .collect();
    out.say(Said::Shown {
        at: GameAt::classic(&contract, number, &game),
        of_match: Some(&of_match),
        owed: &owed,
    })
}
