//! Mapping accounts to addresses, by which contracts know them.

use connect4_protocol::transaction::PalletCall;

use crate::accounts::account::Signer;
use crate::chain::client::Client;
use crate::contracts::receipt::Transaction;
use crate::error::Error;
use crate::task::Task;

impl Client {
    /// Maps the signer's account to its address, by a transaction and for a deposit; none if it is
    /// mapped already.
    ///
    /// # Errors
    ///
    /// If the account cannot pay for it or the chain cannot be reached.
    pub async fn ensure_mapped(&self, signer: &Signer) -> Result<Option<Transaction>, Error> {
        match self.is_mapped(&signer.account()).await? {
            true => Ok(None),
            false => self.map(signer).await,
        }
    }

    /// The same for an account that was not mapped just now.
    pub(crate) async fn map(&self, signer: &Signer) -> Result<Option<Transaction>, Error> {
        let task = Task::MapAccount {
            account: signer.named(),
        };
        match self.submit(&task, signer, &PalletCall::MapAccount).await {
            Ok(included) => Ok(Some(included.transaction)),
            // Another program with the same secret was faster.
            Err(Error::Failed { name, .. }) if name.ends_with("::AccountAlreadyMapped") => Ok(None),
            Err(error) => Err(error),
        }
    }
}
