//! `archive_v1`: every block of the past, which this chain keeps.

use jsonrpsee::RpcModule;
use serde::Deserialize;
use serde_json::{Value, json};
use sp_core::Bytes;

use super::{
    error::{RpcResult, internal, invalid_params},
    must,
    state_methods::{self, at, header, value, value_hash},
};
use crate::{Chain, runtime::Hash, state::Backend};
use codec::Encode;
use sp_core::storage::ChildInfo;

/// One question about storage, as the newer families put it.
#[derive(Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
pub struct StorageQuery {
    key: Bytes,
    #[serde(rename = "type")]
    kind: QueryKind,
    #[serde(default)]
    pagination_start_key: Option<Bytes>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
enum QueryKind {
    Value,
    Hash,
    ClosestDescendantMerkleValue,
    DescendantsValues,
    DescendantsHashes,
}

/// Answers some questions about storage, in their order.
pub fn answer(
    backend: &Backend,
    child: Option<&ChildInfo>,
    queries: &[StorageQuery],
    most: usize,
) -> RpcResult<Vec<Value>> {
    let mut items = Vec::new();
    for StorageQuery {
        key,
        kind,
        pagination_start_key: start,
    } in queries
    {
        let item = |key: &Bytes, hashed: bool| -> RpcResult<Option<Value>> {
            Ok(if hashed {
                value_hash(backend, child, key)?.map(|hash| json!({ "key": key, "hash": hash }))
            } else {
                value(backend, child, key)?
                    .map(|value| json!({ "key": key, "value": Bytes(value) }))
            })
        };
        match kind {
            QueryKind::Value => items.extend(item(key, false)?),
            QueryKind::Hash => items.extend(item(key, true)?),
            QueryKind::DescendantsValues | QueryKind::DescendantsHashes => {
                let hashed = matches!(kind, QueryKind::DescendantsHashes);
                let keys = state_methods::keys(
                    backend,
                    child.cloned(),
                    key,
                    start.as_deref(),
                    most.saturating_sub(items.len()),
                )?;
                for key in keys {
                    items.extend(item(&key, hashed)?);
                }
            }
            QueryKind::ClosestDescendantMerkleValue => {
                use sp_state_machine::Backend as _;
                let found = match child {
                    None => backend.closest_merkle_value(key),
                    Some(child) => backend.child_closest_merkle_value(child, key),
                }
                .map_err(internal)?;
                items.extend(found.map(|found| {
                    let merkle = match found {
                        sp_trie::MerkleValue::Node(bytes) => Bytes(bytes),
                        sp_trie::MerkleValue::Hash(hash) => Bytes(hash.as_bytes().to_vec()),
                    };
                    json!({ "key": key, "closestDescendantMerkleValue": merkle })
                }));
            }
        }
    }
    Ok(items)
}

/// How much one `archive_v1_storage` gives.
const MAX_ITEMS: usize = 10_000;

pub fn register(module: &mut RpcModule<Chain>) {
    must(
        module.register_method("archive_v1_genesisHash", |_, chain, _| {
            json!(chain.genesis_hash())
        }),
    );
    must(
        module.register_method("archive_v1_finalizedHeight", |_, chain, _| {
            chain.best().1.number
        }),
    );
    must(module.register_blocking_method(
        "archive_v1_hashByHeight",
        |params, chain, _| -> RpcResult<_> {
            let number: u64 = params.one()?;
            let hash = match u32::try_from(number) {
                Ok(number) => chain.hash_of(number).map_err(internal)?,
                Err(_) => None,
            };
            Ok(hash.into_iter().collect::<Vec<_>>())
        },
    ));
    must(module.register_blocking_method(
        "archive_v1_header",
        |params, chain, _| -> RpcResult<_> {
            let header = chain.header(&params.one()?).map_err(internal)?;
            Ok(header.map(|header| Bytes(header.encode())))
        },
    ));
    must(
        module.register_blocking_method("archive_v1_body", |params, chain, _| -> RpcResult<_> {
            let block = chain.block(&params.one()?).map_err(internal)?;
            Ok(block.map(|block| block.extrinsics))
        }),
    );
    must(
        module.register_blocking_method("archive_v1_call", |params, chain, _| -> RpcResult<_> {
            let mut params = params.sequence();
            let block: Hash = params.next()?;
            let function: String = params.next()?;
            let input: Bytes = params.next()?;
            let Ok(header) = header(&chain, Some(block)) else {
                return Ok(json!(null));
            };
            Ok(match chain.call(&header, &function, &input) {
                Ok(Some(output)) => json!({ "success": true, "value": Bytes(output) }),
                Ok(None) => json!({ "success": false, "error": format!("no function {function}") }),
                Err(error) => json!({ "success": false, "error": error.to_string() }),
            })
        }),
    );
    must(module.register_subscription(
        "archive_v1_storage",
        "archive_v1_storageEvent",
        "archive_v1_stopStorage",
        |params, pending, chain, _| {
            let params = params.into_owned();
            async move {
                let asked = || -> RpcResult<_> {
                    let mut params = params.sequence();
                    let block: Hash = params.next()?;
                    let queries: Vec<StorageQuery> = params.next()?;
                    let child = params
                        .optional_next::<Bytes>()?
                        .map(|key| ChildInfo::new_default(&key));
                    Ok((block, queries, child))
                };
                let (block, queries, child) = match asked() {
                    Ok(asked) => asked,
                    Err(error) => return pending.reject(invalid_params(error.message())).await,
                };
                let chain = Chain::clone(&chain);
                let answers = tokio::task::spawn_blocking(move || {
                    let (_, backend) = at(&chain, Some(block))?;
                    answer(&backend, child.as_ref(), &queries, MAX_ITEMS)
                })
                .await;
                let Ok(sink) = pending.accept().await else {
                    return;
                };
                let failed = |why: String| json!({ "event": "storageError", "error": why });
                let mut events = match answers {
                    Ok(Ok(items)) => items
                        .into_iter()
                        .map(|mut item| {
                            item["event"] = json!("storage");
                            item
                        })
                        .collect(),
                    Ok(Err(error)) => vec![failed(error.message().to_owned())],
                    Err(error) => vec![failed(error.to_string())],
                };
                if events
                    .last()
                    .is_none_or(|event| event["event"] == "storage")
                {
                    events.push(json!({ "event": "storageDone" }));
                }
                for event in events {
                    if !super::chain_methods::send(&sink, &event).await {
                        return;
                    }
                }
            }
        },
    ));
}
