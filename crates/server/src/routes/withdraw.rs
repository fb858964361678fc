//! What accounts are owed on the contracts of the matches and the fast games, paid to them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use connect4_client::{Contracts, Error};
use connect4_protocol::Error as NotDone;
use connect4_protocol::message::{self, WithdrawFast};
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
    let paying = async {
        let by_matches = !games.is_empty() || contract.credit_of(signer.address()).await? > 0;
        let by_fast = contract.fast_credit_of(signer.address()).await? > 0;
        let mut receipts = Vec::new();
        if by_matches || !by_fast {
            receipts.push(contract.send(signer, message::Withdraw { games }).await?);
        }
        if by_fast {
            receipts.push(contract.send(signer, WithdrawFast {}).await?);
        }
        Ok::<_, Error>(receipts)
    };
    let receipts = app.while_there(paying).await?;
    Ok(Json(Paid {
        transactions: receipts.iter().map(Receipt::from).collect(),
    }))
}
