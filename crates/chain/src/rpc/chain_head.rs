//! `chainHead_v1`: following the head, and asking about the blocks that were reported.
//!
//! Every block is final as it is reported, and none is ever pruned; what a follower pins is only
//! counted, so that one that never unpins is told to stop.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use codec::Encode;
use jsonrpsee::{
    Extensions, PendingSubscriptionSink, ResponsePayload, RpcModule,
    types::{ErrorObjectOwned, Params, SubscriptionId},
};
use parking_lot::Mutex;
use serde_json::{Value, json};
use sp_core::{Bytes, storage::ChildInfo};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::{
    archive::{StorageQuery, answer},
    chain_methods::{next_block, send},
    error::{RpcResult, internal, invalid_params},
    must,
    state_methods::{at, header},
};
use crate::{
    Chain,
    runtime::{self, Hash},
};

/// How many blocks a follower may have pinned.
const MAX_PINNED: usize = 8192;
/// How many storage items an operation gives.
const MAX_ITEMS: usize = 10_000;

/// The block is not pinned by this follower.
fn not_pinned() -> ErrorObjectOwned {
    ErrorObjectOwned::owned(-32801, "Invalid block hash", None::<()>)
}

struct Follower {
    pinned: HashSet<Hash>,
    events: UnboundedSender<Value>,
}

#[derive(Default)]
struct Followers {
    by_id: Mutex<HashMap<String, Follower>>,
    operations: AtomicU64,
}

fn name(id: &SubscriptionId) -> String {
    match id {
        SubscriptionId::Num(number) => number.to_string(),
        SubscriptionId::Str(text) => text.to_string(),
    }
}

impl Followers {
    /// Whether this follower exists, and has the block pinned if it does.
    fn has(&self, follower: &str, block: &Hash) -> RpcResult<bool> {
        match self.by_id.lock().get(follower) {
            None => Ok(false),
            Some(follower) if follower.pinned.contains(block) => Ok(true),
            Some(_) => Err(not_pinned()),
        }
    }
}

fn spec() -> Value {
    let version = runtime::VERSION;
    let apis: serde_json::Map<String, Value> = version
        .apis
        .iter()
        .map(|(id, version)| (format!("0x{}", hex::encode(id)), json!(version)))
        .collect();
    json!({
        "type": "valid",
        "spec": {
            "specName": version.spec_name,
            "implName": version.impl_name,
            "specVersion": version.spec_version,
            "implVersion": version.impl_version,
            "transactionVersion": version.transaction_version,
            "apis": apis,
        },
    })
}

async fn follow(
    pending: PendingSubscriptionSink,
    chain: Chain,
    followers: Arc<Followers>,
    with_runtime: bool,
) {
    let mut blocks = chain.subscribe();
    let (first, header) = chain.best();
    drop(chain);
    let Ok(sink) = pending.accept().await else {
        return;
    };
    let id = name(&sink.subscription_id());
    let (events, mut operations) = unbounded_channel();
    let follower = Follower {
        pinned: HashSet::from([first]),
        events,
    };
    followers.by_id.lock().insert(id.clone(), follower);
    let mut initialized = json!({ "event": "initialized", "finalizedBlockHashes": [first] });
    if with_runtime {
        initialized["finalizedBlockRuntime"] = spec();
    }
    let best = |hash: Hash| json!({ "event": "bestBlockChanged", "bestBlockHash": hash });
    let mut going = send(&sink, &initialized).await && send(&sink, &best(first)).await;
    while going {
        let block = tokio::select! {
            Some(event) = operations.recv() => {
                going = send(&sink, &event).await;
                continue;
            }
            block = next_block(&sink, &mut blocks) => block,
        };
        let Some(block) = block else { break };
        if block.header.number <= header.number {
            continue;
        }
        let pinned = match followers.by_id.lock().get_mut(&id) {
            Some(follower) => {
                follower.pinned.insert(block.hash);
                follower.pinned.len()
            }
            None => break,
        };
        if pinned > MAX_PINNED {
            send(&sink, &json!({ "event": "stop" })).await;
            break;
        }
        let mut new = json!({
            "event": "newBlock",
            "blockHash": block.hash,
            "parentBlockHash": block.header.parent_hash,
        });
        if with_runtime {
            // The runtime stays as it is while this program runs.
            new["newRuntime"] = Value::Null;
        }
        let finalized = json!({
            "event": "finalized",
            "finalizedBlockHashes": [block.hash],
            "prunedBlockHashes": [],
        });
        going = send(&sink, &new).await
            && send(&sink, &best(block.hash)).await
            && send(&sink, &finalized).await;
    }
    followers.by_id.lock().remove(&id);
}

/// An operation on a pinned block: it is named at once, and its events follow.
fn operation(
    module: &mut RpcModule<Chain>,
    followers: &Arc<Followers>,
    method: &'static str,
    run: fn(&Chain, Hash, &Params) -> RpcResult<Vec<Value>>,
) {
    let followers = followers.clone();
    let start = move |params: &Params<'static>, chain: &Chain| -> RpcResult<_> {
        let mut sequence = params.sequence();
        let follower: String = sequence.next()?;
        let block: Hash = sequence.next()?;
        if !followers.has(&follower, &block)? {
            return Ok(None);
        }
        let operation = followers
            .operations
            .fetch_add(1, Ordering::Relaxed)
            .to_string();
        let (chain, params, followers, id) = (
            chain.clone(),
            params.clone(),
            followers.clone(),
            operation.clone(),
        );
        let work = move || {
            let events = run(&chain, block, &params).unwrap_or_else(|error| {
                vec![json!({ "event": "operationError", "error": error.message() })]
            });
            let followers = followers.by_id.lock();
            let Some(follower) = followers.get(&follower) else {
                return;
            };
            for mut event in events {
                event["operationId"] = json!(id);
                // The follower may have gone away meanwhile.
                let _ = follower.events.send(event);
            }
        };
        Ok(Some((operation, work)))
    };
    must(module.register_method(
        method,
        move |params: Params, chain: &Chain, _: &Extensions| -> ResponsePayload<'static, Value> {
            match start(&params.into_owned(), chain) {
                Err(error) => ResponsePayload::error(error),
                Ok(None) => ResponsePayload::success(json!({ "result": "limitReached" })),
                Ok(Some((operation, work))) => {
                    let started = json!({ "result": "started", "operationId": operation });
                    let (answer, answered) =
                        ResponsePayload::success(started).notify_on_completion();
                    tokio::spawn(async move {
                        // Its events must not overtake the answer that names it.
                        if answered.await.is_ok() {
                            let _ = tokio::task::spawn_blocking(work).await;
                        }
                    });
                    answer
                }
            }
        },
    ));
}

pub fn register(module: &mut RpcModule<Chain>) {
    let followers = Arc::<Followers>::default();

    let all = followers.clone();
    must(module.register_subscription(
        "chainHead_v1_follow",
        "chainHead_v1_followEvent",
        "chainHead_v1_unfollow",
        move |params, pending, chain, _| {
            let (all, with_runtime) = (all.clone(), params.one::<bool>());
            async move {
                match with_runtime {
                    Ok(with_runtime) => {
                        follow(pending, Chain::clone(&chain), all, with_runtime).await;
                    }
                    Err(error) => pending.reject(error).await,
                }
            }
        },
    ));
    let all = followers.clone();
    must(module.register_blocking_method(
        "chainHead_v1_header",
        move |params, chain, _| -> RpcResult<_> {
            let mut params = params.sequence();
            let follower: String = params.next()?;
            let block: Hash = params.next()?;
            if !all.has(&follower, &block)? {
                return Ok(None);
            }
            let header = chain.header(&block).map_err(internal)?;
            Ok(header.map(|header| Bytes(header.encode())))
        },
    ));
    let all = followers.clone();
    must(
        module.register_method("chainHead_v1_unpin", move |params, _, _| -> RpcResult<_> {
            #[derive(serde::Deserialize)]
            #[serde(untagged)]
            enum Blocks {
                One(Hash),
                Many(Vec<Hash>),
            }
            let mut params = params.sequence();
            let follower: String = params.next()?;
            let blocks = match params.next()? {
                Blocks::One(block) => vec![block],
                Blocks::Many(blocks) => blocks,
            };
            if let Some(follower) = all.by_id.lock().get_mut(&follower) {
                let mut seen = HashSet::new();
                if !blocks.iter().all(|block| seen.insert(*block)) {
                    return Err(ErrorObjectOwned::owned(
                        -32804,
                        "Received duplicate hashes for `chainHead_unpin`",
                        None::<()>,
                    ));
                }
                // All or none.
                if !blocks.iter().all(|block| follower.pinned.contains(block)) {
                    return Err(not_pinned());
                }
                for block in blocks {
                    follower.pinned.remove(&block);
                }
            }
            Ok(())
        }),
    );
    operation(
        module,
        &followers,
        "chainHead_v1_body",
        |chain, block, _| {
            let block = chain.block(&block).map_err(internal)?;
            let extrinsics = block.map(|block| block.extrinsics).unwrap_or_default();
            Ok(vec![
                json!({ "event": "operationBodyDone", "value": extrinsics }),
            ])
        },
    );
    operation(
        module,
        &followers,
        "chainHead_v1_call",
        |chain, block, params| {
            let mut params = params.sequence();
            let _: (String, Hash) = (params.next()?, params.next()?);
            let function: String = params.next()?;
            let input: Bytes = params.next()?;
            let output = chain
                .call(&header(chain, Some(block))?, &function, &input)
                .map_err(invalid_params)?
                .ok_or_else(|| invalid_params(format!("no function {function}")))?;
            Ok(vec![
                json!({ "event": "operationCallDone", "output": Bytes(output) }),
            ])
        },
    );
    operation(
        module,
        &followers,
        "chainHead_v1_storage",
        |chain, block, params| {
            let mut params = params.sequence();
            let _: (String, Hash) = (params.next()?, params.next()?);
            let queries: Vec<StorageQuery> = params.next()?;
            let child = params
                .optional_next::<Bytes>()?
                .map(|key| ChildInfo::new_default(&key));
            let (_, backend) = at(chain, Some(block))?;
            let items = answer(&backend, child.as_ref(), &queries, MAX_ITEMS)?;
            Ok(vec![
                json!({ "event": "operationStorageItems", "items": items }),
                json!({ "event": "operationStorageDone" }),
            ])
        },
    );
    // Operations are done in one go: there is nothing to continue, and hardly anything to stop.
    for method in ["chainHead_v1_continue", "chainHead_v1_stopOperation"] {
        must(
            module.register_method(method, |params, _, _| -> RpcResult<_> {
                let mut params = params.sequence();
                let _: (String, String) = (params.next()?, params.next()?);
                Ok(())
            }),
        );
    }
}
