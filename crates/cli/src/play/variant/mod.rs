//! A game of a variant at a terminal: two to four players, here or elsewhere.

mod act;
mod input;
mod screen;
mod table;
mod turn;
mod view;

pub use screen::VariantScreen;
pub use table::Table;
pub use turn::play;
