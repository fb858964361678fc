//! Sockets of the page, on which the server talks alone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use connect4_relay::Bucket;
use tokio::time::timeout;

use crate::host::{Closed, MESSAGES, Metrics, Place};

/// Bytes of a message from the page, at most: nothing is read from these sockets.
const MOST_BYTES: usize = 4096;

/// The same socket, which takes short messages only.
pub fn short(socket: WebSocketUpgrade) -> WebSocketUpgrade {
    socket
        .max_message_size(MOST_BYTES)
        .max_frame_size(MOST_BYTES)
        // There are many sockets, and little to read on each.
        .read_buffer_size(MOST_BYTES)
        // A message is sent at once: so no more than one waits for a slow reader.
        .write_buffer_size(0)
}

/// A page that is told something, with bounds on what it may cost.
pub struct Page {
    socket: WebSocket,
    place: Place,
    messages: Bucket,
    /// Whether anything came since the last ping.
    was_heard: bool,
    metrics: Arc<Metrics>,
    /// How long it may take nothing.
    stall: Duration,
}

impl Page {
    pub fn new(socket: WebSocket, place: Place, stall: Duration, metrics: Arc<Metrics>) -> Self {
        Self {
            socket,
            place,
            messages: Bucket::full(MESSAGES, Instant::now()),
            was_heard: true,
            metrics,
            stall,
        }
    }

    /// Waits until the page is gone, or sends so much that it has to go.
    pub async fn gone(&mut self) {
        while let Some(Ok(message)) = self.socket.recv().await {
            self.was_heard = true;
            if matches!(message, Message::Close(_)) {
                return;
            }
            if !self.messages.take(Instant::now()) {
                self.metrics.closed(Closed::Flood);
                self.place.flooded();
                return;
            }
        }
    }

    /// Asks whether the page is still there. Returns false if it has not answered the last time.
    pub async fn ping(&mut self) -> bool {
        if !std::mem::take(&mut self.was_heard) {
            self.metrics.closed(Closed::Silent);
            return false;
        }
        self.tell(Message::Ping(Default::default())).await
    }

    /// Tells something. Returns false if the page is gone, or takes nothing.
    pub async fn tell(&mut self, message: Message) -> bool {
        match timeout(self.stall, self.socket.send(message)).await {
            Ok(sent) => sent.is_ok(),
            Err(_) => {
                self.metrics.closed(Closed::Slow);
                false
            }
        }
    }

    pub async fn close(mut self, code: u16) {
        let close = Message::Close(Some(CloseFrame {
            code,
            reason: "".into(),
        }));
        if self.tell(close).await {
            // The page closes its side, which ends the socket in good order.
            let rest = async { while let Some(Ok(_)) = self.socket.recv().await {} };
            let _ = timeout(self.stall, rest).await;
        }
    }
}
