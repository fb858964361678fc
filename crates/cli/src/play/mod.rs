//! A game at a terminal.
//!
//! A `Table` is a game and who plays it here. `turn` asks players what to do, or waits for
//! opponents elsewhere; `act` does it on the chain; `series` plays game after game. What is shown
//! goes through a [`Screen`].

mod act;
mod computer;
mod listen;
mod screen;
mod series;
mod table;
mod turn;
mod view;

pub use computer::Computer;
pub use screen::Screen;
pub use series::play;
pub use table::Table;
#[cfg(test)]
pub use view::{Greeting, Note};
