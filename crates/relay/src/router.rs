//! The route to the rooms.

use std::time::Instant;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Extension, Router};
use connect4_protocol::Address;
use connect4_protocol::signed::wire::MAX_LEN;
use connect4_protocol::signed::{GameNumber, feed, listing, lobby};

use crate::connection::{self, Conduct, Goal};
use crate::relay::Relay;
use crate::visitor::Visitor;

/// Bytes of a frame, at most: more than a message has, so that a longer one is answered.
const fn most_bytes(goal: Goal) -> usize {
    let longest = match goal {
        Goal::Signed(..) | Goal::Staked(_) | Goal::Feed => MAX_LEN,
        Goal::Lobby => lobby::MAX_LEN,
        Goal::Listing(_) => listing::MAX_LEN,
    };
    2 * longest
}

/// The feed of a relay, at [`feed::PATH`]. Of signed games it has the rooms, at [`signed::wire::path`] and, with a stake, at
/// [`staked_room::path`], the lobby, at [`lobby::PATH`], and at [`listing::path`] the signatures on lists of ends.
///
/// Sockets of an address are limited if the server puts a [`Visitor`] into the request's extensions, as
/// [`Entrance`](crate::Entrance) does.
///
/// [`signed::wire::path`]: connect4_protocol::signed::wire::path
/// [`staked_room::path`]: connect4_protocol::signed::staked_room::path
pub fn router(relay: Relay) -> Router {
    Router::new()
        .route(lobby::PATH, get(open_lobby))
        .route(feed::PATH, get(open_feed))
        .route("/signed/{witness}/ends", get(open_listing))
        .route("/signed/stakes/{game}", get(open_staked))
        .route("/signed/{witness}/{game}", get(open_signed))
        .with_state(relay)
}

/// Opens a socket in the room of a signed game. What the room refuses is told on the socket, as pages see no other answer.
async fn open_signed(
    State(relay): State<Relay>,
    Path((witness, game)): Path<(String, String)>,
    from: Option<Extension<Visitor>>,
    socket: WebSocketUpgrade,
) -> Response {
    let (Ok(witness), Ok(game)) = (witness.parse::<Address>(), game.parse::<GameNumber>()) else {
        let reason =
            "a room is named by the address of its witness, and 0x and the 64 digits of its terms";
        return (StatusCode::NOT_FOUND, reason).into_response();
    };
    open(relay, Goal::Signed(witness, game), from, socket)
}

/// Opens a socket in the room of a game with a stake.
async fn open_staked(
    State(relay): State<Relay>,
    Path(game): Path<String>,
    from: Option<Extension<Visitor>>,
    socket: WebSocketUpgrade,
) -> Response {
    let Ok(game) = game.parse::<GameNumber>() else {
        let reason =
            "the room of a game with a stake is named by 0x and the 64 digits of its terms";
        return (StatusCode::NOT_FOUND, reason).into_response();
    };
    open(relay, Goal::Staked(game), from, socket)
}

/// Opens a socket on which a witness signs lists of ends.
async fn open_listing(
    State(relay): State<Relay>,
    Path(witness): Path<String>,
    from: Option<Extension<Visitor>>,
    socket: WebSocketUpgrade,
) -> Response {
    let Ok(witness) = witness.parse() else {
        let reason = "lists of ends are signed at the address of a witness";
        return (StatusCode::NOT_FOUND, reason).into_response();
    };
    open(relay, Goal::Listing(witness), from, socket)
}

async fn open_lobby(
    State(relay): State<Relay>,
    from: Option<Extension<Visitor>>,
    socket: WebSocketUpgrade,
) -> Response {
    open(relay, Goal::Lobby, from, socket)
}

async fn open_feed(
    State(relay): State<Relay>,
    from: Option<Extension<Visitor>>,
    socket: WebSocketUpgrade,
) -> Response {
    open(relay, Goal::Feed, from, socket)
}

fn open(
    relay: Relay,
    goal: Goal,
    from: Option<Extension<Visitor>>,
    socket: WebSocketUpgrade,
) -> Response {
    let from = from.map_or(Visitor::Uncounted, |Extension(from)| from);
    let Some(guest) = relay.guest(from) else {
        relay.counters().turned_away.add();
        let reason = "too many connections from your address: try again later";
        return (StatusCode::TOO_MANY_REQUESTS, reason).into_response();
    };
    let Some(permit) = relay.socket() else {
        relay.counters().turned_away.add();
        let reason = "the relay is full: try again later";
        return (StatusCode::SERVICE_UNAVAILABLE, reason).into_response();
    };
    let most = most_bytes(goal);
    socket
        .max_message_size(most)
        .max_frame_size(most)
        // There are many sockets, and little to read on each.
        .read_buffer_size(most)
        .write_buffer_size(0)
        .max_write_buffer_size(most)
        .on_upgrade(async move |socket| {
            let conduct = connection::attend(&relay, socket, goal, from).await;
            if conduct == Conduct::Flood {
                guest.put_out(Instant::now());
            }
            drop((permit, guest));
        })
}
