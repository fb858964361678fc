//! The contracts' events, and the changes of a game, as they happen.

use connect4_protocol::{Error as Refusal, Game, Match};
use subxt::backend::StreamOfResults;
use subxt::blocks::Block;
use subxt::utils::H256;
use subxt::{OnlineClient, PolkadotConfig};

use crate::contract::Contract;
use crate::error::Error;
use crate::history::Occurrence;
use crate::task::Task;

/// A subscription to the contract's events, by [`Contract::watch`].
pub struct Watch {
    contract: Contract,
    blocks: StreamOfResults<Block<PolkadotConfig, OnlineClient<PolkadotConfig>>>,
    since: H256,
    /// Number of the next block to read: blocks that a lost connection did not report are read too.
    next: u32,
    /// Events that were read and not returned yet, the newest first.
    ready: Vec<Occurrence>,
}

impl Contract {
    /// Follows the contract's events in the chain's final blocks from now on.
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
            contract: self.clone(),
            blocks: subscription,
            since: latest.hash(),
            next: latest.number().saturating_add(1),
            ready: Vec::new(),
        })
    }

    /// Waits until a game or its match state differs from what is given here, and returns both.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, also if the game's storage is freed meanwhile; else if
    /// the chain cannot be reached.
    pub async fn wait_for_change(
        &self,
        number: u32,
        game: &Game,
        match_state: &Match,
    ) -> Result<(Game, Match), Error> {
        let task = Task::AwaitChange { game: number };
        let subscribe = async || {
            self.client()
                .api()
                .blocks()
                .subscribe_best()
                .await
                .map_err(|error| self.client().failed(&task, error))
        };
        let mut blocks = subscribe().await?;
        loop {
            let Some(now) = self.game(number).await? else {
                return Err(Error::Refused {
                    task,
                    error: Refusal::NoSuchGame,
                });
            };
            let state_now = self.match_of(number).await?;
            if now != *game || state_now != *match_state {
                return Ok((now, state_now));
            }
            match blocks.next().await {
                Some(Ok(_)) => {}
                Some(Err(error)) if error.is_disconnected_will_reconnect() => {}
                Some(Err(error)) => return Err(self.client().failed(&task, error)),
                None => blocks = subscribe().await?,
            }
        }
    }
}

impl Watch {
    /// Hash of the block after which the subscription began: events of later blocks are returned.
    #[must_use]
    pub const fn since(&self) -> H256 {
        self.since
    }

    /// The next event; waits for it.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn next(&mut self) -> Result<Occurrence, Error> {
        let task = Task::FollowChain;
        loop {
            if let Some(ready) = self.ready.pop() {
                return Ok(ready);
            }
            let newest = match self.blocks.next().await {
                Some(Ok(block)) => block.number(),
                Some(Err(error)) if error.is_disconnected_will_reconnect() => continue,
                Some(Err(error)) => return Err(self.contract.client().failed(&task, error)),
                None => return Err(self.contract.client().unsubscribed(&task)),
            };
            for block in self.next..=newest {
                self.ready
                    .extend(self.contract.occurrences(&task, block).await?);
            }
            self.next = self.next.max(newest.saturating_add(1));
            self.ready.reverse();
        }
    }
}
