//! The contracts' events of blocks that are past.

use std::ops::RangeInclusive;

use connect4_protocol::{AnyGame, Error as Refusal, GameId};
use connect4_rules::variant::Colour;
use futures_util::{StreamExt as _, TryStreamExt as _};
use subxt::utils::H256;

use crate::chain::block_ref::BlockRef;
use crate::chain::client::Client;
use crate::contracts::deployed::{Contracts, answers_otherwise};
use crate::contracts::occurrence::Occurrence;
use crate::contracts::receipt::Transaction;
use crate::error::Error;
use crate::history::archived::{self, Archived};
use crate::history::blocks::Ranges;
use crate::history::part::Part;
use crate::task::Task;

/// Number of blocks that are read at the same time.
const AT_ONCE: usize = 16;

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Progress {
    /// The game is not there yet.
    NotThere,
    /// The game is a table that waits for players.
    Open,
    /// The game has had so many events of play, at least its start.
    Events(u16),
    /// The game's storage was freed.
    Freed,
}

impl Contracts {
    /// The start of a game, its moves, the players who left it and its end, in order, from the events of
    /// its blocks. A game whose storage was freed has them too.
    ///
    /// An archive has them if it is nearly up to date, as it is after a look at the standings, and while
    /// the page is served. Else they are searched on the chain, so that nobody has to wait until a long
    /// chain is read: the blocks are found by bisection, as the game's state after a block tells whether
    /// an event is before or behind it. So a game of 42 moves takes some hundred requests on a chain of
    /// millions of blocks, and about two a move if the moves follow each other closely. `from` is the
    /// number of a block at or before the game's first, where the bisection begins; 0 if none is known.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, also for a table that was closed, or with `NotStarted` for
    /// one that is open; then [`Error::Pruned`] if the node has dropped the game's first blocks, or
    /// [`Error::StartsBefore`] if `from` is behind them; else if the chain cannot be reached.
    pub async fn history(&self, game: GameId, from: u32) -> Result<Vec<Occurrence>, Error> {
        match archived::of_game(self, game).await? {
            Archived::All(history) => Ok(history),
            Archived::Lost(gap) => Err(Error::Pruned {
                game,
                gap: Box::new(gap),
            }),
            Archived::Unknown => self.search_game(game, from).await,
        }
    }

    async fn search_game(&self, game: GameId, from: u32) -> Result<Vec<Occurrence>, Error> {
        let task = Task::ReadHistory { game };
        let refused = |error| Error::Refused {
            task: task.clone(),
            error,
        };
        let head = self.client().height().await?;
        let head_hash = self.client().known_hash(&task, head).await?;
        let now = self.progress(game, head_hash).await?;
        match now {
            Progress::NotThere => return Err(refused(Refusal::NoSuchGame)),
            Progress::Open => return Err(refused(Refusal::NotStarted)),
            Progress::Events(_) | Progress::Freed => {}
        }

        let part = |at: &Occurrence| Part::of(&at.event, game);
        let mut found: Vec<Occurrence> = Vec::new();
        // The first block that may hold the next event.
        let mut next = from;
        let mut pruned = None;
        loop {
            let told = u16::try_from(found.len()).unwrap_or(u16::MAX);
            let has_ended = found.last().and_then(part) == Some(Part::End);
            if has_ended || now == Progress::Events(told) {
                return Ok(found);
            }
            let wanted = Progress::Events(told.saturating_add(1));
            let block = self.first_with(&task, game, wanted, next..=head, &mut pruned);
            let block = block.await?;
            let before = found.len();
            for at in self.occurrences(&task, block).await? {
                match part(&at) {
                    Some(Part::Cancelled) => return Err(refused(Refusal::NoSuchGame)),
                    // Players leave before the start, too.
                    Some(part) if part == Part::Start || !found.is_empty() => found.push(at),
                    _ => {}
                }
            }
            if found.len() == before {
                // The game was there already in the first block that could be read.
                let Some(readable) = pruned else {
                    return Err(Error::StartsBefore { game, first: from });
                };
                let lost = Ranges::of(from, readable - 1);
                let gaps = self.client().gaps(&lost).await?;
                return Err(match gaps.into_iter().next() {
                    Some(gap) => Error::Pruned {
                        game,
                        gap: Box::new(gap),
                    },
                    None => Error::StartsBefore { game, first: from },
                });
            }
            next = block.saturating_add(1);
        }
    }

    /// How far a game had come after a block. The contract forgets those that are freed.
    async fn progress(&self, id: GameId, block: H256) -> Result<Progress, Error> {
        let events = |course: u16, has_ended: bool| {
            Progress::Events(course.saturating_add(1 + u16::from(has_ended)))
        };
        let read = self.game_at::<AnyGame>(id, block).await;
        let read = read.map(|game| {
            Some(match game? {
                AnyGame::Two(game) => events(game.turns().into(), game.is_over()),
                AnyGame::Variant(game) if !game.has_started() => Progress::Open,
                AnyGame::Variant(game) => {
                    let position = game.position();
                    let colours = Colour::ALL.into_iter();
                    let left = colours.filter(|&colour| position.has_left(colour));
                    let left = u16::try_from(left.count()).unwrap_or(u16::MAX);
                    let turns = u16::from(position.turns());
                    events(turns.saturating_add(left), game.is_over())
                }
            })
        });
        match read {
            Ok(Some(progress)) => Ok(progress),
            Ok(None) => {
                let count = self.game_count_at(id.contract(), Some(block)).await?;
                Ok(match count > id.number() {
                    true => Progress::Freed,
                    false => Progress::NotThere,
                })
            }
            Err(Error::NoContract(_)) => Ok(Progress::NotThere),
            Err(error) => Err(error),
        }
    }

    /// The first block of a range after which a game has come this far; after the last one it has.
    async fn first_with(
        &self,
        task: &Task,
        game: GameId,
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
            let hash = self.client().known_hash(task, probe).await?;
            let has_reached = match self.progress(game, hash).await {
                Ok(progress) => progress >= wanted,
                Err(error) if answers_otherwise(&error) => {
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

    /// All events of these blocks, in order. Blocks before the contracts were there have none.
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
        let hash = self.client().known_hash(task, block).await?;
        let number = block;
        self.occurrences_in(task, BlockRef { number, hash }).await
    }

    /// The events of a block on any branch, in order.
    pub(crate) async fn occurrences_in(
        &self,
        task: &Task,
        block: BlockRef,
    ) -> Result<Vec<Occurrence>, Error> {
        let events = self
            .events_in(task, block.number, block.hash)
            .await?
            .into_iter();
        Ok(events
            .map(|(event, index)| Occurrence {
                event,
                block: block.number,
                block_hash: block.hash,
                index,
            })
            .collect())
    }
}

impl Client {
    /// The transactions that emitted these events, in the same order.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached, or the node has dropped a block.
    pub async fn transactions(&self, of: &[Occurrence]) -> Result<Vec<Transaction>, Error> {
        let places: Vec<_> = of
            .iter()
            .map(|at| (at.block, at.block_hash, at.index))
            .collect();
        let fees = self.archived_fees(&places).await;
        let look_up = |((block, block_hash, index), fee)| {
            let client = self.clone();
            async move { client.transaction_with(block, block_hash, index, fee).await }
        };
        let requests: Vec<_> = places.into_iter().zip(fees).map(look_up).collect();
        futures_util::stream::iter(requests)
            .buffered(AT_ONCE)
            .try_collect()
            .await
    }
}
