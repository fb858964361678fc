//! Whether a host is of use, and what it counts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

use super::metrics::Text;
use crate::app::App;
use crate::link::Link;

/// A chain that has not answered for longer is taken to be away.
const RECENT: Duration = Duration::from_secs(15);
/// Time in which the chain has to tell its newest final block.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Serialize)]
#[serde(rename_all = "snake_case", tag = "status")]
pub enum Health {
    /// The chain answers.
    Ok {
        /// Number of its best block.
        block: u32,
    },
    /// The chain does not answer.
    Away { why: String },
}

impl Health {
    fn of(app: &App, now: Instant) -> Self {
        let last = app.chain.pulse().last().map(|last| now - last.at);
        match &*app.chain.links().borrow() {
            Link::Up { block, .. } if last.is_none_or(|ago| ago < RECENT) => {
                Self::Ok { block: *block }
            }
            Link::Up { .. } => Self::Away {
                why: format!("it has not answered for {} s", RECENT.as_secs()),
            },
            Link::Down { told, .. } => Self::Away { why: told.clone() },
        }
    }
}

/// Tells whether the host is of use, without asking the chain.
pub async fn health(State(app): State<Arc<App>>) -> impl IntoResponse {
    let health = Health::of(&app, Instant::now());
    let status = match health {
        Health::Ok { .. } => StatusCode::OK,
        Health::Away { .. } => StatusCode::SERVICE_UNAVAILABLE,
    };
    (status, Json(health))
}

/// What the operator alone is shown: what the host counts at `/metrics`, and its health.
pub fn operator_router(app: Arc<App>) -> Router {
    let metrics = async |State(app): State<Arc<App>>| {
        let kind = "text/plain; version=0.0.4; charset=utf-8";
        ([(header::CONTENT_TYPE, kind)], metrics(&app).await)
    };
    Router::new()
        .route("/metrics", get(metrics))
        .route("/health", get(health))
        .with_state(app)
}

async fn metrics(app: &App) -> String {
    let mut text = Text::default();
    build(&mut text);
    chain(app, &mut text).await;
    text.single(
        "connect4_sockets",
        "gauge",
        "Open sockets of pages.",
        app.open_sockets(),
    );
    text.single(
        "connect4_rooms",
        "gauge",
        "Games that are followed for those who watch them, and the lobby.",
        app.rooms.count(),
    );
    app.metrics.write(&mut text);
    text.add(app.signed_rooms.counts());
    text.process();
    text.time(
        "process_start_time_seconds",
        "When the process was started.",
        app.started,
    );
    text.finish()
}

fn build(text: &mut Text) {
    const BUILD: &str = "connect4_build_info";
    text.family(BUILD, "gauge", "The version of the program.");
    let version = env!("CARGO_PKG_VERSION");
    text.value(BUILD, format_args!("{{version=\"{version}\"}}"), 1);
}

async fn chain(app: &App, text: &mut Text) {
    let pulse = app.chain.pulse();
    let link = app.chain.links().borrow().clone();
    let (up, best) = match &link {
        Link::Up { block, .. } => (1, Some(*block)),
        Link::Down { .. } => (0, None),
    };
    text.single(
        "connect4_chain_up",
        "gauge",
        "Whether the chain answers.",
        up,
    );
    text.single(
        "connect4_chain_lost_total",
        "counter",
        "How often the connection to the chain was lost.",
        pulse.losses(),
    );
    if let Some(best) = best {
        let help = "Number of the best block.";
        text.single("connect4_chain_best_block", "gauge", help, best);
    }
    if let Some(last) = pulse.last() {
        let help = "Time that the chain took for its last answer.";
        let took = last.took.as_secs_f64();
        text.single("connect4_chain_answer_seconds", "gauge", help, took);
        let help = "Time since the chain has answered.";
        let ago = last.at.elapsed().as_secs_f64();
        text.single("connect4_chain_silent_seconds", "gauge", help, ago);
    }
    if let Link::Up { at, .. } = link {
        let asked = tokio::time::timeout(PATIENCE, at.connection.client.final_height());
        if let Ok(Ok(block)) = asked.await {
            let help = "Number of the newest final block.";
            text.single("connect4_chain_final_block", "gauge", help, block);
        }
    }
}
