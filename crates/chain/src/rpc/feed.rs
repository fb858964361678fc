//! Sending to subscribers.

use jsonrpsee::{SubscriptionMessage, SubscriptionSink};
use serde::Serialize;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::Update;

/// Sends a message. `false`: the subscriber is gone.
pub async fn send(sink: &SubscriptionSink, message: &impl Serialize) -> bool {
    match SubscriptionMessage::from_json(message) {
        Ok(message) => sink.send(message).await.is_ok(),
        Err(_) => false,
    }
}

/// What happens next, or `None` if the chain or the subscriber is gone. A subscriber that lags too
/// far behind misses updates, as on any node.
pub async fn next_update(
    sink: &SubscriptionSink,
    updates: &mut Receiver<Update>,
) -> Option<Update> {
    loop {
        tokio::select! {
            () = sink.closed() => return None,
            update = updates.recv() => match update {
                Ok(update) => return Some(update),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            },
        }
    }
}
