//! `state_` and `childstate_`: storage, metadata and calls of the runtime.

use jsonrpsee::{
    Extensions, PendingSubscriptionSink, RpcModule,
    types::{Params, params::ParamsSequence},
};
use serde_json::{Value, json};
use sp_core::{
    Bytes,
    storage::{ChildInfo, ChildType, PrefixedStorageKey},
};
use sp_state_machine::{Backend as _, IterArgs};

use super::{
    chain_methods::{next_block, send},
    earlier,
    error::{RpcResult, client, internal, invalid_params, too_many, unknown_block},
    must,
};
use crate::{
    Chain,
    runtime::{self, Hash, Header},
    state::{self, Backend},
};

/// How many keys are given at once.
const MAX_KEYS: u32 = 1000;
/// How many blocks, and how many keys in each, `state_queryStorage` looks through.
const MAX_RANGE: u32 = 1024;
/// How many keys one may watch or prove.
const MAX_WATCHED: usize = 4096;

/// The header of this block, or of the best.
pub fn header(chain: &Chain, block: Option<Hash>) -> RpcResult<Header> {
    match block {
        None => Ok(chain.best().1),
        Some(hash) => chain
            .header(&hash)
            .map_err(internal)?
            .ok_or_else(|| unknown_block(&hash)),
    }
}

/// The header of this block, or of the best, and the state after it.
pub fn at(chain: &Chain, block: Option<Hash>) -> RpcResult<(Header, Backend)> {
    let header = header(chain, block)?;
    let backend = chain.state(&header).map_err(internal)?;
    Ok((header, backend))
}

/// The trie that a prefixed key names.
pub fn child(key: Bytes) -> RpcResult<ChildInfo> {
    match ChildType::from_prefixed_key(&PrefixedStorageKey::new(key.0)) {
        Some((ChildType::ParentKeyId, key)) => Ok(ChildInfo::new_default(key)),
        None => Err(client("Invalid child storage key")),
    }
}

/// A value of the state, in the main trie or in a child's.
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

/// The hash of a value of the state.
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

/// At most `most` keys with a prefix, after `start`.
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

/// The page of keys that the rest of the parameters asks for: a prefix, how many, the key to start
/// after, and the block.
fn page(
    chain: &Chain,
    params: &mut ParamsSequence,
    child: Option<ChildInfo>,
) -> RpcResult<Vec<Bytes>> {
    let prefix: Option<Bytes> = params.optional_next()?;
    let most: u32 = params.next()?;
    let start: Option<Bytes> = params.optional_next()?;
    if most > MAX_KEYS {
        return Err(too_many(u64::from(most), u64::from(MAX_KEYS)));
    }
    let prefix = prefix.unwrap_or(Bytes(vec![]));
    let (_, backend) = at(chain, params.optional_next()?)?;
    keys(&backend, child, &prefix, start.as_deref(), most as usize)
}

fn runtime_version() -> Value {
    json!(runtime::VERSION)
}

/// Changes of the keys in one block, as the older family words them.
fn change_set(block: Hash, changes: &[(Bytes, Option<Bytes>)]) -> Value {
    json!({ "block": block, "changes": changes })
}

fn values(backend: &Backend, keys: &[Bytes]) -> RpcResult<Vec<(Bytes, Option<Bytes>)>> {
    keys.iter()
        .map(|key| Ok((key.clone(), value(backend, None, key)?.map(Bytes))))
        .collect()
}

async fn watch_storage(pending: PendingSubscriptionSink, chain: Chain, keys: Vec<Bytes>) {
    let mut blocks = chain.subscribe();
    let (hash, header) = chain.best();
    let first = match chain
        .state(&header)
        .map_err(internal)
        .and_then(|at| values(&at, &keys))
    {
        Ok(values) => values,
        Err(error) => return pending.reject(error).await,
    };
    let Ok(sink) = pending.accept().await else {
        return;
    };
    if !send(&sink, &change_set(hash, &first)).await {
        return;
    }
    while let Some(block) = next_block(&sink, &mut blocks).await {
        let written: Vec<Bytes> = keys
            .iter()
            .filter(|key| block.written.contains(&key.0))
            .cloned()
            .collect();
        if written.is_empty() || block.header.number <= header.number {
            continue;
        }
        let changes = chain
            .state(&block.header)
            .map_err(internal)
            .and_then(|at| values(&at, &written));
        let Ok(changes) = changes else { return };
        if !send(&sink, &change_set(block.hash, &changes)).await {
            return;
        }
    }
}

/// The values of some keys over a range of blocks: all in the first, then what changed.
fn query(chain: &Chain, keys: &[Bytes], from: Hash, to: Option<Hash>) -> RpcResult<Vec<Value>> {
    let (first, _) = at(chain, Some(from))?;
    let (last, _) = at(chain, to)?;
    if first.number > last.number {
        let message = format!("Cannot resolve a block range ['{from:?}' ... '{to:?}]");
        return Err(jsonrpsee::types::ErrorObjectOwned::owned(
            4001, message, None::<()>,
        ));
    }
    let blocks = last.number - first.number + 1;
    if blocks > MAX_RANGE {
        return Err(too_many(u64::from(blocks), u64::from(MAX_RANGE)));
    }
    let mut before: Option<Vec<(Bytes, Option<Bytes>)>> = None;
    let mut found = Vec::new();
    for number in first.number..=last.number {
        let hash = chain
            .hash_of(number)
            .map_err(internal)?
            .ok_or_else(|| internal("no block"))?;
        let now = values(&at(chain, Some(hash))?.1, keys)?;
        let changed: Vec<_> = match &before {
            None => now.clone(),
            Some(before) => {
                let pairs = now.iter().zip(before);
                pairs
                    .filter(|(now, before)| now != before)
                    .map(|(now, _)| now.clone())
                    .collect()
            }
        };
        if !changed.is_empty() {
            found.push(change_set(hash, &changed));
        }
        before = Some(now);
    }
    Ok(found)
}

fn bounded(keys: Vec<Bytes>) -> RpcResult<Vec<Bytes>> {
    if keys.len() > MAX_WATCHED {
        return Err(too_many(keys.len() as u64, MAX_WATCHED as u64));
    }
    Ok(keys)
}

/// What a function of the runtime's API answers.
fn call(
    chain: &Chain,
    block: Option<Hash>,
    connection: &Extensions,
    function: &str,
    input: &[u8],
) -> RpcResult<Vec<u8>> {
    match chain.call(&header(chain, block)?, function, input) {
        Ok(Some(output)) => earlier::word(connection, function, output).map_err(internal),
        Ok(None) => Err(client(format!(
            "Execution failed: Exported method {function} is not found"
        ))),
        Err(error) => Err(client(format!("Execution failed: {error}"))),
    }
}

type Method<R> = fn(&Chain, &Params) -> RpcResult<R>;

/// One method under its names.
fn method<R>(module: &mut RpcModule<Chain>, names: &[&'static str], method: Method<R>)
where
    R: serde::Serialize + Clone + Send + 'static,
{
    for name in names {
        must(module.register_blocking_method(
            name,
            move |params: Params, chain: std::sync::Arc<Chain>, _: Extensions| {
                method(&chain, &params)
            },
        ));
    }
}

pub fn register(module: &mut RpcModule<Chain>) {
    must(module.register_blocking_method(
        "state_getMetadata",
        |params, chain, connection| -> RpcResult<_> {
            let block = params.sequence().optional_next()?;
            let opaque = call(&chain, block, &connection, "Metadata_metadata", &[])?;
            let opaque: Vec<u8> = state::decode(&opaque).map_err(internal)?;
            Ok(Bytes(opaque))
        },
    ));
    method(
        module,
        &["state_getRuntimeVersion", "chain_getRuntimeVersion"],
        |chain, params| {
            at(chain, params.sequence().optional_next()?)?;
            Ok(runtime_version())
        },
    );
    for name in ["state_call", "state_callAt"] {
        must(
            module.register_blocking_method(name, |params, chain, connection| -> RpcResult<_> {
                let mut params = params.sequence();
                let function: String = params.next()?;
                let input: Bytes = params.next()?;
                let block = params.optional_next()?;
                call(&chain, block, &connection, &function, &input).map(Bytes)
            }),
        );
    }
    method(
        module,
        &["state_getStorage", "state_getStorageAt"],
        |chain, params| {
            let mut params = params.sequence();
            let key: Bytes = params.next()?;
            Ok(value(&at(chain, params.optional_next()?)?.1, None, &key)?.map(Bytes))
        },
    );
    method(
        module,
        &["state_getStorageHash", "state_getStorageHashAt"],
        |chain, params| {
            let mut params = params.sequence();
            let key: Bytes = params.next()?;
            value_hash(&at(chain, params.optional_next()?)?.1, None, &key)
        },
    );
    method(
        module,
        &["state_getStorageSize", "state_getStorageSizeAt"],
        |chain, params| {
            let mut params = params.sequence();
            let key: Bytes = params.next()?;
            Ok(value(&at(chain, params.optional_next()?)?.1, None, &key)?.map(|value| value.len()))
        },
    );
    method(
        module,
        &["state_getKeysPaged", "state_getKeysPagedAt"],
        |chain, params| {
            let mut params = params.sequence();
            page(chain, &mut params, None)
        },
    );
    method(module, &["state_getKeys"], |chain, params| {
        let mut params = params.sequence();
        let prefix: Bytes = params.next()?;
        keys(
            &at(chain, params.optional_next()?)?.1,
            None,
            &prefix,
            None,
            usize::MAX,
        )
    });
    method(module, &["state_getPairs"], |chain, params| {
        let mut params = params.sequence();
        let prefix: Bytes = params.next()?;
        let (_, backend) = at(chain, params.optional_next()?)?;
        let keys = keys(&backend, None, &prefix, None, usize::MAX)?;
        values(&backend, &keys)
    });
    method(module, &["state_queryStorage"], |chain, params| {
        let mut params = params.sequence();
        let keys = bounded(params.next()?)?;
        let from: Hash = params.next()?;
        query(chain, &keys, from, params.optional_next()?)
    });
    method(module, &["state_queryStorageAt"], |chain, params| {
        let mut params = params.sequence();
        let keys = bounded(params.next()?)?;
        let (header, backend) = at(chain, params.optional_next()?)?;
        Ok(vec![change_set(header.hash(), &values(&backend, &keys)?)])
    });
    method(module, &["state_getReadProof"], |chain, params| {
        let mut params = params.sequence();
        let keys = bounded(params.next()?)?;
        let (header, backend) = at(chain, params.optional_next()?)?;
        let proof =
            sp_state_machine::prove_read(backend, keys.iter().map(|key| &key.0)).map_err(client)?;
        let nodes: Vec<Bytes> = proof.into_iter_nodes().map(Bytes).collect();
        Ok(json!({ "at": header.hash(), "proof": nodes }))
    });
    method(module, &["childstate_getStorage"], |chain, params| {
        let mut params = params.sequence();
        let child = child(params.next()?)?;
        let key: Bytes = params.next()?;
        Ok(value(&at(chain, params.optional_next()?)?.1, Some(&child), &key)?.map(Bytes))
    });
    method(module, &["childstate_getStorageHash"], |chain, params| {
        let mut params = params.sequence();
        let child = child(params.next()?)?;
        let key: Bytes = params.next()?;
        value_hash(&at(chain, params.optional_next()?)?.1, Some(&child), &key)
    });
    method(module, &["childstate_getStorageSize"], |chain, params| {
        let mut params = params.sequence();
        let child = child(params.next()?)?;
        let key: Bytes = params.next()?;
        let value = value(&at(chain, params.optional_next()?)?.1, Some(&child), &key)?;
        Ok(value.map(|value| value.len()))
    });
    method(module, &["childstate_getKeys"], |chain, params| {
        let mut params = params.sequence();
        let child = child(params.next()?)?;
        let prefix: Bytes = params.next()?;
        keys(
            &at(chain, params.optional_next()?)?.1,
            Some(child),
            &prefix,
            None,
            usize::MAX,
        )
    });
    method(
        module,
        &["childstate_getKeysPaged", "childstate_getKeysPagedAt"],
        |chain, params| {
            let mut params = params.sequence();
            let child = child(params.next()?)?;
            page(chain, &mut params, Some(child))
        },
    );
    for (subscribe, unsubscribe) in [
        (
            "state_subscribeRuntimeVersion",
            "state_unsubscribeRuntimeVersion",
        ),
        (
            "chain_subscribeRuntimeVersion",
            "chain_unsubscribeRuntimeVersion",
        ),
    ] {
        must(module.register_subscription(
            subscribe,
            "state_runtimeVersion",
            unsubscribe,
            |_, pending, _, _| async move {
                let Ok(sink) = pending.accept().await else {
                    return;
                };
                // The runtime is this program's: it stays as it is while it runs.
                if send(&sink, &runtime_version()).await {
                    sink.closed().await;
                }
            },
        ));
    }
    must(module.register_subscription(
        "state_subscribeStorage",
        "state_storage",
        "state_unsubscribeStorage",
        |params, pending, chain, _| {
            let keys = params
                .sequence()
                .optional_next::<Vec<Bytes>>()
                .and_then(|keys| bounded(keys.unwrap_or_default()));
            async move {
                match keys {
                    Ok(keys) if keys.is_empty() => {
                        pending
                            .reject(invalid_params("name the keys to watch"))
                            .await;
                    }
                    Ok(keys) => watch_storage(pending, Chain::clone(&chain), keys).await,
                    Err(error) => pending.reject(error).await,
                }
            }
        },
    ));
}
