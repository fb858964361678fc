//! Transactions that wait for a block.
//!
//! A transaction says by tags what it needs and what it gives: that of an account's nonce 5 needs
//! nonce 4's. What needs nothing missing is ready; the rest waits.

use std::collections::{BTreeSet, HashMap, HashSet};

use sp_runtime::transaction_validity::{TransactionTag, ValidTransaction};
use tokio::sync::mpsc::UnboundedSender;

use crate::runtime::{BlockNumber, Hash, UncheckedExtrinsic};

/// How many transactions may wait.
pub const MAX_TRANSACTIONS: usize = 8192;
/// How many bytes they may have in all.
pub const MAX_BYTES: usize = 20 << 20;

/// How far a transaction has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TxStatus {
    /// Waits for another of the same account.
    Future,
    /// Goes into one of the next blocks.
    Ready,
    /// Is in this block, as its transaction of this index, which is final.
    InBlock(Hash, u32),
    /// Another with the same nonce and a higher tip took its place.
    Usurped(Hash),
    /// Became invalid before it came into a block.
    Invalid,
    /// Was thrown out.
    Dropped,
}

/// Why a transaction was not taken into the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// It is there already.
    #[error("the transaction waits for a block already")]
    AlreadyImported,
    /// Another with the same nonce waits and has the same or a higher priority.
    #[error("another transaction with this nonce waits; give a higher tip to replace it")]
    TooLowPriority,
    /// No room.
    #[error("too many transactions wait; try again after the next block")]
    Full,
}

/// A transaction to be pooled.
pub struct Transaction {
    pub hash: Hash,
    pub bytes: Vec<u8>,
    pub decoded: UncheckedExtrinsic,
    pub validity: ValidTransaction,
    pub watcher: Option<UnboundedSender<TxStatus>>,
}

struct Entry {
    transaction: Transaction,
    /// Tags it needs that no block and no ready transaction has given yet.
    missing: HashSet<TransactionTag>,
    /// The order of arrival.
    arrival: u64,
    expires: u64,
}

impl Entry {
    fn tell(&self, status: TxStatus) {
        if let Some(watcher) = &self.transaction.watcher {
            // A watcher that went away is not missed.
            let _ = watcher.send(status);
        }
    }
}

/// The pool. Not aware of blocks: it is told what they took.
#[derive(Default)]
pub struct Pool {
    entries: HashMap<Hash, Entry>,
    /// Who gives a tag.
    givers: HashMap<TransactionTag, Hash>,
    /// Ready ones, those that come first in front: by priority, then by arrival.
    ready: BTreeSet<(std::cmp::Reverse<u64>, u64, Hash)>,
    bytes: usize,
    arrivals: u64,
}

impl Pool {
    /// Whether a block could take any.
    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// The bytes of all that wait, ready ones first.
    pub fn pending(&self) -> impl Iterator<Item = &[u8]> {
        let ready = self.ready.iter().filter_map(|key| self.entries.get(&key.2));
        let future = self
            .entries
            .values()
            .filter(|entry| !entry.missing.is_empty());
        ready
            .chain(future)
            .map(|entry| entry.transaction.bytes.as_slice())
    }

    /// Whether a transaction that waits gives this tag.
    pub fn gives(&self, tag: &TransactionTag) -> bool {
        self.givers.contains_key(tag)
    }

    /// Takes a transaction that was validated on the state of block `best`.
    ///
    /// # Errors
    /// Returned if it is there already, if one with the same nonce is and pays no less, and if the
    /// pool is full, in this order. Nothing is changed then.
    pub fn insert(&mut self, transaction: Transaction, best: BlockNumber) -> Result<(), PoolError> {
        if self.entries.contains_key(&transaction.hash) {
            return Err(PoolError::AlreadyImported);
        }
        let rivals: HashSet<Hash> = transaction
            .validity
            .provides
            .iter()
            .filter_map(|tag| self.givers.get(tag).copied())
            .collect();
        for rival in &rivals {
            let priority = self.entries[rival].transaction.validity.priority;
            if transaction.validity.priority <= priority {
                return Err(PoolError::TooLowPriority);
            }
        }
        if rivals.is_empty()
            && (self.entries.len() >= MAX_TRANSACTIONS
                || self.bytes + transaction.bytes.len() > MAX_BYTES)
        {
            return Err(PoolError::Full);
        }
        for rival in rivals {
            if let Some(entry) = self.take(&rival) {
                entry.tell(TxStatus::Usurped(transaction.hash));
            }
        }
        let missing: HashSet<TransactionTag> = transaction
            .validity
            .requires
            .iter()
            .filter(|tag| !self.is_given_by_ready(tag))
            .cloned()
            .collect();
        let hash = transaction.hash;
        let entry = Entry {
            missing,
            arrival: self.arrivals,
            expires: u64::from(best).saturating_add(transaction.validity.longevity),
            transaction,
        };
        self.arrivals += 1;
        self.bytes += entry.transaction.bytes.len();
        for tag in &entry.transaction.validity.provides {
            self.givers.insert(tag.clone(), hash);
        }
        let is_ready = entry.missing.is_empty();
        if !is_ready {
            entry.tell(TxStatus::Future);
        }
        self.entries.insert(hash, entry);
        if is_ready {
            self.promote(hash);
        }
        Ok(())
    }

    fn is_given_by_ready(&self, tag: &TransactionTag) -> bool {
        self.givers
            .get(tag)
            .and_then(|giver| self.entries.get(giver))
            .is_some_and(|entry| entry.missing.is_empty())
    }

    /// Makes a transaction ready, and those that waited for it alone.
    fn promote(&mut self, first: Hash) {
        let mut next = vec![first];
        while let Some(hash) = next.pop() {
            let Some(entry) = self.entries.get(&hash) else {
                continue;
            };
            entry.tell(TxStatus::Ready);
            let priority = std::cmp::Reverse(entry.transaction.validity.priority);
            self.ready.insert((priority, entry.arrival, hash));
            let provides = entry.transaction.validity.provides.clone();
            next.extend(self.give(&provides));
        }
    }

    /// Strikes tags off what others miss; returns those that miss nothing any more.
    fn give(&mut self, tags: &[TransactionTag]) -> Vec<Hash> {
        let mut freed = Vec::new();
        for (hash, entry) in &mut self.entries {
            if entry.missing.is_empty() {
                continue;
            }
            for tag in tags {
                entry.missing.remove(tag);
            }
            if entry.missing.is_empty() {
                freed.push(*hash);
            }
        }
        freed
    }

    /// The first `most` ready ones, as they are to be tried: by priority and arrival, one that
    /// needs another after that one.
    pub fn candidates(&self, most: usize) -> Vec<(Hash, UncheckedExtrinsic)> {
        let mut given: HashSet<&TransactionTag> = HashSet::new();
        let mut waiting: Vec<&Entry> = Vec::new();
        let mut order: Vec<&Entry> = Vec::new();
        let needs_nothing_else = |entry: &Entry, given: &HashSet<&TransactionTag>| {
            let mut requires = entry.transaction.validity.requires.iter();
            requires.all(|tag| given.contains(tag) || !self.givers.contains_key(tag))
        };
        for key in &self.ready {
            let entry = &self.entries[&key.2];
            if !needs_nothing_else(entry, &given) {
                waiting.push(entry);
                continue;
            }
            if order.len() >= most {
                break;
            }
            order.push(entry);
            given.extend(&entry.transaction.validity.provides);
            // What came earlier and waited for this one follows it.
            while let Some(at) = waiting
                .iter()
                .position(|entry| needs_nothing_else(entry, &given))
            {
                let entry = waiting.remove(at);
                order.push(entry);
                given.extend(&entry.transaction.validity.provides);
            }
        }
        order
            .into_iter()
            .map(|Entry { transaction, .. }| (transaction.hash, transaction.decoded.clone()))
            .collect()
    }

    fn take(&mut self, hash: &Hash) -> Option<Entry> {
        let entry = self.entries.remove(hash)?;
        let priority = std::cmp::Reverse(entry.transaction.validity.priority);
        self.ready.remove(&(priority, entry.arrival, *hash));
        self.bytes -= entry.transaction.bytes.len();
        for tag in &entry.transaction.validity.provides {
            self.givers.remove(tag);
        }
        Some(entry)
    }

    /// A block took this transaction.
    pub fn included(&mut self, hash: &Hash, block: Hash, index: u32) {
        let Some(entry) = self.take(hash) else { return };
        entry.tell(TxStatus::InBlock(block, index));
        for freed in self.give(&entry.transaction.validity.provides) {
            self.promote(freed);
        }
    }

    /// Throws out a transaction; those that need it wait again.
    pub fn remove(&mut self, hash: &Hash, status: TxStatus) -> bool {
        let Some(entry) = self.take(hash) else {
            return false;
        };
        entry.tell(status);
        let mut lost = entry.transaction.validity.provides;
        while let Some(tag) = lost.pop() {
            for (hash, entry) in &mut self.entries {
                if entry.transaction.validity.requires.contains(&tag)
                    && entry.missing.insert(tag.clone())
                    && entry.missing.len() == 1
                {
                    let priority = std::cmp::Reverse(entry.transaction.validity.priority);
                    self.ready.remove(&(priority, entry.arrival, *hash));
                    entry.tell(TxStatus::Future);
                    lost.extend(entry.transaction.validity.provides.iter().cloned());
                }
            }
        }
        true
    }

    /// Throws out everything.
    pub fn clear(&mut self) {
        for entry in std::mem::take(self).entries.values() {
            entry.tell(TxStatus::Dropped);
        }
    }

    /// Throws out what block `best` outlived.
    pub fn expire(&mut self, best: BlockNumber) {
        let expired: Vec<Hash> = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.expires < u64::from(best))
            .map(|(hash, _)| *hash)
            .collect();
        for hash in expired {
            self.remove(&hash, TxStatus::Invalid);
        }
    }
}
