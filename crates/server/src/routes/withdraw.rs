//! What accounts are owed on the contract of the matches, paid to them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use connect4_client::Contracts;
use connect4_protocol::Error as NotDone;
use connect4_protocol::message;
use connect4_wire::{Paid, Receipt, Withdraw};

use crate::app::App;
use crate::extract::{Asked, named};
use crate::refusal::Refusal;

/// Pays an account all that it is owed, by whichever games.
pub async fn withdraw(
    State(app): State<Arc<App>>,
    Asked { keys, asked }: Asked<Withdraw>,
) -> Result<Json<Paid>, Refusal> {
    let signer = app.signer_for(&keys, named(&asked.account)?, "the account that is owed")?;
    let contract = app
        .connected()?
        .contract()
        .ok_or_else(|| Refusal::refused(NotDone::NothingToWithdraw))?;
    // Variants owe nobody anything.
    let of_two = asked.games.iter().filter(|game| !game.is_variant());
    let games = of_two.map(|game| game.number());
    let games: Vec<u32> = games.take(Contracts::MOST_SETTLED).collect();
    let receipt = app
        .while_there(contract.send(signer, message::Withdraw { games }))
        .await?;
    Ok(Json(Paid {
        transactions: vec![Receipt::from(&receipt)],
    }))
}
