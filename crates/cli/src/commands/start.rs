//! `start`: a game between two accounts.

use connect4_client::Named;

use super::variants;
use crate::accounts;
use crate::args::{Global, Start};
use crate::failure::Failure;
use crate::report::{Report, Started};
use crate::session::Session;

/// Starts a game, and deploys the contract before if it is not there.
pub async fn start(global: &Global, args: &Start, report: &mut dyn Report) -> Result<(), Failure> {
    let shape = args.terms.board.shape()?;
    if let Some(terms) = args.terms.variant()? {
        return variants::start(global, args, terms, report).await;
    }
    let signer = accounts::signer(&args.signing)?;
    let red = match (&args.red, &signer) {
        (Some(red), _) => red.address(),
        (None, Some(signer)) => signer.address(),
        (None, None) => accounts::development("alice")?.address(),
    };
    let blue = match &args.blue {
        Some(blue) => blue.address(),
        None => accounts::development("bob")?.address(),
    };
    let signer = match (signer, &args.red) {
        (Some(signer), _) => signer,
        (None, None) => accounts::development("alice")?,
        (None, Some(Named::Development(name))) => accounts::development(name)?,
        (None, Some(_)) => return Err(accounts::unnamed()),
    };
    let session = Session::open(global, false, report).await?;
    let progress = report.progress();
    let (contract, deployment) = session
        .contract_or_deploy(global, &signer, &progress)
        .await?;
    progress.say("starting a game");
    let receipt = contract.start_game(&signer, red, blue, shape).await?;
    progress.clear();
    Ok(report.started(&Started {
        contract: contract.address(),
        red,
        blue,
        shape,
        deployment: deployment.as_ref(),
        number: receipt.value,
        sent: (&receipt).into(),
    })?)
}
