//! Sockets of the page, on which the server talks alone.

use axum::extract::ws::{Message, WebSocketUpgrade};
use serde::Serialize;

/// Bytes of a message from the page, at most: nothing is read from these sockets.
const MOST_BYTES: usize = 4096;

/// The same socket, which takes short messages only.
pub fn short(socket: WebSocketUpgrade) -> WebSocketUpgrade {
    socket.max_message_size(MOST_BYTES)
}

/// A value of the wire format as a message. Serializing one cannot fail: the keys of its maps are
/// strings.
pub fn message(value: &impl Serialize) -> Option<Message> {
    let text = serde_json::to_string(value).ok()?;
    Some(Message::Text(text.into()))
}
