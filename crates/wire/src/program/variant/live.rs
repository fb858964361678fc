//! What the page watches and shows.

use serde::Serialize;

use super::super::live::Computer;
use super::super::text::VariantId;
use super::super::transaction::Transaction;
use super::game::{VariantGame, VariantPosition};
use super::moves::{BoardChange, VariantMove};
use super::terms::{Powers, VariantColour};
use crate::Cell;

/// What the player to move can do. Everything is empty if nobody is to move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Targets {
    /// For each bin, the row in which a dropped disc would lie; none if none can be dropped there.
    pub drop: Vec<Option<u8>>,
    /// Bins that can be popped.
    pub pop: Vec<u8>,
    /// Cells whose discs can be taken.
    pub take: Vec<Cell>,
    /// Rows that can be cleared.
    pub clear: Vec<u8>,
    /// Cells into which a disc can be put where it floats.
    pub float: Vec<Cell>,
    /// Whether colours can be exchanged.
    pub swap: bool,
}

/// For each kind of move, why it has no target; none if it has one. In words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Obstacles {
    /// For each bin, why no disc can be dropped there.
    pub drop: Vec<Option<String>>,
    /// Why no bin can be popped.
    pub pop: Option<String>,
    /// Why no disc can be taken.
    pub take: Option<String>,
    /// Why no row can be cleared.
    pub clear: Option<String>,
    /// Why no disc can float.
    pub float: Option<String>,
    /// Why colours cannot be exchanged.
    pub swap: Option<String>,
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct ViewedMove {
    /// The player who moved; of a swap, the colour before it.
    pub player: VariantColour,
    /// The move.
    #[serde(flatten)]
    pub r#move: VariantMove,
    /// The move as text.
    pub text: String,
    /// What it did to the discs.
    pub change: BoardChange,
    /// What each player has left of the powers after it, in turn order.
    pub powers: Vec<Powers>,
    /// Transaction of the move; none on no chain.
    pub transaction: Option<Transaction>,
}

/// A player who left a game that had started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Departure {
    /// The player.
    pub player: VariantColour,
    /// Whether the player was removed for being late.
    pub late: bool,
    /// After how many turns.
    pub turns: u8,
    /// The transaction.
    pub transaction: Transaction,
}

/// What the page shows of a position, as it knows no rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct ShownVariant {
    /// What the player to move can do.
    pub targets: Targets,
    /// Why the player to move cannot do the rest.
    pub obstacles: Obstacles,
    /// How the game stands, in words.
    pub standing: String,
    /// The terms, in words.
    pub terms_words: String,
    /// The moves, if they are known.
    pub moves: Vec<ViewedMove>,
    /// Why the moves are not known.
    pub moves_missing: Option<String>,
    /// The moves as text.
    pub notation: String,
}

/// A game or a table as the page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct ViewedVariant {
    /// The game.
    #[serde(flatten)]
    pub game: VariantGame,
    /// What is shown of it.
    #[serde(flatten)]
    pub shown: ShownVariant,
    /// The players who have left, in that order, if the moves are known.
    pub departures: Vec<Departure>,
    /// The computers, by the colours that they play; none where a person plays.
    pub computers: Vec<Option<Computer>>,
    /// Seconds that the player to move had left when this was told; none without a limit, before
    /// the start and after the end.
    pub left: Option<u64>,
    /// Whether the storage of the game was freed, so that it is known from its events alone.
    pub freed: bool,
}

/// A position that a line of moves leads to, on no chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct ViewedVariantLine {
    /// There is no game: always none.
    pub game: (),
    /// The position.
    #[serde(flatten)]
    pub position: VariantPosition,
    /// What is shown of it.
    #[serde(flatten)]
    pub shown: ShownVariant,
}

/// A game in the lobby.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ListedVariant {
    /// A game or a table in the contract's storage.
    Stored(Box<StoredVariant>),
    /// A game whose storage was freed, or a table that was closed.
    Freed(FreedVariant),
}

/// A game or a table of the lobby that is in the contract's storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct StoredVariant {
    /// The game.
    #[serde(flatten)]
    pub game: VariantGame,
    /// How it stands, in words.
    pub standing: String,
    /// Its terms, in words.
    pub terms_words: String,
    /// Always false.
    #[cfg_attr(feature = "declarations", ts(type = "false"))]
    pub freed: bool,
}

/// A game of the lobby whose storage was freed, or a table that was closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct FreedVariant {
    /// Number of the game.
    pub game: VariantId,
    /// How it stands, in words.
    pub standing: String,
    /// Always true.
    #[cfg_attr(feature = "declarations", ts(type = "true"))]
    pub freed: bool,
}
