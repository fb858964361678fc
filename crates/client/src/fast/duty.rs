//! What a player of a fast game sends to the chain.

use connect4_protocol::message::Advance;
use connect4_protocol::{Error as Refusal, GameId};
use connect4_seat::Duty;

use super::snapshot::Snapshot;
use crate::accounts::account::Signer;
use crate::contracts::action::Action;
use crate::contracts::deployed::Contracts;
use crate::contracts::performed::Performed;
use crate::contracts::receipt::Receipt;
use crate::error::Error;

/// Whether somebody else was faster, or time has gone on otherwise on the chain than it seemed: what is to
/// be done is looked at again.
pub(crate) fn was_done(error: &Error) -> bool {
    matches!(
        error.refusal(),
        Some(
            Refusal::NotNewer
                | Refusal::GameOver
                | Refusal::NoSuchGame
                | Refusal::TimeLeft
                | Refusal::OutOfTime
                | Refusal::NoOffer
        )
    )
}

/// Sends a duty to the chain, and reads the game afterwards.
pub(super) async fn perform(
    contract: &Contracts,
    signer: &Signer,
    game: GameId,
    duty: &Duty,
) -> Result<(Receipt<Performed>, Snapshot), Error> {
    let receipt = match duty {
        Duty::Advance(evidence) => {
            let message = Advance {
                game: game.number(),
                press: false,
                evidence: *evidence,
            };
            contract.send(signer, message).await?
        }
        Duty::Claim => contract.perform(signer, game, Action::ClaimTimeout).await?,
    };
    Ok((receipt, Snapshot::of(contract, game, false).await?))
}
