//! The contracts' events as they happen.

use std::collections::VecDeque;

use subxt::backend::StreamOfResults;
use subxt::blocks::Block;
use subxt::utils::H256;
use subxt::{OnlineClient, PolkadotConfig};

use crate::contracts::deployed::Contracts;
use crate::contracts::occurrence::Occurrence;
use crate::error::Error;
use crate::task::Task;

/// A subscription to contracts' events, by [`Contracts::watch`].
pub struct Watch {
    contracts: Contracts,
    blocks: StreamOfResults<Block<PolkadotConfig, OnlineClient<PolkadotConfig>>>,
    since: H256,
    /// Number of the next block to read: blocks that a lost connection did not report are read too.
    next: u32,
    /// Number of the newest block that was reported.
    newest: u32,
    /// Events that were read and not returned yet.
    ready: VecDeque<Occurrence>,
}

impl Contracts {
    /// Follows the contracts' events in the chain's final blocks from now on.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn watch(&self) -> Result<Watch, Error> {
        let failed = |error| self.client().failed(&Task::FollowChain, error);
        let blocks = self.client().api().blocks();
        let subscription = blocks.subscribe_finalized().await.map_err(failed)?;
        let latest = blocks.at_latest().await.map_err(failed)?;
        Ok(Watch {
            contracts: self.clone(),
            blocks: subscription,
            since: latest.hash(),
            next: latest.number().saturating_add(1),
            newest: latest.number(),
            ready: VecDeque::new(),
        })
    }
}

impl Watch {
    /// Hash of the block after which the subscription began: events of later blocks are returned.
    #[must_use]
    pub const fn since(&self) -> H256 {
        self.since
    }

    /// The next event; waits for it. If the wait is given up, nothing is lost.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn next(&mut self) -> Result<Occurrence, Error> {
        let task = Task::FollowChain;
        loop {
            if let Some(ready) = self.ready.pop_front() {
                return Ok(ready);
            }
            if self.next <= self.newest {
                let events = self.contracts.occurrences(&task, self.next).await?;
                self.ready.extend(events);
                self.next = self.next.saturating_add(1);
                continue;
            }
            match self.blocks.next().await {
                Some(Ok(block)) => self.newest = self.newest.max(block.number()),
                Some(Err(error)) if error.is_disconnected_will_reconnect() => {}
                Some(Err(error)) => return Err(self.contracts.client().failed(&task, error)),
                None => return Err(self.contracts.client().unsubscribed(&task)),
            }
        }
    }
}
