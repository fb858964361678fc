//! What happened in a game: looked up afterwards, or as it happens.

use connect4_protocol::event::{GameEnded, GameStarted};
use std::ops::RangeInclusive;

use subxt::backend::StreamOfResults;
use subxt::blocks::Block;
use subxt::utils::H256;
use subxt::{OnlineClient, PolkadotConfig};

use connect4_protocol::{Game, Match};
use futures_util::{StreamExt as _, TryStreamExt as _};

use crate::error::Error;
use crate::{Contract, Event, Transaction};

/// How many blocks are read at once.
const AT_ONCE: usize = 16;

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
    /// The start of a game, its moves and its end, in order, from the events of its blocks. That the
    /// game's storage was freed since does not matter.
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
        let now = self.progress(game, head_hash).await?;
        if now == Progress::NotStarted {
            return Err(Error::Refused {
                what,
                error: connect4_protocol::Error::NoSuchGame,
            });
        }

        let mut found: Vec<Occurrence> = Vec::new();
        // What is known to be before the next event.
        let mut next = from;
        let mut pruned = None;
        loop {
            let told = u16::try_from(found.len()).unwrap_or(u16::MAX);
            let ended = matches!(
                found.last(),
                Some(Occurrence {
                    event: Event::GameEnded(GameEnded { .. }),
                    ..
                })
            );
            if ended || now == Progress::Events(told) {
                return Ok(found);
            }
            let wanted = Progress::Events(told.saturating_add(1));
            let block = self
                .first_with(&what, game, wanted, next..=head, &mut pruned)
                .await?;
            let block_hash = self.hash(&what, block).await?;
            let before = found.len();
            for (event, index) in self.events_in(&what, block_hash).await? {
                if event.game() == Some(game) && event.is_of_play() {
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
                    event: Event::GameStarted(GameStarted { .. }),
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

    /// How far a game had come after a block.
    async fn progress(&self, game: u32, block: H256) -> Result<Progress, Error> {
        match self.game_at(game, block).await {
            Ok(Some(game)) => {
                let end = u16::from(game.is_over());
                Ok(Progress::Events(1 + u16::from(game.turns()) + end))
            }
            Ok(None) if self.game_count_at(block).await? > game => Ok(Progress::Freed),
            Ok(None) | Err(Error::NoContract(_)) => Ok(Progress::NotStarted),
            Err(error) => Err(error),
        }
    }

    /// The first block of a range after which a game has come this far; the last one does.
    async fn first_with(
        &self,
        what: &str,
        game: u32,
        wanted: Progress,
        range: RangeInclusive<u32>,
        pruned: &mut Option<u32>,
    ) -> Result<u32, Error> {
        let (mut low, last) = range.into_inner();
        let mut high = last;
        // Moves follow each other closely: look there first, then ever further.
        let mut step = 1;
        while low < high {
            let probe = if step < high - low && wanted > Progress::Events(1) {
                low + (step - 1)
            } else {
                low + (high - low) / 2
            };
            let hash = self.hash(what, probe).await?;
            let reached = match self.progress(game, hash).await {
                Ok(progress) => progress >= wanted,
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

    /// All events of these blocks, in order; those of blocks before the contract was there, none.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached, or the node has not all of the blocks.
    pub async fn events(&self, blocks: RangeInclusive<u32>) -> Result<Vec<Occurrence>, Error> {
        let what = "reading the contract's events";
        let of_block = |block: u32| async move {
            let block_hash = self.hash(what, block).await?;
            let events = self.events_in(what, block_hash).await?;
            Ok::<_, Error>(events.into_iter().map(move |(event, index)| Occurrence {
                event,
                block,
                block_hash,
                index,
            }))
        };
        let found: Vec<_> = futures_util::stream::iter(blocks.map(of_block))
            .buffered(AT_ONCE)
            .try_collect()
            .await?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The transactions in which these happened, in the same order.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached, or the node has dropped a block.
    pub async fn transactions(&self, of: &[Occurrence]) -> Result<Vec<Transaction>, Error> {
        let look_up = |at: &Occurrence| {
            let client = self.client().clone();
            let (block, block_hash, index) = (at.block, at.block_hash, at.index);
            async move { client.transaction(block, block_hash, index).await }
        };
        let requests: Vec<_> = of.iter().map(look_up).collect();
        futures_util::stream::iter(requests)
            .buffered(AT_ONCE)
            .try_collect()
            .await
    }

    /// The first block after which the contract was there, as far as the node remembers: events
    /// begin in it.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached.
    pub async fn first_block(&self) -> Result<u32, Error> {
        let what = "looking for the contract's first block";
        let (mut low, mut high) = (0, self.client().height().await?);
        while low < high {
            let middle = low + (high - low) / 2;
            let hash = self.hash(what, middle).await?;
            match self.game_count_at(hash).await {
                Ok(_) => high = middle,
                Err(Error::NoContract(_) | Error::Unexpected { .. } | Error::Failed { .. }) => {
                    low = middle + 1
                }
                Err(error) => return Err(error),
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

    /// Waits until a game or what goes beside it is not any more as it is given here, and returns
    /// what it has become.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`; else if the chain can't be reached.
    pub async fn wait_for_change(
        &self,
        number: u32,
        game: &Game,
        beside: &Match,
    ) -> Result<(Game, Match), Error> {
        let what = format!("waiting for a change in game {number}");
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
            let now = self.game(number).await?.ok_or_else(|| Error::Refused {
                what: what.clone(),
                error: connect4_protocol::Error::NoSuchGame,
            })?;
            let now_beside = self.match_of(number).await?;
            if now != *game || now_beside != *beside {
                return Ok((now, now_beside));
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

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Progress {
    /// There is no such game yet.
    NotStarted,
    /// So many events of play: its start, its turns, its end.
    Events(u16),
    /// Its storage was freed, after its end.
    Freed,
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
