//! What accounts are owed on the contract of the matches, paid to them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use connect4_client::Contract;
use connect4_protocol::Error;

use crate::app::App;
use crate::extract::{Asked, named};
use crate::refusal::Refusal;
use crate::wire::{Receipt, Transacted, Withdraw};

/// Pays an account all that it is owed, by whichever games.
pub async fn withdraw(
    State(app): State<Arc<App>>,
    Asked { keys, asked }: Asked<Withdraw>,
) -> Result<Json<Transacted>, Refusal> {
    let signer = app.signer_for(&keys, named(&asked.account)?, "the account that is owed")?;
    let contract = app
        .connected()?
        .contract()
        .ok_or_else(|| Refusal::refused(Error::NothingToWithdraw))?;
    let settled = asked.games.len().min(Contract::MOST_SETTLED);
    let receipt = app
        .while_there(contract.withdraw(signer, &asked.games[..settled]))
        .await?;
    Ok(Json(Transacted {
        transaction: Receipt::from(&receipt),
    }))
}
