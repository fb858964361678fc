//! What is served, by subject.

mod games;
mod hello;
mod host;
mod line;
mod live;
mod page;
mod people;
mod picture;
mod preview;
mod socket;
mod start;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};

use crate::app::App;
use crate::extract::presented;
use crate::guard;
use crate::host::{Gate, health, pass};
use crate::open::open;
use crate::played::Played;

/// Bytes of a request's body, at most: what is sent here is short.
const MOST_BYTES: usize = 4096;

/// All routes of a public host, behind its gate: nothing there signs, so there is nothing to guard.
pub fn open_router(gate: Arc<Gate>, played: &Played) -> Router {
    watching()
        .route("/health", get(health))
        // Not on a server with accounts of its own: no other page has to do with that.
        .route("/embed/game/{number}", get(picture::board))
        .merge(for_wallets())
        .fallback(page::nothing)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .with_state(Arc::clone(&played.app))
        .merge(connect4_relay::router(played.relay.clone()))
        .layer(middleware::from_fn_with_state(gate, pass))
        .layer(middleware::from_fn(open))
}

/// What everybody may see.
fn watching() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(page::index))
        .route("/game/{number}", get(preview::page))
        .route("/game/{number}/picture.svg", get(picture::svg))
        .route("/game/{number}/picture.png", get(picture::png))
        .route("/game/{number}/picture.gif", get(picture::gif))
        .route("/line", get(preview::page))
        .route("/line/picture.svg", get(picture::svg))
        .route("/line/picture.png", get(picture::png))
        .route("/live", get(page::index))
        .route("/players", get(page::index))
        .route("/player/{account}", get(page::index))
        .route("/player/{account}/games", get(page::index))
        .route("/puzzles", get(page::index))
        .route("/page/{*path}", get(page::file))
        .route("/sw.js", get(page::keeper))
        .route("/api/hello", get(hello::hello))
        .route("/api/live", get(live::live))
        .route("/api/line", get(line::line))
        .route("/api/accounts/{account}", get(people::profile))
        .route(
            "/api/accounts/{account}/against/{opponent}",
            get(people::against),
        )
        .route("/api/standings", get(people::standings))
        .route("/api/history", get(people::history))
        .route("/api/search", get(people::search))
        .route("/api/now", get(people::now))
}

/// Lets the owner of the program through alone: who is invited to a seat makes moves with its account, and takes nothing
/// from it.
async fn owner(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let keys = presented(&app, request.headers());
    match app.check_host(&keys, "sign with an account of this program") {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// What a page needs to sign games and transactions by wallets.
fn for_wallets() -> Router<Arc<App>> {
    Router::new()
        .route("/api/prepare", post(host::prepare))
        .route("/api/submit", post(host::submit))
        .route("/api/transactions/{hash}", get(host::search))
        .route("/api/look", post(host::look))
        .route("/api/events", post(host::events))
        .route("/api/holder", get(host::holder))
}

/// All routes, behind the guard.
pub fn router(played: &Played) -> Router {
    let app = Arc::clone(&played.app);
    let guard = Arc::clone(&app.guard);
    let rooms = connect4_relay::router(played.relay.clone()).layer(middleware::from_fn_with_state(
        Arc::clone(&guard),
        guard::check_room,
    ));
    watching()
        .merge(
            for_wallets()
                .route("/api/sign", post(host::sign))
                .route("/api/sessions", post(host::name_key))
                // The program is the only wallet of its page, and reading the chain costs.
                .layer(middleware::from_fn_with_state(Arc::clone(&app), owner)),
        )
        .route("/api/games", post(start::start))
        .route("/api/tables", post(start::open_table))
        .route("/api/games/{game}/move", post(games::make_move))
        .route("/api/games/{game}/act", post(games::perform))
        .route("/api/games/{game}/computer", post(games::computer))
        .fallback(page::nothing)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(guard, guard::check))
        .with_state(app)
        .merge(rooms)
}
