//! The handle to a running chain.

use std::{sync::Arc, time::Duration};

use codec::{Decode, Encode};
use frame_support::weights::Weight;
use pallet_revive::{ContractResult, ExecReturnValue};
use sp_core::{H160, sr25519::Pair};
use sp_runtime::traits::{BlakeTwo256, Hash as _};
use tokio::sync::{
    broadcast,
    mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};

use crate::{
    author::Author,
    builder, dev,
    error::{
        BlockError, OpenError, ReadError, ReorganiseError, StoreError, SubmitError, UpgradeError,
    },
    execute,
    finality::Retracted,
    heads::{Follow, Update},
    make,
    options::Options,
    pool::TxStatus,
    report::Report,
    runtime::{
        AccountId, Balance, BlockNumber, Code, Hash, Header, Nonce, RuntimeCall, RuntimeEvent,
        UncheckedExtrinsic,
    },
    shared::Shared,
    state::{self, Backend},
    store::StoredBlock,
};

/// A handle to a running chain. The chain stops when the last handle is dropped.
#[derive(Clone)]
pub struct Chain {
    shared: Arc<Shared>,
    author: Arc<Author>,
}

impl Chain {
    /// Opens a chain and starts to make blocks. A new chain is made with block 0 and an empty
    /// block 1.
    ///
    /// # Errors
    /// Returned if another chain has the folder open, if the folder can't be made or written, if
    /// its file is not a chain that this version can read, and if the store fails.
    pub fn open(options: Options) -> Result<Self, OpenError> {
        let (shared, is_new) = Shared::open(&options)?;
        if is_new {
            // Dry runs of some clients ask for the state of the best block's parent.
            make::block(&shared)?;
        }
        let shared = Arc::new(shared);
        let author =
            Author::start(shared.clone(), options.block_time).map_err(OpenError::Thread)?;
        Ok(Self {
            shared,
            author: Arc::new(author),
        })
    }

    /// Why no more blocks are made, such as a full disk. `None` if they are.
    pub fn halted(&self) -> Option<BlockError> {
        self.shared.halted()
    }

    /// Waits until no more blocks are made, and returns why. It does not keep the chain running.
    pub fn until_halted(&self) -> impl Future<Output = BlockError> + Send + use<> {
        let mut halted = self.shared.watch_halt();
        async move {
            let cause = halted.wait_for(Option::is_some).await;
            let cause = cause.ok().and_then(|cause| cause.clone());
            match cause {
                Some(cause) => cause,
                // The chain was stopped.
                None => std::future::pending().await,
            }
        }
    }

    /// The hash and header of the best block.
    pub fn best(&self) -> (Hash, Header) {
        let head = self.shared.head();
        (head.hash, head.header.clone())
    }

    /// The hash and header of the last final block.
    pub fn finalized(&self) -> (Hash, Header) {
        let head = self.shared.heads().finalized.clone();
        (head.hash, head.header.clone())
    }

    /// The hash of block 0.
    pub fn genesis_hash(&self) -> Hash {
        self.shared.genesis
    }

    /// The hash of the best branch's block of this number. `None` if there is no such block.
    ///
    /// # Errors
    /// Returned if the store fails.
    pub fn hash_of(&self, number: BlockNumber) -> Result<Option<Hash>, StoreError> {
        Ok(self
            .shared
            .store
            .header(number)?
            .map(|header| header.hash()))
    }

    /// The hashes of the blocks of this number: the final one, or those on all branches, that of
    /// the best branch first.
    ///
    /// # Errors
    /// Returned if the store fails.
    pub fn hashes_of(&self, number: BlockNumber) -> Result<Vec<Hash>, StoreError> {
        {
            let heads = self.shared.heads();
            if number > heads.finalized.header.number {
                return Ok(heads.pending_at(number));
            }
        }
        Ok(self.hash_of(number)?.into_iter().collect())
    }

    /// The header of the block of this hash, on any branch. `None` if there is no such block.
    ///
    /// # Errors
    /// Returned if the store fails.
    pub fn header(&self, hash: &Hash) -> Result<Option<Header>, StoreError> {
        self.shared.store.header_of(hash)
    }

    /// The block of this hash, on any branch. `None` if there is no such block, or if it was
    /// retracted and a final block rules it out.
    ///
    /// # Errors
    /// Returned if the store fails.
    pub fn block(&self, hash: &Hash) -> Result<Option<StoredBlock>, StoreError> {
        self.shared.store.block_of(hash)
    }

    /// The state after the block with this header.
    ///
    /// # Errors
    /// Returned if the state is not kept any more, see [`Options::keep_states`], and if the store
    /// fails.
    pub fn state(&self, header: &Header) -> Result<Backend, ReadError> {
        let hash = header.hash();
        if !self.shared.keeps_state(&hash, header)? {
            return Err(ReadError::Discarded(hash));
        }
        Ok(self.shared.state(header, false)?)
    }

    /// What happens from now on: new blocks, and blocks that become final. A receiver that lags
    /// more than 2048 updates behind misses some.
    pub fn subscribe(&self) -> broadcast::Receiver<Update> {
        self.shared.subscribe()
    }

    /// The heads of this moment, and what happens after it.
    pub fn follow(&self) -> Follow {
        self.shared.follow()
    }

    /// Makes a block at whose end the chain is upgraded to the second version of the runtime, and
    /// without a block time the next one, too, which runs it first. Returns the hash of the
    /// upgrade's block.
    ///
    /// As on any chain, the state after the upgrade's block has the new version already, and the
    /// block itself with its events was made by the old one. The new one changes the state in its
    /// first block. In it pallet-revive and pallet-balances have other indices, and there is a
    /// pallet more. Transactions that were signed for the old version are bad signatures; those
    /// that wait are reported as [`TxStatus::Invalid`].
    ///
    /// The functions of this type that take a [`RuntimeCall`], and [`Chain::events_of`], are for the
    /// first version: after an upgrade they are refused. Those that take and return bytes are for
    /// all.
    ///
    /// # Errors
    /// Returned if the chain was upgraded before, if a block can't be made, and if the chain was
    /// stopped.
    pub fn upgrade(&self) -> Result<Hash, UpgradeError> {
        self.author.upgrade()
    }

    /// The version of the runtime in the state after the block with this header.
    ///
    /// # Errors
    /// As [`Chain::state`].
    pub fn code(&self, header: &Header) -> Result<Code, ReadError> {
        Ok(state::code(&self.state(header)?)?)
    }

    /// Lets no block become final, until [`Chain::resume_finality`] or until the chain is opened
    /// again.
    ///
    /// # Errors
    /// Returned if the chain was stopped.
    pub fn stall_finality(&self) -> Result<(), BlockError> {
        self.author.stall_finality()
    }

    /// Lets blocks become final again. Those that would be final by now are when this returns.
    ///
    /// # Errors
    /// Returned if the store fails, and if the chain was stopped.
    pub fn resume_finality(&self) -> Result<(), BlockError> {
        self.author.resume_finality()
    }

    /// Replaces the last `depth` blocks by a branch of `depth + 1` empty blocks, as if another
    /// author had made them who had not heard of the transactions. Returns the hash of the best
    /// block afterwards.
    ///
    /// After that the transactions of the retracted blocks are treated as `retracted` says, and all
    /// that wait are validated again. With a block for each transaction, those that came back are
    /// in a block when this returns; with a block time they come into the next one.
    ///
    /// # Errors
    /// Returned if one of the blocks is final, if a block can't be made, and if the chain was
    /// stopped.
    pub fn reorganise(&self, depth: u32, retracted: Retracted) -> Result<Hash, ReorganiseError> {
        self.author.reorganise(depth, retracted)
    }

    /// Moves the clock forward for the blocks made from now on.
    pub fn advance_clock(&self, by: Duration) {
        self.shared.clock.advance(by);
    }

    /// The time between two blocks. `None`: a block is made as soon as a transaction comes.
    pub fn block_time(&self) -> Option<Duration> {
        self.author.block_time()
    }

    /// Makes a block at once, with the transactions that are ready or empty, and returns its hash.
    ///
    /// # Errors
    /// Returned if the store fails, and if the chain was stopped.
    pub fn seal(&self) -> Result<Hash, BlockError> {
        self.author.seal()
    }

    /// Submits a SCALE-encoded transaction and returns its hash, without waiting for its block.
    ///
    /// # Errors
    /// Returned if it is malformed, if it is invalid on the best block, and if the pool doesn't
    /// take it, in this order.
    pub fn submit_encoded(&self, bytes: Vec<u8>) -> Result<Hash, SubmitError> {
        self.put(bytes, None)
    }

    /// Submits a SCALE-encoded transaction and returns its hash with its status updates.
    ///
    /// # Errors
    /// As [`Chain::submit_encoded`].
    pub fn submit_and_watch(
        &self,
        bytes: Vec<u8>,
    ) -> Result<(Hash, UnboundedReceiver<TxStatus>), SubmitError> {
        let (watcher, statuses) = unbounded_channel();
        let hash = self.put(bytes, Some(watcher))?;
        Ok((hash, statuses))
    }

    fn put(
        &self,
        bytes: Vec<u8>,
        watcher: Option<UnboundedSender<TxStatus>>,
    ) -> Result<Hash, SubmitError> {
        let (hash, has_ready) = self.shared.submit(bytes, watcher)?;
        if has_ready {
            self.author.notify().map_err(|_| SubmitError::Stopped)?;
        }
        Ok(hash)
    }

    /// Signs a call with the account's next nonce, submits it, and waits until it is in a block.
    /// It blocks the thread, so that it must not be called from asynchronous code.
    ///
    /// # Errors
    /// As [`Chain::submit_encoded`], and if the transaction is lost before it comes into a block.
    /// A call that fails is not an error here: see [`Report::outcome`].
    pub fn submit(&self, signer: &Pair, call: RuntimeCall) -> Result<Report, SubmitError> {
        let bytes = self.sign(signer, call)?.encode();
        let (hash, mut statuses) = self.submit_and_watch(bytes)?;
        while let Some(status) = statuses.blocking_recv() {
            match status {
                TxStatus::Future | TxStatus::Ready | TxStatus::Retracted(_) => {}
                TxStatus::InBlock(block, index) => {
                    let events = self.events_of(&block, index)?;
                    return Ok(Report::new(hash, Some((block, index)), events));
                }
                lost => return Err(SubmitError::Lost(lost)),
            }
        }
        Err(SubmitError::Stopped)
    }

    /// Executes a call on the best block as [`Chain::submit`] would, and discards the changes.
    ///
    /// # Errors
    /// Returned if the transaction is invalid on the best block, and if the store fails.
    pub fn dry_run(&self, signer: &Pair, call: RuntimeCall) -> Result<Report, SubmitError> {
        let transaction = self.sign(signer, call)?;
        let hash = BlakeTwo256::hash_of(&transaction);
        let head = self.shared.head();
        let clock = self.shared.clock.now();
        let (result, events) = self.shared.peek(&head.header, || {
            builder::dry_run(&head, clock, &transaction.encode())
        })?;
        match result {
            Ok(_) => Ok(Report::new(hash, None, events)),
            Err(error) => Err(SubmitError::Invalid(error)),
        }
    }

    /// Signs a call with the account's next nonce. The transaction does not expire.
    ///
    /// # Errors
    /// As [`Chain::next_nonce`].
    pub fn sign(&self, signer: &Pair, call: RuntimeCall) -> Result<UncheckedExtrinsic, ReadError> {
        let nonce = self.next_nonce(&dev::account_of(signer))?;
        Ok(dev::sign(signer, call, nonce, 0, self.genesis_hash()))
    }

    /// The nonce of an account's next transaction, after those in the pool.
    ///
    /// # Errors
    /// Returned if the store fails.
    pub fn next_nonce(&self, account: &AccountId) -> Result<Nonce, ReadError> {
        self.shared.next_nonce(account)
    }

    /// The SCALE-encoded transactions in the pool. Those that are ready come first.
    pub fn pending(&self) -> Vec<Vec<u8>> {
        self.shared.pool().pending().map(<[u8]>::to_vec).collect()
    }

    /// The events of the transaction of this index in a block, where 0 is the one that sets the
    /// block's time. There are none if the block or the transaction is unknown.
    ///
    /// # Errors
    /// As [`Chain::state`], and if another version of the runtime than the first has made the block.
    pub fn events_of(&self, block: &Hash, index: u32) -> Result<Vec<RuntimeEvent>, ReadError> {
        match self.header(block)? {
            Some(header) => {
                let state = self.state(&header)?;
                let made_by = match self.header(&header.parent_hash)? {
                    Some(parent) => state::code(&self.shared.state(&parent, false)?)?,
                    None => Code::First,
                };
                match made_by {
                    Code::First => Ok(execute::peek(&state, || builder::events_of(index))?),
                    Code::Second => Err(ReadError::OtherVersion(made_by.version().spec_version)),
                }
            }
            None => Ok(Vec::new()),
        }
    }

    /// Calls a function of the runtime's API by its name, with SCALE-encoded arguments and result,
    /// on the state after the block with this header, and discards the changes.
    ///
    /// A contract called on the best block sees the time that the next block would have. With the
    /// time of the best block, clients could not see that a deadline has passed: without
    /// transactions there are no new blocks, so that their time would stand still.
    ///
    /// # Errors
    /// As [`Chain::state`], if there is no such function, and if the runtime panics, as it does on
    /// arguments that do not decode.
    pub fn call(
        &self,
        header: &Header,
        function: &str,
        arguments: &[u8],
    ) -> Result<Vec<u8>, ReadError> {
        self.call_on(&self.state(header)?, header, function, arguments)
    }

    /// As [`Chain::call`], on a state that was opened before.
    pub(crate) fn call_on(
        &self,
        state: &Backend,
        header: &Header,
        function: &str,
        arguments: &[u8],
    ) -> Result<Vec<u8>, ReadError> {
        let calls_contract = function.starts_with("ReviveApi_");
        let at_best = calls_contract && header.hash() == self.shared.head().hash;
        let clock = at_best.then(|| self.shared.clock.now());
        execute::call(state, state::code(state)?, function, arguments, clock)
    }

    /// Whether the state after this block is kept.
    pub(crate) fn keeps_state(&self, hash: &Hash, header: &Header) -> Result<bool, StoreError> {
        self.shared.keeps_state(hash, header)
    }

    /// As [`Chain::state`], for a block that a follower has pinned, so that its state is kept.
    pub(crate) fn pinned_state(&self, header: &Header) -> Result<Backend, StoreError> {
        self.shared.state(header, false)
    }

    /// Calls a contract on the best block, with a value in the smallest unit, and discards the
    /// changes. There is no signature: the caller can be any account.
    ///
    /// # Errors
    /// Returned if the store fails. A call that the contract refuses is not an error here: see
    /// [`ContractResult::result`].
    pub fn call_contract(
        &self,
        caller: &AccountId,
        contract: H160,
        value: Balance,
        data: Vec<u8>,
    ) -> Result<ContractResult<ExecReturnValue, Balance>, ReadError> {
        const FUNCTION: &str = "ReviveApi_call";
        let (weight_limit, deposit_limit) = (None::<Weight>, None::<Balance>);
        let arguments = (caller, contract, value, weight_limit, deposit_limit, data).encode();
        let result = self.call(&self.best().1, FUNCTION, &arguments)?;
        ContractResult::decode(&mut &result[..]).map_err(|reason| ReadError::Undecodable {
            function: FUNCTION.to_owned(),
            reason,
        })
    }
}
