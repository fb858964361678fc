//! Variants: two to four players, power-ups, pop out, the pie rule.
//!
//! A [`Variant`] says what is agreed on: the [`Shape`](crate::Shape) of the board, the number of
//! players, whether discs pop out, whether the second player may swap, and how often each
//! player may use each [`Power`]. All of them combine. A [`Position`] plays it; the classic game
//! has a [type of its own](crate::Position), which is smaller and faster. [`Play`](crate::Play) is
//! what both have in common, and [`notation`](crate::notation) and [`perft`](crate::perft()) take
//! both.
//!
//! | item | is |
//! |---|---|
//! | [`Variant`], [`VariantSpec`] | the terms of a game: within bounds, and as asked for |
//! | [`Colour`], [`ByColour`] | one of up to four players, a value for each of them |
//! | [`Power`], [`Powers`] | a power-up, and how often each may be used |
//! | [`Move`], [`MoveError`] | a turn, and why one is refused |
//! | [`Change`] | what a move does to the discs |
//! | [`Position`], [`Outcome`] | the position to play on, and how a game ended |
//!
//! # Moves
//!
//! The *top* of a bin is one above its highest disc, 0 if it is empty. A turn is one move:
//!
//! | move | does |
//! |---|---|
//! | drop | puts a disc of the mover at the top of a bin |
//! | pop | takes the mover's own disc out of the bottom of a bin, if the variant has pop out |
//! | take | takes an opponent's disc out |
//! | clear | takes every disc out of a row that has one |
//! | float | puts a disc of the mover into a cell above the top of its bin, where it stays |
//! | swap | exchanges the colours of the two players; the second player's first move alone |
//!
//! Where a disc is taken out, everything above it in its bin comes down by one row: gaps under
//! floating discs remain. After a move the lines of all players are checked on the whole board. If
//! the mover has one, the mover has won; else the first player after the mover, in turn order, who
//! has one. A game without a line is a draw if the next player has no legal move, or after
//! [`Position::MAX_TURNS`] turns.
//!
//! # Examples
//!
//! ```
//! use connect4_rules::variant::{Colour, Position, Variant, VariantSpec};
//! use connect4_rules::{Cell, Shape};
//!
//! let variant = Variant::try_from(VariantSpec {
//!     pop_out: true,
//!     ..VariantSpec::classic(Shape::STANDARD)
//! })?;
//! // Blue dropped onto red's disc. Red takes that one out, and blue's comes down.
//! let mut position = Position::from_moves(variant, "11")?;
//! position.play("p1".parse()?)?;
//! assert_eq!(position.disc(Cell::new(0, 0)), Some(Colour::Blue));
//!
//! let error = position.play("p2".parse()?).unwrap_err();
//! assert_eq!(error.to_string(), "the disc at the bottom of the bin is not the mover's own");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod change;
mod colour;
mod notation;
mod outcome;
mod position;
mod powers;
mod spec;

pub use action::{Move, MoveError};
pub use change::Change;
pub use colour::{ByColour, Colour};
pub use notation::ParseMoveError;
pub use outcome::Outcome;
pub use position::{LeaveError, LegalMoves, Position};
pub use powers::{Power, Powers};
pub use spec::{Variant, VariantError, VariantSpec};
