//! The pool: transactions that wait for a block.
//!
//! A transaction names by tags what it requires and what it provides: an account's transaction
//! with nonce 5 requires the tag that the one with nonce 4 provides. A transaction is ready once
//! everything that it requires is in a block, or is provided by another that is ready.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap, HashSet},
    fmt,
};

use sp_runtime::transaction_validity::{TransactionTag, ValidTransaction};
use tokio::sync::mpsc::UnboundedSender;

use crate::runtime::{BlockNumber, Hash, UncheckedExtrinsic};

/// How many transactions the pool holds at most.
const MAX_TRANSACTIONS: usize = 8192;
/// How many bytes the transactions in the pool may have together.
const MAX_BYTES: usize = 20 << 20;

/// The status of a submitted transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TxStatus {
    /// It waits for a transaction with a lower nonce.
    Future,
    /// It can go into the next block.
    Ready,
    /// It is in the block of this hash, which is final, at this index. Index 0 is the transaction
    /// that sets the block's time.
    InBlock(Hash, u32),
    /// The transaction of this hash, with the same nonce and a higher tip, replaced it.
    Usurped(Hash),
    /// It became invalid before it came into a block.
    Invalid,
    /// The pool dropped it.
    Dropped,
}

impl fmt::Display for TxStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Future => f.write_str("waits for a transaction with a lower nonce"),
            Self::Ready => f.write_str("waits for the next block"),
            Self::InBlock(block, index) => write!(f, "in block {block:?} at index {index}"),
            Self::Usurped(by) => write!(f, "replaced by {by:?}"),
            Self::Invalid => f.write_str("no longer valid"),
            Self::Dropped => f.write_str("dropped"),
        }
    }
}

/// Why a transaction was not taken into the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// It is in the pool already.
    #[error("the transaction waits for a block already")]
    AlreadyImported,
    /// The pool has a transaction with the same nonce and at least the same priority.
    #[error("another transaction with this nonce waits; give a higher tip to replace it")]
    TooLowPriority,
    /// The pool is full: it holds 8192 transactions, or 20 MiB.
    #[error("too many transactions wait; try again after the next block")]
    Full,
}

/// A transaction for the pool, validated on the state after the best block.
pub struct Transaction {
    pub hash: Hash,
    /// The SCALE-encoded transaction.
    pub bytes: Vec<u8>,
    pub decoded: UncheckedExtrinsic,
    pub validity: ValidTransaction,
    /// Gets every status of the transaction.
    pub watcher: Option<UnboundedSender<TxStatus>>,
}

/// A transaction in the pool.
struct Entry {
    transaction: Transaction,
    /// The required tags that neither a block nor a ready transaction has provided yet.
    missing: HashSet<TransactionTag>,
    /// How many transactions came before this one.
    arrival: u64,
    /// The number of the last block on which it is valid.
    expires: u64,
}

impl Entry {
    fn tell(&self, status: TxStatus) {
        if let Some(watcher) = &self.transaction.watcher {
            // An error means that the watcher went away.
            let _ = watcher.send(status);
        }
    }

    /// Its place among the ready transactions: by priority, then by arrival.
    fn rank(&self) -> Rank {
        let Transaction { hash, validity, .. } = &self.transaction;
        (Reverse(validity.priority), self.arrival, *hash)
    }
}

type Rank = (Reverse<u64>, u64, Hash);

/// The pool. It does not follow the chain: [`Pool::included`] and [`Pool::expire`] tell it about
/// new blocks.
#[derive(Default)]
pub struct Pool {
    entries: HashMap<Hash, Entry>,
    /// The transaction that provides a tag.
    providers: HashMap<TransactionTag, Hash>,
    /// The ready transactions, the next one first.
    ready: BTreeSet<Rank>,
    /// The length of all transactions together.
    bytes: usize,
    arrivals: u64,
}

impl Pool {
    /// Whether there is a transaction for the next block.
    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// The SCALE-encoded transactions, ready ones first.
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

    /// Whether a transaction in the pool provides this tag.
    pub fn provides(&self, tag: &TransactionTag) -> bool {
        self.providers.contains_key(tag)
    }

    /// Takes a transaction. `best` is the number of the block on which it was validated.
    ///
    /// # Errors
    /// Returned if it is in the pool already, if one with the same nonce and at least the same
    /// priority is, and if the pool is full, in this order. The pool is unchanged then.
    pub fn insert(&mut self, transaction: Transaction, best: BlockNumber) -> Result<(), PoolError> {
        if self.entries.contains_key(&transaction.hash) {
            return Err(PoolError::AlreadyImported);
        }
        let rivals: HashSet<Hash> = transaction
            .validity
            .provides
            .iter()
            .filter_map(|tag| self.providers.get(tag).copied())
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
            .filter(|tag| !self.is_provided_by_ready(tag))
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
            self.providers.insert(tag.clone(), hash);
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

    fn is_provided_by_ready(&self, tag: &TransactionTag) -> bool {
        self.providers
            .get(tag)
            .and_then(|provider| self.entries.get(provider))
            .is_some_and(|entry| entry.missing.is_empty())
    }

    /// Makes a transaction ready, and then those that miss nothing else.
    fn promote(&mut self, first: Hash) {
        let mut next = vec![first];
        while let Some(hash) = next.pop() {
            let Some(entry) = self.entries.get(&hash) else {
                continue;
            };
            entry.tell(TxStatus::Ready);
            self.ready.insert(entry.rank());
            let provides = entry.transaction.validity.provides.clone();
            next.extend(self.provide(&provides));
        }
    }

    /// Removes tags from those that transactions miss. Returns the transactions that miss nothing
    /// any more.
    fn provide(&mut self, tags: &[TransactionTag]) -> Vec<Hash> {
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

    /// The first `most` ready transactions in the order in which a block tries them: by priority
    /// and arrival, but each one after those that it requires.
    pub fn candidates(&self, most: usize) -> Vec<(Hash, UncheckedExtrinsic)> {
        let mut provided: HashSet<&TransactionTag> = HashSet::new();
        let mut waiting: Vec<&Entry> = Vec::new();
        let mut order: Vec<&Entry> = Vec::new();
        let is_next = |entry: &Entry, provided: &HashSet<&TransactionTag>| {
            let mut requires = entry.transaction.validity.requires.iter();
            requires.all(|tag| provided.contains(tag) || !self.providers.contains_key(tag))
        };
        for key in &self.ready {
            let entry = &self.entries[&key.2];
            if !is_next(entry, &provided) {
                waiting.push(entry);
                continue;
            }
            if order.len() >= most {
                break;
            }
            order.push(entry);
            provided.extend(&entry.transaction.validity.provides);
            // Transactions of a higher rank that required this one follow it.
            while let Some(at) = waiting.iter().position(|entry| is_next(entry, &provided)) {
                let entry = waiting.remove(at);
                order.push(entry);
                provided.extend(&entry.transaction.validity.provides);
            }
        }
        order
            .into_iter()
            .map(|Entry { transaction, .. }| (transaction.hash, transaction.decoded.clone()))
            .collect()
    }

    /// Takes a transaction out, without a word to those that require it.
    fn take(&mut self, hash: &Hash) -> Option<Entry> {
        let entry = self.entries.remove(hash)?;
        self.ready.remove(&entry.rank());
        self.bytes -= entry.transaction.bytes.len();
        for tag in &entry.transaction.validity.provides {
            self.providers.remove(tag);
        }
        Some(entry)
    }

    /// Removes a transaction that a block contains, at this index.
    pub fn included(&mut self, hash: &Hash, block: Hash, index: u32) {
        let Some(entry) = self.take(hash) else { return };
        entry.tell(TxStatus::InBlock(block, index));
        for freed in self.provide(&entry.transaction.validity.provides) {
            self.promote(freed);
        }
    }

    /// Drops a transaction with this last status. Those that require it wait again.
    pub fn remove(&mut self, hash: &Hash, status: TxStatus) {
        let Some(entry) = self.take(hash) else { return };
        entry.tell(status);
        let mut lost = entry.transaction.validity.provides;
        while let Some(tag) = lost.pop() {
            for entry in self.entries.values_mut() {
                if entry.transaction.validity.requires.contains(&tag)
                    && entry.missing.insert(tag.clone())
                    && entry.missing.len() == 1
                {
                    self.ready.remove(&entry.rank());
                    entry.tell(TxStatus::Future);
                    lost.extend(entry.transaction.validity.provides.iter().cloned());
                }
            }
        }
    }

    /// Drops all transactions.
    pub fn clear(&mut self) {
        for entry in std::mem::take(self).entries.values() {
            entry.tell(TxStatus::Dropped);
        }
    }

    /// Drops the transactions that are not valid after block `best` any more.
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
