//! The chain's state about accounts and contracts.

use connect4_protocol::Address;
use subxt::dynamic::Value;
use subxt::utils::AccountId32;

use crate::accounts::address::{is_ethereum, of_account};
use crate::chain::client::{Client, PALLET};
use crate::chain::value;
use crate::error::Error;
use crate::task::Task;

impl Client {
    /// Amount that an account can spend, in the token's smallest unit; 0 if the account does not
    /// exist.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn balance(&self, account: &AccountId32) -> Result<u128, Error> {
        let task = Task::ReadBalance {
            account: account.clone(),
        };
        let key = Value::from_bytes(account.0);
        let info = self.storage(&task, "System", "Account", key).await?;
        Ok(info
            .as_ref()
            .and_then(|info| value::find(info, "free"))
            .and_then(value::number)
            .unwrap_or(0))
    }

    /// Whether the account is mapped to its address. One that is not cannot call contracts.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn is_mapped(&self, account: &AccountId32) -> Result<bool, Error> {
        const ENTRY: &str = "OriginalAccount";
        if is_ethereum(account) || !self.has_storage(ENTRY) {
            return Ok(true);
        }
        let task = Task::ReadMapping {
            account: account.clone(),
        };
        let key = Value::from_bytes(of_account(account).0);
        Ok(self.storage(&task, PALLET, ENTRY, key).await?.is_some())
    }

    /// Keccak-256 hash of the code of the contract at an address; none if there is no contract.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn code_hash(&self, address: Address) -> Result<Option<[u8; 32]>, Error> {
        let entry = ["AccountInfoOf", "ContractInfoOf"]
            .into_iter()
            .find(|entry| self.has_storage(entry))
            .ok_or_else(|| Error::NotRevive {
                url: self.url().into(),
                missing: "storage of contracts that is known here".into(),
            })?;
        let task = Task::FindContract { address };
        let key = Value::from_bytes(address.0);
        let info = self.storage(&task, PALLET, entry, key).await?;
        Ok(info
            .as_ref()
            .and_then(|info| value::find(info, "code_hash"))
            .and_then(value::bytes)
            .and_then(|hash| hash.try_into().ok()))
    }
}
