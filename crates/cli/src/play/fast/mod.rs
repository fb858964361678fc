//! A fast game at a terminal: moves are signed and sent by a relay, and the chain is told the end.
//!
//! A [`Table`] is the game and who plays it here. `turn` asks the player, or waits for the opponent;
//! `act` does what the player wants; `view` says what is signed, what the chain knows, and whether the
//! relay is there; `settle` waits until the chain knows the end, and pays out.

mod act;
mod relay;
mod settle;
mod table;
mod turn;
mod view;
mod wish;

use super::hearing::Hearing;
use super::screen::Screen;
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::input::Lines;
use crate::session::Session;

pub use relay::{Announced, url as relay_url};
pub use table::Table;

/// Plays a game to its end, and has the chain told.
pub async fn play(
    session: &Session,
    mut table: Table,
    screen: &mut dyn Screen,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let mut hearing = Hearing {
        lines: Lines::read(),
        has_ended: false,
    };
    session.endure(screen);
    let resume = table.how_to_resume(session);
    farewell.set(resume.clone());
    let game = table.player.latest();
    screen.greet(&table.greeting(session, &game))?;
    turn::run(&mut table, screen, &mut hearing)
        .await
        .map_err(|failure| failure.and(&resume))?;
    settle::settle(&mut table, screen, &mut hearing)
        .await
        .map_err(|failure| failure.and(&resume))?;
    farewell.clear();
    Ok(())
}
