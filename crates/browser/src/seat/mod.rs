//! Fast games, a step at a time. Each step has all that it needs and returns all that has changed: what
//! is to be kept, what is to be sent, what is to be done on the chain, and how the game stands.

mod journal;
mod room;
mod step;
mod table;
mod watch;

pub use room::{FromRoom, Heard};
pub(crate) use step::step;
pub use step::{Duty, Offers, SeatState, SeatStep, Step, Stepped};
pub use table::{Table, TableState};
pub(crate) use watch::watch;
pub use watch::{Watch, WatchStep};
