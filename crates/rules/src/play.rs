//! What positions of all kinds have in common.

use crate::notation::Notation;
use crate::variant::{self, Move, MoveError};
use crate::{Bin, DropError, Outcome, Position};

/// A position to play on, of the classic game or of a variant: for code that takes both.
///
/// # Examples
///
/// ```
/// use connect4_rules::variant::{self, Variant};
/// use connect4_rules::{Play, Position, Shape};
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

impl Play for Position {
    type Move = Bin;
    type Outcome = Outcome;

    fn legal_moves(&self) -> impl Iterator<Item = Bin> {
        self.legal_bins()
    }

    fn play(&mut self, bin: Bin) -> Result<Option<Outcome>, DropError> {
        self.drop(bin).map(|dropped| dropped.outcome)
    }
}

impl Play for variant::Position {
    type Move = Move;
    type Outcome = variant::Outcome;

    fn legal_moves(&self) -> impl Iterator<Item = Move> {
        self.legal_moves()
    }

    fn play(&mut self, action: Move) -> Result<Option<variant::Outcome>, MoveError> {
        self.play(action)
    }
}
