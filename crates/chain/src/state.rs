//! Running the runtime on the state of a block.

use std::{
    cell::{Cell, RefCell},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Once,
};

use codec::Decode;
use sp_runtime::{StateVersion, traits::BlakeTwo256};
use sp_state_machine::{Ext, OverlayedChanges, StorageChanges, TrieBackend, TrieBackendBuilder};
use sp_trie::cache::{CacheSize, LocalTrieCache, SharedTrieCache};

use crate::{
    runtime::{self, Hash, Runtime},
    store::{Nodes, Store, StoreError},
};

/// How much of the state is kept in memory, in bytes.
const CACHE: CacheSize = CacheSize::new(128 << 20);
/// How deeply an argument may nest when it is decoded.
pub(crate) const DECODE_DEPTH: u32 = frame_support::MAX_EXTRINSIC_DEPTH;

/// A trie over the store.
pub type Backend = TrieBackend<Nodes, BlakeTwo256, LocalTrieCache<BlakeTwo256>>;
/// What was written on top of a state and not stored yet.
pub type Overlay = OverlayedChanges<BlakeTwo256>;

/// The runtime panicked: the input was not what it takes, or it has a fault. Nothing is changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the runtime refused: {0}")]
pub struct Panicked(pub String);

/// What all states share.
pub struct States {
    cache: SharedTrieCache<BlakeTwo256>,
}

impl States {
    pub fn new() -> Self {
        Self {
            cache: SharedTrieCache::new(CACHE, None),
        }
    }

    /// The state with this root.
    ///
    /// `trusted`: the reader is the chain itself, and may fill the cache as it likes.
    pub fn at(&self, store: &Store, root: Hash, trusted: bool) -> Result<Backend, StoreError> {
        let cache = if trusted {
            self.cache.local_cache_trusted()
        } else {
            self.cache.local_cache_untrusted()
        };
        Ok(TrieBackendBuilder::new_with_cache(store.nodes()?, root, cache).build())
    }
}

thread_local! {
    static IN_RUNTIME: Cell<bool> = const { Cell::new(false) };
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps a panic inside the runtime off standard error: it becomes an error of the one who asked.
fn hold_panics_of_the_runtime() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if IN_RUNTIME.get() {
                let payload = panic.payload();
                let message = payload
                    .downcast_ref::<&str>()
                    .map(|text| (*text).to_owned())
                    .or_else(|| payload.downcast_ref::<String>().cloned())
                    .unwrap_or_else(|| "no reason given".to_owned());
                MESSAGE.set(message);
            } else {
                before(panic);
            }
        }));
    });
}

/// Runs `call` on a state; what it writes goes to `overlay`.
///
/// # Errors
/// Returned if the runtime panics; `overlay` is then not to be used any more.
pub fn run<R>(
    backend: &Backend,
    overlay: &mut Overlay,
    call: impl FnOnce() -> R,
) -> Result<R, Panicked> {
    hold_panics_of_the_runtime();
    let mut ext = Ext::new(overlay, backend, None);
    let before = IN_RUNTIME.replace(true);
    let result = catch_unwind(AssertUnwindSafe(|| {
        sp_externalities::set_and_run_with_externalities(&mut ext, call)
    }));
    IN_RUNTIME.set(before);
    result.map_err(|_| Panicked(MESSAGE.take()))
}

/// Runs `call` on a state and throws away what it writes.
///
/// # Errors
/// Returned if the runtime panics.
pub fn peek<R>(backend: &Backend, call: impl FnOnce() -> R) -> Result<R, Panicked> {
    run(backend, &mut Overlay::default(), call)
}

/// Calls a function of the runtime's API by its name, with SCALE in and out, not before the time
/// `clock` if it is given, in milliseconds since 1970, and throws away what it writes. `None`: there
/// is no such function.
///
/// # Errors
/// Returned if the runtime panics, as it does on arguments that do not decode.
pub fn call(
    backend: &Backend,
    function: &str,
    data: &[u8],
    clock: Option<u64>,
) -> Result<Option<Vec<u8>>, Panicked> {
    peek(backend, || {
        if let Some(clock) = clock {
            pallet_timestamp::Now::<Runtime>::mutate(|now| *now = clock.max(*now));
        }
        runtime::api::dispatch(function, data)
    })
}

/// Closes `overlay`: the new trie nodes and their root.
pub fn close(
    mut overlay: Overlay,
    backend: &Backend,
) -> Result<StorageChanges<BlakeTwo256>, StoreError> {
    overlay
        .drain_storage_changes(backend, StateVersion::V1)
        .map_err(StoreError::other)
}

/// Decodes all of `data`, no deeper than a transaction may nest.
pub fn decode<T: Decode>(data: &[u8]) -> Result<T, codec::Error> {
    codec::DecodeLimit::decode_all_with_depth_limit(DECODE_DEPTH, &mut &data[..])
}
