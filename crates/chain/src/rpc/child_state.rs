//! `childstate_`: the storage of child tries, where contracts keep theirs.

use jsonrpsee::RpcModule;
use sp_core::{
    Bytes,
    storage::{ChildInfo, ChildType, PrefixedStorageKey},
};

use super::{
    error::{RpcResult, client},
    read::{at, keys, page, value, value_hash},
    register::read,
};
use crate::Chain;

/// The child trie with this prefixed key.
fn trie(key: Bytes) -> RpcResult<ChildInfo> {
    match ChildType::from_prefixed_key(&PrefixedStorageKey::new(key.0)) {
        Some((ChildType::ParentKeyId, key)) => Ok(ChildInfo::new_default(key)),
        None => Err(client("Invalid child storage key")),
    }
}

pub fn register(module: &mut RpcModule<Chain>) {
    read(module, &["childstate_getStorage"], |chain, params| {
        let mut params = params.sequence();
        let trie = trie(params.next()?)?;
        let key: Bytes = params.next()?;
        Ok(value(&at(chain, params.optional_next()?)?.1, Some(&trie), &key)?.map(Bytes))
    });
    read(module, &["childstate_getStorageHash"], |chain, params| {
        let mut params = params.sequence();
        let trie = trie(params.next()?)?;
        let key: Bytes = params.next()?;
        value_hash(&at(chain, params.optional_next()?)?.1, Some(&trie), &key)
    });
    read(module, &["childstate_getStorageSize"], |chain, params| {
        let mut params = params.sequence();
        let trie = trie(params.next()?)?;
        let key: Bytes = params.next()?;
        let value = value(&at(chain, params.optional_next()?)?.1, Some(&trie), &key)?;
        Ok(value.map(|value| value.len()))
    });
    read(module, &["childstate_getKeys"], |chain, params| {
        let mut params = params.sequence();
        let trie = trie(params.next()?)?;
        let prefix: Bytes = params.next()?;
        keys(
            &at(chain, params.optional_next()?)?.1,
            Some(trie),
            &prefix,
            None,
            usize::MAX,
        )
    });
    read(
        module,
        &["childstate_getKeysPaged", "childstate_getKeysPagedAt"],
        |chain, params| {
            let mut params = params.sequence();
            let trie = trie(params.next()?)?;
            page(chain, &mut params, Some(trie))
        },
    );
}
