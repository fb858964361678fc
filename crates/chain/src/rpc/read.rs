//! Reading the state after a block, for all families of methods.

use jsonrpsee::types::params::ParamsSequence;
use sp_core::{Bytes, storage::ChildInfo};
use sp_state_machine::{Backend as _, IterArgs};

use super::error::{RpcResult, client, internal, too_many, unknown_block, unreadable};
use crate::{
    Chain,
    runtime::{Hash, Header},
    state::Backend,
};

/// How many keys one page has at most.
const MAX_PAGE: u32 = 1000;

/// The header of this block, or of the best block.
pub fn header(chain: &Chain, block: Option<Hash>) -> RpcResult<Header> {
    match block {
        None => Ok(chain.best().1),
        Some(hash) => chain
            .header(&hash)
            .map_err(internal)?
            .ok_or_else(|| unknown_block(&hash)),
    }
}

/// The header of this block, or of the best block, and the state after it.
pub fn at(chain: &Chain, block: Option<Hash>) -> RpcResult<(Header, Backend)> {
    let header = header(chain, block)?;
    let backend = chain.state(&header).map_err(unreadable)?;
    Ok((header, backend))
}

/// The value of a key, in the main trie or in a child trie.
pub fn value(
    backend: &Backend,
    child: Option<&ChildInfo>,
    key: &[u8],
) -> RpcResult<Option<Vec<u8>>> {
    match child {
        None => backend.storage(key),
        Some(child) => backend.child_storage(child, key),
    }
    .map_err(client)
}

/// The hash of the value of a key, in the main trie or in a child trie.
pub fn value_hash(
    backend: &Backend,
    child: Option<&ChildInfo>,
    key: &[u8],
) -> RpcResult<Option<Hash>> {
    match child {
        None => backend.storage_hash(key),
        Some(child) => backend.child_storage_hash(child, key),
    }
    .map_err(client)
}

/// The first `most` keys with a prefix, or the first ones after `start`, in the main trie or in a
/// child trie.
pub fn keys(
    backend: &Backend,
    child: Option<ChildInfo>,
    prefix: &[u8],
    start: Option<&[u8]>,
    most: usize,
) -> RpcResult<Vec<Bytes>> {
    let mut args = IterArgs::default();
    args.prefix = Some(prefix);
    args.start_at = start;
    args.start_at_exclusive = true;
    args.child_info = child;
    let keys = backend.keys(args).map_err(client)?;
    keys.take(most)
        .map(|key| key.map(Bytes).map_err(client))
        .collect()
}

/// A page of keys, by the parameters that are left: the prefix, how many keys, the key before the
/// first, and the block.
pub fn page(
    chain: &Chain,
    params: &mut ParamsSequence,
    child: Option<ChildInfo>,
) -> RpcResult<Vec<Bytes>> {
    let prefix: Option<Bytes> = params.optional_next()?;
    let most: u32 = params.next()?;
    let start: Option<Bytes> = params.optional_next()?;
    if most > MAX_PAGE {
        return Err(too_many(u64::from(most), u64::from(MAX_PAGE)));
    }
    let prefix = prefix.unwrap_or(Bytes(vec![]));
    let (_, backend) = at(chain, params.optional_next()?)?;
    keys(&backend, child, &prefix, start.as_deref(), most as usize)
}
