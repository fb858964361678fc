//! The followers of the head, and the blocks that they have pinned.
//!
//! No state is ever removed from the file, so that a pin needs no block kept. Pins are counted only
//! to stop a follower that never unpins, and to refuse requests about other blocks, as any node
//! does.

use std::{
    collections::{HashMap, HashSet},
    sync::atomic::{AtomicU64, Ordering},
};

use jsonrpsee::types::ErrorObjectOwned;
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::{rpc::error::RpcResult, runtime::Hash};

const MAX_PINNED: usize = 8192;

fn not_pinned() -> ErrorObjectOwned {
    ErrorObjectOwned::owned(-32801, "Invalid block hash", None::<()>)
}

struct Follower {
    pinned: HashSet<Hash>,
    /// Where the events of operations go.
    events: UnboundedSender<Value>,
}

/// All followers, by the ids of their subscriptions.
#[derive(Default)]
pub struct Followers {
    by_id: Mutex<HashMap<String, Follower>>,
    operations: AtomicU64,
}

/// Whether a follower pinned a new block.
pub enum Pin {
    Done,
    TooMany,
    Gone,
}

impl Followers {
    /// Adds a follower with some blocks pinned. Returns the events of its operations.
    pub fn add(&self, id: String, pinned: &[Hash]) -> UnboundedReceiver<Value> {
        let (events, operations) = unbounded_channel();
        let follower = Follower {
            pinned: pinned.iter().copied().collect(),
            events,
        };
        self.by_id.lock().insert(id, follower);
        operations
    }

    pub fn remove(&self, id: &str) {
        self.by_id.lock().remove(id);
    }

    pub fn pin(&self, id: &str, block: Hash) -> Pin {
        let mut by_id = self.by_id.lock();
        let Some(follower) = by_id.get_mut(id) else {
            return Pin::Gone;
        };
        follower.pinned.insert(block);
        if follower.pinned.len() > MAX_PINNED {
            Pin::TooMany
        } else {
            Pin::Done
        }
    }

    /// Unpins all of these blocks. Does nothing if there is no such follower.
    ///
    /// # Errors
    /// Returned if a block is named twice, and if one is not pinned. No block is unpinned then.
    pub fn unpin(&self, id: &str, blocks: &[Hash]) -> RpcResult<()> {
        let mut by_id = self.by_id.lock();
        let Some(follower) = by_id.get_mut(id) else {
            return Ok(());
        };
        let mut seen = HashSet::new();
        if !blocks.iter().all(|block| seen.insert(block)) {
            return Err(ErrorObjectOwned::owned(
                -32804,
                "Received duplicate hashes for `chainHead_unpin`",
                None::<()>,
            ));
        }
        if !blocks.iter().all(|block| follower.pinned.contains(block)) {
            return Err(not_pinned());
        }
        for block in blocks {
            follower.pinned.remove(block);
        }
        Ok(())
    }

    /// Whether there is such a follower.
    ///
    /// # Errors
    /// Returned if there is, but it has not pinned the block.
    pub fn check(&self, id: &str, block: &Hash) -> RpcResult<bool> {
        match self.by_id.lock().get(id) {
            None => Ok(false),
            Some(follower) if follower.pinned.contains(block) => Ok(true),
            Some(_) => Err(not_pinned()),
        }
    }

    pub fn next_operation(&self) -> String {
        self.operations.fetch_add(1, Ordering::Relaxed).to_string()
    }

    /// Sends events of an operation to a follower, if it is still there.
    pub fn send(&self, id: &str, events: Vec<Value>) {
        if let Some(follower) = self.by_id.lock().get(id) {
            for event in events {
                // An error means that the subscription is about to end.
                let _ = follower.events.send(event);
            }
        }
    }
}
