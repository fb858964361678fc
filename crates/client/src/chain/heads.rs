//! The best blocks as they come.

use subxt::backend::StreamOfResults;
use subxt::blocks::Block;
use subxt::{OnlineClient, PolkadotConfig};

use crate::chain::client::Client;
use crate::error::Error;
use crate::task::Task;

/// A subscription to the best blocks, by [`Client::heads`].
pub struct Heads {
    client: Client,
    task: Task,
    blocks: StreamOfResults<Block<PolkadotConfig, OnlineClient<PolkadotConfig>>>,
}

impl Client {
    /// Follows the best blocks from now on.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn heads(&self) -> Result<Heads, Error> {
        self.heads_for(&Task::FollowChain).await
    }

    pub(crate) async fn heads_for(&self, task: &Task) -> Result<Heads, Error> {
        let blocks = self
            .api()
            .blocks()
            .subscribe_best()
            .await
            .map_err(|error| self.failed(task, error))?;
        Ok(Heads {
            client: self.clone(),
            task: task.clone(),
            blocks,
        })
    }
}

impl Client {
    /// Follows the final blocks from now on, in the same way.
    pub(crate) async fn final_heads(&self, task: &Task) -> Result<Heads, Error> {
        let blocks = self
            .api()
            .blocks()
            .subscribe_finalized()
            .await
            .map_err(|error| self.failed(task, error))?;
        Ok(Heads {
            client: self.clone(),
            task: task.clone(),
            blocks,
        })
    }
}

impl Heads {
    /// Number of the best block: first of the present one, then waits for each new one. Blocks that
    /// came while the node did not answer are left out, except for the newest.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn next(&mut self) -> Result<u32, Error> {
        loop {
            match self.blocks.next().await {
                Some(Ok(block)) => return Ok(block.number()),
                Some(Err(error)) if error.is_disconnected_will_reconnect() => {}
                Some(Err(error)) => return Err(self.client.failed(&self.task, error)),
                None => return Err(self.client.unsubscribed(&self.task)),
            }
        }
    }
}
