//! A relay as a server of its own.

use axum::routing::get;
use tokio::net::TcpListener;

use crate::entrance::{Entrance, HEAD};
use crate::limits::Limits;
use crate::proxies::Proxies;
use crate::rate::Rate;
use crate::relay::Relay;
use crate::router::router;

/// Connections at the same time that have not opened a socket yet. Others wait at the listener.
const HANDSHAKES: usize = 1024;
/// Bytes that are read for each message that may come: more than the longest of a room has with its frame. Letters and
/// lists of ends are longer, and have rates of their own, which are lower.
const MESSAGE: u32 = 640;

/// Serves the rooms of a relay until it is stopped and the last socket is closed, and its counts at `/metrics`.
/// Connections that ask for nothing are closed.
pub async fn serve(listener: TcpListener, relay: Relay, proxies: Proxies) {
    let counting = relay.clone();
    let metrics = async move || counting.counts().to_string();
    let routes = router(relay.clone()).route("/metrics", get(metrics));
    let entrance = Entrance::of_relay(relay.limits(), proxies);
    let turned_away = &relay.counters().turned_away;
    entrance
        .serve(listener, routes, turned_away, relay.stop())
        .await;
    relay.left().await;
}

impl Entrance {
    /// The entrance of a relay with these limits, behind these proxies. One address cannot take all connections.
    fn of_relay(limits: &Limits, proxies: Proxies) -> Self {
        Self {
            head: limits.handshake,
            // Sockets see to it earlier, and count it.
            stall: limits.stall.saturating_mul(2),
            connections: HANDSHAKES,
            of_address: limits.sockets_of_address,
            bytes: bytes(limits.messages),
            proxies,
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
