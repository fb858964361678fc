//! Computer opponents.
//!
//! An [`Opponent`] chooses a bin in a [`Position`](connect4_rules::Position). Most levels take it
//! from the values that a tree search gives, see [`Search`]; the weaker the [`Level`], the less it
//! searches, and the more often it takes another bin than the best. The highest level plays the
//! standard board by a solver, which knows the result of every position under perfect play, see
//! [`Standard`]. A [`Reviewer`] tells what each move of a game gave away, and what each legal
//! move of a position is worth. Games with other terms have a module of their own, [`variant`].
//!
//! The rules are those of `connect4_rules`.
//!
//! # Modules
//!
//! Open `opponent` first, then `search`.
//!
//! | module | job |
//! |---|---|
//! | `opponent`, `level`, `budget`, `pick` | [`Opponent`], how strong it is, how long it thinks, which move it takes |
//! | `search` | [`Search`], for boards that nobody has solved |
//! | `standard`, `perfect` | the solver of the standard board, and results of boards that are known |
//! | `review` | [`Reviewer`]: what moves are worth |
//! | [`variant`] | the same for two to four players and moves of every kind |

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod budget;
mod level;
mod opponent;
mod perfect;
mod pick;
mod review;
mod search;
mod standard;
pub mod variant;

pub use budget::Budget;
pub use level::{Level, LevelError};
pub use opponent::Opponent;
pub use perfect::perfect_result;
pub use review::{Fault, Outlook, Reviewer, Verdict, Worth};
pub use search::Search;
pub use standard::Standard;
