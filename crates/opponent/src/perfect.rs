//! Results of whole games with perfect play, as far as they are known.

use connect4_rules::{Outcome, Player, Shape};

/// Results with a line of four, by capacity from 4 and then by bins from 5: `1` if who begins can
/// force a win, `2` if the other player can, `=` if neither can.
///
/// John Tromp has solved those for which both add up to 15 or less, and 8 x 8
/// (<https://tromp.github.io/c4/c4.html>); Christophe Steininger the others
/// (<https://github.com/ChristopheSteininger/c4>).
const LINE_OF_FOUR: [&str; 10] = [
    "=2=22222", "===1111", "=21221", "=1=11", "=212", "=1=1", "=21", "=1", "=2", "=",
];

/// The result of a game on a board of this shape if both play perfectly, for the player who begins
/// as [`Player::One`]; none if it is not known.
///
/// With a line of three, who begins wins on every board: a test searches them all.
///
/// # Examples
///
/// ```
/// use connect4_opponent::perfect_result;
/// use connect4_rules::{Outcome, Player, Shape};
///
/// assert_eq!(perfect_result(Shape::STANDARD), Some(Outcome::Won(Player::One)));
/// assert_eq!(perfect_result(Shape::CLASSROOM), Some(Outcome::Won(Player::Two)));
/// # Ok::<(), connect4_rules::ShapeError>(())
/// ```
#[must_use]
pub fn perfect_result(shape: Shape) -> Option<Outcome> {
    match shape.line() {
        3 => Some(Outcome::Won(Player::One)),
        4 => {
            let row = shape.capacity().checked_sub(Shape::MIN_CAPACITY)?;
            let bin = shape.bins().checked_sub(Shape::MIN_BINS)?;
            let row = LINE_OF_FOUR.get(usize::from(row))?;
            match row.as_bytes().get(usize::from(bin))? {
                b'1' => Some(Outcome::Won(Player::One)),
                b'2' => Some(Outcome::Won(Player::Two)),
                _ => Some(Outcome::Draw),
            }
        }
        _ => None,
    }
}
