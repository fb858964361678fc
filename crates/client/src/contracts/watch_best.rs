//! The contracts' events on the best branch of the chain, which may change.

use std::collections::VecDeque;

use subxt::utils::H256;

use crate::chain::block_ref::BlockRef;
use crate::chain::heads::Heads;
use crate::contracts::deployed::Contracts;
use crate::contracts::occurrence::Occurrence;
use crate::error::Error;
use crate::task::Task;

/// Most blocks that are remembered in case they are replaced.
const MOST: usize = 4096;
/// How many blocks below the best one the watch begins at most, if finality is behind that far.
const DEPTH: u32 = 64;

/// What happened on the best branch, or did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// An event is on the branch.
    Happened(Occurrence),
    /// An event that was told is not on the branch any more: its block was replaced.
    Replaced(Occurrence),
}

impl News {
    /// The event that happened, or whose block was replaced.
    #[must_use]
    pub const fn at(&self) -> &Occurrence {
        match self {
            Self::Happened(at) | Self::Replaced(at) => at,
        }
    }
}

/// A subscription to contracts' events in the best blocks, by [`Contracts::watch_best`].
pub struct WatchBest {
    contracts: Contracts,
    heads: Heads,
    /// The blocks that were read, each with its events. The first is the one after which the watch
    /// began.
    branch: VecDeque<(BlockRef, Vec<Occurrence>)>,
    since: H256,
    /// Whether there may be blocks that were not read.
    is_behind: bool,
    /// What was read and not returned yet.
    ready: VecDeque<News>,
}

impl Contracts {
    /// Follows the contracts' events in the best blocks, from the newest final one on, and returns
    /// those whose blocks are replaced.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn watch_best(&self) -> Result<WatchBest, Error> {
        let task = &Task::FollowChain;
        let heads = self.client().heads().await?;
        let best = self.client().best_block_for(task).await?;
        let number = self.client().finalized_number(task).await?;
        let number = number.max(best.number.saturating_sub(DEPTH));
        let since = self
            .client()
            .block_at_for(task, number)
            .await?
            .unwrap_or(best);
        Ok(WatchBest {
            contracts: self.clone(),
            heads,
            branch: VecDeque::from([(since, Vec::new())]),
            since: since.hash,
            is_behind: true,
            ready: VecDeque::new(),
        })
    }
}

impl WatchBest {
    /// Hash of the block after which the subscription began: events of later blocks are returned.
    #[must_use]
    pub const fn since(&self) -> H256 {
        self.since
    }

    /// The next event, or one whose block was replaced; waits for it. If the wait is given up, nothing is lost.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn next(&mut self) -> Result<News, Error> {
        loop {
            if let Some(news) = self.read().await? {
                return Ok(news);
            }
            self.heads.next().await?;
            self.is_behind = true;
        }
    }

    /// The next event, or one whose block was replaced, until the block with this number, which was
    /// returned, is final; then none. If the wait is given up, nothing is lost.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn next_until_final(&mut self, block: u32) -> Result<Option<News>, Error> {
        loop {
            if let Some(news) = self.read().await? {
                return Ok(Some(news));
            }
            let client = self.contracts.client();
            if client.finalized_number(&Task::FollowChain).await? >= block {
                return Ok(None);
            }
            self.heads.next().await?;
            self.is_behind = true;
        }
    }

    /// What is new on the best branch; none if nothing is.
    async fn read(&mut self) -> Result<Option<News>, Error> {
        loop {
            if let Some(ready) = self.ready.pop_front() {
                return Ok(Some(ready));
            }
            if !self.is_behind {
                return Ok(None);
            }
            self.is_behind = self.step().await?;
        }
    }

    /// Leaves a block that is not on the best branch any more, or reads the next one that is. Returns
    /// whether there may be more to do.
    async fn step(&mut self) -> Result<bool, Error> {
        let task = &Task::FollowChain;
        let client = self.contracts.client().clone();
        let Some((top, _)) = self.branch.back() else {
            return Ok(false);
        };
        let top = *top;
        let there = client.block_at_for(task, top.number).await?;
        if there != Some(top) {
            return Ok(self.leave(there));
        }
        let Some(next) = client
            .block_at_for(task, top.number.saturating_add(1))
            .await?
        else {
            return Ok(false);
        };
        if client.parent(task, next.hash).await? != top.hash {
            // The branch has changed since the block below was looked at.
            return Ok(true);
        }
        let events = self.contracts.occurrences_in(task, next).await?;
        let told = events.iter().cloned().map(News::Happened);
        self.ready.extend(told);
        self.branch.push_back((next, events));
        if self.branch.len() > MOST {
            self.branch.pop_front();
        }
        Ok(true)
    }

    /// Leaves the newest block that was read; `there` is in its place.
    fn leave(&mut self, there: Option<BlockRef>) -> bool {
        if self.branch.len() > 1 {
            if let Some((_, events)) = self.branch.pop_back() {
                let taken = events.into_iter().rev().map(News::Replaced);
                self.ready.extend(taken);
            }
            return true;
        }
        // Nothing was told of it.
        match (self.branch.back_mut(), there) {
            (Some((first, _)), Some(there)) => {
                *first = there;
                true
            }
            _ => false,
        }
    }
}
