//! `decline` and `cancel`: a challenge that is not to be played.

use connect4_protocol::message::{Cancel, Decline};

use super::withdraw;
use crate::accounts;
use crate::args::{Global, OneChallenge};
use crate::failure::Failure;
use crate::lookup;
use crate::output::Output;
use crate::said::{Done, Said};
use crate::session::Session;

pub async fn decline(
    global: &Global,
    args: &OneChallenge,
    out: &mut Output,
) -> Result<(), Failure> {
    let number = args.challenge;
    let signer = accounts::signer(&args.signing)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, signer.as_ref()).await?;
    let challenge = lookup::challenge(&contract, number).await?;
    let signer = accounts::signer_or(&args.signing, challenge.opponent)?;
    let based_on = contract.based_on_challenge(number, &challenge);
    let receipt = based_on
        .send(&signer, Decline { challenge: number })
        .await?;
    out.say(Said::Done(Done::Declined(number), (&receipt).into()))
}

/// Cancels a challenge, and has its stake paid back.
pub async fn cancel(global: &Global, args: &OneChallenge, out: &mut Output) -> Result<(), Failure> {
    let number = args.challenge;
    let signer = accounts::signer(&args.signing)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, signer.as_ref()).await?;
    let challenge = lookup::challenge(&contract, number).await?;
    let signer = accounts::signer_or(&args.signing, Some(challenge.challenger))?;
    let based_on = contract.based_on_challenge(number, &challenge);
    let receipt = based_on.send(&signer, Cancel { challenge: number }).await?;
    out.say(Said::Done(Done::Cancelled(number), (&receipt).into()))?;
    if challenge.terms.stake > 0 {
        withdraw::pay_out(&contract, &signer, &[], out).await?;
    }
    Ok(())
}
