//! Counting sequences of moves, to test and to measure move generation.

use crate::Play;

/// How many sequences of exactly `depth` moves can be played from a position. Play stops at the
/// end of a game, so a sequence that ends it earlier is not counted.
///
/// The name is of chess programming: "performance test". Two implementations of the rules that
/// agree on these numbers very likely agree on every legal move and every line. On 7 bins of 6
/// the numbers of *different positions* after each ply are OEIS A212693; those of sequences are in
/// `tests/counts.rs`, which derives both in one walk.
///
/// The time it takes is in proportion to the result; the depth of recursion is `depth`, and at most
/// 120 in the classic game and 250 in a variant. A count that exceeds a `u64` stops at [`u64::MAX`].
///
/// # Examples
///
/// ```
/// use connect4_rules::variant::{self, VariantSpec};
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
///
/// let spec = VariantSpec { pop_out: true, ..VariantSpec::classic(Shape::STANDARD) };
/// let start = variant::Position::new(spec.try_into()?);
/// assert_eq!(perft(&start, 2), 49);
/// // Seven drops, or the first disc is taken out again.
/// assert_eq!(perft(&start, 3), 49 * 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn perft<P: Play>(position: &P, depth: u8) -> u64 {
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
