//! `start` of a variant.

use connect4_client::{Named, Signer};
use connect4_rules::variant::{Colour, VariantSpec};

use crate::accounts;
use crate::args::{Global, Start};
use crate::failure::Failure;
use crate::lookup;
use crate::report::{Report, VariantAt, VariantOpened};
use crate::session::Session;

/// Starts a game, and deploys the contract before if it is not there.
pub async fn start(
    global: &Global,
    args: &Start,
    terms: VariantSpec,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let signer = accounts::signer(&args.signing)?;
    let named = [&args.red, &args.blue, &args.green, &args.yellow];
    let mut players = Vec::new();
    for (colour, named) in Colour::ALL.into_iter().zip(named) {
        if colour.index() >= usize::from(terms.players) {
            if named.is_some() {
                return Err(Failure::no_seat(colour, terms.players.into()));
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
    start_game(global, &signer, &players, terms, report).await
}

async fn start_game(
    global: &Global,
    signer: &Signer,
    players: &[connect4_client::Address],
    terms: VariantSpec,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let session = Session::open(global, false, report).await?;
    let progress = report.progress();
    let (variants, deployment) = session
        .variants_or_deploy(global, signer, &progress)
        .await?;
    progress.say("starting a game");
    let receipt = variants.start_game(signer, players, terms).await?;
    let game = lookup::variant(&variants, receipt.value).await?;
    progress.clear();
    Ok(report.variant_started(&VariantOpened {
        at: VariantAt::of(&variants, receipt.value, &game),
        deployment: deployment.as_ref(),
        sent: (&receipt).into(),
    })?)
}
