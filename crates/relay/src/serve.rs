//! A relay as a server of its own.

use axum::routing::get;
use tokio::net::TcpListener;

use crate::entrance::{Entrance, HEAD};
use crate::limits::Limits;
use crate::proxies::Proxies;
use crate::rate::Rate;
use crate::relay::Relay;
use crate::router::router;
use crate::source::Source;

/// Connections at the same time that have not opened a socket yet. Others wait at the listener.
const HANDSHAKES: usize = 1024;
/// Bytes that are read for each message that may come: more than the longest has with its frame.
const MESSAGE: u32 = 512;

/// Serves the rooms of a relay, and its counts at `/metrics`, until the relay is stopped and the last
/// socket is closed. Connections that ask for nothing are closed. The rooms of the other relays are below
/// their paths, as `/earlier/3`.
pub async fn serve<S: Source>(
    listener: TcpListener,
    relay: Relay<S>,
    others: Vec<(String, Relay<S>)>,
) {
    let counting = relay.clone();
    let mut routes =
        router(relay.clone()).route("/metrics", get(async move || counting.counts().to_string()));
    for (path, other) in &others {
        routes = routes.nest(path, router(other.clone()));
    }
    let entrance = Entrance::of_relay(relay.limits());
    let turned_away = &relay.counters().turned_away;
    entrance
        .serve(listener, routes, turned_away, relay.stop())
        .await;
    relay.left().await;
    for (_, other) in others {
        other.stop().stop();
        other.left().await;
    }
}

impl Entrance {
    /// The entrance of a relay with these limits. One address cannot take all connections.
    fn of_relay(limits: &Limits) -> Self {
        Self {
            head: limits.handshake,
            // Sockets see to it earlier, and count it.
            stall: limits.stall.saturating_mul(2),
            connections: HANDSHAKES,
            of_address: limits.sockets_of_address,
            bytes: bytes(limits.messages),
            proxies: Proxies::default(),
        }
    }
}

/// How much is read of a connection on which messages come at this rate.
fn bytes(messages: Rate) -> Rate {
    Rate {
        burst: messages.burst.saturating_mul(MESSAGE).saturating_add(HEAD),
        per_second: messages.per_second.saturating_mul(MESSAGE),
    }
}
