//! Block 0.

use codec::Encode;
use sp_core::storage::well_known_keys;
use sp_runtime::{
    BuildStorage, StateVersion,
    traits::{BlakeTwo256, Hash as _, Header as _},
};

use crate::{
    dev,
    error::OpenError,
    runtime::{Code, Header},
    state::{self, Overlay, States},
    store::{Finalized, Store, StoredBlock},
};

/// Stores block 0, whose state is [`dev::genesis`].
///
/// # Errors
/// Returned if the state can't be built, and if the store fails.
pub fn store_genesis(store: &Store, states: &States) -> Result<(), OpenError> {
    let storage = dev::genesis().build_storage().map_err(OpenError::Genesis)?;
    let empty = sp_trie::empty_trie_root::<sp_trie::LayoutV1<BlakeTwo256>>();
    let backend = states.at(store, empty, true)?;
    let mut overlay = Overlay::default();
    for (key, value) in storage.top {
        overlay.set_storage(key, Some(value));
    }
    // On a chain with a Wasm runtime this key holds the code. Clients read only the value's hash,
    // to notice another runtime; polkadot-api does not start without it. Here the runtime is
    // native, so that its version stands for it.
    let code = well_known_keys::CODE.to_vec();
    overlay.set_storage(code, Some(Code::First.version().encode()));
    for child in storage.children_default.into_values() {
        for (key, value) in child.data {
            overlay.set_child_storage(&child.child_info, key, Some(value));
        }
    }
    let changes = state::close(overlay, &backend)?;
    let no_transactions = BlakeTwo256::ordered_trie_root(vec![], StateVersion::V1);
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
    let finalized = Finalized {
        number: 0,
        pruned: &[],
    };
    store.append(block.header.hash(), &block, changes.transaction, &finalized)?;
    Ok(())
}
