//! The contracts' events of blocks that are past.

use std::ops::RangeInclusive;

use connect4_protocol::{Error as Refusal, Event};
use futures_util::{StreamExt as _, TryStreamExt as _};
use subxt::utils::H256;

use crate::contract::Contract;
use crate::error::Error;
use crate::failure::unexpected;
use crate::receipt::Transaction;
use crate::task::Task;

/// Number of blocks that are read at the same time.
const AT_ONCE: usize = 16;

/// An event and its place on the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The event.
    pub event: Event,
    /// Number of the block, from 0 at the chain's first.
    pub block: u32,
    /// Hash of the block.
    pub block_hash: H256,
    /// Index of the transaction in its block, from 0.
    pub index: u32,
}

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Progress {
    /// The game is not there yet.
    NotStarted,
    /// The game has had so many events of play: its start, its moves, its end.
    Events(u16),
    /// The game has ended and its storage was freed.
    Freed,
}

impl Contract {
    /// The start of a game, its moves and its end, in order, from the events of its blocks. A game
    /// whose storage was freed has them too.
    ///
    /// The blocks are found by bisection: the game's state after a block tells whether a move is
    /// before or behind it. So a game of 42 moves takes some hundred requests on a chain of millions
    /// of blocks, and about two a move if the moves follow each other closely. `from` is the number
    /// of a block at or before the game's first; 0 if none is known.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, then [`Error::Pruned`] if the node has dropped the
    /// game's first blocks; else if the chain cannot be reached.
    pub async fn history(&self, game: u32, from: u32) -> Result<Vec<Occurrence>, Error> {
        let task = Task::ReadHistory { game };
        let head = self.client().height().await?;
        let head_hash = self.hash(&task, head).await?;
        let now = self.progress(game, head_hash).await?;
        if now == Progress::NotStarted {
            return Err(Error::Refused {
                task,
                error: Refusal::NoSuchGame,
            });
        }

        let mut found: Vec<Occurrence> = Vec::new();
        // The first block that may hold the next event.
        let mut next = from;
        let mut pruned = None;
        loop {
            let told = u16::try_from(found.len()).unwrap_or(u16::MAX);
            let has_ended = matches!(found.last().map(|at| &at.event), Some(Event::GameEnded(_)));
            if has_ended || now == Progress::Events(told) {
                return Ok(found);
            }
            let wanted = Progress::Events(told.saturating_add(1));
            let block = self
                .first_with(&task, game, wanted, next..=head, &mut pruned)
                .await?;
            let before = found.len();
            for at in self.occurrences(&task, block).await? {
                if at.event.game() == Some(game) && at.event.is_of_play() {
                    found.push(at);
                }
            }
            let has_start = matches!(
                found.first().map(|at| &at.event),
                Some(Event::GameStarted(_))
            );
            if found.len() == before || !has_start {
                // The game was there already in the first block that could be read.
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

    /// The first block of a range after which a game has come this far; after the last one it has.
    async fn first_with(
        &self,
        task: &Task,
        game: u32,
        wanted: Progress,
        range: RangeInclusive<u32>,
        pruned: &mut Option<u32>,
    ) -> Result<u32, Error> {
        let (mut low, last) = range.into_inner();
        let mut high = last;
        // Moves often follow each other closely: look near the last one first, then ever further.
        let mut step = 1;
        while low < high {
            let probe = if step < high - low && wanted > Progress::Events(1) {
                low + (step - 1)
            } else {
                low + (high - low) / 2
            };
            let hash = self.hash(task, probe).await?;
            let has_reached = match self.progress(game, hash).await {
                Ok(progress) => progress >= wanted,
                Err(Error::Unexpected { .. } | Error::Failed { .. }) => {
                    // The node has dropped this state: search behind it.
                    *pruned = Some(probe.saturating_add(1).max(pruned.unwrap_or(0)));
                    false
                }
                Err(error) => return Err(error),
            };
            if has_reached {
                high = probe;
                step = u32::MAX;
            } else {
                low = probe + 1;
                step = step.saturating_mul(2);
            }
        }
        Ok(low)
    }

    /// All events of these blocks, in order. Blocks before the contract was there have none.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached, or the node has not all of the blocks.
    pub async fn events(&self, blocks: RangeInclusive<u32>) -> Result<Vec<Occurrence>, Error> {
        let of_block = async |block: u32| self.occurrences(&Task::ReadEvents, block).await;
        let found: Vec<_> = futures_util::stream::iter(blocks.map(of_block))
            .buffered(AT_ONCE)
            .try_collect()
            .await?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The events of a block, in order.
    pub(crate) async fn occurrences(
        &self,
        task: &Task,
        block: u32,
    ) -> Result<Vec<Occurrence>, Error> {
        let block_hash = self.hash(task, block).await?;
        let events = self.events_in(task, block_hash).await?.into_iter();
        Ok(events
            .map(|(event, index)| Occurrence {
                event,
                block,
                block_hash,
                index,
            })
            .collect())
    }

    /// The transactions that emitted these events, in the same order.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached, or the node has dropped a block.
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

    /// Number of the first block after which the contract was there, as far back as the node has the
    /// state: no block before it has events.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn first_block(&self) -> Result<u32, Error> {
        let task = Task::FindFirstBlock;
        let (mut low, mut high) = (0, self.client().height().await?);
        while low < high {
            let middle = low + (high - low) / 2;
            let hash = self.hash(&task, middle).await?;
            match self.game_count_at(hash).await {
                Ok(_) => high = middle,
                Err(Error::NoContract(_) | Error::Unexpected { .. } | Error::Failed { .. }) => {
                    low = middle + 1;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(low)
    }

    /// The hash of a block that has to be there.
    async fn hash(&self, task: &Task, block: u32) -> Result<H256, Error> {
        self.client()
            .block_hash(task, block)
            .await?
            .ok_or_else(|| unexpected(task, format_args!("it has no block {block}")))
    }
}
