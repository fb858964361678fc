//! `state_`: storage, metadata and functions of the runtime.

use codec::Decode;
use jsonrpsee::{Extensions, PendingSubscriptionSink, RpcModule, types::ErrorObjectOwned};
use serde_json::{Value, json};
use sp_core::Bytes;

use super::{
    earlier,
    error::{RpcResult, client, internal, invalid_params, too_many, unreadable},
    feed::{next_update, send},
    read::{at, header, keys, page, value, value_hash},
    register::{must, read},
};
use crate::{
    Chain, Follow, ReadError, Update,
    runtime::{Hash, Header},
    state::{self, Backend},
};

/// How many blocks `state_queryStorage` looks through at most.
const MAX_RANGE: u32 = 1024;
/// How many keys a request may read, watch or prove.
const MAX_KEYS: usize = 4096;

/// The changes of a block, in the format of this family.
fn change_set(block: Hash, changes: &[(Bytes, Option<Bytes>)]) -> Value {
    json!({ "block": block, "changes": changes })
}

fn values(backend: &Backend, keys: &[Bytes]) -> RpcResult<Vec<(Bytes, Option<Bytes>)>> {
    keys.iter()
        .map(|key| Ok((key.clone(), value(backend, None, key)?.map(Bytes))))
        .collect()
}

/// Sends the values of some keys in the best block, and then what each best block writes of them.
/// When a branch becomes the best one, that is what its last block writes, as on a Substrate node:
/// values that a retracted block had changed are not sent again.
async fn watch_storage(pending: PendingSubscriptionSink, chain: Chain, keys: Vec<Bytes>) {
    let Follow {
        best, mut updates, ..
    } = chain.follow();
    let read = |header: &Header, keys: &[Bytes]| {
        let backend = chain.state(header).map_err(unreadable)?;
        values(&backend, keys)
    };
    let first = match read(&best.header, &keys) {
        Ok(values) => values,
        Err(error) => return pending.reject(error).await,
    };
    let Ok(sink) = pending.accept().await else {
        return;
    };
    if !send(&sink, &change_set(best.hash, &first)).await {
        return;
    }
    while let Some(update) = next_update(&sink, &mut updates).await {
        let Update::Block(block) = update else {
            continue;
        };
        let written: Vec<Bytes> = keys
            .iter()
            .filter(|key| block.written.contains(&key.0))
            .cloned()
            .collect();
        if written.is_empty() || !block.is_best {
            continue;
        }
        let Ok(changes) = read(&block.header, &written) else {
            return;
        };
        if !send(&sink, &change_set(block.hash, &changes)).await {
            return;
        }
    }
}

/// Sends the version of the runtime of the best block, and then whenever it is another one.
async fn watch_version(pending: PendingSubscriptionSink, follow: Follow) {
    let Follow {
        best, mut updates, ..
    } = follow;
    let Ok(sink) = pending.accept().await else {
        return;
    };
    let mut code = best.code;
    loop {
        if !send(&sink, &code.version()).await {
            return;
        }
        loop {
            match next_update(&sink, &mut updates).await {
                Some(Update::Block(block)) if block.is_best && block.code != code => {
                    code = block.code;
                    break;
                }
                Some(Update::Block(_) | Update::Final(_)) => {}
                None => return,
            }
        }
    }
}

/// The values of some keys in a range of blocks: all of them in the first block, then the changes
/// of each block.
fn query(chain: &Chain, keys: &[Bytes], from: Hash, to: Option<Hash>) -> RpcResult<Vec<Value>> {
    let first = header(chain, Some(from))?;
    let last = header(chain, to)?;
    let invalid = |why: &str| {
        let message = format!("Cannot resolve a block range ['{from:?}' ... '{to:?}]: {why}");
        ErrorObjectOwned::owned(4001, message, None::<()>)
    };
    if first.number > last.number {
        return Err(invalid("from number > to number"));
    }
    let blocks = last.number - first.number + 1;
    if blocks > MAX_RANGE {
        return Err(too_many(u64::from(blocks), u64::from(MAX_RANGE)));
    }
    let mut range = vec![last.hash()];
    let mut parent = last.parent_hash;
    for _ in 1..blocks {
        range.push(parent);
        parent = header(chain, Some(parent))?.parent_hash;
    }
    if range.last() != Some(&from) {
        return Err(invalid("from and to are on different forks"));
    }
    let mut before: Option<Vec<(Bytes, Option<Bytes>)>> = None;
    let mut found = Vec::new();
    for hash in range.into_iter().rev() {
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
    if keys.len() > MAX_KEYS {
        return Err(too_many(keys.len() as u64, MAX_KEYS as u64));
    }
    Ok(keys)
}

/// The result of a function of the runtime's API, in the encoding that the connection expects.
fn call(
    chain: &Chain,
    block: Option<Hash>,
    connection: &Extensions,
    function: &str,
    input: &[u8],
) -> RpcResult<Vec<u8>> {
    match chain.call(&header(chain, block)?, function, input) {
        Ok(output) => earlier::translate(connection, function, output).map_err(internal),
        // A Substrate node's words.
        Err(ReadError::NoFunction(name)) => Err(client(format!(
            "Execution failed: Exported method {name} is not found"
        ))),
        Err(error @ ReadError::Panicked(_)) => Err(client(format!("Execution failed: {error}"))),
        Err(error) => Err(unreadable(error)),
    }
}

pub fn register(module: &mut RpcModule<Chain>) {
    must(module.register_blocking_method(
        "state_getMetadata",
        |params, chain, connection| -> RpcResult<_> {
            let block = params.sequence().optional_next()?;
            let opaque = call(&chain, block, &connection, "Metadata_metadata", &[])?;
            let opaque = Vec::<u8>::decode(&mut &opaque[..]).map_err(internal)?;
            Ok(Bytes(opaque))
        },
    ));
    read(
        module,
        &["state_getRuntimeVersion", "chain_getRuntimeVersion"],
        |chain, params| {
            let (_, backend) = at(chain, params.sequence().optional_next()?)?;
            let code = state::code(&backend).map_err(internal)?;
            Ok(json!(code.version()))
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
    read(
        module,
        &["state_getStorage", "state_getStorageAt"],
        |chain, params| {
            let mut params = params.sequence();
            let key: Bytes = params.next()?;
            Ok(value(&at(chain, params.optional_next()?)?.1, None, &key)?.map(Bytes))
        },
    );
    read(
        module,
        &["state_getStorageHash", "state_getStorageHashAt"],
        |chain, params| {
            let mut params = params.sequence();
            let key: Bytes = params.next()?;
            value_hash(&at(chain, params.optional_next()?)?.1, None, &key)
        },
    );
    read(
        module,
        &["state_getStorageSize", "state_getStorageSizeAt"],
        |chain, params| {
            let mut params = params.sequence();
            let key: Bytes = params.next()?;
            Ok(value(&at(chain, params.optional_next()?)?.1, None, &key)?.map(|value| value.len()))
        },
    );
    read(
        module,
        &["state_getKeysPaged", "state_getKeysPagedAt"],
        |chain, params| {
            let mut params = params.sequence();
            page(chain, &mut params, None)
        },
    );
    read(module, &["state_getKeys"], |chain, params| {
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
    read(module, &["state_getPairs"], |chain, params| {
        let mut params = params.sequence();
        let prefix: Bytes = params.next()?;
        let (_, backend) = at(chain, params.optional_next()?)?;
        let keys = keys(&backend, None, &prefix, None, usize::MAX)?;
        values(&backend, &keys)
    });
    read(module, &["state_queryStorage"], |chain, params| {
        let mut params = params.sequence();
        let keys = bounded(params.next()?)?;
        let from: Hash = params.next()?;
        query(chain, &keys, from, params.optional_next()?)
    });
    read(module, &["state_queryStorageAt"], |chain, params| {
        let mut params = params.sequence();
        let keys = bounded(params.next()?)?;
        let (header, backend) = at(chain, params.optional_next()?)?;
        Ok(vec![change_set(header.hash(), &values(&backend, &keys)?)])
    });
    read(module, &["state_getReadProof"], |chain, params| {
        let mut params = params.sequence();
        let keys = bounded(params.next()?)?;
        let (header, backend) = at(chain, params.optional_next()?)?;
        let proof =
            sp_state_machine::prove_read(backend, keys.iter().map(|key| &key.0)).map_err(client)?;
        let nodes: Vec<Bytes> = proof.into_iter_nodes().map(Bytes).collect();
        Ok(json!({ "at": header.hash(), "proof": nodes }))
    });
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
            |_, pending, chain, _| watch_version(pending, chain.follow()),
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
