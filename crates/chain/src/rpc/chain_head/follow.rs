//! `chainHead_v1_follow`.

use std::{collections::HashMap, sync::Arc};

use jsonrpsee::{PendingSubscriptionSink, SubscriptionSink, types::SubscriptionId};
use serde_json::{Map, Value, json};

use super::followers::{Followers, Pin};
use crate::{
    Chain, Head, StoreError, Update,
    rpc::{
        error::internal,
        feed::{next_update, send},
    },
    runtime::{Code, Hash},
};

/// How many blocks the event `initialized` has at most, as a Substrate node. Clients that need the
/// parent of the best block, or that resume after a lost connection, look them up there.
const MAX_RECENT: usize = 16;
/// How many blocks the last final block may lie behind when somebody begins to follow, as on a
/// Substrate node.
const MAX_DISTANCE: u32 = 128;

fn text(id: &SubscriptionId) -> String {
    match id {
        SubscriptionId::Num(number) => number.to_string(),
        SubscriptionId::Str(text) => text.to_string(),
    }
}

/// A version of the runtime, in the format of this family.
fn runtime_spec(code: Code) -> Value {
    let version = code.version();
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

/// The hashes of this final block and of those before it whose state is kept, the oldest first.
fn recent(chain: &Chain, last: &Head) -> Result<Vec<Hash>, StoreError> {
    let mut hashes = vec![last.hash];
    let mut next = Some(last.header.clone());
    while let Some(header) = next
        && header.number > 0
        && hashes.len() < MAX_RECENT
    {
        let parent = header.parent_hash;
        next = chain.header(&parent)?;
        if let Some(header) = &next
            && !chain.keeps_state(&parent, header)?
        {
            break;
        }
        hashes.push(parent);
    }
    hashes.reverse();
    Ok(hashes)
}

/// Why no more is announced.
enum End {
    /// The follower missed blocks, or can't be told about them. It is told that much.
    Stop,
    Gone,
}

/// What one follower has been told.
struct Told {
    followers: Arc<Followers>,
    id: String,
    with_runtime: bool,
    /// The last final block, and those on top of it, with the versions of the runtime after them.
    blocks: HashMap<Hash, Code>,
    finalized: Hash,
}

impl Told {
    /// The event about a new block, which is pinned.
    fn block(&mut self, block: Hash, parent: Hash, code: Code) -> Result<Value, End> {
        // The follower missed blocks if it lagged too far behind.
        let before = *self.blocks.get(&parent).ok_or(End::Stop)?;
        match self.followers.pin(&self.id, block) {
            Pin::Done => {}
            Pin::TooMany => return Err(End::Stop),
            Pin::Gone => return Err(End::Gone),
        }
        self.blocks.insert(block, code);
        let mut new = json!({
            "event": "newBlock",
            "blockHash": block,
            "parentBlockHash": parent,
        });
        if self.with_runtime {
            new["newRuntime"] = if code == before {
                Value::Null
            } else {
                runtime_spec(code)
            };
        }
        Ok(new)
    }

    fn update(&mut self, update: Update) -> Result<Vec<Value>, End> {
        match update {
            Update::Block(block) => {
                let parent = block.header.parent_hash;
                let mut events = vec![self.block(block.hash, parent, block.code)?];
                if block.is_best {
                    events.push(best(block.hash));
                }
                Ok(events)
            }
            Update::Final(blocks) => {
                let all_told = blocks.hashes.iter().chain(&blocks.pruned);
                if !all_told
                    .clone()
                    .all(|block| self.blocks.contains_key(block))
                {
                    return Err(End::Stop);
                }
                if let Some(last) = blocks.hashes.last() {
                    self.blocks.remove(&self.finalized);
                    self.finalized = *last;
                }
                for block in all_told.filter(|block| **block != self.finalized) {
                    self.blocks.remove(block);
                }
                Ok(vec![json!({
                    "event": "finalized",
                    "finalizedBlockHashes": blocks.hashes,
                    "prunedBlockHashes": blocks.pruned,
                })])
            }
        }
    }
}

fn best(hash: Hash) -> Value {
    json!({ "event": "bestBlockChanged", "bestBlockHash": hash })
}

/// Sends events. `false`: the follower is gone.
async fn send_all(sink: &SubscriptionSink, events: &[Value]) -> bool {
    for event in events {
        if !send(sink, event).await {
            return false;
        }
    }
    true
}

pub async fn follow(
    pending: PendingSubscriptionSink,
    chain: Chain,
    followers: Arc<Followers>,
    with_runtime: bool,
) {
    let mut following = chain.follow();
    let finalized = following.finalized.clone();
    // The chain's handle goes with this: with it the chain would run as long as the subscription.
    let recent = tokio::task::spawn_blocking(move || recent(&chain, &finalized)).await;
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
    let mut told = Told {
        followers: followers.clone(),
        id: id.clone(),
        with_runtime,
        blocks: HashMap::from([(following.finalized.hash, following.finalized.code)]),
        finalized: following.finalized.hash,
    };
    let mut initialized = json!({ "event": "initialized", "finalizedBlockHashes": recent });
    if with_runtime {
        initialized["finalizedBlockRuntime"] = runtime_spec(following.finalized.code);
    }
    let is_far =
        |block: &Arc<Head>| block.header.number - following.finalized.header.number > MAX_DISTANCE;
    let mut next = if following.pending.iter().any(is_far) {
        Err(End::Stop)
    } else {
        let blocks = following.pending.iter();
        let blocks: Result<Vec<Value>, End> = blocks
            .map(|block| told.block(block.hash, block.header.parent_hash, block.code))
            .collect();
        blocks.map(|blocks| [vec![initialized], blocks, vec![best(following.best.hash)]].concat())
    };
    loop {
        match next {
            Ok(events) => {
                if !send_all(&sink, &events).await {
                    break;
                }
            }
            Err(End::Stop) => {
                send(&sink, &json!({ "event": "stop" })).await;
                break;
            }
            Err(End::Gone) => break,
        }
        next = tokio::select! {
            Some(event) = operations.recv() => Ok(vec![event]),
            update = next_update(&sink, &mut following.updates) => match update {
                Some(update) => told.update(update),
                None => break,
            },
        };
    }
    followers.remove(&id);
}
