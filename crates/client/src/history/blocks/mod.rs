//! Blocks one after the other, for those who keep the contracts' events in a database of their own.
//!
//! | file | |
//! |---|---|
//! | `ranges` | sets of blocks |
//! | `subject` | what a reading is about, and what it asks the chain |

mod ranges;
mod subject;

use std::collections::BTreeMap;

use connect4_protocol::Address;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesOrdered;
use subxt::utils::H256;

use crate::chain::block_ref::BlockRef;
use crate::chain::client::Client;
use crate::chain::gap::Gap;
use crate::contracts::emitted::Emitted;
use crate::contracts::events::Emissions;
use crate::error::Error;
use crate::task::Task;

pub(crate) use ranges::Ranges;
pub(crate) use subject::TASK;
use subject::{Subject, What};

/// Number of blocks that are read at the same time.
const AT_ONCE: usize = 64;

/// A block whose events are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadBlock {
    /// The block.
    pub block: BlockRef,
    /// Time of the block in seconds since 1970; none if it has no events, or no time.
    pub time: Option<u64>,
    /// The contracts' events, in order.
    pub events: Vec<Emitted>,
    /// Fees of the transactions with these events by their index in the block, in the token's smallest
    /// unit.
    pub fees: BTreeMap<u32, u128>,
    /// The accounts that have paid them.
    pub payers: BTreeMap<u32, Address>,
}

/// The contracts whose events are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Emitters {
    /// Their addresses.
    pub contracts: Vec<Address>,
    /// Hashes of the code of records of signed games: what such a contract emits is read, too, at whichever address it is,
    /// if it had this code when the block began.
    pub signed_records: Vec<[u8; 32]>,
}

/// Blocks that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// The blocks whose events are known, ascending.
    pub blocks: Vec<ReadBlock>,
    /// The blocks whose events are missing.
    pub gaps: Vec<Gap>,
    /// The last block that was looked at; none if there is no further one.
    pub last: Option<BlockRef>,
    /// The best block.
    pub best: BlockRef,
    /// Number of the newest final block.
    pub finalized: u32,
}

/// What became of reading blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadBlocks {
    /// The blocks.
    Read(Blocks),
    /// The block behind which they were to follow is not on the best branch, or the branch changed
    /// while it was read.
    Retracted,
    /// The node does not have the block behind which they were to follow yet.
    Behind {
        /// The best block.
        best: BlockRef,
        /// Number of the newest final block.
        finalized: u32,
    },
}

impl Client {
    /// The newest final block.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn final_block(&self) -> Result<BlockRef, Error> {
        let number = self.finalized_number(TASK).await?;
        let hash = self.known_hash(TASK, number).await?;
        Ok(BlockRef { number, hash })
    }

    /// The time of a block in seconds since 1970; none if it cannot be read.
    pub async fn block_seconds(&self, block: BlockRef) -> Option<u64> {
        self.time_of(block.number, block.hash).await
    }

    /// The last of these blocks, which ascend, that is on the best branch; none if none is.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn last_canonical(&self, blocks: &[BlockRef]) -> Result<Option<BlockRef>, Error> {
        // Blocks have their ancestors in common, too: so bisection finds the last one.
        let (mut low, mut high) = (0, blocks.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.is_canonical(TASK, blocks[middle]).await? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low.checked_sub(1).map(|last| blocks[last]))
    }

    /// Whether the node has the state of a block, and so its events, and that of the block before, which tells
    /// who has emitted them.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn has_events(&self, block: u32) -> Result<bool, Error> {
        for number in block.saturating_sub(1)..=block {
            let has = match self.block_hash(TASK, number).await? {
                Some(hash) => self.event_bytes(TASK, hash).await?.is_some(),
                None => false,
            };
            if !has {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether any of these contracts may have been there after a block: not if it was not there at a
    /// later one, which is looked at if the node has discarded the block's state.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn were_there(&self, contracts: &[Address], block: u32) -> Result<bool, Error> {
        let about = Subject {
            client: self,
            contracts,
            signed_records: &[],
        };
        let best = self.best_block_for(TASK).await?.number;
        let Some(mut readable) = about.first_with_state(block.min(best), best).await? else {
            return Ok(true);
        };
        for contract in contracts {
            let is_there = loop {
                let hash = self.known_hash(TASK, readable).await?;
                match self.was_there(TASK, *contract, hash).await? {
                    Some(is_there) => break is_there,
                    // The events of a block that were read a moment ago are known without its state.
                    None if readable < best => readable += 1,
                    None => break true,
                }
            };
            if is_there {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The gaps in which these blocks are missing, with their times.
    pub(crate) async fn gaps(&self, missing: &Ranges) -> Result<Vec<Gap>, Error> {
        let mut gaps = Vec::new();
        for (first, last) in missing.iter() {
            let time = async |block: u32| {
                let hash = self.block_hash(TASK, block).await?;
                Ok::<_, Error>(match hash {
                    Some(hash) => self.time_of(block, hash).await,
                    None => None,
                })
            };
            gaps.push(Gap {
                first,
                last,
                // The chain's first block has no time.
                since: time(first.max(1)).await?,
                until: time(last).await?,
            });
        }
        Ok(gaps)
    }

    /// The block with a number on the best branch; none if there is no such block.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn block_at(&self, number: u32) -> Result<Option<BlockRef>, Error> {
        self.block_at_for(TASK, number).await
    }

    /// The same for a task.
    pub(crate) async fn block_at_for(
        &self,
        task: &Task,
        number: u32,
    ) -> Result<Option<BlockRef>, Error> {
        let hash = self.block_hash(task, number).await?;
        Ok(hash.map(|hash| BlockRef { number, hash }))
    }

    /// The first block that may have events of any of these contracts and whose state the node has.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn first_block_of(&self, contracts: &[Address]) -> Result<u32, Error> {
        let best = self.best_block_for(TASK).await?;
        let about = Subject {
            client: self,
            contracts,
            signed_records: &[],
        };
        let mut missing = Ranges::default();
        self.beginning(&about, best.number, &mut missing).await
    }

    /// Reads these contracts' events in the blocks behind `after` on the best branch, of `most` blocks
    /// at most. None: from where the contracts begin. Blocks that are not final are read with their
    /// headers, so that no two branches are mixed.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn blocks_after(
        &self,
        emitters: &Emitters,
        after: Option<BlockRef>,
        most: u32,
    ) -> Result<ReadBlocks, Error> {
        let best = self.best_block_for(TASK).await?;
        let finalized = self.finalized_number(TASK).await?;
        let about = Subject {
            client: self,
            contracts: &emitters.contracts,
            signed_records: &emitters.signed_records,
        };
        let mut missing = Ranges::default();
        let first = match after {
            Some(after) => {
                match self.block_hash(TASK, after.number).await? {
                    Some(hash) if hash == after.hash => {}
                    Some(_) => return Ok(ReadBlocks::Retracted),
                    None => return Ok(ReadBlocks::Behind { best, finalized }),
                }
                after.number.saturating_add(1)
            }
            None => self.beginning(&about, best.number, &mut missing).await?,
        };
        let mut read = Blocks {
            blocks: Vec::new(),
            gaps: Vec::new(),
            last: None,
            best,
            finalized,
        };
        let end = best.number.min(first.saturating_add(most.max(1) - 1));
        if first > end {
            return Ok(ReadBlocks::Read(read));
        }
        let start = first.saturating_sub(1);
        let found = self.hashes(TASK, start, end).await?;
        let hashes: BTreeMap<u32, H256> = (start..=end).zip(found).collect();
        if after.is_some_and(|after| hashes.get(&after.number) != Some(&after.hash)) {
            return Ok(ReadBlocks::Retracted);
        }
        let (mut next, mut pending) = (first, FuturesOrdered::new());
        loop {
            while pending.len() < AT_ONCE && next <= end {
                let parent = next.checked_sub(1).and_then(|before| hashes.get(&before));
                let is_final = next <= finalized;
                pending.push_back(about.block(next, hashes[&next], parent.copied(), is_final));
                next += 1;
            }
            let Some(seen) = pending.next().await else {
                break;
            };
            let seen = seen?;
            let block = BlockRef {
                number: seen.number,
                hash: seen.hash,
            };
            match seen.what {
                What::Retracted => return Ok(ReadBlocks::Retracted),
                What::Events(Emissions {
                    events,
                    mut fees,
                    mut payers,
                }) => {
                    let has_events = |index| events.iter().any(|event| event.index == index);
                    fees.retain(|index, _| has_events(*index));
                    payers.retain(|index, _| has_events(*index));
                    read.blocks.push(ReadBlock {
                        block,
                        time: None,
                        events,
                        fees,
                        payers,
                    });
                }
                What::Discarded => {
                    pending = FuturesOrdered::new();
                    let behind = seen.number.saturating_add(1);
                    let found = match behind <= end {
                        true => about.first_with_state(behind, end).await?,
                        false => None,
                    };
                    next = found.unwrap_or(end.saturating_add(1));
                    missing.add(seen.number, next - 1);
                }
            }
        }
        let with_events = read.blocks.iter().filter(|block| !block.events.is_empty());
        let of = with_events.map(|block| (block.block.number, block.block.hash));
        let times = self.times(of.collect()).await?;
        for block in &mut read.blocks {
            block.time = times.get(&block.block.number).copied();
        }
        read.gaps = self.gaps(&missing).await?;
        read.last = hashes.get(&end).map(|hash| BlockRef {
            number: end,
            hash: *hash,
        });
        Ok(ReadBlocks::Read(read))
    }

    /// The first block that may have events of any of these contracts and whose state the node has.
    /// If they may have begun before, the blocks before it are `missing`.
    async fn beginning(
        &self,
        about: &Subject<'_>,
        best: u32,
        missing: &mut Ranges,
    ) -> Result<u32, Error> {
        let Some(readable) = about.first_with_state(0, best).await? else {
            missing.add(0, best);
            return Ok(best.saturating_add(1));
        };
        let mut begins = best;
        for contract in about.contracts {
            begins = begins.min(about.begins(*contract, readable, best).await?);
        }
        if begins == readable && readable > 0 {
            missing.add(0, readable - 1);
        }
        Ok(begins)
    }
}
