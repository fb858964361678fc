//! One socket.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use codec::Encode;
use connect4_protocol::Address;
use connect4_protocol::signed::GameNumber;
use connect4_protocol::signed::feed::FromFeed;
use connect4_protocol::signed::listing::FromListing;
use connect4_protocol::signed::lobby::{FromLobby, WitnessAt};
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::staked_room::{self, FromStakedRoom, ToStakedRoom};
use connect4_protocol::signed::wire::{self as signed, FromWitness, ToWitness};
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior, interval_at, sleep_until, timeout};

use crate::clock::now;
use crate::counters::Counters;
use crate::feed_visit::FeedVisit;
use crate::limits::Limits;
use crate::lobby::frame;
use crate::lobby_visit::LobbyVisit;
use crate::rate::Bucket;
use crate::relay::{Entered, Relay};
use crate::staked::StakedVisit;
use crate::stop::Stop;
use crate::talk::Talk;
use crate::visitor::Visitor;
use crate::witness::{Keeper, ListingVisit, SignedVisit, wall};

/// Why a socket is left.
enum Left {
    /// It was closed, or the network failed.
    Closed,
    /// It takes nothing, or does not answer.
    Dead,
    Refused(Refusal),
    /// Everything was said.
    Done,
    Stopped,
}

/// How a socket was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conduct {
    Usual,
    Flood,
}

#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// The room of a signed game, of the witness with this key.
    Signed(Address, GameNumber),
    /// The room of a game with a stake.
    Staked(GameNumber),
    Lobby,
    /// Signatures on lists of ends, of the witness with this key.
    Listing(Address),
    /// The games that are played, and those that have ended.
    Feed,
}

/// Serves a socket until it is left.
pub async fn attend(relay: &Relay, socket: WebSocket, goal: Goal, from: Visitor) -> Conduct {
    let mut line = Line {
        socket,
        messages: Bucket::full(relay.limits().messages, Instant::now()),
        limits: relay.limits(),
        counters: relay.counters(),
        stop: relay.stop(),
    };
    // The place is free before the socket has closed.
    let Err(left) = match goal {
        Goal::Signed(witness, game) => line.visit_signed(relay, witness, game, from).await,
        Goal::Staked(game) => line.visit_staked(relay, game, from).await,
        Goal::Lobby => line.visit_lobby(relay, from).await,
        Goal::Listing(witness) => line.visit_listing(relay, witness, from).await,
        Goal::Feed => line.visit_feed(relay, from).await,
    };
    let conduct = match left {
        Left::Refused(Refusal::TooMany) => Conduct::Flood,
        _ => Conduct::Usual,
    };
    match left {
        Left::Refused(refusal) => line.refuse(refusal).await,
        Left::Done => line.close(close_code::NORMAL).await,
        Left::Stopped => line.close(close_code::RESTART).await,
        Left::Closed | Left::Dead => {}
    }
    conduct
}

/// A socket, with what it may cost.
struct Line<'a> {
    socket: WebSocket,
    messages: Bucket,
    limits: &'a Limits,
    counters: &'a Counters,
    stop: &'a Stop,
}

impl Line<'_> {
    async fn visit_signed(
        &mut self,
        relay: &Relay,
        witness: Address,
        game: GameNumber,
        from: Visitor,
    ) -> Result<Infallible, Left> {
        let witness = relay.witness_of(witness).map_err(Left::Refused)?;
        let entered = Relay::enter_signed(witness, game);
        let nonce = rand::random();
        let chain = witness.keeper.chain();
        let welcome = FromWitness::Welcome {
            nonce,
            chain_id: chain.id,
            genesis: chain.genesis,
            time: witness.keeper.time(),
        };
        self.send_message(&welcome).await?;
        let stay = match entered {
            Entered::Room(stay) => stay,
            Entered::Over(told) => {
                self.send_message(&FromWitness::Told(*told)).await?;
                return Err(Left::Done);
            }
            Entered::Unknown => {
                let mut first = self.first(signed::read).await?;
                // What its players hold shows whether the log is older, before the game could begin anew.
                if let Some(ToWitness::Held(told)) = first {
                    let held = witness.keeper.held(game, &told);
                    held.map_err(Left::Refused)?;
                    first = self.first(signed::read).await?;
                }
                let Some(ToWitness::Terms(terms)) = first else {
                    return Err(Left::Refused(Refusal::NoSuchGame));
                };
                let opened = relay.open_signed(witness, from, game, &terms);
                opened.map_err(Left::Refused)?
            }
        };
        relay.counters().opened.add();
        let watchers = relay.limits().watchers;
        let socket = relay.next_socket();
        let keeper = Arc::clone(&witness.keeper);
        let mut visit = SignedVisit::new(stay, keeper, nonce, from, socket, watchers);
        Err(self.converse(&mut visit).await)
    }

    async fn visit_staked(
        &mut self,
        relay: &Relay,
        game: GameNumber,
        from: Visitor,
    ) -> Result<Infallible, Left> {
        let nonce = rand::random();
        self.send_message(&FromStakedRoom::Welcome { nonce })
            .await?;
        let first = self.first(staked_room::read).await?;
        let Some(ToStakedRoom::Enter {
            domain,
            terms,
            player,
        }) = first
        else {
            return Err(Left::Refused(Refusal::BadMessage));
        };
        let stay = relay.enter_staked(game, domain, &terms, from);
        let stay = stay.map_err(Left::Refused)?;
        relay.counters().opened.add();
        let (socket, watchers) = (relay.next_socket(), relay.limits().watchers);
        let visit = StakedVisit::enter(stay, player, nonce, from, socket, watchers);
        Err(self.converse(&mut visit.map_err(Left::Refused)?).await)
    }

    /// The first message, which has to come soon; none if it is no message.
    async fn first<M>(&mut self, read: fn(&[u8]) -> Option<M>) -> Result<Option<M>, Left> {
        let (stop, handshake) = (self.stop, self.limits.handshake);
        let first = async {
            loop {
                match self.receive().await? {
                    Message::Binary(frame) => return Ok(read(&frame)),
                    Message::Text(_) => return Err(Left::Refused(Refusal::BadMessage)),
                    Message::Ping(_) | Message::Pong(_) | Message::Close(_) => {}
                }
            }
        };
        tokio::select! {
            () = stop.stopped() => Err(Left::Stopped),
            first = timeout(handshake, first) => match first {
                Ok(first) => first,
                Err(_) => Err(Left::Refused(Refusal::NoSuchGame)),
            },
        }
    }

    async fn visit_lobby(&mut self, relay: &Relay, from: Visitor) -> Result<Infallible, Left> {
        relay.counters().opened.add();
        let mut visit = InLobby {
            relay,
            visit: LobbyVisit::new(relay.lobby(), from),
            witness: relay.witness_key(),
            is_welcome: false,
        };
        Err(self.converse(&mut visit).await)
    }

    async fn visit_listing(
        &mut self,
        relay: &Relay,
        key: Address,
        from: Visitor,
    ) -> Result<Infallible, Left> {
        let keys = relay.witness_key();
        let witness = relay.witness_of(key).map_err(Left::Refused)?;
        let chain = witness.keeper.chain();
        let welcome = FromListing::Welcome {
            chain_id: chain.id,
            genesis: chain.genesis,
        };
        self.send_message(&welcome).await?;
        relay.counters().opened.add();
        let keeper = Arc::clone(&witness.keeper);
        let recorders = relay.recorders().clone();
        let mut visit = ListingVisit::new(keeper, key, keys, from, recorders);
        Err(self.converse(&mut visit).await)
    }

    async fn visit_feed(&mut self, relay: &Relay, from: Visitor) -> Result<Infallible, Left> {
        let witness = relay.any_witness().map_err(Left::Refused)?;
        let chain = witness.keeper.chain();
        let Some(mut visit) = FeedVisit::new(relay.feed(), from) else {
            relay.counters().busy.add();
            return Err(Left::Refused(Refusal::Full));
        };
        let welcome = FromFeed::Welcome {
            chain,
            time: now(),
            run: relay.feed().run,
        };
        self.send_message(&welcome).await?;
        relay.counters().opened.add();
        Err(self.converse(&mut visit).await)
    }

    /// The next frame.
    async fn next_frame(&mut self) -> Result<Message, Left> {
        match self.socket.recv().await {
            None | Some(Ok(Message::Close(_))) => Err(Left::Closed),
            // It breaks the rules of WebSocket, is far too long, or the network failed.
            Some(Err(_)) => Err(Left::Refused(Refusal::BadMessage)),
            Some(Ok(frame)) => Ok(frame),
        }
    }

    /// The next frame that may come at this rate.
    async fn receive(&mut self) -> Result<Message, Left> {
        let frame = self.next_frame().await?;
        self.at_rate(frame)
    }

    /// The frame, if it may come at this rate.
    fn at_rate(&mut self, frame: Message) -> Result<Message, Left> {
        if !self.messages.take(Instant::now()) {
            self.counters.flooding.add();
            return Err(Left::Refused(Refusal::TooMany));
        }
        Ok(frame)
    }

    /// Passes on what comes and what is told there.
    async fn converse(&mut self, talk: &mut impl Talk) -> Left {
        let start = tokio::time::Instant::now();
        let has_to_join_until = start + self.limits.handshake;
        let mut ping = pings(start + self.limits.ping, self.limits.ping);
        let mut was_heard = true;
        let mut probe = Probe::default();
        let stop = self.stop;
        let mut stopped = std::pin::pin!(stop.stopped());
        loop {
            let mut has_told = false;
            while let Some(frame) = talk.next_frame() {
                if let Err(left) = self.send(Message::Binary(frame)).await {
                    return left;
                }
                has_told = true;
            }
            // A ping follows what is told: a move takes as long.
            if has_told
                && talk.is_timed()
                && let Some(ping) = probe.next()
                && let Err(left) = self.send(ping).await
            {
                return left;
            }
            if let Some(refusal) = talk.is_out() {
                return Left::Refused(refusal);
            }
            tokio::select! {
                heard = self.next_frame() => {
                    was_heard = true;
                    // It was asked for, and does not count.
                    if let Ok(Message::Pong(pong)) = &heard
                        && let Some(time) = probe.answered(pong)
                    {
                        talk.round_trip(time);
                        continue;
                    }
                    let heard = heard.and_then(|frame| self.at_rate(frame));
                    let done = heard.and_then(|frame| self.hear(talk, &frame));
                    let done = match done {
                        // It stays, and hears why.
                        Err(Left::Refused(refusal)) if !refusal.closes() => {
                            self.send_message(&FromWitness::Refused(refusal)).await
                        }
                        done => done,
                    };
                    if let Err(left) = done {
                        return left;
                    }
                }
                () = talk.changed() => {}
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
                () = sleep_until(has_to_join_until), if talk.has_to_join() => {
                    return Left::Refused(Refusal::Full);
                }
            }
        }
    }

    fn hear(&self, talk: &mut impl Talk, frame: &Message) -> Result<(), Left> {
        let heard = match frame {
            Message::Binary(frame) => talk.hear(frame, now(), self.counters),
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => Ok(()),
            Message::Text(_) => Err(Refusal::BadMessage),
        };
        heard.map_err(|refusal| {
            match refusal {
                Refusal::BadMessage => self.counters.bad.add(),
                Refusal::Busy => self.counters.busy.add(),
                Refusal::OtherPosition | Refusal::LogFull => {}
                _ => self.counters.invalid.add(),
            }
            Left::Refused(refusal)
        })
    }

    async fn send_message(&mut self, message: &impl Encode) -> Result<(), Left> {
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

    async fn refuse(&mut self, refusal: Refusal) {
        let code = match refusal {
            Refusal::Full | Refusal::ChainUnreachable => close_code::AGAIN,
            _ => close_code::POLICY,
        };
        if self
            .send_message(&FromWitness::Refused(refusal))
            .await
            .is_ok()
        {
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

/// When pings are sent, from the first one on. One that is late says nothing about the other side: the next one has its
/// time.
fn pings(first: tokio::time::Instant, every: Duration) -> Interval {
    let mut pings = interval_at(first, every);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    pings
}

/// Pings by which the round trip of a line is measured, one at a time.
#[derive(Default)]
struct Probe {
    count: u64,
    sent: Option<Instant>,
}

impl Probe {
    /// The next ping; none while one is on the way.
    fn next(&mut self) -> Option<Message> {
        if self.sent.is_some() {
            return None;
        }
        self.count += 1;
        self.sent = Some(Instant::now());
        Some(Message::Ping(Bytes::copy_from_slice(
            &self.count.to_be_bytes(),
        )))
    }

    /// How long the ping took that is answered by this; none if it answers another one.
    fn answered(&mut self, pong: &[u8]) -> Option<Duration> {
        let is_answer = pong == self.count.to_be_bytes();
        let sent = self.sent.take_if(|_| is_answer)?;
        Some(sent.elapsed())
    }
}

/// A socket in the lobby. It is told of the witness as the first, and when that has changed.
struct InLobby<'a> {
    relay: &'a Relay,
    visit: LobbyVisit,
    witness: watch::Receiver<Option<Address>>,
    is_welcome: bool,
}

impl Talk for InLobby<'_> {
    fn next_frame(&mut self) -> Option<Bytes> {
        if self.is_welcome {
            return self.visit.next_frame();
        }
        self.is_welcome = true;
        let keeper = self.relay.keeper();
        let witness = keeper.map(|keeper| {
            let chain = keeper.chain();
            WitnessAt {
                key: keeper.key(),
                chain_id: chain.id,
                genesis: chain.genesis,
            }
        });
        let time = keeper.map_or_else(wall, Keeper::time);
        Some(frame(&FromLobby::Welcome { time, witness }))
    }

    fn is_out(&self) -> Option<Refusal> {
        self.visit.is_out()
    }

    fn has_to_join(&self) -> bool {
        self.visit.has_to_join()
    }

    async fn changed(&mut self) {
        tokio::select! {
            biased;
            Ok(()) = self.witness.changed() => self.is_welcome = false,
            () = self.visit.changed() => {}
        }
    }

    fn hear(&mut self, frame: &[u8], _: u64, counters: &Counters) -> Result<(), Refusal> {
        self.visit.hear(frame, counters)
    }
}

#[cfg(test)]
mod tests {
    use std::task::Poll;

    use super::*;

    #[tokio::test]
    async fn after_a_ping_that_was_late_the_other_side_has_time_again() {
        let hour = Duration::from_secs(60 * 60);
        let mut pings = pings(tokio::time::Instant::now() - 5 * hour, hour);
        pings.tick().await;
        let next = std::future::poll_fn(|context| Poll::Ready(pings.poll_tick(context).is_ready()));
        assert!(!next.await, "it would be closed at once");
    }
}
