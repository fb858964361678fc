//! `show`: a game as it stands.

use connect4_client::GameId;
use connect4_protocol::AnyGame;

use crate::args::{Global, Show};
use crate::failure::Failure;
use crate::game::GameAt;
use crate::lookup;
use crate::output::Output;
use crate::said::Said;
use crate::session::Session;

/// Shows a game or a table.
pub async fn show(global: &Global, args: &Show, out: &mut Output) -> Result<(), Failure> {
    let session = Session::open(global, false, out).await?;
    let (contract, id) = match args.game {
        Some(id @ GameId::Variant(_)) => (session.variants(global, None).await?, id),
        named => {
            let contract = session.contract(global, None).await?;
            let id = lookup::named(&contract, named).await?;
            (contract, id)
        }
    };
    let game = lookup::game::<AnyGame>(&contract, id).await?;
    out.say(Said::Shown(GameAt::of(&contract, id, game.value)))
}
