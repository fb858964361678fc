//! What the page watches, as it happens.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocketUpgrade, close_code};
use axum::response::Response;
use connect4_client::GameId;
use connect4_relay::{Stop, Visitor};
use connect4_wire::Watched;
use tokio::sync::watch;

use super::socket::{Page, short};
use crate::app::App;
use crate::extract::Queried;
use crate::host::{Limit, PING};
use crate::not_found;
use crate::refusal::Refusal;
use crate::room::Seen;
use crate::text::Told;

/// Tells what happens in a game, or in the lobby.
pub async fn live(
    State(app): State<Arc<App>>,
    Extension(from): Extension<Visitor>,
    Queried(watched): Queried<Watched>,
    socket: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let place = app.room_for_a_socket(from)?;
    let (nowhere, nothing) = watch::channel(None);
    let is_other = watched.contract.is_some_and(|wanted| {
        let at = app.chain.connected().ok();
        let contract = at.and_then(|at| at.contract());
        contract.is_some_and(|found| found.address() != wanted)
    });
    let seen = match watched.game.as_deref() {
        Some(_) if is_other => {
            let why = "this host plays by other contracts now: open the page anew";
            nowhere.send_replace(Told::of(not_found::because(why.into())));
            Some(nothing)
        }
        Some(text) => match game(text) {
            Ok(game) => {
                app.may_look_at(game, from)?;
                app.computers.wake(game).await;
                app.rooms.game(game)
            }
            Err(error) => {
                nowhere.send_replace(Told::of(not_found::because(error)));
                Some(nothing)
            }
        },
        None => app.rooms.lobby(),
    };
    let seen = seen.ok_or_else(|| match &app.gate {
        Some(gate) => gate.refuse(Limit::Rooms),
        None => Refusal::busy("too many games are looked at: try again later"),
    })?;
    let links = app.links.clone();
    Ok(short(socket).on_upgrade(async move |socket| {
        let page = Page::new(socket, place, app.stall(), Arc::clone(&app.metrics));
        tell(page, seen, links, &app.stop).await;
        drop(nowhere);
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

/// Tells what is seen until the page is closed, or the server ends: then the page is told to open
/// another socket.
async fn tell(
    mut page: Page,
    mut seen: watch::Receiver<Seen>,
    mut links: watch::Receiver<Option<Utf8Bytes>>,
    stop: &Stop,
) {
    links.mark_changed();
    seen.mark_changed();
    let mut beat = tokio::time::interval(PING);
    let mut stopped = std::pin::pin!(stop.stopped());
    loop {
        let told = tokio::select! {
            biased;
            () = page.gone() => return,
            () = &mut stopped => return page.close(close_code::RESTART).await,
            changed = links.changed() => match changed {
                Ok(()) => links.borrow_and_update().clone().map(Message::Text),
                Err(_) => return,
            },
            changed = seen.changed() => match changed {
                Ok(()) => {
                    let seen = seen.borrow_and_update();
                    seen.as_ref().map(|told| Message::Text(told.text.clone()))
                }
                Err(_) => return,
            },
            _ = beat.tick() => match page.ping().await {
                true => None,
                false => return,
            },
        };
        if let Some(told) = told
            && !page.tell(told).await
        {
            return;
        }
    }
}
