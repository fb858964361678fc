//! One socket.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use codec::Encode as _;
use connect4_protocol::fast::wire::{FromRelay, Refusal, ToRelay, read};
use tokio::time::{interval_at, sleep_until, timeout};

use crate::counters::Counters;
use crate::limits::Limits;
use crate::rate::Bucket;
use crate::relay::Relay;
use crate::room::Visit;
use crate::source::Source;
use crate::stop::Stop;
use crate::visitor::Visitor;

/// Why a socket is left.
enum Left {
    /// It was closed, or the network failed.
    Closed,
    /// It takes nothing, or does not answer.
    Dead,
    /// The relay closes it.
    Refused(Refusal),
    /// The relay ends.
    Stopped,
}

/// Time by the clock of this machine, in seconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// How a socket was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conduct {
    Usual,
    /// It sent far too much.
    Flood,
}

/// Serves a socket until it is left.
pub async fn attend<S: Source>(
    relay: &Relay<S>,
    socket: WebSocket,
    number: u32,
    from: Visitor,
) -> Conduct {
    let mut line = Line {
        socket,
        limits: relay.limits(),
        counters: relay.counters(),
        stop: relay.stop(),
    };
    // The place is free before the socket has closed.
    let left = match relay.enter(number).await {
        Ok(stay) => {
            relay.counters().opened.add();
            let watchers = relay.limits().watchers;
            let socket = relay.next_socket();
            let mut visit = Visit::from(from, stay.room().clone(), socket, watchers);
            line.converse(&mut visit).await
        }
        Err(refusal) => Left::Refused(refusal),
    };
    let conduct = match left {
        Left::Refused(Refusal::TooMany) => Conduct::Flood,
        _ => Conduct::Usual,
    };
    match left {
        Left::Refused(refusal) => line.refuse(refusal).await,
        Left::Stopped => line.close(close_code::RESTART).await,
        Left::Closed | Left::Dead => {}
    }
    conduct
}

/// A socket, with what it may cost.
struct Line<'a> {
    socket: WebSocket,
    limits: &'a Limits,
    counters: &'a Counters,
    stop: &'a Stop,
}

impl Line<'_> {
    /// Passes on what comes and what the room tells.
    async fn converse(&mut self, visit: &mut Visit) -> Left {
        let nonce = rand::random();
        if let Err(left) = self.tell(FromRelay::Welcome { nonce }).await {
            return left;
        }
        let now = tokio::time::Instant::now();
        let has_to_join_until = now + self.limits.handshake;
        let mut ping = interval_at(now + self.limits.ping, self.limits.ping);
        let mut messages = Bucket::full(self.limits.messages, now.into_std());
        let mut was_heard = true;
        let stop = self.stop;
        let mut stopped = std::pin::pin!(stop.stopped());
        loop {
            while let Some(frame) = visit.next_frame() {
                if let Err(left) = self.send(Message::Binary(frame)).await {
                    return left;
                }
            }
            if let Some(refusal) = visit.is_out() {
                return Left::Refused(refusal);
            }
            tokio::select! {
                heard = self.socket.recv() => {
                    was_heard = true;
                    let frame = match heard {
                        None | Some(Ok(Message::Close(_))) => return Left::Closed,
                        // It breaks the rules of WebSocket, is far too long, or the network failed.
                        Some(Err(_)) => return Left::Refused(Refusal::BadMessage),
                        Some(Ok(frame)) => frame,
                    };
                    if !messages.take(Instant::now()) {
                        self.counters.flooding.add();
                        return Left::Refused(Refusal::TooMany);
                    }
                    if let Err(left) = self.hear(visit, &frame, nonce).await {
                        return left;
                    }
                }
                () = visit.changed() => {}
                () = &mut stopped => return Left::Stopped,
                _ = ping.tick() => {
                    if !was_heard {
                        self.counters.silent.add();
                        return Left::Dead;
                    }
                    was_heard = false;
                    if let Err(left) = self.send(Message::Ping(Bytes::new())).await {
                        return left;
                    }
                }
                () = sleep_until(has_to_join_until), if visit.has_to_join() => {
                    return Left::Refused(Refusal::Full);
                }
            }
        }
    }

    async fn hear(
        &mut self,
        visit: &mut Visit,
        frame: &Message,
        nonce: [u8; 32],
    ) -> Result<(), Left> {
        let frame = match frame {
            Message::Binary(frame) => frame,
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => return Ok(()),
            Message::Text(_) => return Err(self.bad()),
        };
        match read(frame) {
            Some(ToRelay::Position(position)) => match visit.room().take(&position, now()) {
                Ok(true) => self.counters.positions.add(),
                Ok(false) => {
                    self.counters.repeated.add();
                    visit.tell_position();
                }
                Err(error) => return Err(self.invalid(Refusal::Invalid(error))),
            },
            Some(ToRelay::Offer(offer)) => match visit.room().offer(&offer, now()) {
                Ok(true) => self.counters.offers.add(),
                Ok(false) => {}
                Err(Refusal::OtherPosition) => {
                    visit.tell_position();
                    self.tell(FromRelay::Refused(Refusal::OtherPosition))
                        .await?;
                }
                Err(refusal) => return Err(self.invalid(refusal)),
            },
            Some(ToRelay::Join { player, signature }) => visit
                .join(player, &signature, nonce)
                .map_err(|error| self.invalid(Refusal::Invalid(error)))?,
            None => return Err(self.bad()),
        }
        Ok(())
    }

    fn bad(&self) -> Left {
        self.counters.bad.add();
        Left::Refused(Refusal::BadMessage)
    }

    fn invalid(&self, refusal: Refusal) -> Left {
        self.counters.invalid.add();
        Left::Refused(refusal)
    }

    async fn tell(&mut self, message: FromRelay) -> Result<(), Left> {
        self.send(Message::Binary(message.encode().into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Left> {
        match timeout(self.limits.stall, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Left::Closed),
            Err(_) => {
                self.counters.stalled.add();
                Err(Left::Dead)
            }
        }
    }

    /// Tells why, and closes.
    async fn refuse(&mut self, refusal: Refusal) {
        let code = match refusal {
            Refusal::Full | Refusal::ChainUnreachable => close_code::AGAIN,
            _ => close_code::POLICY,
        };
        if self.tell(FromRelay::Refused(refusal)).await.is_ok() {
            self.close(code).await;
        }
    }

    async fn close(&mut self, code: u16) {
        let close = Message::Close(Some(CloseFrame {
            code,
            reason: "".into(),
        }));
        if self.send(close).await.is_ok() {
            // To close a socket before everything that has come is read would take the refusal back.
            let rest = async { while let Some(Ok(_)) = self.socket.recv().await {} };
            let _ = timeout(self.limits.stall, rest).await;
        }
    }
}
