//! What a program shows of a signed game.

use connect4_protocol::signed::{Finished, Moves};
use connect4_seat::Shown;

use super::room::RoomState;

/// What a program shows of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The game as it stands.
    pub shown: Shown,
    /// All moves that are known here.
    pub moves: Moves,
    /// Whether the room of a game without a stake is there.
    pub room: RoomState,
    /// What shows how a game without a stake has ended; none before, or if it is void.
    pub finished: Option<Box<Finished>>,
    /// By how many seconds the clock of the witness is ahead of this machine's.
    pub ahead: i64,
    /// The newest block of the chain of a game with a stake; none before one was seen.
    pub block: Option<NewestBlock>,
}

/// The newest block that was seen. If none comes for long, nothing is brought to the chain in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewestBlock {
    /// Its time, in seconds since 1970.
    pub time: u64,
    /// When it was seen, by this machine's clock.
    pub seen: u64,
}
