//! `deploy`: the contracts.

use connect4_client::{Code, Contracts};
use connect4_protocol::message::ContractKind;

use crate::accounts;
use crate::args::{Deploy, Global};
use crate::failure::Failure;
use crate::output::Output;
use crate::said::{Deployed, Said};
use crate::session::{CODE, EARLIER, Session};

/// Deploys the contracts, unless they are there.
pub async fn deploy(global: &Global, args: &Deploy, out: &mut Output) -> Result<(), Failure> {
    let code = match args.earlier {
        None => CODE,
        Some(version) => earlier(version)?,
    };
    let signer = accounts::signer_or_alice(&args.signing)?;
    let session = Session::open(global, false, out).await?;
    let progress = out.progress();
    progress.say("deploying the contract");
    let deployment = session.client.deploy(&signer, code).await?;
    progress.say("deploying the contract of the variants");
    let variants = session.client.deploy_variants(&signer, code).await?;
    progress.clear();
    let contract = Contracts::open(&session.client, deployment.address, code).await?;
    out.say(Said::Deployed(Deployed {
        contract: contract.address(),
        games: contract
            .address_of(ContractKind::Games)
            .unwrap_or(deployment.address),
        fast: contract.address_of(ContractKind::Fast),
        records: deployment.records,
        signed_records: deployment.signed_records,
        stakes: deployment.stakes,
        deployer: &signer,
        deployment: &deployment,
        variants: &variants,
    }))
}

/// The contracts of an earlier version.
fn earlier(version: u32) -> Result<Code<'static>, Failure> {
    let known = EARLIER.iter().find(|code| code.version == version);
    known.copied().ok_or_else(|| {
        let versions: Vec<String> = EARLIER
            .iter()
            .map(|code| code.version.to_string())
            .collect();
        Failure::Usage(format!(
            "this program has no contracts of version {version}: it has those of {} and, without \
             --earlier, {}",
            versions.join(", "),
            CODE.version
        ))
    })
}
