//! `deploy`: the contracts.

use crate::accounts;
use crate::args::{Deploy, Global};
use crate::failure::Failure;
use crate::output::Output;
use crate::said::{Deployed, Said};
use crate::session::{CODE, Session};

/// Deploys the contracts, unless they are there.
pub async fn deploy(global: &Global, args: &Deploy, out: &mut Output) -> Result<(), Failure> {
    let signer = accounts::signer_or_alice(&args.signing)?;
    let session = Session::open(global, false, out).await?;
    let progress = out.progress();
    progress.say("deploying the contract");
    let deployment = session.client.deploy(&signer, CODE).await?;
    progress.say("deploying the contract of the variants");
    let variants = session.client.deploy_variants(&signer, CODE).await?;
    progress.clear();
    out.say(Said::Deployed(Deployed {
        deployer: &signer,
        deployment: &deployment,
        variants: &variants,
    }))
}
