//! The contracts' events as they happen.

use std::collections::VecDeque;

use connect4_protocol::{Event, Game, variants};
use subxt::backend::StreamOfResults;
use subxt::blocks::Block;
use subxt::utils::H256;
use subxt::{OnlineClient, PolkadotConfig};

use crate::client::Client;
use crate::contract::Contract;
use crate::deployed::{Deployed, answers_otherwise};
use crate::error::Error;
use crate::events::ContractEvent;
use crate::history::Occurrence;
use crate::task::Task;
use crate::variants::Variants;

/// A subscription to contracts' events, by [`Contract::watch`](crate::Contract::watch) or
/// [`Variants::watch`](crate::Variants::watch).
pub struct Watch<E = Event> {
    contracts: Deployed,
    blocks: StreamOfResults<Block<PolkadotConfig, OnlineClient<PolkadotConfig>>>,
    since: H256,
    /// Number of the next block to read: blocks that a lost connection did not report are read too.
    next: u32,
    /// Number of the newest block that was reported.
    newest: u32,
    /// Events that were read and not returned yet.
    ready: VecDeque<Occurrence<E>>,
}

impl Deployed {
    /// Follows the contracts' events in the chain's final blocks from now on.
    pub(crate) async fn watch<E>(&self) -> Result<Watch<E>, Error> {
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

impl<E: ContractEvent> Watch<E> {
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
    pub async fn next(&mut self) -> Result<Occurrence<E>, Error> {
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

impl Contract {
    /// The game of an event, as it was after the event's block, or before it if its storage was
    /// freed in that block. Where the node has dropped these states it is the game as it is now.
    /// None if the event is not of a game, or if nothing of the game can be read any more.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn game_of(&self, at: &Occurrence) -> Result<Option<Game>, Error> {
        let Some(number) = at.event.game() else {
            return Ok(None);
        };
        let read = async |block| match block {
            Some(block) => self.game_at(number, block).await,
            None => self.game(number).await,
        };
        around(self.client(), at.block_hash, read).await
    }
}

impl Variants {
    /// The game or table of an event, as it was after the event's block, or before it if its storage
    /// was freed or the table closed in that block. Where the node has dropped these states it is the
    /// game as it is now. None if nothing of the game can be read any more.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn game_of(
        &self,
        at: &Occurrence<variants::Event>,
    ) -> Result<Option<variants::Game>, Error> {
        let number = at.event.game();
        let read = async |block| match block {
            Some(block) => self.game_at(number, block).await,
            None => self.game(number).await,
        };
        around(self.client(), at.block_hash, read).await
    }
}

/// What is first found of a record that was changed in a block: after the block, before it, or, with
/// no block, now.
async fn around<T>(
    client: &Client,
    block: H256,
    read: impl AsyncFn(Option<H256>) -> Result<Option<T>, Error>,
) -> Result<Option<T>, Error> {
    let found = |result: Result<Option<T>, Error>| match result {
        // The node has dropped the state.
        Err(error) if answers_otherwise(&error) => Ok(None),
        // The contract is younger than the state.
        Err(Error::NoContract(_)) => Ok(None),
        result => result,
    };
    if let Some(after) = found(read(Some(block)).await)? {
        return Ok(Some(after));
    }
    // A node forgets blocks that were taken back.
    let parent = match client.parent(&Task::ReadEvents, block).await {
        Err(error) if answers_otherwise(&error) => None,
        parent => Some(parent?),
    };
    if let Some(parent) = parent
        && let Some(before) = found(read(Some(parent)).await)?
    {
        return Ok(Some(before));
    }
    found(read(None).await)
}
