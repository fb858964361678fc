//! Refusals of what a player sends to the chain.

use connect4_protocol::Error as Refusal;

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
