//! Boards of lists of games, as texts.

use connect4_rules::variant::Colour;

use crate::Position;

/// The board: rows from the top, each by its bins from the left, with a slash between them. A dot is an empty
/// cell, discs are `r`, `b`, `g` and `y`.
pub fn board_text(position: &Position) -> String {
    let letter = |colour: Option<Colour>| match colour {
        Some(Colour::Red) => 'r',
        Some(Colour::Blue) => 'b',
        Some(Colour::Green) => 'g',
        Some(Colour::Yellow) => 'y',
        None => '.',
    };
    let row = |row: u8| -> String {
        let cells = position.board.iter().map(|bin| bin.get(usize::from(row)));
        cells.map(|cell| letter(cell.copied().flatten())).collect()
    };
    let rows: Vec<String> = (0..position.terms.spec.shape.capacity)
        .rev()
        .map(row)
        .collect();
    rows.join("/")
}
