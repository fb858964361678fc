//! Messages in the lobby or the feed of a relay.

use std::collections::VecDeque;
use std::future::poll_fn;

use codec::{Decode, DecodeAll as _, Encode};
use connect4_protocol::signed::relay::Refusal;
use connect4_seat::{WrongClock, why_refused};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::relay::{CONNECT, PING, SILENCE, Socket};

/// Why a program is not in the lobby or the feed of a relay any more.
#[derive(Debug, thiserror::Error)]
pub enum LobbyError {
    /// The relay is not reachable, or does not keep to the protocol.
    #[error("the relay is lost: {0}")]
    Lost(String),
    /// The relay refuses, and closes the connection.
    #[error("the relay refuses: {}", why_refused(*.0))]
    Refused(Refusal),
    /// By the relay's time, the clock of this machine is wrong.
    #[error("{0}")]
    WrongClock(WrongClock),
}

impl LobbyError {
    pub(crate) fn lost(why: &str) -> Self {
        Self::Lost(why.into())
    }
}

/// A socket with messages of at most so many bytes.
#[derive(Debug)]
pub(crate) struct Messages {
    socket: Socket,
    most_bytes: usize,
    pings: Interval,
    /// Since when the relay has not answered a ping.
    asked: Option<Instant>,
}

impl Messages {
    /// Connects to a path of the relay with this URL.
    pub async fn connect(url: &str, path: &str, most_bytes: usize) -> Result<Self, LobbyError> {
        let config = WebSocketConfig::default()
            .max_message_size(Some(most_bytes))
            .max_frame_size(Some(most_bytes));
        let url = format!("{}{path}", url.trim_end_matches('/'));
        let connected = tokio_tungstenite::connect_async_with_config(&url, Some(config), true);
        let (socket, _) = timeout(CONNECT, connected)
            .await
            .map_err(|_| LobbyError::lost("it does not answer"))?
            .map_err(|error| LobbyError::Lost(error.to_string()))?;
        let mut pings = interval(PING);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Ok(Self {
            socket,
            most_bytes,
            pings,
            asked: None,
        })
    }

    /// The first message, which has to come soon.
    pub async fn first<M: Decode>(&mut self) -> Result<M, LobbyError> {
        let first = timeout(CONNECT, self.receive()).await;
        first.map_err(|_| LobbyError::lost("it does not welcome"))?
    }

    pub async fn send(&mut self, message: &impl Encode) -> Result<(), LobbyError> {
        self.put(Message::Binary(message.encode().into())).await
    }

    /// Waits until another message can be [put](Self::put_next) into the socket.
    async fn ready(&mut self) -> Result<(), LobbyError> {
        let ready = poll_fn(|context| self.socket.poll_ready_unpin(context)).await;
        ready.map_err(|error| LobbyError::Lost(error.to_string()))
    }

    /// Puts a message into the socket, which is [ready](Self::ready). It is sent by [`flush`](Self::flush).
    fn put_next(&mut self, message: &impl Encode) -> Result<(), LobbyError> {
        let frame = Message::Binary(message.encode().into());
        let put = self.socket.start_send_unpin(frame);
        put.map_err(|error| LobbyError::Lost(error.to_string()))
    }

    /// Sends what waits in an outbox. If the wait is given up, the rest stays there.
    pub async fn send_all(&mut self, outbox: &mut VecDeque<impl Encode>) -> Result<(), LobbyError> {
        while !outbox.is_empty() {
            self.ready().await?;
            if let Some(message) = outbox.pop_front() {
                self.put_next(&message)?;
            }
        }
        self.flush().await
    }

    /// Sends what was put into the socket.
    async fn flush(&mut self) -> Result<(), LobbyError> {
        let flushed = self.socket.flush().await;
        flushed.map_err(|error| LobbyError::Lost(error.to_string()))
    }

    /// The next message. The relay is asked meanwhile whether it is there. If the wait is given up, nothing is lost.
    pub async fn receive<M: Decode>(&mut self) -> Result<M, LobbyError> {
        loop {
            tokio::select! {
                // What has come is an answer, however long nobody has looked.
                biased;
                frame = self.socket.next() => {
                    self.asked = None;
                    match frame {
                        None => return Err(LobbyError::lost("it has closed the connection")),
                        Some(Err(error)) => return Err(LobbyError::Lost(error.to_string())),
                        Some(Ok(Message::Binary(frame))) => {
                            let message = (frame.len() <= self.most_bytes)
                                .then(|| M::decode_all(&mut &*frame).ok());
                            let invalid = || LobbyError::lost("it sent an invalid message");
                            return message.flatten().ok_or_else(invalid);
                        }
                        Some(Ok(_)) => {}
                    }
                }
                _ = self.pings.tick() => {
                    let since = self.asked.get_or_insert_with(Instant::now);
                    if since.elapsed() > SILENCE {
                        return Err(LobbyError::lost("it is silent"));
                    }
                    self.put(Message::Ping(Vec::new().into())).await?;
                }
            }
        }
    }

    async fn put(&mut self, frame: Message) -> Result<(), LobbyError> {
        let sent = self.socket.send(frame).await;
        sent.map_err(|error| LobbyError::Lost(error.to_string()))
    }
}
