//! Lines of moves, on no chain: what they lead to.

use axum::Json;
use connect4_rules::Shape;
use connect4_wire::{Line, TermsAndMoves};

use crate::extract::{Queried, variant};
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
