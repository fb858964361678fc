//! Reading blocks one after the other.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::stream::FuturesOrdered;
use subxt::utils::H256;

use super::kept::Kept;
use super::ranges::Ranges;
use super::store::{self, Batch, Block, Placed};
use super::subject::{Seen, Subject, TASK, What};
use super::view::View;
use crate::error::Error;
use crate::events::Emissions;
use crate::past::Reading;

/// Number of blocks that are read at the same time.
const AT_ONCE: usize = 64;
/// Number of hashes that one request asks for.
const HASHES: u32 = 512;
/// A batch is written after so many blocks, or so much time.
const BATCH: usize = 1024;
const BATCH_TIME: Duration = Duration::from_secs(2);

/// A reading under way.
pub(super) struct Scanning<'a> {
    pub(super) about: &'a Subject<'a>,
    pub(super) file: &'a mut Kept,
    pub(super) view: View,
    pub(super) needed: Vec<Ranges>,
    /// What was not written yet.
    pub(super) batch: Batch,
    /// When the last batch was written.
    pub(super) written: Instant,
    pub(super) progress: Reading,
}

impl Scanning<'_> {
    /// Reads the blocks from `first` to `last`. Returns whether chain and file are as before.
    pub(super) async fn blocks(
        &mut self,
        first: u32,
        last: u32,
        finalized: u32,
    ) -> Result<bool, Error> {
        let about = self.about;
        let mut next = first;
        let mut previous = self.known(first);
        let mut hashes: BTreeMap<u32, H256> = BTreeMap::new();
        let mut pending = FuturesOrdered::new();
        loop {
            while pending.len() < AT_ONCE && next <= last {
                if !hashes.contains_key(&next) {
                    let end = last.min(next.saturating_add(HASHES - 1));
                    let start = next.saturating_sub(1);
                    let found = about.client.hashes(TASK, start, end).await?;
                    hashes = (start..=end).zip(found).collect();
                }
                let Some(hash) = hashes.get(&next).copied() else {
                    return Ok(false);
                };
                let before = next.checked_sub(1).and_then(|before| hashes.get(&before));
                let before = before.copied().filter(|_| next > finalized);
                pending.push_back(about.block(next, hash, before));
                next += 1;
            }
            let Some(seen) = pending.next().await else {
                return Ok(true);
            };
            let Seen { number, hash, what } = seen?;
            match what {
                What::Retracted => return Ok(false),
                What::Discarded => {
                    // The node has discarded it meanwhile, or lacks some states in between.
                    pending = FuturesOrdered::new();
                    let behind = number.saturating_add(1);
                    let found = match behind <= last {
                        true => about.first_with_state(behind, last).await?,
                        false => None,
                    };
                    next = found.unwrap_or(u32::MAX);
                    previous = None;
                    let skipped = next.min(last.saturating_add(1)) - number;
                    self.progress.read = self.progress.read.saturating_add(skipped);
                    continue;
                }
                What::Events(emissions) => {
                    let is_linked = previous.is_none_or(|(before, hash)| {
                        before + 1 != number || hashes.get(&before).is_none_or(|now| *now == hash)
                    });
                    if !is_linked {
                        return Ok(false);
                    }
                    self.add(number, hash, emissions);
                    previous = Some((number, hash));
                }
            }
            let is_full = self.batch.hashes.len() >= BATCH;
            if (is_full || self.written.elapsed() >= BATCH_TIME) && !self.write().await {
                return Ok(false);
            }
        }
    }

    /// The block before `first`, if its hash is known.
    fn known(&self, first: u32) -> Option<Block> {
        let before = first.checked_sub(1)?;
        let known = self.batch.hashes.iter().chain(&self.file.top);
        known.copied().find(|(number, _)| *number == before)
    }

    /// Adds a block that was read.
    fn add(&mut self, number: u32, hash: H256, emissions: Emissions) {
        let block = Ranges::of(number, number);
        let mut is_needed = Vec::new();
        for (contract, needed) in self.about.contracts.iter().zip(&self.needed) {
            if needed.contains(number) {
                is_needed.push(*contract);
                match self.batch.covered.iter_mut().find(|(of, _)| of == contract) {
                    Some((_, ranges)) => ranges.add(number, number),
                    None => self.batch.covered.push((*contract, block.clone())),
                }
                self.view.cover(contract, &block);
            }
        }
        self.batch.hashes.push((number, hash));
        for event in emissions.events {
            let contract = &event.contract;
            let source = self.about.sources.iter();
            let source = source.filter(|_| is_needed.contains(contract));
            let Some(source) = source
                .into_iter()
                .find(|source| source.contracts.contains(contract))
            else {
                continue;
            };
            if let Some(fee) = emissions.fees.get(&event.index) {
                self.batch.fees.push((number, event.index, *fee));
            }
            let placed = Placed {
                block: number,
                block_hash: hash,
                game: (source.of_game)(&event),
                event,
            };
            if self.about.want.has(placed.game) {
                self.view.events.push(placed.clone());
            }
            self.batch.events.push(placed);
        }
        self.progress.block = number;
        self.progress.read = self.progress.read.saturating_add(1);
        if self.progress.read.is_multiple_of(AT_ONCE as u32) {
            (self.about.on)(self.progress);
        }
    }

    /// Writes what was read to the file. Returns whether the file is as it was left.
    pub(super) async fn write(&mut self) -> bool {
        let batch = std::mem::take(&mut self.batch);
        self.written = Instant::now();
        let end = batch.hashes.iter().map(|(number, _)| *number).max();
        if batch.is_empty() || end.is_some_and(|end| end > self.file.last) {
            return true;
        }
        let top = self.file.top;
        let added = self
            .file
            .with(move |database| store::append(database, top, &batch))
            .await;
        match added {
            Some(Some(top)) => {
                self.file.top = top;
                true
            }
            // Another program has written meanwhile.
            Some(None) => false,
            // It could not be written: the reading goes on without it.
            None => true,
        }
    }
}
