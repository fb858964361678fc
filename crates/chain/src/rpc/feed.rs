//! Sending to subscribers.

use jsonrpsee::{SubscriptionMessage, SubscriptionSink};
use serde::Serialize;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::NewBlock;

/// Sends a message. `false`: the subscriber is gone.
pub async fn send(sink: &SubscriptionSink, message: &impl Serialize) -> bool {
    match SubscriptionMessage::from_json(message) {
        Ok(message) => sink.send(message).await.is_ok(),
        Err(_) => false,
    }
}

/// The next block, or `None` if the chain or the subscriber is gone. A subscriber that lags too far
/// behind misses blocks, as on any node.
pub async fn next_block(
    sink: &SubscriptionSink,
    blocks: &mut Receiver<NewBlock>,
) -> Option<NewBlock> {
    loop {
        tokio::select! {
            () = sink.closed() => return None,
            block = blocks.recv() => match block {
                Ok(block) => return Some(block),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            },
        }
    }
}
