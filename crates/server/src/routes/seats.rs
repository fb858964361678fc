//! Seats that computers play.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use connect4_protocol::Error;
use connect4_rules::Player;
use connect4_wire::{Done, SeatComputer};

use super::games::place;
use crate::app::App;
use crate::extract::{Asked, OfClassic};
use crate::refusal::Refusal;

/// Has a computer play a seat, or a person again.
pub async fn computer(
    State(app): State<Arc<App>>,
    OfClassic(number): OfClassic,
    Asked { keys, asked }: Asked<SeatComputer>,
) -> Result<Json<Done>, Refusal> {
    let (_, game) = app.game(number).await?;
    let player = Player::from(asked.seat);
    let signer = app.signer_at(&keys, &game, player)?;
    match asked.level {
        Some(level) => {
            if game.is_over() {
                return Err(Refusal::refused(Error::GameOver));
            }
            app.seat_computer(place(number, player), level.0, signer)?;
        }
        None => app.computers.leave(place(number, player)),
    }
    Ok(Json(Done {}))
}
