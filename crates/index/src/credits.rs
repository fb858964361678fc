//! What the contracts have credited to accounts, and what they have paid.

use std::collections::BTreeMap;

use connect4_client::{Address, Event};
use connect4_protocol::event::{Credited, Withdrawn};
use sqlx::AnyConnection;

use crate::error::Error;
use crate::game::Told;
use crate::sql::{self, row};

/// Adds the credits and withdrawals among events, behind all that were added before.
pub async fn add(connection: &mut AnyConnection, events: &[Told]) -> Result<(), Error> {
    let mut owed: BTreeMap<(Address, Address), u128> = BTreeMap::new();
    let mut rows = Vec::new();
    for told in events {
        let (account, amount, is_paid) = match told.event.decode() {
            Ok(Some(Event::Credited(Credited { account, amount }))) => (account, amount, false),
            Ok(Some(Event::Withdrawn(Withdrawn {
                account, amount, ..
            }))) => (account, amount, true),
            _ => continue,
        };
        let contract = told.event.contract;
        let before = match owed.get(&(contract, account)) {
            Some(known) => *known,
            None => last(connection, contract, account).await?,
        };
        // More is only paid than is known if blocks are missing.
        let (after, sign) = match is_paid {
            true => (before.saturating_sub(amount), "-"),
            false => (before.saturating_add(amount), ""),
        };
        owed.insert((contract, account), after);
        rows.push(row! {
            contract: contract,
            account: account,
            block: told.block,
            place: told.event.place,
            amount: format!("{sign}{amount}"),
            owed: after,
        });
    }
    sql::insert(connection, "credits", rows).await
}

/// What a contract owes an account by what is known.
async fn last(
    connection: &mut AnyConnection,
    contract: Address,
    account: Address,
) -> Result<u128, Error> {
    let query = "SELECT owed FROM credits WHERE contract = $1 AND account = $2
                 ORDER BY block DESC, place DESC LIMIT 1";
    let values = vec![contract.into(), account.into()];
    let rows = sql::rows(connection, query, values).await?;
    rows.first().map_or(Ok(0), |row| sql::parsed(row, "owed"))
}

/// Undoes what was credited or paid behind a block.
pub async fn undo(connection: &mut AnyConnection, last: u32) -> Result<(), Error> {
    sql::run(
        connection,
        "DELETE FROM credits WHERE block > $1",
        vec![last.into()],
    )
    .await
}
