//! `chainHead_v1_follow`. Every block is final when it is announced.

use std::sync::Arc;

use jsonrpsee::{PendingSubscriptionSink, types::SubscriptionId};
use serde_json::{Map, Value, json};

use super::followers::{Followers, Pin};
use crate::{
    Chain, StoreError,
    rpc::{
        error::internal,
        feed::{next_block, send},
    },
    runtime::{self, Hash, Header},
};

/// How many blocks the event `initialized` has at most, as a Substrate node. Clients that need the
/// parent of the best block, or that resume after a lost connection, look them up there.
const MAX_RECENT: usize = 16;

fn text(id: &SubscriptionId) -> String {
    match id {
        SubscriptionId::Num(number) => number.to_string(),
        SubscriptionId::Str(text) => text.to_string(),
    }
}

/// The version of the runtime, in the format of this family.
fn runtime_spec() -> Value {
    let version = runtime::VERSION;
    let apis: Map<String, Value> = version
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

/// The hashes of this block and of those before it, the oldest first.
fn recent(chain: &Chain, hash: Hash, header: Header) -> Result<Vec<Hash>, StoreError> {
    let mut hashes = vec![hash];
    let mut next = Some(header);
    while let Some(header) = next
        && header.number > 0
        && hashes.len() < MAX_RECENT
    {
        hashes.push(header.parent_hash);
        next = chain.header(&header.parent_hash)?;
    }
    hashes.reverse();
    Ok(hashes)
}

pub async fn follow(
    pending: PendingSubscriptionSink,
    chain: Chain,
    followers: Arc<Followers>,
    with_runtime: bool,
) {
    let mut blocks = chain.subscribe();
    let (mut head, header) = chain.best();
    let number = header.number;
    // The chain's handle goes with this: with it the chain would run as long as the subscription.
    let recent = tokio::task::spawn_blocking(move || recent(&chain, head, header)).await;
    let recent = match recent
        .map_err(internal)
        .and_then(|read| read.map_err(internal))
    {
        Ok(recent) => recent,
        Err(error) => return pending.reject(error).await,
    };
    let Ok(sink) = pending.accept().await else {
        return;
    };
    let id = text(&sink.subscription_id());
    let mut operations = followers.add(id.clone(), &recent);
    let mut initialized = json!({ "event": "initialized", "finalizedBlockHashes": recent });
    if with_runtime {
        initialized["finalizedBlockRuntime"] = runtime_spec();
    }
    let best = |hash: Hash| json!({ "event": "bestBlockChanged", "bestBlockHash": hash });
    let mut open = send(&sink, &initialized).await && send(&sink, &best(head)).await;
    while open {
        let block = tokio::select! {
            Some(event) = operations.recv() => {
                open = send(&sink, &event).await;
                continue;
            }
            block = next_block(&sink, &mut blocks) => block,
        };
        let Some(block) = block else { break };
        if block.header.number <= number {
            // It was made between `subscribe` and `best`, and is announced already.
            continue;
        }
        // The follower missed blocks if it lagged too far behind.
        let has_gap = block.header.parent_hash != head;
        match followers.pin(&id, block.hash) {
            Pin::Done if !has_gap => {}
            Pin::Done | Pin::TooMany => {
                send(&sink, &json!({ "event": "stop" })).await;
                break;
            }
            Pin::Gone => break,
        }
        head = block.hash;
        let mut new = json!({
            "event": "newBlock",
            "blockHash": head,
            "parentBlockHash": block.header.parent_hash,
        });
        if with_runtime {
            // The runtime is part of this program, so that it never changes while this runs.
            new["newRuntime"] = Value::Null;
        }
        let finalized = json!({
            "event": "finalized",
            "finalizedBlockHashes": [head],
            "prunedBlockHashes": [],
        });
        open = send(&sink, &new).await
            && send(&sink, &best(head)).await
            && send(&sink, &finalized).await;
    }
    followers.remove(&id);
}
