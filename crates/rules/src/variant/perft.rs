//! Counting sequences of moves, to test and to measure move generation.

use super::Position;

/// How many sequences of exactly `depth` moves can be played from a position, as
/// [`perft`](crate::perft()) counts them for the classic game.
///
/// # Examples
///
/// ```
/// use connect4_rules::Shape;
/// use connect4_rules::variant::{Position, VariantSpec, perft};
///
/// let spec = VariantSpec { pop_out: true, ..VariantSpec::classic(Shape::STANDARD) };
/// let start = Position::new(spec.try_into()?);
/// assert_eq!(perft(&start, 2), 49);
/// // Seven drops, or the first disc is taken out again.
/// assert_eq!(perft(&start, 3), 49 * 8);
/// # Ok::<(), connect4_rules::variant::VariantError>(())
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u8) -> u64 {
    let Some(rest) = depth.checked_sub(1) else {
        return 1;
    };
    position
        .legal_moves()
        .filter_map(|action| {
            let mut after = *position;
            after.play(action).ok().map(|_| perft(&after, rest))
        })
        .fold(0, u64::saturating_add)
}
