//! What is wrong in a state, and what evidence says, in words.

use connect4_protocol::fast::{Ending, Evidence};

/// What an honest player must never suffer, in words.
pub type Violation = String;

/// Moves as a person reads them.
pub fn text(moves: &[u8]) -> String {
    let bins: String = moves.iter().map(u8::to_string).collect();
    format!("'{bins}'")
}

/// Evidence as a person reads it.
pub fn told(evidence: &Evidence) -> String {
    let moves = text(&evidence.moves);
    match evidence.ending {
        None => moves,
        Some(Ending::Resignation(by)) => format!("the resignation of {by} at {moves}"),
        Some(Ending::Draw { until }) => {
            format!("a draw at {moves} until {}", super::clock(until))
        }
        Some(Ending::Press { until }) => {
            format!("a press at {moves} until {}", super::clock(until))
        }
    }
}
