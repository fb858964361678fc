//! What the handles of a chain and its block author share: store, head, pool and clock.

use std::sync::Arc;

use codec::Encode;
use parking_lot::{Mutex, MutexGuard, RwLock};
use sp_runtime::{
    traits::{BlakeTwo256, Hash as _, Header as _},
    transaction_validity::{TransactionSource, ValidTransaction},
};
use tokio::sync::{broadcast, mpsc::UnboundedSender};

use crate::{
    clock::{Clock, RunningClock},
    error::{BlockError, OpenError, ReadError, StoreError, SubmitError},
    execute, genesis,
    pool::{Pool, Transaction, TxStatus},
    runtime::{AccountId, Hash, Header, Nonce, Runtime, UncheckedExtrinsic, executive},
    state::{Backend, States},
    store::{Storage, Store},
};

/// How many blocks a subscriber may lag behind before it misses some.
const BLOCK_BUFFER: usize = 1024;

/// A new block, as its subscribers get it.
#[derive(Clone, Debug)]
pub struct NewBlock {
    /// The block's hash.
    pub hash: Hash,
    /// The block's header.
    pub header: Header,
    /// The top-level storage keys that the block wrote or removed.
    pub written: Arc<Vec<Vec<u8>>>,
}

/// The best block.
pub struct Head {
    pub hash: Hash,
    pub header: Header,
}

/// A chain's parts. The block author writes the store and the head; everybody else reads them.
pub struct Shared {
    pub store: Store,
    pub clock: RunningClock,
    pub genesis: Hash,
    states: States,
    /// Written only while the pool is locked.
    head: RwLock<Arc<Head>>,
    pool: Mutex<Pool>,
    blocks: broadcast::Sender<NewBlock>,
    /// Why no more transactions are taken. After a failed write the store refuses all later ones,
    /// until it is opened again.
    halted: Mutex<Option<BlockError>>,
}

impl Shared {
    /// Opens the store, and makes block 0 if there is none. Tells whether it made it.
    ///
    /// # Errors
    /// As [`Chain::open`](crate::Chain::open).
    pub fn open(storage: &Storage, clock: Clock) -> Result<(Self, bool), OpenError> {
        let store = Store::open(storage)?;
        let states = States::new();
        let is_new = store.last()?.is_none();
        if is_new {
            genesis::store_genesis(&store, &states)?;
        }
        let (Some(first), Some(last)) = (store.header(0)?, store.last()?) else {
            return Err(OpenError::NoGenesis);
        };
        let head = Head {
            hash: last.header.hash(),
            header: last.header,
        };
        let shared = Self {
            store,
            clock: RunningClock::new(clock),
            genesis: first.hash(),
            states,
            head: RwLock::new(Arc::new(head)),
            pool: Mutex::default(),
            blocks: broadcast::channel(BLOCK_BUFFER).0,
            halted: Mutex::default(),
        };
        Ok((shared, is_new))
    }

    pub fn head(&self) -> Arc<Head> {
        self.head.read().clone()
    }

    pub fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock()
    }

    pub fn subscribe(&self) -> broadcast::Receiver<NewBlock> {
        self.blocks.subscribe()
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

    fn validate(
        &self,
        head: &Head,
        transaction: &UncheckedExtrinsic,
    ) -> Result<ValidTransaction, SubmitError> {
        self.peek(&head.header, || {
            executive::validate(TransactionSource::External, transaction.clone(), head.hash)
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
        let decoded = executive::decode(&bytes).map_err(SubmitError::Malformed)?;
        let hash = BlakeTwo256::hash(&bytes);
        let checked = self.head();
        let mut validity = self.validate(&checked, &decoded)?;
        let mut pool = self.pool();
        if let Some(cause) = &*self.halted.lock() {
            return Err(SubmitError::Halted(cause.clone()));
        }
        // From here on the head can't change, as that takes the pool's lock. It may have changed
        // during the check above.
        let head = self.head();
        if head.hash != checked.hash {
            validity = self.validate(&head, &decoded)?;
        }
        let transaction = Transaction {
            hash,
            bytes,
            decoded,
            validity,
            watcher,
        };
        pool.insert(transaction, *head.header.number())?;
        Ok((hash, pool.has_ready()))
    }

    /// Makes a stored block the head, takes its transactions and the invalid ones out of the pool,
    /// and tells watchers and subscribers.
    pub fn advance(&self, block: NewBlock, included: Vec<(Hash, u32)>, invalid: Vec<Hash>) {
        let mut pool = self.pool();
        *self.head.write() = Arc::new(Head {
            hash: block.hash,
            header: block.header.clone(),
        });
        for (transaction, index) in included {
            pool.included(&transaction, block.hash, index);
        }
        for transaction in invalid {
            pool.remove(&transaction, TxStatus::Invalid);
        }
        pool.expire(*block.header.number());
        // An error means that there are no subscribers.
        let _ = self.blocks.send(block);
    }

    /// Drops all waiting transactions, so that nobody waits for a block that never comes, and
    /// takes no more.
    pub fn halt(&self, cause: BlockError) {
        let mut pool = self.pool();
        *self.halted.lock() = Some(cause);
        pool.clear();
    }
}
