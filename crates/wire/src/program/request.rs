//! What the page asks for. Texts that a person types in are read by the handlers, which say what
//! is wrong with them.

use connect4_protocol::Address;
use connect4_rules::variant::Colour;
use serde::Deserialize;

use super::text::Act;
use crate::MoveAsked;
use crate::Terms;
use crate::play::Level;

/// Query of a live socket.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Watched {
    /// The game to watch, as a person may have typed it: `3`, or `v3` for one of a variant. None
    /// for the lobby.
    #[cfg_attr(feature = "declarations", ts(optional))]
    pub game: Option<String>,
    /// The contract by which the page plays, once it knows: a host that has changed over to others has
    /// another game of the same number.
    #[cfg_attr(feature = "declarations", ts(optional))]
    pub contract: Option<Address>,
}

/// Starts a game. For a variant with a limit a table for these accounts is opened, at which those join that
/// the server signs for: it starts when all have joined.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct StartGame {
    /// Kind of the game.
    pub kind: StartKind,
    /// Terms of the game.
    pub terms: Terms,
    /// The players, in the order of play.
    pub seats: Vec<NewSeat>,
}

/// Kinds of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum StartKind {
    /// A classic game, whose terms are a shape alone.
    Classic,
    /// A variant.
    Variant,
}

/// A seat of a new game.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct NewSeat {
    /// Name or address of the account.
    pub account: String,
    /// How well the computer is to play that has the seat; none for a person.
    pub level: Option<Level>,
}

/// Opens a table.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct OpenTable {
    /// Terms of the game.
    pub terms: Terms,
    /// Name or address of the account that opens it, and joins.
    pub account: String,
    /// Names or addresses of the only accounts that may join, in turn order; empty if anyone may.
    pub players: Vec<String>,
}

/// Makes a move of the player to move.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct MakeMove {
    /// The move.
    pub r#move: MoveAsked,
    /// Number of turns that the player saw; none if it does not matter.
    #[cfg_attr(feature = "declarations", ts(optional))]
    pub turns: Option<u8>,
    /// The board that the player saw, as the page is told it; none if it does not matter.
    #[cfg_attr(feature = "declarations", ts(optional))]
    pub board: Option<Vec<Vec<Option<Colour>>>>,
}

/// Has an account do something other than a move.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Perform {
    /// What it does.
    pub act: Act,
    /// Name or address of the account.
    pub account: String,
    /// If the account joins a table, the computer that is to play for it; none for a person.
    #[cfg_attr(feature = "declarations", ts(optional = nullable))]
    pub level: Option<Level>,
}

/// Has a computer play a seat, or a person again.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct SeatComputer {
    /// The seat.
    pub seat: Colour,
    /// How well the computer is to play; none for a person.
    pub level: Option<Level>,
}
