//! `withdraw`: what an account is owed of signed games.

use crate::accounts;
use crate::args::{Global, Signing};
use crate::failure::Failure;
use crate::output::Output;
use crate::said::Said;
use crate::session::{Session, lookup};

/// Has the contract of the stakes pay the signer what it owes it.
pub async fn withdraw(global: &Global, args: &Signing, out: &mut Output) -> Result<(), Failure> {
    let signer = accounts::signer_or(args, None)?;
    let session = Session::open(global, false, out).await?;
    let lookup = lookup(global);
    let stakes = lookup.open_stakes(&session.client, Some(&signer)).await?;
    let progress = out.progress();
    progress.say("withdrawing");
    let receipt = stakes.withdraw(&signer).await?;
    progress.clear();
    out.say(Said::Paid {
        signer: &signer,
        amount: receipt.value,
        sent: (&receipt).into(),
    })
}
