//! What a move does to the discs.

use super::{Move, MoveError, Position};
use crate::{Cell, Cells};

/// What a move does to the discs on the board, for views that show it happen.
///
/// Discs are taken out first; then those above them come down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Change {
    /// The cell that gets a disc of the mover; none if the move puts no disc on the board.
    pub added: Option<Cell>,
    /// The cells whose discs are taken out.
    pub removed: Cells,
    /// The cells, as they are before the move, whose discs come down, each by one row.
    pub fallen: Cells,
}

impl Position {
    /// What a move of the player to move does to the discs. A swap does nothing to them.
    ///
    /// # Errors
    ///
    /// Those of [`check`](Self::check).
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_rules::variant::{Change, Position, Variant, VariantSpec};
    /// use connect4_rules::{Cell, Cells, Shape};
    ///
    /// let shape = Shape::STANDARD;
    /// let variant = VariantSpec { pop_out: true, ..VariantSpec::classic(shape) };
    /// let position = Position::from_moves(Variant::try_from(variant)?, "1112")?;
    /// let change = position.change("p1".parse()?)?;
    /// assert_eq!(
    ///     change,
    ///     Change {
    ///         added: None,
    ///         removed: Cells::of(shape, Cell::new(0, 0)),
    ///         fallen: Cells::of(shape, Cell::new(0, 1)).with(shape, Cell::new(0, 2)),
    ///     }
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn change(&self, action: Move) -> Result<Change, MoveError> {
        self.check(action)?;
        let shape = self.shape();
        let occupied = self.occupied();
        let mut change = Change::default();
        match action {
            Move::Drop(bin) => {
                let row = self.height(bin);
                change.added = Some(Cell { bin, row });
            }
            Move::Float(cell) => change.added = Some(cell),
            Move::Pop(bin) => change.removed = Cells::of(shape, Cell { bin, row: 0 }),
            Move::Take(cell) => change.removed = Cells::of(shape, cell),
            Move::Clear(row) => change.removed = occupied & Cells::row(shape, row),
            Move::Swap => {}
        }
        let falls = |cell: &Cell| {
            let mut removed = change.removed.iter(shape);
            removed.any(|below| below.bin == cell.bin && below.row < cell.row)
        };
        change.fallen = occupied
            .iter(shape)
            .filter(falls)
            .map(|cell| Cells::of(shape, cell))
            .collect();
        Ok(change)
    }
}
