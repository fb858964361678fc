//! Lines of moves, on no chain: what they lead to.

use axum::Json;
use connect4_wire::Line;

use crate::extract::QueriedLine;
use crate::refusal::Refusal;

pub async fn line(QueriedLine(asked): QueriedLine) -> Result<Json<Line>, Refusal> {
    let line = asked.line();
    Ok(Json(line.map_err(Refusal::input)?))
}
