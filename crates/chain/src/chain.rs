//! The chain: a head, a pool, and the thread that makes blocks.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread::JoinHandle,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use codec::{Decode, Encode};
use frame_support::weights::Weight;
use parking_lot::{Mutex, RwLock};
use sp_core::{H160, storage::well_known_keys};
use sp_runtime::{
    BuildStorage, DispatchResult, OpaqueExtrinsic,
    traits::{BlakeTwo256, Hash as _, Header as _},
    transaction_validity::{
        InvalidTransaction, TransactionSource, TransactionValidityError, ValidTransaction,
    },
};
use tokio::sync::{broadcast, mpsc::UnboundedReceiver};

use crate::{
    dev,
    pool::{Pool, PoolError, Transaction, TxStatus},
    runtime::{
        self, Balance, BlockNumber, Hash, Header, Nonce, Runtime, RuntimeCall, RuntimeEvent,
        UncheckedExtrinsic,
    },
    state::{self, Backend, Overlay, Panicked, States},
    store::{OpenError, Storage, Store, StoreError, StoredBlock},
};

/// How many transactions are tried in one block at the most; weight ends it sooner.
const TRIED_PER_BLOCK: usize = 1024;
/// How many blocks a listener may lag behind before it misses some.
const HEARD_BLOCKS: usize = 1024;

/// How a chain is to run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where it is kept.
    pub storage: Storage,
    /// A block at this steady beat, with or without transactions. `None`: a block as soon as a
    /// transaction comes.
    pub block_time: Option<Duration>,
    /// Where the time of blocks comes from.
    pub clock: Clock,
}

/// Where the time of blocks comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// This machine's clock, plus what [`Chain::advance_clock`] added.
    #[default]
    System,
    /// Stands at this many milliseconds since 1970 until [`Chain::advance_clock`] moves it.
    Manual(u64),
}

/// A block that was made, as its listeners see it.
#[derive(Clone, Debug)]
pub struct NewBlock {
    /// Its hash.
    pub hash: Hash,
    /// Its header.
    pub header: Header,
    /// The top-level storage keys that it wrote or removed.
    pub written: Arc<Vec<Vec<u8>>>,
}

/// Why a transaction was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// Its bytes are no transaction of this runtime.
    #[error("not a transaction of this chain: {0}")]
    Malformed(String),
    /// It is not valid on the best block, and can't become so by waiting.
    #[error("{}", describe(.0))]
    Invalid(TransactionValidityError),
    /// The pool did not take it.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The runtime panicked on it.
    #[error(transparent)]
    Panicked(#[from] Panicked),
    /// The chain's store failed.
    #[error("{0}")]
    Store(String),
    /// The chain was stopped before the transaction came into a block.
    #[error("the chain was stopped before the transaction came into a block")]
    Stopped,
    /// It was taken, and lost before it came into a block.
    #[error("the transaction did not come into a block: {0:?}")]
    Lost(TxStatus),
}

impl From<StoreError> for SubmitError {
    fn from(error: StoreError) -> Self {
        Self::Store(error.to_string())
    }
}

/// In the words of a Substrate node, which clients look for.
fn describe(error: &TransactionValidityError) -> &'static str {
    match error {
        TransactionValidityError::Invalid(error) => (*error).into(),
        TransactionValidityError::Unknown(error) => (*error).into(),
    }
}

/// What a transaction did.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its hash.
    pub hash: Hash,
    /// The block and the index in it, unless it was a dry run.
    pub included: Option<(Hash, u32)>,
    /// Whether the call succeeded. A failed one is paid for, too.
    pub outcome: DispatchResult,
    /// What it took, after what it gave back.
    pub weight: Weight,
    /// What it cost, without the deposit.
    pub fee: Balance,
    /// The storage deposit held, less the one released; negative when more came back.
    pub deposit: i128,
    /// All its events, in order.
    pub events: Vec<RuntimeEvent>,
}

impl Report {
    fn new(hash: Hash, included: Option<(Hash, u32)>, events: Vec<RuntimeEvent>) -> Self {
        let mut report = Self {
            hash,
            included,
            outcome: Ok(()),
            weight: Weight::zero(),
            fee: 0,
            deposit: 0,
            events,
        };
        for event in &report.events {
            use frame_system::Event as System;
            use pallet_balances::Event as Balances;
            use pallet_transaction_payment::Event as Payment;
            match event {
                RuntimeEvent::System(System::ExtrinsicSuccess { dispatch_info }) => {
                    report.weight = dispatch_info.weight;
                }
                RuntimeEvent::System(System::ExtrinsicFailed {
                    dispatch_error,
                    dispatch_info,
                }) => {
                    report.weight = dispatch_info.weight;
                    report.outcome = Err(*dispatch_error);
                }
                RuntimeEvent::TransactionPayment(Payment::TransactionFeePaid {
                    actual_fee,
                    tip,
                    ..
                }) => report.fee = actual_fee.saturating_add(*tip),
                RuntimeEvent::Balances(
                    Balances::Held { amount, .. }
                    | Balances::TransferAndHold {
                        transferred: amount,
                        ..
                    },
                ) => report.deposit += *amount as i128,
                RuntimeEvent::Balances(
                    Balances::Released { amount, .. }
                    | Balances::BurnedHeld { amount, .. }
                    | Balances::TransferOnHold { amount, .. },
                ) => report.deposit -= *amount as i128,
                _ => {}
            }
        }
        report
    }

    /// The events of contracts, as (contract, topics, data).
    pub fn contract_events(&self) -> impl Iterator<Item = (&H160, &[sp_core::H256], &[u8])> {
        self.events.iter().filter_map(|event| match event {
            RuntimeEvent::Revive(pallet_revive::Event::ContractEmitted {
                contract,
                data,
                topics,
            }) => Some((contract, topics.as_slice(), data.as_slice())),
            _ => None,
        })
    }
}

enum Wake {
    Transaction,
    Seal(mpsc::Sender<Result<Hash, String>>),
    Stop,
}

struct Head {
    hash: Hash,
    header: Header,
}

struct Inner {
    store: Store,
    states: States,
    head: RwLock<Arc<Head>>,
    genesis: Hash,
    pool: Mutex<Pool>,
    wake: mpsc::Sender<Wake>,
    blocks: broadcast::Sender<NewBlock>,
    clock: Clock,
    /// Milliseconds added to the clock.
    advanced: AtomicU64,
    block_time: Option<Duration>,
    /// Why the store takes no more blocks, once it has failed. It is not tried again: what it
    /// holds is whole, and it goes on from there when it is opened anew.
    broken: Mutex<Option<String>>,
    /// Whether a wake for transactions is under way already.
    woken: std::sync::atomic::AtomicBool,
}

/// A handle on a running chain. It stops when the last handle is dropped.
#[derive(Clone)]
pub struct Chain {
    inner: Arc<Inner>,
    _author: Arc<Author>,
}

struct Author {
    wake: mpsc::Sender<Wake>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Author {
    fn drop(&mut self) {
        let _ = self.wake.send(Wake::Stop);
        if let Some(thread) = self.thread.take() {
            // A panic there was told where it happened.
            let _ = thread.join();
        }
    }
}

impl Chain {
    /// Opens the chain, or makes one with a genesis block and a first block after it, and starts
    /// to make blocks.
    ///
    /// # Errors
    /// Returned if another chain has the folder open, if it can't be made or written, if its file
    /// is not one of this chain's, and if the store fails.
    pub fn open(options: Options) -> Result<Self, OpenError> {
        let store = Store::open(&options.storage)?;
        let states = States::new();
        let fresh = store.last()?.is_none();
        if fresh {
            make_genesis(&store, &states)?;
        }
        let (Some(first), Some(last)) = (store.header(0)?, store.last()?) else {
            return Err(StoreError::other("it has no genesis block").into());
        };
        let head = Head {
            hash: last.header.hash(),
            header: last.header,
        };
        let (wake, woken) = mpsc::channel();
        let (blocks, _) = broadcast::channel(HEARD_BLOCKS);
        let inner = Arc::new(Inner {
            store,
            states,
            head: RwLock::new(Arc::new(head)),
            genesis: first.hash(),
            pool: Mutex::default(),
            wake: wake.clone(),
            blocks,
            clock: options.clock,
            advanced: AtomicU64::new(0),
            block_time: options.block_time,
            broken: Mutex::default(),
            woken: Default::default(),
        });
        if fresh {
            // Dry runs of the usual clients ask for the state before the best block.
            inner.make_block()?;
        }
        let thread = std::thread::Builder::new()
            .name("author".into())
            .spawn({
                let inner = inner.clone();
                move || inner.author(&woken)
            })
            .map_err(StoreError::other)?;
        let _author = Arc::new(Author {
            wake,
            thread: Some(thread),
        });
        Ok(Self { inner, _author })
    }

    /// The best block's hash and header. It is final.
    pub fn best(&self) -> (Hash, Header) {
        let head = self.inner.head.read();
        (head.hash, head.header.clone())
    }

    /// The hash of block 0.
    pub fn genesis_hash(&self) -> Hash {
        self.inner.genesis
    }

    /// The hash of the block of this number, if there is one.
    ///
    /// # Errors
    /// Returned if the store fails.
    pub fn hash_of(&self, number: BlockNumber) -> Result<Option<Hash>, StoreError> {
        Ok(self.inner.store.header(number)?.map(|header| header.hash()))
    }

    /// The header of the block of this hash, if there is one.
    ///
    /// # Errors
    /// Returned if the store fails.
    pub fn header(&self, hash: &Hash) -> Result<Option<Header>, StoreError> {
        match self.inner.store.number(hash)? {
            Some(number) => self.inner.store.header(number),
            None => Ok(None),
        }
    }

    /// The block of this hash, if there is one.
    ///
    /// # Errors
    /// Returned if the store fails.
    pub fn block(&self, hash: &Hash) -> Result<Option<StoredBlock>, StoreError> {
        match self.inner.store.number(hash)? {
            Some(number) => self.inner.store.block(number),
            None => Ok(None),
        }
    }

    /// The state after the block with this header.
    ///
    /// # Errors
    /// Returned if the store fails.
    pub fn state(&self, header: &Header) -> Result<Backend, StoreError> {
        self.inner
            .states
            .at(&self.inner.store, *header.state_root(), false)
    }

    /// Blocks as they are made from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<NewBlock> {
        self.inner.blocks.subscribe()
    }

    /// Moves the clock on. Time of blocks never goes back.
    pub fn advance_clock(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        self.inner.advanced.fetch_add(millis, Ordering::Relaxed);
    }

    /// Makes a block now, with what waits or empty, and returns its hash.
    ///
    /// # Errors
    /// Returned if the store fails and if the chain was stopped.
    pub fn seal(&self) -> Result<Hash, SubmitError> {
        let (done, made) = mpsc::channel();
        self.inner
            .wake
            .send(Wake::Seal(done))
            .map_err(|_| SubmitError::Stopped)?;
        made.recv()
            .map_err(|_| SubmitError::Stopped)?
            .map_err(SubmitError::Store)
    }

    /// Submits a transaction, SCALE-encoded as it travels, and returns its hash at once.
    ///
    /// # Errors
    /// Returned if it is malformed, if it is invalid on the best block, and if the pool doesn't
    /// take it, in this order.
    pub fn submit_encoded(&self, bytes: Vec<u8>) -> Result<Hash, SubmitError> {
        self.inner.submit(bytes, None)
    }

    /// As [`Chain::submit_encoded`], and tells how far it comes.
    ///
    /// # Errors
    /// As there.
    pub fn submit_and_watch(
        &self,
        bytes: Vec<u8>,
    ) -> Result<(Hash, UnboundedReceiver<TxStatus>), SubmitError> {
        let (watcher, statuses) = tokio::sync::mpsc::unbounded_channel();
        let hash = self.inner.submit(bytes, Some(watcher))?;
        Ok((hash, statuses))
    }

    /// Signs a call with the account's next nonce, submits it, waits for its block and tells what
    /// it did. Not to be called from asynchronous code: it waits.
    ///
    /// # Errors
    /// As [`Chain::submit_encoded`], and if it is lost before it comes into a block. That the call
    /// itself failed is no error: it is in the report.
    pub fn submit(
        &self,
        signer: &sp_core::sr25519::Pair,
        call: RuntimeCall,
    ) -> Result<Report, SubmitError> {
        let bytes = self.sign(signer, call)?.encode();
        let (hash, mut statuses) = self.submit_and_watch(bytes)?;
        while let Some(status) = statuses.blocking_recv() {
            match status {
                TxStatus::Future | TxStatus::Ready => {}
                TxStatus::InBlock(block, index) => {
                    let events = self.events_of(&block, index)?;
                    return Ok(Report::new(hash, Some((block, index)), events));
                }
                lost => return Err(SubmitError::Lost(lost)),
            }
        }
        Err(SubmitError::Stopped)
    }

    /// Runs a call as [`Chain::submit`] would, on top of the best block, and throws it away.
    ///
    /// # Errors
    /// As [`Chain::submit`].
    pub fn dry_run(
        &self,
        signer: &sp_core::sr25519::Pair,
        call: RuntimeCall,
    ) -> Result<Report, SubmitError> {
        let transaction = self.sign(signer, call)?;
        let hash = BlakeTwo256::hash_of(&transaction);
        let head = self.inner.head();
        let now = self.inner.now(&head)?;
        let backend = self.state(&head.header)?;
        let (result, events) = state::peek(&backend, || {
            initialize(&head, now);
            let result = runtime::api_of::apply(transaction);
            let index = frame_system::Pallet::<Runtime>::extrinsic_index().unwrap_or(1);
            (result, events_now(index.saturating_sub(1)))
        })?;
        match result {
            Ok(_) => Ok(Report::new(hash, None, events)),
            Err(error) => Err(SubmitError::Invalid(error)),
        }
    }

    /// A call with its signature, for the account's next nonce, valid for ever.
    ///
    /// # Errors
    /// Returned if the store fails.
    pub fn sign(
        &self,
        signer: &sp_core::sr25519::Pair,
        call: RuntimeCall,
    ) -> Result<UncheckedExtrinsic, SubmitError> {
        let nonce = self.next_nonce(&dev::account_of(signer))?;
        Ok(dev::sign(signer, call, nonce, 0, self.genesis_hash()))
    }

    /// The nonce of an account's next transaction, those that wait counted.
    ///
    /// # Errors
    /// Returned if the store fails.
    pub fn next_nonce(&self, account: &runtime::AccountId) -> Result<Nonce, SubmitError> {
        let (_, header) = self.best();
        let mut nonce = state::peek(&self.state(&header)?, || {
            frame_system::Pallet::<Runtime>::account_nonce(account)
        })?;
        let pool = self.inner.pool.lock();
        // CheckNonce gives the tag (account, nonce).
        while pool.gives(&(account, nonce).encode()) {
            nonce += 1;
        }
        Ok(nonce)
    }

    /// The bytes of the transactions that wait.
    pub fn pending(&self) -> Vec<Vec<u8>> {
        self.inner
            .pool
            .lock()
            .pending()
            .map(<[u8]>::to_vec)
            .collect()
    }

    /// The events of the transaction of this index in a block.
    ///
    /// # Errors
    /// Returned if the store fails. An unknown block has no events.
    pub fn events_of(&self, block: &Hash, index: u32) -> Result<Vec<RuntimeEvent>, SubmitError> {
        let Some(header) = self.header(block)? else {
            return Ok(Vec::new());
        };
        Ok(state::peek(&self.state(&header)?, || events_now(index))?)
    }

    /// Calls a function of the runtime's API by its name on the state after the block with this
    /// header, with SCALE in and out, and throws away what it writes. `None`: there is no such
    /// function.
    ///
    /// On the best block a contract sees the time that the next block would have. Else, as a block
    /// comes only with a transaction, its time would stand still, and nobody could see that a
    /// deadline is over before somebody has paid for a block.
    ///
    /// # Errors
    /// Returned if the store fails, and if the runtime panics, as it does on arguments that do not
    /// decode.
    pub fn call(
        &self,
        header: &Header,
        function: &str,
        input: &[u8],
    ) -> Result<Option<Vec<u8>>, SubmitError> {
        let is_of_contracts = function.starts_with("ReviveApi_");
        let at_best = is_of_contracts && header.hash() == self.inner.head().hash;
        let clock = at_best.then(|| self.inner.clock());
        Ok(state::call(&self.state(header)?, function, input, clock)?)
    }

    /// Calls a contract on top of the best block and throws away what it writes. Anyone may be the
    /// caller, without a signature.
    ///
    /// # Errors
    /// Returned if the store fails. That the contract refused is in the result.
    pub fn call_contract(
        &self,
        caller: &runtime::AccountId,
        contract: H160,
        value: Balance,
        data: Vec<u8>,
    ) -> Result<pallet_revive::ContractResult<pallet_revive::ExecReturnValue, Balance>, SubmitError>
    {
        let (_, header) = self.best();
        let input = (
            caller,
            contract,
            value,
            None::<Weight>,
            None::<Balance>,
            data,
        )
            .encode();
        let output = self
            .call(&header, "ReviveApi_call", &input)?
            .ok_or_else(|| SubmitError::Store("the runtime has no ReviveApi".into()))?;
        Decode::decode(&mut &output[..]).map_err(|error| SubmitError::Store(error.to_string()))
    }

    /// How blocks are made: at a steady beat, or as soon as a transaction comes.
    pub fn block_time(&self) -> Option<Duration> {
        self.inner.block_time
    }
}

impl Inner {
    fn head(&self) -> Arc<Head> {
        self.head.read().clone()
    }

    /// The time of the next block, in milliseconds since 1970.
    fn now(&self, head: &Head) -> Result<u64, SubmitError> {
        let backend = self
            .states
            .at(&self.store, *head.header.state_root(), true)?;
        let before = state::peek(&backend, pallet_timestamp::Now::<Runtime>::get)?;
        Ok(self.clock().max(before))
    }

    /// What the clock shows, in milliseconds since 1970.
    fn clock(&self) -> u64 {
        let clock = match self.clock {
            Clock::Manual(at) => at,
            Clock::System => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| since.as_millis() as u64),
        };
        clock.saturating_add(self.advanced.load(Ordering::Relaxed))
    }

    fn validate(
        &self,
        head: &Head,
        transaction: &UncheckedExtrinsic,
    ) -> Result<ValidTransaction, SubmitError> {
        let backend = self
            .states
            .at(&self.store, *head.header.state_root(), false)?;
        state::peek(&backend, || {
            runtime::api_of::validate(TransactionSource::External, transaction.clone(), head.hash)
        })?
        .map_err(SubmitError::Invalid)
    }

    fn submit(
        &self,
        bytes: Vec<u8>,
        watcher: Option<tokio::sync::mpsc::UnboundedSender<TxStatus>>,
    ) -> Result<Hash, SubmitError> {
        let decoded: UncheckedExtrinsic =
            state::decode(&bytes).map_err(|error| SubmitError::Malformed(error.to_string()))?;
        let hash = BlakeTwo256::hash(&bytes);
        let head = self.head();
        let mut validity = self.validate(&head, &decoded)?;
        let mut pool = self.pool.lock();
        if let Some(why) = &*self.broken.lock() {
            return Err(SubmitError::Store(why.clone()));
        }
        // The head moves under the pool's lock alone: what was valid on it still is.
        let now = self.head();
        if now.hash != head.hash {
            validity = self.validate(&now, &decoded)?;
        }
        let number = *now.header.number();
        pool.insert(
            Transaction {
                hash,
                bytes,
                decoded,
                validity,
                watcher,
            },
            number,
        )?;
        let ready = pool.has_ready();
        drop(pool);
        if ready && self.block_time.is_none() && !self.woken.swap(true, Ordering::AcqRel) {
            self.wake
                .send(Wake::Transaction)
                .map_err(|_| SubmitError::Stopped)?;
        }
        Ok(hash)
    }

    fn author(&self, woken: &mpsc::Receiver<Wake>) {
        let mut next = self.block_time.map(|beat| Instant::now() + beat);
        loop {
            let wake = match next {
                None => woken.recv().ok(),
                Some(at) => {
                    match woken.recv_timeout(at.saturating_duration_since(Instant::now())) {
                        Ok(wake) => Some(wake),
                        Err(mpsc::RecvTimeoutError::Disconnected) => None,
                        Err(mpsc::RecvTimeoutError::Timeout) => {
                            if let Some(beat) = self.block_time {
                                next = Some(at.max(Instant::now() - beat) + beat);
                            }
                            self.try_block();
                            continue;
                        }
                    }
                }
            };
            match wake {
                None | Some(Wake::Stop) => return,
                Some(Wake::Transaction) => {
                    self.woken.store(false, Ordering::Release);
                    while self.pool.lock().has_ready() {
                        if self.try_block().is_none() {
                            break;
                        }
                    }
                }
                Some(Wake::Seal(done)) => {
                    let _ = done.send(self.make_block().map_err(|error| error.to_string()));
                }
            }
        }
    }

    /// Makes a block, unless that fails: then everything that waits is thrown out, so that nobody
    /// waits for ever, and nothing new is taken.
    fn try_block(&self) -> Option<Hash> {
        match self.make_block() {
            Ok(hash) => Some(hash),
            Err(error) => {
                let mut pool = self.pool.lock();
                *self.broken.lock() = Some(format!(
                    "{error}; every block told of is kept. Make room or mend the disk, and start \
                     the chain again"
                ));
                pool.clear();
                None
            }
        }
    }

    /// Makes a block of what is ready, stores it, and tells everyone.
    fn make_block(&self) -> Result<Hash, StoreError> {
        let head = self.head();
        let now = self.now(&head).map_err(StoreError::other)?;
        let mut candidates = self.pool.lock().candidates(TRIED_PER_BLOCK);
        let backend = self
            .states
            .at(&self.store, *head.header.state_root(), true)?;
        let (overlay, built) = loop {
            let mut overlay = Overlay::default();
            let mut tried = 0;
            match state::run(&backend, &mut overlay, || {
                build(&head, now, &candidates, &mut tried)
            }) {
                Ok(built) => break (overlay, built),
                Err(Panicked(why)) => {
                    // The one it panicked on goes; without any, the chain itself is at fault.
                    let Some(culprit) = tried.checked_sub(1) else {
                        return Err(StoreError::other(why));
                    };
                    log::error!("a transaction made the runtime panic: {why}");
                    let (hash, _) = candidates.remove(culprit);
                    self.pool.lock().remove(&hash, TxStatus::Invalid);
                }
            }
        };
        let changes = state::close(overlay, &backend)?;
        let Built {
            header,
            extrinsics,
            included,
            invalid,
        } = built;
        let written = changes
            .main_storage_changes
            .into_iter()
            .map(|(key, _)| key)
            .collect::<Vec<_>>();
        let hash = header.hash();
        let block = StoredBlock { header, extrinsics };
        self.store.append(hash, &block, changes.transaction)?;
        let header = block.header;
        {
            let mut pool = self.pool.lock();
            *self.head.write() = Arc::new(Head {
                hash,
                header: header.clone(),
            });
            for (transaction, index) in included {
                pool.included(&transaction, hash, index);
            }
            for transaction in invalid {
                pool.remove(&transaction, TxStatus::Invalid);
            }
            pool.expire(*header.number());
            // Nobody may be listening.
            let _ = self.blocks.send(NewBlock {
                hash,
                header,
                written: Arc::new(written),
            });
        }
        Ok(hash)
    }
}

struct Built {
    header: Header,
    extrinsics: Vec<OpaqueExtrinsic>,
    /// Hash and index in the block.
    included: Vec<(Hash, u32)>,
    invalid: Vec<Hash>,
}

fn initialize(parent: &Head, now: u64) -> UncheckedExtrinsic {
    let header = Header::new(
        parent.header.number() + 1,
        Default::default(),
        Default::default(),
        parent.hash,
        Default::default(),
    );
    runtime::api_of::initialize(&header);
    let inherent = runtime::api_of::timestamp(now);
    let applied = runtime::api_of::apply(inherent.clone());
    assert!(
        matches!(applied, Ok(Ok(()))),
        "the time of the block was refused: {applied:?}"
    );
    inherent
}

fn build(
    parent: &Head,
    now: u64,
    candidates: &[(Hash, UncheckedExtrinsic)],
    tried: &mut usize,
) -> Built {
    let mut extrinsics = vec![initialize(parent, now).into()];
    let (mut included, mut invalid) = (Vec::new(), Vec::new());
    for (hash, transaction) in candidates {
        *tried += 1;
        sp_io::storage::start_transaction();
        match runtime::api_of::apply(transaction.clone()) {
            Ok(_) => {
                sp_io::storage::commit_transaction();
                included.push((*hash, extrinsics.len() as u32));
                extrinsics.push(transaction.clone().into());
            }
            Err(TransactionValidityError::Invalid(InvalidTransaction::ExhaustsResources)) => {
                sp_io::storage::rollback_transaction();
                if included.is_empty() {
                    // Too big for an empty block: for every block.
                    invalid.push(*hash);
                    continue;
                }
                break;
            }
            // The one before it was left out.
            Err(TransactionValidityError::Invalid(InvalidTransaction::Future)) => {
                sp_io::storage::rollback_transaction();
            }
            Err(_) => {
                sp_io::storage::rollback_transaction();
                invalid.push(*hash);
            }
        }
    }
    *tried = 0;
    Built {
        header: runtime::api_of::finalize(),
        extrinsics,
        included,
        invalid,
    }
}

fn events_now(index: u32) -> Vec<RuntimeEvent> {
    frame_system::Pallet::<Runtime>::read_events_no_consensus()
        .filter(|record| record.phase == frame_system::Phase::ApplyExtrinsic(index))
        .map(|record| record.event)
        .collect()
}

fn make_genesis(store: &Store, states: &States) -> Result<(), StoreError> {
    let storage = dev::genesis().build_storage().map_err(StoreError::other)?;
    let empty = sp_trie::empty_trie_root::<sp_trie::LayoutV1<BlakeTwo256>>();
    let backend = states.at(store, empty, true)?;
    let mut overlay = Overlay::default();
    for (key, value) in storage.top {
        overlay.set_storage(key, Some(value));
    }
    // Elsewhere the runtime's code is here. Clients only ask for its hash, to tell one runtime
    // from another, and polkadot-api does not start without.
    let code = well_known_keys::CODE.to_vec();
    overlay.set_storage(code, Some(runtime::VERSION.encode()));
    for child in storage.children_default.into_values() {
        for (key, value) in child.data {
            overlay.set_child_storage(&child.child_info, key, Some(value));
        }
    }
    let changes = state::close(overlay, &backend)?;
    let no_transactions = BlakeTwo256::ordered_trie_root(vec![], sp_runtime::StateVersion::V1);
    let header = Header::new(
        0,
        no_transactions,
        changes.transaction_storage_root,
        Default::default(),
        Default::default(),
    );
    let block = StoredBlock {
        header,
        extrinsics: vec![],
    };
    store.append(block.header.hash(), &block, changes.transaction)
}
