//! What is wrong in a state, and what evidence says, in words.

use connect4_protocol::signed::{Evidence, SignedEnd};

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
    match evidence.end {
        None => moves,
        Some(SignedEnd::Resignation(by)) => format!("the resignation of {by} at {moves}"),
        Some(SignedEnd::Draw { until }) => {
            format!("a draw at {moves} until {}", super::clock(until))
        }
    }
}
