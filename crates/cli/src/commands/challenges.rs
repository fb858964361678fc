//! `challenges`: those that are open.

use connect4_wire::warnings::warnings_of;

use crate::args::{Challenges, Global};
use crate::failure::Failure;
use crate::output::Output;
use crate::said::Said;
use crate::session::Session;

/// Lists the open challenges, the newest last.
pub async fn challenges(
    global: &Global,
    args: &Challenges,
    out: &mut Output,
) -> Result<(), Failure> {
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, None).await?;
    let limit = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let found = contract.open_challenges(None, limit).await?;
    if found.is_empty() {
        out.say(Said::NoChallenges)?;
    }
    let block_time = session.client.block_time().await;
    for (number, challenge) in found.iter().rev() {
        let warnings = warnings_of(challenge, block_time);
        out.say(Said::OpenChallenge {
            number: *number,
            challenge,
            warnings: &warnings,
        })?;
    }
    Ok(())
}
