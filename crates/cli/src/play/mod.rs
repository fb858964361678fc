//! A game at a terminal.
//!
//! A `Table` is a game and who plays it here. `turn` asks players what to do, or waits for
//! opponents elsewhere, by `hearing`; `act` does it on the chain; `series` plays game after game. What is shown
//! goes through a [`Screen`]. `taken_back` remembers the moves, as the chain may take some back.
//! [`fast`] is the same for fast games, [`variant`] for variants, with what they share from here.

mod act;
mod computer;
pub mod fast;
mod hearing;
mod listen;
mod screen;
mod series;
mod table;
mod taken_back;
mod turn;
pub mod variant;
mod view;

use connect4_client::GameId;

use crate::place::Place;
use crate::session::Session;

pub use computer::Computer;
pub use screen::Screen;
pub use series::play;
pub use table::Table;
#[cfg(test)]
pub use view::{Greeting, Note};

/// How to resume a game with these options, in words.
fn how_to_resume(session: &Session, game: GameId, options: &str) -> String {
    if let Place::Memory = session.place {
        return format!(
            "game {game} was on a chain in memory, which is gone now; without --tmp it could be \
             resumed"
        );
    }
    format!(
        "game {game} is not over and stays on the chain; resume it by\n  connect4 play --game \
         {game}{options}"
    )
}
