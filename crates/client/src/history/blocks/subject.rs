//! What a reading is about, and what it asks the chain.

use std::collections::BTreeSet;

use connect4_protocol::Address;
use subxt::utils::H256;

use crate::chain::client::Client;
use crate::contracts::events::Emissions;
use crate::error::Error;
use crate::task::Task;

/// Of how many blocks it is worth the while to look where a contract begins.
const FEW: u32 = 64;

pub(crate) const TASK: &Task = &Task::ReadEvents;

/// A block that was read.
pub(super) struct Seen {
    pub(super) number: u32,
    pub(super) hash: H256,
    pub(super) what: What,
}

pub(super) enum What {
    Events(Emissions),
    /// The node has discarded its state.
    Discarded,
    /// It does not follow on the block before it any more.
    Retracted,
}

/// What a reading is about.
pub(super) struct Subject<'a> {
    pub(super) client: &'a Client,
    pub(super) contracts: &'a [Address],
    /// As [`Emitters::signed_records`](super::Emitters::signed_records).
    pub(super) signed_records: &'a [[u8; 32]],
}

impl Subject<'_> {
    /// The first of these blocks whose state the node has; none if it has none. If it has a block's,
    /// it has those of the later ones.
    pub(super) async fn first_with_state(
        &self,
        first: u32,
        last: u32,
    ) -> Result<Option<u32>, Error> {
        // Some nodes keep the first block's state for ever: it tells nothing about the next ones.
        if self.has_state(first.max(1).min(last)).await? {
            return Ok(Some(first));
        }
        if !self.has_state(last).await? {
            return Ok(None);
        }
        let (mut low, mut high) = (first.saturating_add(1), last);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.has_state(middle).await? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(Some(low))
    }

    async fn has_state(&self, block: u32) -> Result<bool, Error> {
        let hash = self.client.known_hash(TASK, block).await?;
        Ok(self.client.event_bytes(TASK, hash).await?.is_some())
    }

    /// The first of these blocks that may have events of a contract: all of them have their states.
    pub(super) async fn begins(
        &self,
        contract: Address,
        first: u32,
        last: u32,
    ) -> Result<u32, Error> {
        let was_there = async |block: u32| {
            let hash = self.client.known_hash(TASK, block).await?;
            // A state that is discarded meanwhile tells nothing.
            let there = self.client.was_there(TASK, contract, hash).await?;
            Ok::<_, Error>(there.unwrap_or(true))
        };
        if was_there(first).await? {
            return Ok(first);
        }
        // The contract answers, so if it is not found it is stored in a way that is not known here.
        if last - first < FEW || !was_there(last).await? {
            return Ok(first);
        }
        let (mut low, mut high) = (first + 1, last);
        while low < high {
            let middle = low + (high - low) / 2;
            if was_there(middle).await? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(low)
    }

    /// Reads a block that follows on `parent`, which the chain's first block does not have. One that is not
    /// final need not follow on it any more.
    pub(super) async fn block(
        &self,
        number: u32,
        hash: H256,
        parent: Option<H256>,
        is_final: bool,
    ) -> Result<Seen, Error> {
        let what = if !is_final
            && parent.is_some()
            && self.client.known_parent(TASK, hash).await? != parent
        {
            What::Retracted
        } else {
            match self.client.event_bytes(TASK, hash).await? {
                Some(bytes) => {
                    let client = self.client;
                    let found = client.emissions(TASK, number, bytes, self.contracts);
                    match self.of_records(found.await?, parent).await? {
                        Some(found) => What::Events(found),
                        None => What::Discarded,
                    }
                }
                None => What::Discarded,
            }
        };
        Ok(Seen { number, hash, what })
    }

    /// The same without what only looks like an event of records: a contract has emitted it that had not their
    /// code when the block began. None if the node has discarded the state of then, that after the parent.
    async fn of_records(
        &self,
        mut found: Emissions,
        parent: Option<H256>,
    ) -> Result<Option<Emissions>, Error> {
        let emitters = found.events.iter().map(|event| event.contract);
        let others: BTreeSet<Address> = emitters
            .filter(|contract| !self.contracts.contains(contract))
            .collect();
        let mut records = BTreeSet::new();
        for contract in others {
            let codes = self.signed_records;
            let Some(parent) = parent.filter(|_| !codes.is_empty()) else {
                continue;
            };
            let began = self.client.began_with_code(TASK, contract, codes, parent);
            match began.await? {
                Some(true) => _ = records.insert(contract),
                Some(false) => {}
                None => return Ok(None),
            }
        }
        // Where ends are believed by code, a contract that was named, and so is not asked for it, tells of none.
        let is_by_code = !self.signed_records.is_empty();
        found.events.retain(|event| {
            let is_named = self.contracts.contains(&event.contract);
            let is_end = is_by_code && event.of_signed_records().is_some();
            records.contains(&event.contract) || (is_named && !is_end)
        });
        Ok(Some(found))
    }
}
