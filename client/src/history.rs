//! What happened in a game: looked up afterwards, or as it happens.

use std::ops::RangeInclusive;

use subxt::backend::StreamOfResults;
use subxt::blocks::Block;
use subxt::utils::H256;
use subxt::{OnlineClient, PolkadotConfig};

use crate::error::Error;
use crate::{Contract, Event};

/// An event, and where it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// What happened.
    pub event: Event,
    /// The number of the block.
    pub block: u32,
    /// The hash of the block.
    pub block_hash: H256,
    /// Which transaction of the block it was, from 0.
    pub index: u32,
}

impl Contract {
    /// Everything that happened in a game, in order, from the events of its blocks.
    ///
    /// The blocks are found by halving: the game's state after a block tells whether a move lies
    /// before or behind it. So a game of 42 moves takes some hundred requests on a chain of millions
    /// of blocks, and about two a move where the moves follow each other. `from` is a block at or
    /// before the game's first; 0 if it is not known.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`; [`Error::Pruned`] if the node has forgotten the game's
    /// first blocks; else if the chain can't be reached.
    pub async fn history(&self, game: u32, from: u32) -> Result<Vec<Occurrence>, Error> {
        let what = format!("looking up the history of game {game}");
        let head = self.client().height().await?;
        let head_hash = self.hash(&what, head).await?;
        let now = self
            .game_at(game, head_hash)
            .await?
            .ok_or_else(|| Error::Refused {
                what: what.clone(),
                error: connect4_rules::Error::NoSuchGame,
            })?;

        let mut found = Vec::new();
        // What is known to be before the next event, and how many turns that makes.
        let mut next = from;
        let mut pruned = None;
        loop {
            let turns = turns(&found);
            let done = found
                .iter()
                .any(|at: &Occurrence| matches!(at.event, Event::GameStarted { .. }))
                && turns == usize::from(now.turns());
            if done {
                return Ok(found);
            }
            let wanted = if found.is_empty() { 0 } else { turns + 1 };
            let block = self
                .first_with(&what, game, wanted, next..=head, &mut pruned)
                .await?;
            let block_hash = self.hash(&what, block).await?;
            let before = found.len();
            for (event, index) in self.events_in(&what, block_hash).await? {
                if event.game() == game {
                    found.push(Occurrence {
                        event,
                        block,
                        block_hash,
                        index,
                    });
                }
            }
            let starts = matches!(
                found.first(),
                Some(Occurrence {
                    event: Event::GameStarted { .. },
                    ..
                })
            );
            if found.len() == before || !starts {
                // The state was there already in the first block that could be read.
                return Err(Error::Pruned {
                    game,
                    url: self.client().url().into(),
                    first: pruned.unwrap_or(block),
                });
            }
            next = block.saturating_add(1);
        }
    }

    /// The first block of a range after which the game exists and has this many turns; the last one
    /// does.
    async fn first_with(
        &self,
        what: &str,
        game: u32,
        turns: usize,
        range: RangeInclusive<u32>,
        pruned: &mut Option<u32>,
    ) -> Result<u32, Error> {
        let (mut low, last) = range.into_inner();
        let mut high = last;
        // Moves follow each other closely: look there first, then ever further.
        let mut step = 1;
        while low < high {
            let probe = if step < high - low && turns > 0 {
                low + (step - 1)
            } else {
                low + (high - low) / 2
            };
            let hash = self.hash(what, probe).await?;
            let reached = match self.game_at(game, hash).await {
                Ok(Some(game)) => usize::from(game.turns()) >= turns,
                Ok(None) | Err(Error::NoContract(_)) => false,
                Err(Error::Unexpected { .. } | Error::Failed { .. }) => {
                    // The node has dropped this state, so it is before what can be read.
                    *pruned = Some(probe.saturating_add(1).max(pruned.unwrap_or(0)));
                    false
                }
                Err(error) => return Err(error),
            };
            if reached {
                high = probe;
                step = u32::MAX;
            } else {
                low = probe + 1;
                step = step.saturating_mul(2);
            }
        }
        Ok(low)
    }

    async fn hash(&self, what: &str, block: u32) -> Result<H256, Error> {
        self.client().block_hash(what, block).await?.ok_or_else(|| {
            self.client()
                .unexpected(what, format!("it has no block {block}"))
        })
    }

    /// Follows the chain's final blocks from now on.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached.
    pub async fn watch(&self) -> Result<Watch, Error> {
        let what = "following the chain";
        let blocks = self
            .client()
            .api()
            .blocks()
            .subscribe_finalized()
            .await
            .map_err(|error| self.client().failed(what, error))?;
        let final_block = self
            .client()
            .api()
            .blocks()
            .at_latest()
            .await
            .map_err(|error| self.client().failed(what, error))?;
        Ok(Watch {
            contract: self.clone(),
            blocks,
            since: final_block.hash(),
            next: final_block.number().saturating_add(1),
            ready: Vec::new(),
        })
    }

    /// Waits until a game has more turns than `turns`, or has ended.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`; else if the chain can't be reached.
    pub async fn wait_for_turn(&self, game: u32, turns: u8) -> Result<connect4_rules::Game, Error> {
        let what = format!("waiting for a move in game {game}");
        let subscribe = async || {
            self.client()
                .api()
                .blocks()
                .subscribe_best()
                .await
                .map_err(|error| self.client().failed(&what, error))
        };
        let mut blocks = subscribe().await?;
        loop {
            match self.game(game).await? {
                Some(game) if game.turns() > turns || game.is_over() => return Ok(game),
                Some(_) => {}
                None => {
                    return Err(Error::Refused {
                        what,
                        error: connect4_rules::Error::NoSuchGame,
                    });
                }
            }
            match blocks.next().await {
                Some(Ok(_)) => {}
                Some(Err(error)) if error.is_disconnected_will_reconnect() => {}
                Some(Err(error)) => return Err(self.client().failed(&what, error)),
                None => blocks = subscribe().await?,
            }
        }
    }
}

fn turns(found: &[Occurrence]) -> usize {
    found
        .iter()
        .filter(|at| matches!(at.event, Event::DiscDropped { .. }))
        .count()
}

/// The contract's events as they happen.
pub struct Watch {
    contract: Contract,
    blocks: StreamOfResults<Block<PolkadotConfig, OnlineClient<PolkadotConfig>>>,
    since: H256,
    /// The number of the block to look at next: none is left out when a connection is lost.
    next: u32,
    /// What happened and was not told yet, the newest first.
    ready: Vec<Occurrence>,
}

impl Watch {
    /// The hash of the block after which it started: what happened later is told.
    #[must_use]
    pub const fn since(&self) -> H256 {
        self.since
    }

    /// The next event; waits for it.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached.
    pub async fn next(&mut self) -> Result<Occurrence, Error> {
        let what = "following the chain";
        let client = self.contract.client().clone();
        loop {
            if let Some(ready) = self.ready.pop() {
                return Ok(ready);
            }
            let newest = match self.blocks.next().await {
                Some(Ok(block)) => block.number(),
                Some(Err(error)) if error.is_disconnected_will_reconnect() => continue,
                Some(Err(error)) => return Err(client.failed(what, error)),
                None => return Err(client.gone(what, "the node stopped reporting")),
            };
            for block in self.next..=newest {
                let block_hash = self.contract.hash(what, block).await?;
                for (event, index) in self.contract.events_in(what, block_hash).await? {
                    self.ready.push(Occurrence {
                        event,
                        block,
                        block_hash,
                        index,
                    });
                }
            }
            self.next = self.next.max(newest.saturating_add(1));
            self.ready.reverse();
        }
    }
}
