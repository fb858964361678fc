//! Computer opponents.
//!
//! An [`Opponent`] chooses a move, in the classic game and in all [variants](connect4_rules::variant).
//! Most levels take it from the values that a tree search gives, see [`Search`]; the weaker the
//! [`Level`], the less it searches, and the more often it takes another move than the best. The
//! highest level plays the standard board by a solver, which knows the result of every position under
//! perfect play, see [`Standard`], and other games of drops between two players by another search, see
//! [`Deep`]. A [`Reviewer`] tells what each move of a classic game gave away, and
//! what each legal move of a position is worth.
//!
//! The rules are those of `connect4_rules`. Without the feature `std`, who uses it brings a [`Clock`].
//!
//! # Modules
//!
//! Open `opponent` first, then `search`.
//!
//! | module | job |
//! |---|---|
//! | `opponent`, `level`, `budget`, `pick` | [`Opponent`], how strong it is, how long it thinks, which move it takes |
//! | `resist` | the move that loses latest, where all lose |
//! | `search`, `order`, `playout` | [`Search`], for games that nobody has solved |
//! | `deep`, `lines` | [`Deep`], for games of drops between two players |
//! | `opening` | first drops on large boards, by games |
//! | `standard`, `solver`, `book`, `board` | the standard board, solved |
//! | `perfect` | results of other boards that are known |
//! | `review` | [`Reviewer`]: what moves are worth |
//! | [`puzzle`] | [`Puzzle`]: positions with one answer, and playing them until they are solved |

#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

extern crate alloc;

mod board;
mod book;
mod budget;
mod deep;
mod level;
mod lines;
mod opening;
mod opponent;
mod order;
mod perfect;
mod pick;
mod playout;
pub mod puzzle;
mod resist;
mod review;
mod search;
mod solver;
mod standard;

pub use budget::{Budget, Clock};
pub use deep::{Deep, Found};
pub use level::{Level, LevelError};
pub use opponent::{Choose, Opponent};
pub use perfect::perfect_result;
pub use puzzle::Puzzle;
pub use review::{Fault, Looking, Outlook, Reviewer, Verdict, Worth};
pub use search::{Candidate, Search};
pub use standard::{Evaluation, Standard};
