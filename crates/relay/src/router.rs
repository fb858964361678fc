//! The route to the rooms.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Extension, Router};
use connect4_protocol::Error;
use connect4_protocol::fast::wire::{MAX_LEN, Refusal};
use connect4_protocol::fast::{FIRST, is_fast};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::addresses::{Addresses, Guest};
use crate::connection;
use crate::counters::{Counters, Counts};
use crate::limits::Limits;
use crate::places::SocketId;
use crate::rooms::{Rooms, Stay};
use crate::source::{Source, Unreachable};

/// Bytes of a frame, at most: more than a message has, so that a longer one is answered.
const MOST_BYTES: usize = 4 * MAX_LEN;

/// A relay: its rooms, and where it learns of games.
pub struct Relay<S>(Arc<Shared<S>>);

struct Shared<S> {
    source: S,
    limits: Limits,
    rooms: Arc<Rooms>,
    addresses: Addresses,
    sockets: Arc<Semaphore>,
    lookups: Semaphore,
    counters: Counters,
    last_socket: AtomicU64,
}

impl<S> Clone for Relay<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: Source> Relay<S> {
    /// A relay of the games of this source.
    #[must_use]
    pub fn new(source: S, limits: Limits) -> Self {
        Self(Arc::new(Shared {
            source,
            limits,
            rooms: Arc::new(Rooms::new(limits.rooms)),
            addresses: Addresses::default(),
            sockets: Arc::new(Semaphore::new(limits.sockets)),
            lookups: Semaphore::new(limits.lookups),
            counters: Counters::default(),
            last_socket: AtomicU64::new(0),
        }))
    }

    /// What it has counted.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let free = self.0.sockets.available_permits();
        let sockets = self.0.limits.sockets.saturating_sub(free);
        self.0.counters.read(sockets, self.0.rooms.count())
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.0.counters
    }

    pub(crate) fn next_socket(&self) -> SocketId {
        self.0.last_socket.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Enters the room of a game. Asks the chain if nobody is there.
    pub(crate) async fn enter(&self, number: u32) -> Result<Stay, Refusal> {
        let rooms = &self.0.rooms;
        if let Some(stay) = rooms.enter_busy(number) {
            return Ok(stay);
        }
        let asked = timeout(self.0.limits.lookup, async {
            // It is never closed.
            let _permit = self.0.lookups.acquire().await;
            self.0.source.game(number).await
        });
        match asked.await.unwrap_or(Err(Unreachable)) {
            Ok(Some(found)) if found.game.is_final() => {
                rooms.forget(number);
                Err(Refusal::Invalid(Error::GameOver))
            }
            Ok(Some(found)) => rooms.enter(number, found).ok_or(Refusal::Full),
            Ok(None) => {
                rooms.forget(number);
                Err(Refusal::NoSuchGame)
            }
            // Session keys never change: what is known of the game is enough.
            Err(Unreachable) => rooms.enter_kept(number).ok_or(Refusal::ChainUnreachable),
        }
    }

    fn guest(&self, from: Option<SocketAddr>) -> Option<Option<Guest>> {
        match from {
            Some(from) => self
                .0
                .addresses
                .enter(from.ip(), &self.0.limits, Instant::now())
                .map(Some),
            None => Some(None),
        }
    }
}

/// The rooms of a relay, at [`wire::path`] and, for people, at paths such as `/fast/f3`. Sockets of
/// an address are limited if the server tells addresses, as
/// `into_make_service_with_connect_info::<SocketAddr>` has it do.
///
/// [`wire::path`]: connect4_protocol::fast::wire::path
pub fn router<S: Source>(relay: Relay<S>) -> Router {
    Router::new()
        .route("/fast/{game}", get(open::<S>))
        .with_state(relay)
}

/// Opens a socket. What the room refuses is told on the socket, as pages see no other answer.
async fn open<S: Source>(
    State(relay): State<Relay<S>>,
    Path(game): Path<String>,
    from: Option<Extension<ConnectInfo<SocketAddr>>>,
    socket: WebSocketUpgrade,
) -> Response {
    let Some(number) = number(&game) else {
        let reason = "the number of a fast game is missing, such as f3 or 2147483651";
        return (StatusCode::NOT_FOUND, reason).into_response();
    };
    let from = from.map(|Extension(ConnectInfo(from))| from);
    let Some(guest) = relay.guest(from) else {
        relay.counters().turned_away.add();
        let reason = "too many connections from your address: try again later";
        return (StatusCode::TOO_MANY_REQUESTS, reason).into_response();
    };
    let Ok(permit) = Arc::clone(&relay.0.sockets).try_acquire_owned() else {
        relay.counters().turned_away.add();
        let reason = "the relay is full: try again later";
        return (StatusCode::SERVICE_UNAVAILABLE, reason).into_response();
    };
    socket
        .max_message_size(MOST_BYTES)
        .max_frame_size(MOST_BYTES)
        // There are many sockets, and little to read on each.
        .read_buffer_size(MOST_BYTES)
        .write_buffer_size(0)
        .max_write_buffer_size(MOST_BYTES)
        .on_upgrade(async move |socket| {
            connection::attend(&relay, socket, number).await;
            drop((permit, guest));
        })
}

/// The game that a path names.
fn number(text: &str) -> Option<u32> {
    let (digits, first) = match text.strip_prefix('f') {
        Some(digits) => (digits, FIRST),
        None => (text, 0),
    };
    digits
        .parse::<u32>()
        .ok()
        .filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|number| number.checked_add(first))
        .filter(|&number| is_fast(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_game_has_two_names() {
        assert_eq!(number("2147483651"), Some(FIRST + 3));
        assert_eq!(number("f3"), Some(FIRST + 3));
        assert_eq!(number("f2147483647"), Some(u32::MAX));
        for other in [
            "",
            "f",
            "3",
            "v3",
            "f-3",
            "+2147483651",
            "f2147483648",
            "4294967296",
        ] {
            assert_eq!(number(other), None, "{other}");
        }
    }
}
