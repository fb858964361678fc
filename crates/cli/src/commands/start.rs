//! `start`: a game between accounts.

use connect4_client::Named;
use connect4_protocol::AnyGame;
use connect4_protocol::variants::message::StartVariant;
use connect4_rules::variant::Colour;

use crate::accounts;
use crate::args::{Global, Start};
use crate::failure::Failure;
use crate::game::GameAt;
use crate::lookup;
use crate::output::Output;
use crate::said::Said;
use crate::session::Session;

/// Starts a game, and deploys its contract before if it is not there.
pub async fn start(global: &Global, args: &Start, out: &mut Output) -> Result<(), Failure> {
    let shape = args.terms.board.shape()?;
    let terms = args.terms.variant()?;
    let signer = accounts::signer(&args.signing)?;
    let count = terms.map_or(2, |terms| usize::from(terms.players));
    let named = [&args.red, &args.blue, &args.green, &args.yellow];
    let mut players = Vec::new();
    for (colour, named) in Colour::ALL.into_iter().zip(named) {
        if colour.index() >= count {
            if named.is_some() && terms.is_some() {
                return Err(Failure::no_seat(colour, count));
            }
            continue;
        }
        players.push(match (named, &signer, colour) {
            (Some(named), _, _) => named.address(),
            (None, Some(signer), Colour::Red) => signer.address(),
            (None, _, colour) => accounts::of_colour(colour)?.address(),
        });
    }
    let signer = match (signer, &args.red) {
        (Some(signer), _) => signer,
        (None, None) => accounts::of_colour(Colour::Red)?,
        (None, Some(Named::Development(name))) => accounts::development(name)?,
        (None, Some(_)) => return Err(accounts::unnamed()),
    };
    let session = Session::open(global, false, out).await?;
    let progress = out.progress();
    let (contract, deployment, receipt) = match terms {
        None => {
            let (contract, deployment) = session
                .contract_or_deploy(global, &signer, &progress)
                .await?;
            progress.say("starting a game");
            let receipt = contract
                .start_game(&signer, players[0], players[1], shape)
                .await?;
            (contract, deployment, receipt)
        }
        Some(terms) => {
            let (variants, deployment) = session
                .variants_or_deploy(global, &signer, &progress)
                .await?;
            progress.say("starting a game");
            let message = StartVariant {
                players,
                variant: terms,
            };
            let receipt = variants.send(&signer, message).await?;
            (variants, deployment, receipt)
        }
    };
    let game = lookup::game::<AnyGame>(&contract, receipt.value).await?;
    progress.clear();
    out.say(Said::Started {
        at: GameAt::of(&contract, receipt.value, game.value),
        deployment: deployment.as_ref(),
        sent: (&receipt).into(),
    })
}
