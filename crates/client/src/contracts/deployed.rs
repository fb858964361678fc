//! Deployed contracts that are used together: asking them, sending them messages, their events.

use std::future::Future;
use std::sync::Arc;

use codec::Decode;
use connect4_protocol::{Address, Error as Refusal, Message};
use subxt::utils::H256;

use crate::accounts::address::fallback_account;
use crate::chain::client::Client;
use crate::chain::dry_run::Call;
use crate::contracts::abi;
use crate::error::Error;
use crate::failure::{failed, unexpected};
use crate::history::archive::Archive;
use crate::task::Task;

/// Origin of the calls that only read: an account that needs no mapping and pays nothing.
const READER: Address = Address::ZERO;

/// Deployed contracts that are used together, and the connection to their chain. What a contract is
/// for, [`Contract`](crate::Contract) and [`Variants`](crate::Variants) know.
#[derive(Clone, Debug)]
pub(crate) struct Deployed {
    client: Client,
    /// The contracts whose events are read.
    addresses: Vec<Address>,
}

impl Deployed {
    pub(crate) const fn new(client: Client, addresses: Vec<Address>) -> Self {
        Self { client, addresses }
    }

    pub(crate) const fn client(&self) -> &Client {
        &self.client
    }

    /// The same contracts with an archive of past events.
    pub(crate) fn with_archive(self, archive: Arc<dyn Archive>) -> Self {
        Self {
            client: self.client.with_archive(archive),
            ..self
        }
    }

    /// The contracts whose events are read.
    pub(crate) fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    /// Whether one of the contracts has this address.
    pub(crate) fn has(&self, address: &Address) -> bool {
        self.addresses.contains(address)
    }

    /// Asks a contract a message, on the state after a block; the best one if none is given.
    pub(crate) async fn query<M: Message>(
        &self,
        contract: Address,
        task: &Task,
        message: &M,
        at: Option<H256>,
    ) -> Result<M::Answer, Error> {
        let input = abi::input(message);
        let reader = fallback_account(READER);
        let call = Call {
            contract,
            payment: 0,
            input: &input,
        };
        let run = self.client.dry_run(task, &reader, call, at).await?;
        let returned = run.result.map_err(|error| failed(task, error))?;
        if returned.data.is_empty() {
            return Err(Error::NoContract(contract));
        }
        abi::answer(&returned.data).map_err(|error| unexpected(task, error))
    }

    /// Asks a contract for a record that may not be there: then it refuses with `missing`.
    pub(crate) async fn find<M, T>(
        &self,
        contract: Address,
        task: Task,
        message: &M,
        at: Option<H256>,
        missing: Refusal,
    ) -> Result<Option<T>, Error>
    where
        M: Message<Answer = Result<T, Refusal>>,
        T: Decode,
    {
        match self.query(contract, &task, message, at).await? {
            Ok(found) => Ok(Some(found)),
            Err(error) if error == missing => Ok(None),
            Err(error) => Err(Error::Refused { task, error }),
        }
    }

    /// Waits until `look` finds something; it looks now and after each new block.
    pub(crate) async fn wait_until<T, F>(
        &self,
        task: &Task,
        mut look: impl FnMut() -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<Option<T>, Error>>,
    {
        let mut heads = self.client.heads_for(task).await?;
        loop {
            if let Some(found) = look().await? {
                return Ok(found);
            }
            heads.next().await?;
        }
    }
}

/// The contract does not answer as ours do: it has no such message, or answers something else.
pub(crate) const fn answers_otherwise(error: &Error) -> bool {
    matches!(error, Error::Unexpected { .. } | Error::Failed { .. })
}
