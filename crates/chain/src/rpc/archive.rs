//! `archive_v1`: all blocks of the past.

use codec::Encode;
use jsonrpsee::RpcModule;
use serde_json::json;
use sp_core::{Bytes, storage::ChildInfo};

use super::{
    error::{RpcResult, internal, invalid_params},
    feed::send,
    read::{at, header},
    register::must,
    storage_query::{StorageQuery, answer},
};
use crate::{Chain, runtime::Hash};

pub fn register(module: &mut RpcModule<Chain>) {
    must(
        module.register_method("archive_v1_genesisHash", |_, chain, _| {
            json!(chain.genesis_hash())
        }),
    );
    must(
        module.register_method("archive_v1_finalizedHeight", |_, chain, _| {
            chain.finalized().1.number
        }),
    );
    must(module.register_blocking_method(
        "archive_v1_hashByHeight",
        |params, chain, _| -> RpcResult<_> {
            let number: u64 = params.one()?;
            match u32::try_from(number) {
                Ok(number) => chain.hashes_of(number).map_err(internal),
                Err(_) => Ok(Vec::new()),
            }
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
                Ok(output) => json!({ "success": true, "value": Bytes(output) }),
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
                    answer(&backend, child.as_ref(), &queries)
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
                    if !send(&sink, &event).await {
                        return;
                    }
                }
            }
        },
    ));
}
