//! Waiting for whatever comes first: a line of input, a change on the chain, a deadline.

use std::future::pending;
use std::time::Duration;

use connect4_wire::words::now;

use crate::failure::Failure;
use crate::input::Lines;

/// What came first.
pub enum Heard<C> {
    /// A line of input; none if the input has ended.
    Line(Option<String>),
    /// The game has changed.
    Changed(C),
    /// The deadline of the player to move is over.
    TimeIsUp,
}

/// What is waited for.
pub struct Listening<'a> {
    /// Lines of input, if they are read.
    pub lines: Option<&'a mut Lines>,
    /// The last second of the player to move, since 1970, if it matters.
    pub deadline: Option<u64>,
}

impl Listening<'_> {
    /// Waits for what comes first; a line before anything else. `change` is there if players elsewhere
    /// may change the game.
    pub async fn first<C>(
        self,
        change: Option<impl Future<Output = Result<C, Failure>>>,
    ) -> Result<Heard<C>, Failure> {
        let typed = async {
            match self.lines {
                Some(lines) => lines.next().await,
                None => pending().await,
            }
        };
        let changed = async {
            match change {
                Some(change) => change.await,
                None => pending().await,
            }
        };
        let time_is_up = async {
            match self.deadline {
                Some(deadline) => {
                    let left = deadline.saturating_add(1).saturating_sub(now());
                    tokio::time::sleep(Duration::from_secs(left)).await;
                }
                None => pending().await,
            }
        };
        tokio::select! {
            biased;
            line = typed => line
                .map(Heard::Line)
                .map_err(|error| Failure::Other(format!("cannot read the input: {error}"))),
            changed = changed => changed.map(Heard::Changed),
            () = time_is_up => Ok(Heard::TimeIsUp),
        }
    }
}
