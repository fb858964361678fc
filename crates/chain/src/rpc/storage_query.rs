//! Storage requests, as `chainHead_v1` and `archive_v1` have them.

use serde::Deserialize;
use serde_json::{Value, json};
use sp_core::{Bytes, storage::ChildInfo};
use sp_state_machine::Backend as _;

use super::{
    error::{RpcResult, internal},
    read::{self, value, value_hash},
};
use crate::state::Backend;

const MAX_ITEMS: usize = 10_000;

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

/// The results of some queries, in their order. At most [`MAX_ITEMS`] of them are descendants.
pub fn answer(
    backend: &Backend,
    child: Option<&ChildInfo>,
    queries: &[StorageQuery],
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
                let keys = read::keys(
                    backend,
                    child.cloned(),
                    key,
                    start.as_deref(),
                    MAX_ITEMS.saturating_sub(items.len()),
                )?;
                for key in keys {
                    items.extend(item(&key, hashed)?);
                }
            }
            QueryKind::ClosestDescendantMerkleValue => {
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
