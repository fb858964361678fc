//! What comes of a player's acts, and of what it receives from others.

use connect4_protocol::signed::Evidence;
use connect4_rules::Bin;

/// A move that was made, and what to do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "few live at a time, and copies are simple"
)]
pub enum Moved {
    /// It was signed, and is to be sent to the opponent.
    Signed(Evidence),
    /// It is to be made on the chain by the player's account, as the opponent has not signed the
    /// position before.
    OnChain(Bin),
}

/// What was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// It was taken: the game has changed.
    News,
    Known,
    /// The sender knows less than this seat, which should tell it what it holds.
    Behind,
}

/// How the opponent's clock is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "few live at a time, and copies are simple"
)]
pub enum Press {
    /// Together with a position that the chain does not know.
    With(Evidence),
    /// The chain knows the latest position.
    Alone,
}
