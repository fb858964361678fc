//! Waiting for whatever comes first: a line of input, a change on the chain, a deadline.

use std::future::pending;
use std::time::Duration;

use connect4_protocol::{Game, Match};
use connect4_server::words::now;

use super::table::Table;
use crate::failure::Failure;
use crate::input::Lines;

/// What came first.
pub enum Heard {
    /// A line of input; none if the input has ended.
    Line(Option<String>),
    /// The game or its match has changed.
    Changed(Game, Match),
    /// The deadline of the player to move is over.
    TimeIsUp,
}

/// What is waited for.
pub struct Listening<'a> {
    /// Lines of input, if they are read.
    pub lines: Option<&'a mut Lines>,
    /// Whether players elsewhere may change the game.
    pub changes: bool,
    /// Whether the deadline matters.
    pub deadline: bool,
}

impl Listening<'_> {
    /// Waits for what comes first; a line before anything else.
    pub async fn first(self, table: &Table, game: &Game) -> Result<Heard, Failure> {
        let typed = async {
            match self.lines {
                Some(lines) => lines.next().await,
                None => pending().await,
            }
        };
        let changed = async {
            match self.changes {
                true => table.change(game).await,
                false => pending().await,
            }
        };
        let time_is_up = async {
            match game.deadline() {
                Some(deadline) if self.deadline => {
                    let left = deadline.saturating_add(1).saturating_sub(now());
                    tokio::time::sleep(Duration::from_secs(left)).await;
                }
                _ => pending().await,
            }
        };
        tokio::select! {
            biased;
            line = typed => line
                .map(Heard::Line)
                .map_err(|error| Failure::Other(format!("cannot read the input: {error}"))),
            changed = changed => {
                let (game, of_match) = changed?;
                Ok(Heard::Changed(game, of_match))
            }
            () = time_is_up => Ok(Heard::TimeIsUp),
        }
    }
}
