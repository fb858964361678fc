//! How values are spelled in JSON, for the page as for scripts.

use connect4_protocol::{ClockSpec, End, Score};
use connect4_rules::{Board, Cells, Player, Shape, ShapeSpec};
use serde_json::{Value, json};

/// A clock that was agreed on.
#[must_use]
pub fn json_clock_spec(clock: Option<ClockSpec>) -> Value {
    match clock {
        Some(clock) => json!({ "bank": clock.bank, "increment": clock.increment }),
        None => Value::Null,
    }
}

/// How a game ended.
#[must_use]
pub fn json_end(end: Option<End>) -> Value {
    json!(end.map(|end| match end {
        End::Line => "line",
        End::FullBoard => "full board",
        End::Resignation => "resignation",
        End::Agreement => "agreement",
        End::Timeout => "timeout",
        End::Abort => "abort",
    }))
}

/// A shape.
#[must_use]
pub fn json_shape(shape: ShapeSpec) -> Value {
    json!({ "bins": shape.bins, "capacity": shape.capacity, "line": shape.line })
}

/// Cells of a board.
#[must_use]
pub fn json_cells(cells: Cells, shape: Shape) -> Value {
    cells
        .iter(shape)
        .map(|cell| json!({"bin": cell.bin.index(), "row": cell.row}))
        .collect()
}

/// The results of a series.
#[must_use]
pub fn json_score(score: Score) -> Value {
    json!({ "red": score.one, "blue": score.two, "draws": score.draws })
}

/// The discs by bins from the left, each from the bottom.
#[must_use]
pub fn board_of_bins(board: &Board) -> Vec<Vec<&'static str>> {
    let bins = board.shape().iter_bins();
    bins.map(|bin| board.stack(bin).map(Player::colour).collect())
        .collect()
}
