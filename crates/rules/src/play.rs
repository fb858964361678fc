//! What positions of all kinds have in common.

use crate::notation::{Notation, NotationError, Reason, parse};

/// A position to play on, of the classic game or of a variant: for code that takes both.
///
/// # Examples
///
/// ```
/// use connect4_rules::{Play, Position, Shape, variant};
///
/// /// Makes the first legal move until the game ends, and returns how many it made.
/// fn first_moves(mut position: impl Play) -> usize {
///     let mut moves = 0;
///     while let Some(action) = { position }.legal_moves().next() {
///         assert!(position.play(action).is_ok());
///         moves += 1;
///     }
///     moves
/// }
///
/// let classic = Position::new(Shape::STANDARD);
/// assert_eq!(first_moves(classic), first_moves(variant::Position::from(classic)));
/// ```
pub trait Play: Copy {
    /// A move.
    type Move: Notation;
    /// How a game ends.
    type Outcome;

    /// The legal moves; none after the end.
    fn legal_moves(&self) -> impl Iterator<Item = Self::Move>;

    /// Makes a move of the player to move, and returns how the game ended if it did.
    ///
    /// # Errors
    ///
    /// Why the move is refused; the position is unchanged.
    fn play(
        &mut self,
        action: Self::Move,
    ) -> Result<Option<Self::Outcome>, <Self::Move as Notation>::Refusal>;
}

/// The position after the moves of a string.
///
/// # Errors
///
/// Names the first move that is none, or that the position refuses.
pub(crate) fn played<P: Play>(mut position: P, text: &str) -> Result<P, NotationError<P::Move>> {
    let mut moves = parse::<P::Move>(text);
    while let Some((begin, action)) = moves.step() {
        let refused = match action {
            None => Some(Reason::NotAMove),
            Some(action) => position.play(action).err().map(Reason::Refused),
        };
        if let Some(reason) = refused {
            return Err(moves.error(begin, reason));
        }
    }
    Ok(position)
}
