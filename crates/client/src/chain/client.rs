//! A connection to a chain with pallet-revive.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use subxt::backend::legacy::LegacyRpcMethods;
use subxt::dynamic::{DecodedValue, Value};
use subxt::ext::subxt_rpcs::methods::legacy::NumberOrHex;
use subxt::utils::H256;
use subxt::{OnlineClient, PolkadotConfig};

use crate::chain::known::Trust;
use crate::chain::line::{Line, Outages, Patience};
use crate::chain::recent::Recent;
use crate::chain::runtimes::Runtimes;
use crate::chain::token::Token;
use crate::chain::value;
use crate::contracts::skipped::Skipped;
use crate::error::Error;
use crate::failure::{self, unexpected};
use crate::history::archive::Archive;
use crate::task::Task;

/// Header of a block.
type Header = <PolkadotConfig as subxt::Config>::Header;

/// Name of the pallet that runs contracts.
pub(crate) const PALLET: &str = "Revive";

/// When a transaction counts as done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wait {
    /// Once it is in the best block: after one block, but the chain may still take it back.
    #[default]
    Best,
    /// Once its block is final.
    Finalized,
}

/// A connection to a chain. Cheap to clone; clones share the connection.
#[derive(Clone)]
pub struct Client {
    pub(crate) shared: Arc<Shared>,
    pub(crate) wait: Wait,
    confirmations: u32,
    pub(crate) archive: Option<Arc<dyn Archive>>,
    pub(crate) trust: Arc<Trust>,
}

/// The connection itself.
pub(crate) struct Shared {
    pub(crate) url: String,
    pub(crate) line: Line,
    /// With the runtime of the best block.
    pub(crate) api: OnlineClient<PolkadotConfig>,
    pub(crate) runtimes: Arc<Runtimes>,
    pub(crate) skipped: Skipped,
    /// Events of blocks as they are stored. Those who follow the chain read the same newest blocks at about the
    /// same time.
    pub(crate) recent: Recent<Vec<u8>>,
    /// Hashes of the transactions of the newest blocks.
    pub(crate) bodies: Recent<Arc<[H256]>>,
    /// The time between blocks, by the version of the runtime that says it.
    pub(crate) block_time: Mutex<Option<(u32, Duration)>>,
    pub(crate) rpc: LegacyRpcMethods<PolkadotConfig>,
    pub(crate) token: Token,
    pub(crate) chain: String,
    /// Held from reading a nonce until its transaction is in the pool, so that transactions of one
    /// account do not take the same nonce.
    pub(crate) submitting: tokio::sync::Mutex<()>,
    /// The task that follows the chain's runtime upgrades.
    pub(crate) updater: tokio::task::AbortHandle,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.updater.abort();
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("url", &self.shared.url)
            .field("wait", &self.wait)
            .finish_non_exhaustive()
    }
}

impl Client {
    pub(crate) fn new(shared: Shared) -> Self {
        Self {
            shared: Arc::new(shared),
            wait: Wait::Best,
            confirmations: 0,
            archive: None,
            trust: Arc::default(),
        }
    }

    /// The same connection with another rule when a transaction counts as done.
    #[must_use]
    pub fn waiting(mut self, wait: Wait) -> Self {
        self.wait = wait;
        self
    }

    /// Sets how long requests wait from now on for a node that does not answer. All clones share it.
    pub fn set_patience(&self, patience: Patience) {
        self.shared.line.set_patience(patience);
    }

    /// Follows whether the node answers, from now on. Requests wait by themselves while it does not.
    #[must_use]
    pub fn outages(&self) -> Outages {
        self.shared.line.outages()
    }

    /// The same connection, over which a move is answered once its block lies so many
    /// blocks below the best one, or is final. At first 0.
    ///
    /// A reply is void on a branch without the move that it answers, but it is public once it was sent: an opponent who
    /// makes blocks could replace the block of the move, knowing the reply. With one block on top of the move the next
    /// author has accepted it, and replacing both takes two blocks in a row against that author.
    #[must_use]
    pub const fn confirming(mut self, confirmations: u32) -> Self {
        self.confirmations = confirmations;
        self
    }

    /// Depth, in blocks, at which something has to lie before it is answered.
    pub(crate) const fn depth(&self) -> u32 {
        self.confirmations
    }

    /// The same connection with an archive of past events, in which games are looked up first.
    #[must_use]
    pub fn with_archive(mut self, archive: Arc<dyn Archive>) -> Self {
        self.archive = Some(archive);
        self
    }

    /// The same connection, which signs for the chains that the user trusts, too. Without it, it signs for those that
    /// are known to everybody: public ones, and the runtimes of this project.
    #[must_use]
    pub fn trusting(mut self, trust: Trust) -> Self {
        self.trust = Arc::new(trust);
        self
    }

    /// URL of the node, as it was when the connection was made first.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.shared.url
    }

    /// Name that the chain has for itself.
    #[must_use]
    pub fn chain(&self) -> &str {
        &self.shared.chain
    }

    /// The chain's token.
    #[must_use]
    pub fn token(&self) -> &Token {
        &self.shared.token
    }

    /// Hash of the chain's first block, which tells chains apart.
    #[must_use]
    pub fn genesis(&self) -> H256 {
        self.shared.api.genesis_hash()
    }

    /// How many events of the contracts were read over this connection that this client does not know,
    /// and skipped: those of later versions of the contracts.
    #[must_use]
    pub fn skipped_events(&self) -> u64 {
        self.shared.skipped.count()
    }

    /// Number of the best block, from 0 at the chain's first.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn height(&self) -> Result<u32, Error> {
        let task = Task::ReadHeight;
        let best = self.best(&task).await?;
        self.block_number(&task, best).await
    }

    pub(crate) fn api(&self) -> &OnlineClient<PolkadotConfig> {
        &self.shared.api
    }

    /// The hash of the best block.
    pub(crate) async fn best(&self, task: &Task) -> Result<H256, Error> {
        let best = self.shared.rpc.chain_get_block_hash(None).await;
        best.map_err(|error| self.failed(task, error))?
            .ok_or_else(|| unexpected(task, "it names no best block"))
    }

    /// The hash of a block by its number; none if there is no such block.
    pub(crate) async fn block_hash(&self, task: &Task, number: u32) -> Result<Option<H256>, Error> {
        let number = NumberOrHex::Number(number.into());
        let hash = self.shared.rpc.chain_get_block_hash(Some(number)).await;
        hash.map_err(|error| self.failed(task, error))
    }

    /// The hash of a block that has to be there, by its number.
    pub(crate) async fn known_hash(&self, task: &Task, number: u32) -> Result<H256, Error> {
        let hash = self.block_hash(task, number).await?;
        hash.ok_or_else(|| unexpected(task, format_args!("it has no block {number}")))
    }

    /// Number of the newest final block.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn final_height(&self) -> Result<u32, Error> {
        self.finalized_number(&Task::ReadHeight).await
    }

    pub(crate) async fn finalized_number(&self, task: &Task) -> Result<u32, Error> {
        let last = self.finalized(task).await?;
        self.block_number(task, last).await
    }

    /// The hash of the newest final block.
    pub(crate) async fn finalized(&self, task: &Task) -> Result<H256, Error> {
        let last = self.shared.rpc.chain_get_finalized_head().await;
        last.map_err(|error| self.failed(task, error))
    }

    /// The number of a block by its hash.
    pub(crate) async fn block_number(&self, task: &Task, hash: H256) -> Result<u32, Error> {
        let header = self.header(task, hash).await?;
        Ok(header.ok_or_else(|| unknown_block(task))?.number)
    }

    /// The hash of the block before the one with this hash.
    pub(crate) async fn parent(&self, task: &Task, hash: H256) -> Result<H256, Error> {
        let parent = self.known_parent(task, hash).await?;
        parent.ok_or_else(|| unknown_block(task))
    }

    /// The same; none if the node does not know the block any more.
    pub(crate) async fn known_parent(
        &self,
        task: &Task,
        hash: H256,
    ) -> Result<Option<H256>, Error> {
        let header = self.header(task, hash).await?;
        Ok(header.map(|header| header.parent_hash))
    }

    /// The header of a block by its hash; none if the node does not know the block.
    async fn header(&self, task: &Task, hash: H256) -> Result<Option<Header>, Error> {
        let header = self.shared.rpc.chain_get_header(Some(hash)).await;
        header.map_err(|error| self.failed(task, error))
    }

    /// Whether the chain's pallet has this storage entry.
    pub(crate) fn has_storage(&self, entry: &str) -> bool {
        self.api()
            .metadata()
            .pallet_by_name(PALLET)
            .and_then(|pallet| pallet.storage())
            .is_some_and(|storage| storage.entry_by_name(entry).is_some())
    }

    /// A value of the best block's state; none if there is none with this key.
    pub(crate) async fn storage(
        &self,
        task: &Task,
        pallet: &str,
        entry: &str,
        key: Value,
    ) -> Result<Option<DecodedValue>, Error> {
        let at = self.best(task).await?;
        let address = subxt::dynamic::storage(pallet, entry, vec![key]);
        self.api()
            .storage()
            .at(at)
            .fetch(&address)
            .await
            .map_err(|error| self.failed(task, error))?
            .map(|found| value::decoded(&found))
            .transpose()
            .map_err(|error| unexpected(task, error))
    }

    /// The error for one of subxt's.
    pub(crate) fn failed(&self, task: &Task, error: impl Into<subxt::Error>) -> Error {
        failure::of_subxt(task, &error.into())
    }

    /// The error for a subscription that has ended.
    pub(crate) fn unsubscribed(&self, task: &Task) -> Error {
        failure::gone(task, "the node stopped reporting")
    }
}

/// The error for a block that the node has named and does not know.
fn unknown_block(task: &Task) -> Error {
    unexpected(task, "it does not know its own block")
}
