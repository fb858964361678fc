//! What the page watches, as it happens.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use connect4_client::GameId;
use tokio::sync::watch;

use super::socket::{message, short};
use crate::app::App;
use crate::extract::Queried;
use crate::link::Link;
use crate::missing;
use crate::refusal::Refusal;
use crate::room::Seen;
use crate::wire::{Chain, Live, Watched};

/// How often a page is asked whether it is still there.
const BEAT: Duration = Duration::from_secs(30);

/// Tells what happens in a game, or in the lobby.
pub async fn live(
    State(app): State<Arc<App>>,
    Queried(watched): Queried<Watched>,
    socket: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let permit = app.room_for_a_socket()?;
    let (nowhere, nothing) = watch::channel(None);
    let seen = match watched.game.as_deref() {
        Some(text) => match game(text) {
            Ok(game) => {
                app.computers.wake(game).await;
                app.rooms.game(game)
            }
            Err(error) => {
                nowhere.send_replace(Some(missing::because(error)));
                Some(nothing)
            }
        },
        None => app.rooms.lobby(),
    };
    let seen =
        seen.ok_or_else(|| Refusal::busy("too many games are looked at: try again later"))?;
    let links = app.chain.links();
    Ok(short(socket).on_upgrade(async move |socket| {
        tell(socket, seen, links).await;
        drop((permit, nowhere));
    }))
}

/// The game that a text names, which a person may have typed.
fn game(text: &str) -> Result<GameId, String> {
    text.parse().map_err(|error| {
        let digits = text.strip_prefix(['v', 'f']).unwrap_or(text);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match is_number {
            true => format!("there is no game {text}: games are not numbered that high"),
            false => format!("there is no game `{text}`: {error}"),
        }
    })
}

/// Tells what is seen until the page is closed.
async fn tell(
    mut socket: WebSocket,
    mut seen: watch::Receiver<Seen>,
    mut links: watch::Receiver<Link>,
) {
    links.mark_changed();
    seen.mark_changed();
    let mut beat = tokio::time::interval(BEAT);
    loop {
        let told = tokio::select! {
            biased;
            heard = socket.recv() => match heard {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => None,
            },
            changed = links.changed() => match changed {
                Ok(()) => message(&of_link(&links.borrow_and_update())),
                Err(_) => return,
            },
            changed = seen.changed() => match changed {
                Ok(()) => seen.borrow_and_update().as_deref().and_then(message),
                Err(_) => return,
            },
            _ = beat.tick() => Some(Message::Ping(Default::default())),
        };
        if let Some(told) = told
            && socket.send(told).await.is_err()
        {
            return;
        }
    }
}

fn of_link(link: &Link) -> Live {
    Live::Chain(match link {
        Link::Up { block, .. } => Chain {
            up: true,
            block: Some(*block),
            why: None,
            since: None,
        },
        Link::Down { why, since } => Chain {
            up: false,
            block: None,
            why: Some(why.clone()),
            since: Some(*since),
        },
    })
}
