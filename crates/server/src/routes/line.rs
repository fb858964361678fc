//! Lines of moves, on no chain: what they lead to, and what each move gave away.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::{Extension, Json};
use connect4_relay::Visitor;
use connect4_rules::{Bin, Position, Shape, notation};
use connect4_wire::{self as wire, Line, ReviewMessage, Reviewed, ShapeAndMoves, TermsAndMoves};

use super::socket::{message, short};
use crate::app::App;
use crate::extract::{Queried, shape, variant};
use crate::host::Wanted;
use crate::refusal::Refusal;

/// Shows the position that a line leads to.
pub async fn line(Queried(asked): Queried<TermsAndMoves>) -> Result<Json<Line>, Refusal> {
    let terms = variant(asked.spec())?;
    if terms.is_classic() {
        check_length(terms.shape(), &asked.moves)?;
    }
    let line = Line::new(terms, &asked.moves);
    Ok(Json(line.map_err(Refusal::input)?))
}

/// Tells what each move of a line gave away, one after the other.
pub async fn review(
    State(app): State<Arc<App>>,
    Extension(from): Extension<Visitor>,
    Queried(asked): Queried<ShapeAndMoves>,
    socket: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let permit = app.room_for_a_socket(from, Wanted::Review)?;
    let shape = shape_of(&asked)?;
    Position::from_moves(shape, &asked.moves).map_err(Refusal::input)?;
    let bins: Vec<Bin> = notation::parse(&asked.moves).flatten().collect();
    Ok(short(socket).on_upgrade(async move |socket| {
        look_back(&app, socket, from, shape, bins).await;
        drop(permit);
    }))
}

/// The shape of the board, which has to have a cell for each move.
pub fn shape_of(asked: &ShapeAndMoves) -> Result<Shape, Refusal> {
    let shape = shape(wire::Shape {
        bins: asked.bins,
        capacity: asked.capacity,
        line: asked.line,
    })?;
    check_length(shape, &asked.moves)?;
    Ok(shape)
}

/// Checks that there are not more drops than the board has cells.
fn check_length(shape: Shape, moves: &str) -> Result<(), Refusal> {
    // A character more than cells is enough for the rules to name the move that is too many.
    if moves.len() > usize::from(shape.cells()) + 1 {
        return Err(Refusal::input(format!(
            "the board has {} cells: there are no more moves than that",
            shape.cells()
        )));
    }
    Ok(())
}

/// Reviews the moves one after the other, each when it is the visitor's turn.
async fn look_back(
    app: &App,
    mut socket: WebSocket,
    visitor: Visitor,
    shape: Shape,
    bins: Vec<Bin>,
) {
    let mut before = Position::new(shape);
    for (turn, bin) in (0..).zip(bins) {
        let mut after = before;
        if after.drop(bin).is_err() {
            break;
        }
        let outlook = tokio::select! {
            outlook = app.hints.outlook(before, visitor) => outlook,
            // Nobody waits for the review of a page that was closed.
            _ = socket.recv() => return,
        };
        let verdict = outlook.map(|outlook| outlook?.verdict(bin));
        let told = match verdict {
            Ok(Some(verdict)) => {
                ReviewMessage::Move(Reviewed::new(turn, before.to_move(), bin, &verdict))
            }
            Ok(None) => break,
            Err(refusal) => ReviewMessage::Failed {
                error: refusal.into_words(),
            },
        };
        let has_failed = matches!(told, ReviewMessage::Failed { .. });
        if !send(&mut socket, &told).await || has_failed {
            return;
        }
        before = after;
    }
    send(&mut socket, &ReviewMessage::Done).await;
    let _ = socket.send(Message::Close(None)).await;
}

/// Sends a message; false if the page is gone.
async fn send(socket: &mut WebSocket, told: &ReviewMessage) -> bool {
    match message(told) {
        Some(message) => socket.send(message).await.is_ok(),
        None => false,
    }
}
