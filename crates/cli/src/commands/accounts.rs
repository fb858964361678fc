//! `accounts`: the development accounts.

use connect4_client::DEVELOPMENT;

use crate::accounts;
use crate::args::Global;
use crate::failure::Failure;
use crate::output::Output;
use crate::said::Said;
use crate::session::Session;

/// Lists the development accounts with their balances.
pub async fn accounts(global: &Global, out: &mut Output) -> Result<(), Failure> {
    let session = Session::open(global, false, out).await?;
    for name in DEVELOPMENT {
        let signer = accounts::development(name)?;
        let account = signer.account();
        out.say(Said::Account {
            balance: session.client.balance(&account).await?,
            is_mapped: session.client.is_mapped(&account).await?,
            signer: &signer,
        })?;
    }
    Ok(())
}
