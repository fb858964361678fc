//! Counting sequences of drops, to test and to measure move generation.

use crate::Position;

/// How many sequences of exactly `depth` drops can be played from a position. Play stops at the
/// end of a game, so a sequence that ends it earlier is not counted.
///
/// The name is of chess programming: "performance test". Two implementations of the rules that
/// agree on these numbers very likely agree on every legal drop and every line. On 7 bins of 6
/// the numbers of *different positions* after each ply are OEIS A212693; those of sequences are in
/// `tests/counts.rs`, which derives both in one walk.
///
/// The time it takes is in proportion to the result; the depth of recursion is `depth`, at most 120
/// on any board. A count that exceeds a `u64` stops at [`u64::MAX`].
///
/// # Examples
///
/// ```
/// use connect4_rules::{Position, Shape, perft};
///
/// let start = Position::new(Shape::STANDARD);
/// assert_eq!(perft(&start, 0), 1);
/// assert_eq!(perft(&start, 5), 16_807);
/// // No bin takes a seventh disc: 7 less than 7^7.
/// assert_eq!(perft(&start, 7), 823_536);
///
/// let won = Position::from_moves(Shape::STANDARD, "1212121")?;
/// assert_eq!(perft(&won, 1), 0);
/// # Ok::<(), connect4_rules::notation::NotationError>(())
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u8) -> u64 {
    let Some(rest) = depth.checked_sub(1) else {
        return 1;
    };
    position
        .legal_bins()
        .filter_map(|bin| {
            let mut after = *position;
            after.drop(bin).ok().map(|_| perft(&after, rest))
        })
        .fold(0, u64::saturating_add)
}
