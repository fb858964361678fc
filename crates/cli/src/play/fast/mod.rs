//! A fast game at a terminal: moves are signed and sent by a relay, and the chain is told the end.
//!
//! A [`Table`] is the game and who plays it here. `turn` asks the player, or waits for the opponent;
//! `act` does what the player wants; `view` says what is signed, what the chain knows, and whether the
//! relay is there; `settle` waits until the chain knows the end, and pays out.

mod act;
mod relay;
mod rematch;
mod settle;
mod table;
mod turn;
mod view;
mod wish;

use super::hearing::Hearing;
use super::screen::Screen;
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::session::Session;

pub use relay::{Announced, url as relay_url};
pub use table::{Table, Whereabouts};

/// Plays a game to its end, and has the chain told; then its rematches as long as the players want them.
/// They are asked if they sit at a terminal, or if this is a `series`.
pub async fn play(
    session: &Session,
    mut table: Table,
    series: bool,
    screen: &mut dyn Screen,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let mut hearing = Hearing::begin();
    session.endure(screen);
    loop {
        let resume = table.how_to_resume(session, &screen.token());
        farewell.set(resume.clone());
        let game = table.player.latest();
        screen.greet(&table.greeting(session, &game))?;
        let mut is_over = false;
        while !is_over {
            turn::run(&mut table, screen, &mut hearing)
                .await
                .map_err(|failure| failure.and(&resume))?;
            // What is at risk may have changed.
            let resume = table.how_to_resume(session, &screen.token());
            farewell.set(resume.clone());
            is_over = settle::settle(&mut table, screen, &mut hearing)
                .await
                .map_err(|failure| failure.and(&resume))?;
        }
        farewell.clear();
        let asks = (series || screen.is_terminal()) && !hearing.has_ended;
        if !asks || !table.player.is_over_on_chain() {
            return Ok(());
        }
        match rematch::rematch(&table, screen, &mut hearing).await? {
            Some(next) => table = next,
            None => return Ok(()),
        }
    }
}
