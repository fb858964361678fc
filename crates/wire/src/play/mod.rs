//! Positions as the page shows them, and what moves are worth: what needs neither a chain nor a system.

mod hint;
mod line;
mod moves;
mod options;
mod player;
mod review;
mod terms_and_moves;
mod text;
pub(crate) mod wording;

pub use hint::{Evaluation, Hint, HintedBin};
pub use line::{Line, Shown};
pub use moves::{Disc, Made, Move, Played, Sent};
pub use options::{Refusals, Targets, options};
pub use player::{Computer, Player};
pub use review::{Reviewed, Verdict, Worth};
pub use terms_and_moves::TermsAndMoves;
pub use text::{Amount, Deposit, Digits, Hash, Level};

#[cfg(all(feature = "declarations", feature = "program"))]
pub(crate) use text::one_of;
