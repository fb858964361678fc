//! Hints: what moves of a position are worth.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use connect4_protocol::GameId;
use connect4_relay::Visitor;
use connect4_rules::{Player, Position};
use connect4_wire::{AskHint, Hint, ShapeAndMoves};

use super::games::place;
use super::line::shape_of;
use crate::app::App;
use crate::extract::{Queried, game_id};
use crate::refusal::Refusal;

/// Tells what each legal move of a position is worth, but not while two people play it.
pub async fn hint(
    State(app): State<Arc<App>>,
    Extension(from): Extension<Visitor>,
    Queried(asked): Queried<ShapeAndMoves>,
    Queried(about): Queried<AskHint>,
) -> Result<Json<Hint>, Refusal> {
    let shape = shape_of(&asked)?;
    let position = Position::from_moves(shape, &asked.moves).map_err(Refusal::input)?;
    if let Some(game) = about.game {
        refuse_between_people(&app, game_id(&game)?).await?;
    }
    let outlook = app.hints.outlook(position, from).await?;
    Ok(Json(Hint::new(&position, outlook.as_ref())))
}

/// Refuses hints in a game that people play against each other. Who asks is not known, and a position
/// can be asked about as a line, too: this keeps honest players honest, and stops no one else.
async fn refuse_between_people(app: &App, game: GameId) -> Result<(), Refusal> {
    if game.is_variant() {
        return Err(Refusal::input("there are no hints in variants"));
    }
    let number = game.number();
    let refused = Err(Refusal::refused(
        "there are no hints while two people play: the review tells all once the game is over",
    ));
    if game.is_fast() {
        let (_, game) = app.latest(number).await?;
        return if game.is_over() { Ok(()) } else { refused };
    }
    let (contract, seen) = app.game(number).await?;
    if seen.value.is_over() {
        return Ok(());
    }
    let has_computer = Player::ALL
        .into_iter()
        .any(|player| app.computers.level(place(number, player)).is_some());
    if !has_computer {
        return refused;
    }
    // A seat that a person has left to a computer may have an opponent who has paid.
    let state = app.while_there(contract.match_of(number)).await?;
    if state.stake == 0 { Ok(()) } else { refused }
}
