//! `show`: a game as it stands.

use connect4_client::GameId;
use connect4_protocol::{Game, variants};

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
        Some(id @ GameId::Variant(_)) => {
            let variants = session.variants(global, None).await?;
            let game = lookup::game::<variants::Game>(&variants, id).await?;
            return out.say(Said::Shown {
                at: GameAt::of(&variants, id, game.value),
                of_match: None,
                owed: &[],
            });
        }
        named => named,
    };
    let contract = session.contract(global, None).await?;
    let id = lookup::named(&contract, named).await?;
    let game = lookup::game::<Game>(&contract, id).await;
    let ours = Ours::these(Vec::new());
    let game = ours.unless_there(game, &session, &contract, out).await?;
    let of_match = contract.match_of(id).await?;
    let owed = owed::players(&contract, id, &game).await?;
    let owed: Vec<_> = owed
        .iter()
        .map(|owed| owed::to(owed, &session, &contract))
        .collect();
    out.say(Said::Shown {
        at: GameAt::of(&contract, id, game.value),
        of_match: Some(&of_match),
        owed: &owed,
    })
}
