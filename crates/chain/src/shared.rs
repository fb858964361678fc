//! What the handles of a chain and its block author share: store, heads, pool and clock.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use codec::Encode;
use parking_lot::{Mutex, MutexGuard, RwLock, RwLockReadGuard};
use sp_runtime::{
    traits::{BlakeTwo256, Hash as _, Header as _},
    transaction_validity::{TransactionSource, ValidTransaction},
};
use tokio::sync::{broadcast, mpsc::UnboundedSender, watch};

use crate::{
    clock::RunningClock,
    error::{BlockError, OpenError, ReadError, StoreError, SubmitError},
    execute,
    finality::{Finality, Retracted},
    genesis,
    heads::{FinalBlocks, Follow, Head, Heads, NewBlock, Update},
    options::Options,
    pool::{Pool, Returned, Transaction, TxStatus, Watcher},
    runtime::{AccountId, Code, Hash, Header, Nonce, Runtime},
    state::{self, Backend, States},
    store::{Finalized, Store, StoredBlock},
};

/// How many updates a subscriber may lag behind before it misses some.
const UPDATE_BUFFER: usize = 2048;

/// A chain's parts. The block author writes the store and the heads; everybody else reads them.
pub struct Shared {
    pub store: Store,
    pub clock: RunningClock,
    pub genesis: Hash,
    states: States,
    finality: Finality,
    /// How many final blocks have a state. `None`: all.
    keep_states: Option<u32>,
    /// Whether no more blocks become final.
    stalled: AtomicBool,
    /// Written only while the pool is locked. Updates are sent while it is locked for writing, so
    /// that nobody who reads it and subscribes misses one.
    heads: RwLock<Heads>,
    pool: Mutex<Pool>,
    updates: broadcast::Sender<Update>,
    /// Why no more transactions are taken. After a failed write the store refuses all later ones,
    /// until it is opened again.
    halted: watch::Sender<Option<BlockError>>,
}

fn head_of(block: &NewBlock) -> Arc<Head> {
    Arc::new(Head {
        hash: block.hash,
        header: block.header.clone(),
        code: block.code,
    })
}

fn heads(
    store: &Store,
    states: &States,
    best: Header,
    finality: Finality,
) -> Result<Heads, OpenError> {
    let head = |header: Header| -> Result<Arc<Head>, StoreError> {
        let code = state::code(&states.at(store, *header.state_root(), true)?)?;
        Ok(Head::new(header, code))
    };
    let best = head(best)?;
    // The finality of this run may reach further than that of the last one. What was final stays
    // final.
    let noted = store.finalized()?.unwrap_or(best.header.number);
    let header = store.header(noted)?.ok_or(OpenError::NoGenesis)?;
    let mut heads = Heads {
        best: best.clone(),
        finalized: head(header)?,
        pending: Vec::new(),
    };
    for number in noted + 1..=best.header.number {
        let header = store.header(number)?.ok_or(OpenError::NoGenesis)?;
        heads.pending.push(head(header)?);
    }
    for header in store.side()? {
        let parent = header.parent_hash;
        let is_known = heads.finalized.hash == parent
            || heads.pending.iter().any(|block| block.hash == parent);
        if is_known {
            heads.pending.push(head(header)?);
        }
    }
    if let Some(blocks) = heads.finalizing(&best, finality.reaches(best.header.number)) {
        store.finalize(&Finalized {
            number: blocks.header.number,
            pruned: &blocks.pruned,
        })?;
        heads.finalize(&blocks);
    }
    Ok(heads)
}

impl Shared {
    /// Opens the store, and makes block 0 if there is none. Tells whether it made it.
    ///
    /// # Errors
    /// As [`Chain::open`](crate::Chain::open).
    pub fn open(options: &Options) -> Result<(Self, bool), OpenError> {
        let store = Store::open(&options.storage)?;
        let states = States::new();
        let is_new = store.last()?.is_none();
        if is_new {
            genesis::store_genesis(&store, &states)?;
        }
        let (Some(first), Some(last)) = (store.header(0)?, store.last()?) else {
            return Err(OpenError::NoGenesis);
        };
        let heads = heads(&store, &states, last.header, options.finality)?;
        let shared = Self {
            store,
            clock: RunningClock::new(options.clock),
            genesis: first.hash(),
            states,
            finality: options.finality,
            // The last final block always has a state.
            keep_states: options.keep_states.map(|blocks| blocks.max(1)),
            stalled: AtomicBool::new(false),
            heads: RwLock::new(heads),
            pool: Mutex::default(),
            updates: broadcast::channel(UPDATE_BUFFER).0,
            halted: watch::Sender::default(),
        };
        Ok((shared, is_new))
    }

    /// The best block.
    pub fn head(&self) -> Arc<Head> {
        self.heads.read().best.clone()
    }

    /// The heads, which don't move as long as the guard lives.
    pub fn heads(&self) -> RwLockReadGuard<'_, Heads> {
        self.heads.read()
    }

    pub fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock()
    }

    pub fn subscribe(&self) -> broadcast::Receiver<Update> {
        self.updates.subscribe()
    }

    pub fn follow(&self) -> Follow {
        let heads = self.heads();
        Follow {
            best: heads.best.clone(),
            finalized: heads.finalized.clone(),
            pending: heads.pending.clone(),
            updates: self.subscribe(),
        }
    }

    /// Stops blocks from becoming final, or lets them again. For the block author alone: a block
    /// that is being made must not become final after this.
    pub fn stall(&self, stalled: bool) {
        self.stalled.store(stalled, Ordering::Release);
    }

    /// What becomes final with `best` as the best block.
    pub fn finalizing(&self, best: &Arc<Head>) -> Option<FinalBlocks> {
        if self.stalled.load(Ordering::Acquire) {
            return None;
        }
        let number = self.finality.reaches(best.header.number);
        self.heads().finalizing(best, number)
    }

    /// Whether the state after this block is kept.
    ///
    /// # Errors
    /// Returned if the store fails.
    pub fn keeps_state(&self, hash: &Hash, header: &Header) -> Result<bool, StoreError> {
        let Some(kept) = self.keep_states else {
            return Ok(true);
        };
        let finalized = {
            let heads = self.heads();
            let finalized = heads.finalized.header.number;
            if header.number > finalized {
                return Ok(heads.pending.iter().any(|block| block.hash == *hash));
            }
            finalized
        };
        if header.number + kept <= finalized {
            return Ok(false);
        }
        let canonical = self.store.header(header.number)?;
        Ok(canonical.is_some_and(|canonical| canonical.hash() == *hash))
    }

    /// The state after the block with this header. `trusted`: see [`States::at`].
    pub fn state(&self, header: &Header, trusted: bool) -> Result<Backend, StoreError> {
        self.states.at(&self.store, *header.state_root(), trusted)
    }

    /// Runs `read` on the state after the block with this header, on behalf of somebody outside.
    pub fn peek<R>(&self, header: &Header, read: impl FnOnce() -> R) -> Result<R, ReadError> {
        Ok(execute::peek(&self.state(header, false)?, read)?)
    }

    /// The nonce of an account's next transaction, after those in the pool.
    pub fn next_nonce(&self, account: &AccountId) -> Result<Nonce, ReadError> {
        let mut nonce = self.peek(&self.head().header, || {
            frame_system::Pallet::<Runtime>::account_nonce(account)
        })?;
        let pool = self.pool();
        // The tag that `CheckNonce` gives a transaction is its account and nonce.
        while pool.provides(&(account, nonce).encode()) {
            nonce += 1;
        }
        Ok(nonce)
    }

    fn validate(&self, head: &Head, transaction: &[u8]) -> Result<ValidTransaction, SubmitError> {
        // A transaction of another version that this one can't decode makes it panic, as it does on a
        // Substrate node.
        if let Err(error) = head.code.check(transaction)
            && !Code::ALL.iter().any(|code| code.check(transaction).is_ok())
        {
            return Err(SubmitError::Malformed(error));
        }
        self.peek(&head.header, || {
            head.code
                .validate(TransactionSource::External, transaction, head.hash)
        })?
        .map_err(SubmitError::Invalid)
    }

    /// Checks a transaction and puts it into the pool. Returns its hash, and whether the pool has
    /// transactions for a block now.
    pub fn submit(
        &self,
        bytes: Vec<u8>,
        watcher: Option<UnboundedSender<TxStatus>>,
    ) -> Result<(Hash, bool), SubmitError> {
        let hash = BlakeTwo256::hash(&bytes);
        let checked = self.head();
        let mut validity = self.validate(&checked, &bytes)?;
        let mut pool = self.pool();
        if let Some(cause) = self.halted() {
            return Err(SubmitError::Halted(cause));
        }
        // From here on the head can't change, as that takes the pool's lock. It may have changed
        // during the check above.
        let head = self.head();
        if head.hash != checked.hash {
            validity = self.validate(&head, &bytes)?;
        }
        let transaction = Transaction {
            hash,
            bytes,
            validity,
            watcher: watcher.map(Watcher::new),
        };
        pool.insert(transaction, *head.header.number())?;
        Ok((hash, pool.has_ready()))
    }

    /// Tells about a stored block that is not the best one.
    pub fn import(&self, block: NewBlock) {
        let _pool = self.pool();
        let mut heads = self.heads.write();
        heads.pending.push(head_of(&block));
        // An error means that there are no subscribers.
        let _ = self.updates.send(Update::Block(block));
    }

    /// Makes a stored block the best one, takes its transactions and the invalid ones out of the
    /// pool, and tells watchers and subscribers.
    pub fn advance(
        &self,
        block: NewBlock,
        finalized: Option<FinalBlocks>,
        included: &[(Hash, u32)],
        invalid: &[Hash],
    ) {
        let mut pool = self.pool();
        let hash = block.hash;
        let number = *block.header.number();
        let is_upgrade = block.code != self.head().code;
        self.move_heads(&mut pool, Some(block), None);
        pool.included(hash, included);
        for transaction in invalid {
            pool.remove(transaction, TxStatus::Invalid);
        }
        pool.expire(number);
        if is_upgrade {
            // Signatures are for one version of the runtime.
            let waiting = pool.drain();
            self.validate_again(&mut pool, waiting);
        }
        self.move_heads(&mut pool, None, finalized);
    }

    /// Makes stored blocks final and tells watchers and subscribers.
    pub fn finalize(&self, blocks: FinalBlocks) {
        self.move_heads(&mut self.pool(), None, Some(blocks));
    }

    /// Makes the stored last block of another branch the best one, and validates all transactions
    /// in the pool again, those of the `retracted` blocks among them if they are to come back.
    pub fn switch(
        &self,
        block: NewBlock,
        finalized: Option<FinalBlocks>,
        retracted: Vec<StoredBlock>,
        back: Retracted,
    ) {
        let mut pool = self.pool();
        self.move_heads(&mut pool, Some(block), None);
        let mut waiting = Vec::new();
        for StoredBlock { header, extrinsics } in retracted {
            let mut watchers = pool.retracted(&header.hash());
            // The first one sets the block's time.
            for transaction in extrinsics.into_iter().skip(1) {
                let bytes = transaction.encode();
                let hash = BlakeTwo256::hash(&bytes);
                let watcher = watchers.remove(&hash);
                waiting.push(Returned {
                    hash,
                    bytes,
                    watcher,
                });
            }
        }
        if back == Retracted::Drop {
            for transaction in waiting.drain(..) {
                transaction.tell(TxStatus::Dropped);
            }
        }
        waiting.extend(pool.drain());
        self.validate_again(&mut pool, waiting);
        self.move_heads(&mut pool, None, finalized);
    }

    /// Puts transactions back into the pool that are valid on the best block.
    fn validate_again(&self, pool: &mut MutexGuard<'_, Pool>, waiting: Vec<Returned>) {
        let head = self.head();
        for transaction in waiting {
            match self.validate(&head, &transaction.bytes) {
                Ok(validity) => {
                    let Returned {
                        hash,
                        bytes,
                        watcher,
                    } = transaction;
                    let transaction = Transaction {
                        hash,
                        bytes,
                        validity,
                        watcher,
                    };
                    pool.take_back(transaction, head.header.number);
                }
                Err(SubmitError::Invalid(_) | SubmitError::Read(ReadError::Panicked(_))) => {
                    transaction.tell(TxStatus::Invalid);
                }
                Err(_) => transaction.tell(TxStatus::Dropped),
            }
        }
    }

    /// Moves the heads and tells subscribers, and the watchers of transactions in final blocks.
    fn move_heads(
        &self,
        pool: &mut MutexGuard<'_, Pool>,
        best: Option<NewBlock>,
        finalized: Option<FinalBlocks>,
    ) {
        let mut heads = self.heads.write();
        if let Some(block) = best {
            let best = head_of(&block);
            heads.pending.push(best.clone());
            heads.best = best;
            // An error, here and below, means that there are no subscribers.
            let _ = self.updates.send(Update::Block(block));
        }
        if let Some(blocks) = finalized {
            heads.finalize(&blocks);
            for block in &blocks.hashes {
                pool.finalized(block);
            }
            let _ = self.updates.send(Update::Final(blocks));
        }
    }

    /// Drops all waiting transactions, so that nobody waits for a block that never comes, and
    /// takes no more.
    pub fn halt(&self, cause: BlockError) {
        let mut pool = self.pool();
        pool.clear();
        self.halted.send_replace(Some(cause));
    }

    /// Why no more blocks are made; `None` if they are.
    pub fn halted(&self) -> Option<BlockError> {
        self.halted.borrow().clone()
    }

    /// Tells why no more blocks are made, as soon as none are.
    pub fn watch_halt(&self) -> watch::Receiver<Option<BlockError>> {
        self.halted.subscribe()
    }
}
