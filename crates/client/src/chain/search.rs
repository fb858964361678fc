//! Looking for transactions that others sent, by their hashes.

use std::sync::Arc;

use connect4_protocol::Event;
use connect4_protocol::message::ContractKind;
use subxt::blocks::ExtrinsicEvents;
use subxt::utils::H256;

use crate::chain::block_ref::BlockRef;
use crate::chain::client::Client;
use crate::chain::extrinsic::hash_of;
use crate::chain::submit::Run;
use crate::contracts::deployed::Contracts;
use crate::contracts::emitted::Emitted;
use crate::contracts::receipt::Transaction;
use crate::error::Error;
use crate::task::Task;

/// Number of blocks that are searched at once, at most.
const MOST_BLOCKS: u32 = 64;
/// The hashes of the transactions of so many newest blocks are kept: each of them is read once, however often
/// it is searched.
pub(crate) const KEPT: usize = 256;

/// Whether a block is one of the newest.
fn is_new(number: u32, best: u32) -> bool {
    let age = usize::try_from(best.saturating_sub(number));
    age.is_ok_and(|age| age < KEPT)
}

/// What was found of a transaction.
#[derive(Clone, Debug)]
pub struct Search {
    /// The transaction, if it is in one of the blocks that were searched.
    pub found: Option<Landed>,
    /// The first block that was not searched.
    pub next: u32,
    /// Number of the best block.
    pub best: u32,
    /// Number of the newest final block.
    pub last_final: u32,
}

/// A transaction in a block.
#[derive(Clone, Debug)]
pub struct Landed {
    /// The transaction.
    pub transaction: Transaction,
    /// The events of the contracts, or why the call failed.
    pub outcome: Result<Vec<Event>, String>,
}

impl Contracts {
    /// Looks for a transaction by its hash, that of Ethereum if it is one of Ethereum, in the blocks from
    /// `from` on, 64 at most.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached, or has discarded the states of these blocks.
    pub async fn search(&self, hash: H256, from: u32) -> Result<Search, Error> {
        self.search_while(hash, from, || true).await
    }

    /// The same for somebody who may not have any number of old blocks read: those that are not among the
    /// newest 256. Before each of these it is asked whether it may be read, and if not, the search ends there.
    ///
    /// # Errors
    ///
    /// As [`Contracts::search`].
    pub async fn search_while(
        &self,
        hash: H256,
        from: u32,
        mut may_read: impl FnMut() -> bool,
    ) -> Result<Search, Error> {
        let client = self.client();
        let task = Task::FindTransaction { hash };
        let (best, last_final) = client.best_and_final(&task).await?;
        let mut found = None;
        let mut next = from;
        for block in client.blocks_to_search(&task, from, best).await? {
            let is_new = is_new(next, best);
            if !is_new && !may_read() {
                break;
            }
            let read = async { client.hashes_in(&task, next, block).await.map(Some) };
            let hashes = match is_new {
                true => client.shared.bodies.of(block, read).await?,
                false => read.await?,
            };
            let index = hashes.and_then(|hashes| hashes.iter().position(|one| *one == hash));
            if let Some(index) = index.and_then(|index| u32::try_from(index).ok()) {
                found = Some(self.landed(&task, hash, next, block, index).await?);
            }
            next = next.saturating_add(1);
            if found.is_some() {
                break;
            }
        }
        Ok(Search {
            found,
            next,
            best,
            last_final,
        })
    }

    /// What a contract has emitted in final blocks, 64 at most from the one with the number `from` on, in order; and the
    /// number of the block after those. Of blocks whose events the node has discarded there is nothing. As in
    /// [`Contracts::search_while`] it is asked whether an old block may be read.
    ///
    /// # Errors
    ///
    /// [`Error::Lacks`] if there is no such contract; else if the chain can't be reached.
    pub async fn emitted_while(
        &self,
        kind: ContractKind,
        from: u32,
        mut may_read: impl FnMut() -> bool,
    ) -> Result<(Vec<Emitted>, u32), Error> {
        let (client, task) = (self.client(), Task::ReadEvents);
        let contract = self.need(&task, kind)?;
        let (best, last_final) = client.best_and_final(&task).await?;
        let (mut found, mut next) = (Vec::new(), from);
        for hash in client.blocks_to_search(&task, from, last_final).await? {
            if !is_new(next, best) && !may_read() {
                break;
            }
            let block = BlockRef { number: next, hash };
            match client.emitted_in(&task, block, contract).await {
                Err(Error::NoState { .. }) => {}
                events => found.extend(events?),
            }
            next = next.saturating_add(1);
        }
        Ok((found, next))
    }

    /// What became of the transaction at a place of a block.
    async fn landed(
        &self,
        task: &Task,
        hash: H256,
        number: u32,
        block_hash: H256,
        index: u32,
    ) -> Result<Landed, Error> {
        let client = self.client();
        let (events, metadata) = client.block_events(task, number, block_hash).await?;
        let events = ExtrinsicEvents::new(hash, index, events);
        let Run { fee, failure } = Run::of(task, &events, &metadata)?;
        Ok(Landed {
            transaction: Transaction {
                block: number,
                block_hash,
                hash,
                index,
                fee,
            },
            outcome: match failure {
                Some(error) => Err(error.name),
                None => Ok(self.events_of(task, &events)?),
            },
        })
    }
}

impl Client {
    /// Numbers of the best block and of the newest final one.
    async fn best_and_final(&self, task: &Task) -> Result<(u32, u32), Error> {
        Ok((self.height().await?, self.finalized_number(task).await?))
    }

    /// The hashes of the blocks that are searched at once, from the one with this number up to another one.
    async fn blocks_to_search(&self, task: &Task, from: u32, to: u32) -> Result<Vec<H256>, Error> {
        let end = to.min(from.saturating_add(MOST_BLOCKS - 1));
        match from <= end {
            true => self.hashes_there(task, from, end).await,
            false => Ok(Vec::new()),
        }
    }

    /// The hashes of the transactions of a block, as [`hash_of`] tells them.
    async fn hashes_in(&self, task: &Task, number: u32, block: H256) -> Result<Arc<[H256]>, Error> {
        let metadata = self.api_of(task, number).await?.metadata();
        let body = self.body(task, block).await?;
        Ok(body.iter().map(|one| hash_of(one, &metadata)).collect())
    }
}
