//! What relays say in all rooms.

use alloc::string::String;

use connect4_protocol::signed::relay;
use connect4_rules::ByPlayer;
use connect4_seat::why_refused;
use serde::Serialize;

/// Who is in a room, as the relay says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Present {
    /// Whether each player is connected.
    pub players: ByPlayer<bool>,
    /// How many are connected besides the players.
    pub watchers: u16,
}

/// A refusal of the relay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Refusal {
    /// What it says, in words that follow the relay's name.
    pub text: String,
    /// Whether it closes the connection, or should be left.
    pub closes: bool,
}

impl From<relay::Present> for Present {
    fn from(present: relay::Present) -> Self {
        Self {
            players: present.players,
            watchers: present.watchers,
        }
    }
}

impl From<relay::Refusal> for Refusal {
    fn from(refusal: relay::Refusal) -> Self {
        Self {
            text: why_refused(refusal).into_owned(),
            closes: refusal.closes(),
        }
    }
}
