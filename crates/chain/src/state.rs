//! The states of the blocks: tries over the store.

use sp_core::storage::well_known_keys;
use sp_runtime::{StateVersion, traits::BlakeTwo256};
use sp_state_machine::{
    Backend as _, OverlayedChanges, StorageChanges, TrieBackend, TrieBackendBuilder,
};
use sp_trie::cache::{CacheSize, LocalTrieCache, SharedTrieCache};

use crate::{
    error::StoreError,
    runtime::{Code, Hash},
    store::{Nodes, Store},
};

/// How much of the tries is kept in memory, in bytes.
const CACHE: CacheSize = CacheSize::new(128 << 20);

/// The state after a block: a trie over the store.
pub type Backend = TrieBackend<Nodes, BlakeTwo256, LocalTrieCache<BlakeTwo256>>;
/// Changes on top of a state that are not stored yet.
pub type Overlay = OverlayedChanges<BlakeTwo256>;
/// The changes that a block made, as new trie nodes.
pub type Changes = StorageChanges<BlakeTwo256>;

/// Opens states. All of them share one cache.
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
    /// `trusted`: the reader is the chain itself and may fill the whole cache. Requests from
    /// outside may not, so that they can't push out the entries that making blocks needs.
    ///
    /// # Errors
    /// Returned if the store fails.
    pub fn at(&self, store: &Store, root: Hash, trusted: bool) -> Result<Backend, StoreError> {
        let cache = if trusted {
            self.cache.local_cache_trusted()
        } else {
            self.cache.local_cache_untrusted()
        };
        Ok(TrieBackendBuilder::new_with_cache(store.nodes()?, root, cache).build())
    }
}

/// The changes in `overlay` as new trie nodes, with the root of the state that they lead to.
///
/// # Errors
/// Returned if the store fails.
pub fn close(mut overlay: Overlay, backend: &Backend) -> Result<Changes, StoreError> {
    overlay
        .drain_storage_changes(backend, StateVersion::V1)
        .map_err(StoreError::new)
}

/// The version of the runtime in a state.
///
/// # Errors
/// Returned if the store fails.
pub fn code(backend: &Backend) -> Result<Code, StoreError> {
    let code = backend
        .storage(well_known_keys::CODE)
        .map_err(StoreError::new)?;
    Ok(Code::of(code.as_deref()))
}
