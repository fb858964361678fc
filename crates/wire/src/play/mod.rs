//! Positions as the page shows them, and what moves are worth: what needs neither a chain nor a system.

#[cfg(feature = "play")]
mod hint;
#[cfg(feature = "play")]
mod line;
mod moves;
mod options;
#[cfg(feature = "play")]
mod player;
#[cfg(feature = "play")]
mod review;
#[cfg(feature = "play")]
mod terms_and_moves;
mod text;
#[cfg(feature = "play")]
pub(crate) mod wording;

#[cfg(feature = "play")]
pub use hint::{Evaluation, Hint, HintedBin};
#[cfg(feature = "play")]
pub use line::{Line, Shown};
pub use moves::{Disc, Made, Move, Played, Sent};
pub use options::{Refusals, Targets, options};
#[cfg(feature = "play")]
pub use player::{Computer, Player};
#[cfg(feature = "play")]
pub use review::{Reviewed, Verdict, Worth};
#[cfg(feature = "play")]
pub use terms_and_moves::TermsAndMoves;
#[cfg(feature = "play")]
pub use text::Level;
pub use text::{Amount, Deposit, Digits, Hash};

#[cfg(all(feature = "declarations", feature = "program"))]
pub(crate) use text::one_of;
