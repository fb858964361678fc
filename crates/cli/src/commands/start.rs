//! `start`: a game between accounts.

use connect4_client::{Address, Contracts, Deployment, GameId, Named, Receipt, Signer};
use connect4_protocol::AnyGame;
use connect4_protocol::variants::message::StartVariant;
use connect4_rules::ShapeSpec;
use connect4_rules::variant::{Colour, VariantSpec};

use crate::accounts;
use crate::args::{Global, Start};
use crate::failure::Failure;
use crate::game::GameAt;
use crate::lookup;
use crate::output::{Output, Progress};
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
    let begun = begin(
        &session,
        global,
        &signer,
        players,
        (shape, terms),
        &progress,
    );
    let (contract, deployment, receipt) = begun.await?;
    let game = lookup::game::<AnyGame>(&contract, receipt.value).await?;
    progress.clear();
    out.say(Said::Started {
        at: GameAt::of(&contract, receipt.value, game.value),
        deployment: deployment.as_ref(),
        sent: (&receipt).into(),
    })
}

/// Starts a game on a board of this shape, classic without terms, and deploys its contract before if it is not there.
pub async fn begin(
    session: &Session,
    global: &Global,
    signer: &Signer,
    players: Vec<Address>,
    (shape, terms): (ShapeSpec, Option<VariantSpec>),
    progress: &Progress,
) -> Result<(Contracts, Option<Deployment>, Receipt<GameId>), Failure> {
    const STARTING: &str = "starting a game";
    Ok(match terms {
        None => {
            let there = session.contract_or_deploy(global, signer, progress);
            let (contract, deployment) = there.await?;
            progress.say(STARTING);
            let started = contract.start_game(signer, players[0], players[1], shape);
            let started = started.await?;
            (contract, deployment, started)
        }
        Some(terms) => {
            let there = session.variants_or_deploy(global, signer, progress);
            let (variants, deployment) = there.await?;
            progress.say(STARTING);
            let variant = VariantSpec { shape, ..terms };
            let message = StartVariant { players, variant };
            let started = variants.send(signer, message).await?;
            (variants, deployment, started)
        }
    })
}
