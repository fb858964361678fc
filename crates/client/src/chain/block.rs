//! What a block holds, decoded by the metadata of the runtime that made it.

use sp_crypto_hashing::blake2_256;
use subxt::blocks::ExtrinsicEvents;
use subxt::events::Events;
use subxt::metadata::Metadata;
use subxt::utils::H256;
use subxt::{OnlineClient, PolkadotConfig};

use crate::chain::client::Client;
use crate::error::Error;
use crate::failure::unexpected;
use crate::task::Task;

impl Client {
    /// The API with the runtime that made a block, by whose metadata the block is decoded.
    pub(crate) async fn api_of(
        &self,
        task: &Task,
        number: u32,
    ) -> Result<OnlineClient<PolkadotConfig>, Error> {
        let api = self.shared.runtimes.that_made(number).await;
        api.map_err(|error| self.failed(task, error))
    }

    /// The events of a block, and the metadata by which they were decoded.
    pub(crate) async fn block_events(
        &self,
        task: &Task,
        number: u32,
        block: H256,
    ) -> Result<(Events<PolkadotConfig>, Metadata), Error> {
        let bytes = self.known_event_bytes(task, number, block).await?;
        self.decoded_events(task, number, bytes).await
    }

    /// The events of a block from the bytes that it has stored, and the metadata by which they were
    /// decoded.
    pub(crate) async fn decoded_events(
        &self,
        task: &Task,
        number: u32,
        bytes: Vec<u8>,
    ) -> Result<(Events<PolkadotConfig>, Metadata), Error> {
        let api = self.api_of(task, number).await?;
        let events = Events::<PolkadotConfig>::decode_from(bytes, api.metadata());
        if events.iter().all(|event| event.is_ok()) {
            return Ok((events, api.metadata()));
        }
        // The node has told about an upgrade later than about its first block.
        let doubted = self.shared.runtimes.doubt().await;
        doubted.map_err(|error| self.failed(task, error))?;
        let metadata = self.api_of(task, number).await?.metadata();
        let bytes = events.bytes().to_vec();
        Ok((Events::decode_from(bytes, metadata.clone()), metadata))
    }

    /// The number of a transaction's block, the transaction's events, and the metadata by which they
    /// were decoded.
    pub(crate) async fn transaction_events(
        &self,
        task: &Task,
        block: H256,
        transaction: H256,
    ) -> Result<(u32, ExtrinsicEvents<PolkadotConfig>, Metadata), Error> {
        let index = self.index_in(task, block, transaction).await?;
        let index =
            index.ok_or_else(|| unexpected(task, "the block does not have the transaction"))?;
        let number = self.block_number(task, block).await?;
        let (events, metadata) = self.block_events(task, number, block).await?;
        let events = ExtrinsicEvents::new(transaction, index, events);
        Ok((number, events, metadata))
    }

    /// The transactions of a block, as bytes.
    pub(crate) async fn body(&self, task: &Task, block: H256) -> Result<Vec<Vec<u8>>, Error> {
        let body = self.known_body(task, block).await?;
        body.ok_or_else(|| unexpected(task, "it does not know its own block"))
    }

    /// The same; none if the node does not know the block any more.
    async fn known_body(&self, task: &Task, block: H256) -> Result<Option<Vec<Vec<u8>>>, Error> {
        let body = self.api().backend().block_body(block).await;
        body.map_err(|error| self.failed(task, error))
    }

    /// The index of a transaction in a block; none if it is not there.
    pub(crate) async fn index_in(
        &self,
        task: &Task,
        block: H256,
        transaction: H256,
    ) -> Result<Option<u32>, Error> {
        let body = self.known_body(task, block).await?;
        let mut hashes = body.iter().flatten().map(|bytes| H256(blake2_256(bytes)));
        let index = hashes.position(|hash| hash == transaction);
        Ok(index.and_then(|index| u32::try_from(index).ok()))
    }

    /// Whether the runtime is another one than that for which a transaction was signed. If so, that
    /// of the best block is used from now on.
    pub(crate) async fn is_upgraded_since(
        &self,
        task: &Task,
        signed_for: u32,
    ) -> Result<bool, Error> {
        let refreshed = self.shared.runtimes.refresh().await;
        refreshed.map_err(|error| self.failed(task, error))?;
        Ok(self.spec_version() != signed_for)
    }

    /// The version of the runtime for which transactions are signed.
    pub(crate) fn spec_version(&self) -> u32 {
        self.api().runtime_version().spec_version
    }
}
