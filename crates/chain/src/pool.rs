//! The pool: transactions that wait for a block.
//!
//! A transaction names by tags what it requires and what it provides: an account's transaction
//! with nonce 5 requires the tag that the one with nonce 4 provides. A transaction is ready once
//! everything that it requires is in a block, or is provided by another that is ready.
//!
//! A transaction that came into a block is watched until the block is final, as a retracted block
//! gives it back.

use std::{
    cell::RefCell,
    cmp::Reverse,
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
    fmt,
};

use sp_runtime::transaction_validity::{TransactionTag, ValidTransaction};
use tokio::sync::mpsc::UnboundedSender;

use crate::runtime::{BlockNumber, Hash};

const MAX_TRANSACTIONS: usize = 8192;
/// How many bytes the transactions in the pool may have together.
const MAX_BYTES: usize = 20 << 20;
/// How many blocks that are not final have watched transactions at most, as on a Substrate node.
const MAX_WATCHED_BLOCKS: usize = 512;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TxStatus {
    /// It waits for a transaction with a lower nonce.
    Future,
    /// It can go into the next block.
    Ready,
    /// It is in the block of this hash, at this index. Index 0 is the transaction that sets the
    /// block's time.
    InBlock(Hash, u32),
    /// The block of this hash, which contained it, is not on the best branch any more.
    Retracted(Hash),
    /// The block of this hash, which contains it at this index, is final.
    Finalized(Hash, u32),
    /// The block of this hash, which contains it, was not final 512 blocks later, and the
    /// transaction is not watched any more.
    FinalityTimeout(Hash),
    /// The transaction of this hash, with the same nonce and a higher tip, replaced it.
    Usurped(Hash),
    /// It became invalid before it came into a block.
    Invalid,
    Dropped,
}

impl TxStatus {
    /// Whether no other status follows this one.
    pub fn is_last(&self) -> bool {
        match self {
            Self::Future | Self::Ready | Self::InBlock(..) | Self::Retracted(_) => false,
            Self::Finalized(..)
            | Self::FinalityTimeout(_)
            | Self::Usurped(_)
            | Self::Invalid
            | Self::Dropped => true,
        }
    }
}

impl fmt::Display for TxStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Future => f.write_str("waits for a transaction with a lower nonce"),
            Self::Ready => f.write_str("waits for the next block"),
            Self::InBlock(block, index) => write!(f, "in block {block:?} at index {index}"),
            Self::Retracted(block) => write!(f, "no longer in a block: {block:?} was retracted"),
            Self::Finalized(block, index) => {
                write!(f, "in the final block {block:?} at index {index}")
            }
            Self::FinalityTimeout(block) => write!(f, "block {block:?} does not become final"),
            Self::Usurped(by) => write!(f, "replaced by {by:?}"),
            Self::Invalid => f.write_str("no longer valid"),
            Self::Dropped => f.write_str("dropped"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    #[error("the transaction waits for a block already")]
    AlreadyImported,
    /// The pool has a transaction with the same nonce and at least the same priority.
    #[error("another transaction with this nonce waits; give a higher tip to replace it")]
    TooLowPriority,
    /// The pool is full: it holds 8192 transactions, or 20 MiB.
    #[error("too many transactions wait; try again after the next block")]
    Full,
}

/// Where the statuses of a transaction go.
pub struct Watcher {
    statuses: UnboundedSender<TxStatus>,
    /// The last status told, which is not told again.
    last: RefCell<Option<TxStatus>>,
}

impl Watcher {
    pub fn new(statuses: UnboundedSender<TxStatus>) -> Self {
        Self {
            statuses,
            last: RefCell::default(),
        }
    }

    pub fn tell(&self, status: TxStatus) {
        if self.last.replace(Some(status.clone())).as_ref() != Some(&status) {
            // An error means that the watcher went away.
            let _ = self.statuses.send(status);
        }
    }
}

/// A watched transaction in a block that is not final.
struct Included {
    hash: Hash,
    index: u32,
    watcher: Watcher,
}

/// A transaction for the pool, validated on the state after the best block.
pub struct Transaction {
    pub hash: Hash,
    /// The SCALE-encoded transaction.
    pub bytes: Vec<u8>,
    pub validity: ValidTransaction,
    pub watcher: Option<Watcher>,
}

/// A transaction that is to be validated again, on another branch.
pub struct Returned {
    pub hash: Hash,
    pub bytes: Vec<u8>,
    pub watcher: Option<Watcher>,
}

impl Returned {
    pub fn tell(&self, status: TxStatus) {
        if let Some(watcher) = &self.watcher {
            watcher.tell(status);
        }
    }
}

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
            watcher.tell(status);
        }
    }

    /// Its place among the ready transactions: by priority, then by arrival.
    fn rank(&self) -> Rank {
        let Transaction { hash, validity, .. } = &self.transaction;
        (Reverse(validity.priority), self.arrival, *hash)
    }
}

type Rank = (Reverse<u64>, u64, Hash);

/// The pool. It does not follow the chain: [`Pool::included`], [`Pool::expire`],
/// [`Pool::finalized`] and [`Pool::retracted`] tell it about blocks.
#[derive(Default)]
pub struct Pool {
    entries: HashMap<Hash, Entry>,
    providers: HashMap<TransactionTag, Hash>,
    /// The ready transactions, the next one first.
    ready: BTreeSet<Rank>,
    /// The length of all transactions together.
    bytes: usize,
    arrivals: u64,
    /// The watched transactions in blocks that are not final, the oldest block first.
    watched: VecDeque<(Hash, Vec<Included>)>,
}

impl Pool {
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

    pub fn provides(&self, tag: &TransactionTag) -> bool {
        self.providers.contains_key(tag)
    }

    /// Takes a transaction. `best` is the number of the block on which it was validated.
    ///
    /// # Errors
    /// Returned if it is in the pool already, if one with the same nonce and at least the same
    /// priority is, and if the pool is full, in this order. The pool is unchanged then.
    pub fn insert(&mut self, transaction: Transaction, best: BlockNumber) -> Result<(), PoolError> {
        let rivals = self.rivals(&transaction)?;
        self.put(transaction, best, rivals);
        Ok(())
    }

    /// Takes a transaction back that the pool had taken before, or drops it if it can't. `best` is
    /// the number of the block on which it was validated.
    pub fn take_back(&mut self, transaction: Transaction, best: BlockNumber) {
        match self.rivals(&transaction) {
            Ok(rivals) => self.put(transaction, best, rivals),
            Err(_) => {
                if let Some(watcher) = &transaction.watcher {
                    watcher.tell(TxStatus::Dropped);
                }
            }
        }
    }

    /// The transactions that this one replaces.
    ///
    /// # Errors
    /// As [`Pool::insert`].
    fn rivals(&self, transaction: &Transaction) -> Result<HashSet<Hash>, PoolError> {
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
        Ok(rivals)
    }

    fn put(&mut self, transaction: Transaction, best: BlockNumber, rivals: HashSet<Hash>) {
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
    pub fn candidates(&self, most: usize) -> Vec<(Hash, Vec<u8>)> {
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
            .map(|Entry { transaction, .. }| (transaction.hash, transaction.bytes.clone()))
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

    /// Removes the transactions that a block contains, at these indices.
    pub fn included(&mut self, block: Hash, transactions: &[(Hash, u32)]) {
        let mut watched = Vec::new();
        for (hash, index) in transactions {
            let Some(entry) = self.take(hash) else {
                continue;
            };
            entry.tell(TxStatus::InBlock(block, *index));
            let Transaction {
                validity, watcher, ..
            } = entry.transaction;
            watched.extend(watcher.map(|watcher| Included {
                hash: *hash,
                index: *index,
                watcher,
            }));
            for freed in self.provide(&validity.provides) {
                self.promote(freed);
            }
        }
        if watched.is_empty() {
            return;
        }
        self.watched.push_back((block, watched));
        if self.watched.len() > MAX_WATCHED_BLOCKS
            && let Some((block, given_up)) = self.watched.pop_front()
        {
            for Included { watcher, .. } in given_up {
                watcher.tell(TxStatus::FinalityTimeout(block));
            }
        }
    }

    /// Tells the watchers of a block's transactions that the block is final.
    pub fn finalized(&mut self, block: &Hash) {
        for Included { index, watcher, .. } in self.unwatch(block) {
            watcher.tell(TxStatus::Finalized(*block, index));
        }
    }

    /// Tells the watchers of a block's transactions that the block is not on the best branch any
    /// more, and returns them with the hashes of the transactions.
    pub fn retracted(&mut self, block: &Hash) -> HashMap<Hash, Watcher> {
        let included = self.unwatch(block).into_iter();
        included
            .map(|Included { hash, watcher, .. }| {
                watcher.tell(TxStatus::Retracted(*block));
                (hash, watcher)
            })
            .collect()
    }

    fn unwatch(&mut self, block: &Hash) -> Vec<Included> {
        let at = self.watched.iter().position(|(hash, _)| hash == block);
        at.and_then(|at| self.watched.remove(at))
            .map(|(_, included)| included)
            .unwrap_or_default()
    }

    /// Takes all waiting transactions out, in the order in which they came, to be validated again.
    pub fn drain(&mut self) -> Vec<Returned> {
        let mut entries: Vec<Entry> = std::mem::take(&mut self.entries).into_values().collect();
        self.providers.clear();
        self.ready.clear();
        self.bytes = 0;
        entries.sort_unstable_by_key(|entry| entry.arrival);
        entries
            .into_iter()
            .map(|Entry { transaction, .. }| Returned {
                hash: transaction.hash,
                bytes: transaction.bytes,
                watcher: transaction.watcher,
            })
            .collect()
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

    pub fn clear(&mut self) {
        for transaction in self.drain() {
            transaction.tell(TxStatus::Dropped);
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
