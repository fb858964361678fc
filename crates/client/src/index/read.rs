//! Reading from the chain what the index does not have.

use std::sync::Arc;
use std::time::Instant;

use super::kept::Kept;
use super::ranges::Ranges;
use super::scan::Scanning;
use super::source::{OnReading, Source};
use super::store::{self, Batch, Block, Want};
use super::subject::{Subject, TASK};
use super::view::View;
use crate::client::Client;
use crate::error::Error;
use crate::failure::unexpected;
use crate::past::Reading;
use crate::seen::BlockRef;

/// How often the reading begins again because the best chain, or the file, has changed meanwhile.
const ATTEMPTS: u32 = 12;
/// After so many attempts it goes on without the file, which a program on another chain of the same
/// genesis may be changing.
const ATTEMPTS_WITH_FILE: u32 = 8;

/// What became of an attempt to read.
enum Attempt {
    Done(View),
    /// There is more to read than the limit.
    TooMany,
    /// The chain or the file is not what it was at the beginning.
    Changed,
}

/// What has to be read.
#[derive(Default)]
struct Plan {
    /// For each contract.
    needed: Vec<Ranges>,
    /// Blocks before a contract was there, and hashes of the last ones.
    before: Batch,
}

/// A reading of the past up to the best block.
pub(super) struct Read<'a> {
    about: Subject<'a>,
    from: u32,
    /// Number of blocks that may be read at most.
    limit: Option<u32>,
}

impl<'a> Read<'a> {
    pub(super) fn new(
        client: &'a Client,
        sources: &'a [Source<'a>],
        want: Want,
        from: u32,
        limit: Option<u32>,
        on: OnReading<'a>,
    ) -> Self {
        let contracts = sources
            .iter()
            .flat_map(|source| source.contracts.iter().copied())
            .collect();
        Self {
            about: Subject {
                client,
                sources,
                contracts,
                want,
                on,
            },
            from,
            limit,
        }
    }

    /// Reads what is missing up to the best block; none if that is more than the limit.
    pub(super) async fn run(&self) -> Result<Option<View>, Error> {
        let index = self.about.client.index.as_ref();
        let _one_at_a_time = match index {
            Some(index) => Some(index.updating.lock().await),
            None => None,
        };
        for attempt in 0..ATTEMPTS {
            let index = index.filter(|_| attempt < ATTEMPTS_WITH_FILE);
            let mut file = Kept {
                store: index.map(|index| index.store(self.about.client.genesis())),
                notice: index.map(|index| Arc::clone(&index.notice)),
                top: None,
                last: u32::MAX,
            };
            match self.attempt(&mut file).await? {
                Attempt::Done(view) => return Ok(Some(view)),
                Attempt::TooMany => return Ok(None),
                Attempt::Changed => {}
            }
        }
        Err(unexpected(
            TASK,
            "its best chain changes faster than it can be read",
        ))
    }

    async fn attempt(&self, file: &mut Kept) -> Result<Attempt, Error> {
        let best = self.about.client.best_block_for(TASK).await?;
        let finalized = self.about.client.finalized_number(TASK).await?;
        let Some(mut view) = self.load(file, best).await? else {
            return Ok(Attempt::Changed);
        };
        let plan = self.plan(&view, best.number).await?;
        for (contract, ranges) in &plan.before.covered {
            view.cover(contract, ranges);
        }
        let mut scan = Ranges::default();
        for needed in &plan.needed {
            scan.extend(needed);
        }
        let is_too_much = self.limit.is_some_and(|limit| scan.count() > limit);
        let mut scanning = Scanning {
            about: &self.about,
            file,
            view,
            needed: plan.needed,
            batch: plan.before,
            written: Instant::now(),
            progress: Reading {
                block: 0,
                last: best.number,
                read: 0,
                of: scan.count(),
            },
        };
        if !is_too_much {
            if scanning.progress.of > 0 {
                (self.about.on)(scanning.progress);
            }
            for (first, last) in scan.iter() {
                if !scanning.blocks(first, last, finalized).await? {
                    return Ok(Attempt::Changed);
                }
            }
        }
        if !scanning.write().await {
            return Ok(Attempt::Changed);
        }
        let mut view = scanning.view;
        if is_too_much {
            return Ok(Attempt::TooMany);
        }
        if !self.about.client.is_canonical(TASK, best).await? {
            return Ok(Attempt::Changed);
        }
        view.events
            .sort_by_key(|placed| (placed.block, placed.event.place));
        Ok(Attempt::Done(view))
    }

    /// What the file has up to the best block and the chain still has, too; what a fork has retracted
    /// is undone. None if that was done.
    async fn load(&self, file: &mut Kept, best: BlockRef) -> Result<Option<View>, Error> {
        let (contracts, want) = (self.about.contracts.clone(), self.about.want);
        let loaded = file
            .with(move |database| store::load(database, &contracts, best.number, want))
            .await;
        let mut loaded = loaded.unwrap_or_default();
        loaded
            .ranges
            .resize(self.about.contracts.len(), Ranges::default());
        let (top, top_asked) = (loaded.top, loaded.top_asked);
        if let Some((number, hash)) = top_asked
            && self.about.client.block_hash(TASK, number).await? != Some(hash)
        {
            self.undo(file, top, number).await?;
            return Ok(None);
        }
        file.top = top;
        // Blocks of the file that this node does not have yet: none are added behind the last one
        // that both have, as they might be of another branch.
        let is_behind = top > top_asked;
        if is_behind {
            file.last = top_asked.map_or(0, |(number, _)| number);
            for ranges in &mut loaded.ranges {
                match top_asked {
                    Some((last, _)) => ranges.truncate(last),
                    None => *ranges = Ranges::default(),
                }
            }
        }
        loaded
            .events
            .retain(|placed| !is_behind || top_asked.is_some_and(|(last, _)| placed.block <= last));
        Ok(Some(View {
            contracts: self.about.contracts.clone(),
            ranges: loaded.ranges,
            events: loaded.events,
            best,
        }))
    }

    /// Undoes all that was read behind the last block that the file and the chain have in common. The
    /// block `wrong` is not.
    async fn undo(&self, file: &mut Kept, top: Option<Block>, wrong: u32) -> Result<(), Error> {
        let checkpoints = file
            .with(move |database| store::checkpoints(database, wrong))
            .await
            .unwrap_or_default();
        // Blocks have their ancestors in common, too: so bisection finds the last one.
        let (mut low, mut high) = (0, checkpoints.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let (number, hash) = checkpoints[middle];
            if self.about.client.block_hash(TASK, number).await? == Some(hash) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let common = low.checked_sub(1).map(|last| checkpoints[last].0);
        if let Some(top) = top {
            file.with(move |database| store::undo(database, top, common))
                .await;
        }
        Ok(())
    }

    /// What has to be read of the blocks that are missing. Left out are blocks whose states the node
    /// has discarded, and those before a contract was there.
    async fn plan(&self, view: &View, best: u32) -> Result<Plan, Error> {
        let mut plan = Plan::default();
        for (contract, known) in self.about.contracts.iter().zip(&view.ranges) {
            let mut needed = Ranges::default();
            for (first, last) in known.missing(self.from, best).iter() {
                let Some(readable) = self.about.first_with_state(first, last).await? else {
                    continue;
                };
                let was_there_before = first.checked_sub(1).is_some_and(|at| known.contains(at));
                let begins = if was_there_before {
                    readable
                } else {
                    self.about.begins(*contract, readable, last).await?
                };
                if begins > readable {
                    let end = begins - 1;
                    let hash = self.about.client.known_hash(TASK, end).await?;
                    plan.before.hashes.push((end, hash));
                    let empty = Ranges::of(first, end);
                    plan.before.covered.push((*contract, empty));
                }
                needed.add(begins, last);
            }
            plan.needed.push(needed);
        }
        Ok(plan)
    }
}
