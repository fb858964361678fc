//! `deploy`: the contracts.

use connect4_client::Contract;

use crate::accounts;
use crate::args::{Deploy, Global};
use crate::failure::Failure;
use crate::report::{Deployed, Report};
use crate::session::{CODE, Session};

/// Deploys the contracts, unless they are there.
pub async fn deploy(
    global: &Global,
    args: &Deploy,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let signer = accounts::signer_or_alice(&args.signing)?;
    let session = Session::open(global, false, report).await?;
    let progress = report.progress();
    progress.say("deploying the contract");
    let deployment = session.client.deploy(&signer, CODE).await?;
    progress.say("deploying the contract of the variants");
    let variants = session.client.deploy_variants(&signer, CODE).await?;
    progress.clear();
    let contract = Contract::open(&session.client, deployment.address, CODE).await?;
    Ok(report.deployed(&Deployed {
        contract: contract.address(),
        games: contract.games_address(),
        fast: contract.fast_address(),
        deployer: &signer,
        deployment: &deployment,
        variants: &variants,
    })?)
}
