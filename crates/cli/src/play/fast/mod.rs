//! A fast game: moves are signed and sent through a relay, and the chain gets the result.
//!
//! A [`Table`] is the game and who plays it here, which `backend` lets be played. `act` does what the player wants; `news` says what has
//! happened; `view` says what is signed, what the chain has, and whether the relay is connected; `settle`
//! waits until the end is on the chain, and has the player paid; `rematch` asks for another game.

mod act;
mod backend;
mod news;
mod relay;
mod rematch;
mod settle;
mod table;
mod view;

pub use act::words_of;
pub use news::tell_move_by;
pub use relay::{Announced, url as relay_url};
pub use table::{Table, Whereabouts};
