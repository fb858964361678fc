//! What the page watches.

use serde::Serialize;

use super::account::Owed;
use super::challenge::OpenChallenge;
use super::game::{Game, GameWithMatch};
use super::text::{Amount, Level};
use super::transaction::Transaction;
use super::variant::{ListedVariant, StoredVariant, ViewedVariant};
use crate::{ClassicId, Colour, Position, Sides};

/// Message of a live socket. The page is told again whenever something has changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Live {
    /// State of the connection to the chain.
    Chain(Chain),
    /// The game that the page watches.
    Game(Box<ViewedGame>),
    /// The game of a variant, or the table, that the page watches.
    Variant(Box<ViewedVariant>),
    /// There is no such game.
    Missing {
        /// Why.
        error: String,
    },
    /// The lobby.
    Games {
        /// Number of games in their contract.
        count: u32,
        /// Number of fast games in their contract.
        fast_count: u32,
        /// The newest games of both kinds: fast ones, then others; of each kind the newest first.
        games: Vec<ListedGame>,
        /// The newest open challenges, the newest first.
        challenges: Vec<OpenChallenge>,
        /// Number of the newest of those that are not listed; none if all are.
        older_challenges: Option<u32>,
        /// What accounts are owed for which the server signs.
        owed: Vec<Owed>,
        /// Number of games and tables of variants in their contract.
        variant_count: u32,
        /// The newest games of variants, the newest first, without open tables.
        variants: Vec<ListedVariant>,
        /// The newest open tables, the newest first.
        tables: Vec<StoredVariant>,
    },
}

/// Whether the chain is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Chain {
    /// Whether the chain answers.
    pub up: bool,
    /// Number of its best block, if it answers.
    pub block: Option<u32>,
    /// Why it does not answer.
    pub why: Option<String>,
    /// Since when it does not answer, in seconds after 1970.
    pub since: Option<u64>,
}

/// What the page shows of a position, as it knows no rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Shown {
    /// For each bin, why no disc can be dropped there now; none if one can be.
    pub refusals: Vec<Option<String>>,
    /// How the game stands, in words.
    pub standing: String,
    /// The moves, if they are known.
    pub moves: Vec<Move>,
    /// Why the moves are not known.
    pub moves_missing: Option<String>,
    /// The moves as text, with bins from 1.
    pub notation: String,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Move {
    /// The player who moved.
    pub player: Colour,
    /// Bin, from 0 at the left.
    pub bin: u8,
    /// Row in which the disc lies, from 0 at the bottom.
    pub row: u8,
    /// Transaction of the move; none on no chain.
    pub transaction: Option<Transaction>,
}

/// A game as the page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct ViewedGame {
    /// The game and its match state.
    #[serde(flatten)]
    pub game: GameWithMatch,
    /// What is shown of it.
    #[serde(flatten)]
    pub shown: Shown,
    /// The computers at the seats.
    pub seats: Sides<Seat>,
    /// Seconds that each player had left when this was told; none without a clock or after the
    /// end.
    pub left: Option<Sides<u64>>,
    /// Amount that each player may withdraw after the end, by this game or by others.
    pub owed: Sides<Amount>,
    /// Whether the storage of the game was freed, so that it is known from its events alone.
    pub freed: bool,
    /// What is known of a fast game beyond the chain; none of other games and of freed ones.
    pub fast: Option<Fast>,
}

/// What is known of a fast game beyond the chain. Its position is the latest that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Fast {
    /// Number of the moves that the chain knows, from the first on.
    pub on_chain: u8,
    /// Number of the moves that both players have signed, from the first on.
    pub signed: u8,
    /// Whether the chain knows how the game has ended.
    pub settled: bool,
    /// The players who can act in this program: those whose session keys it has, and all once the game
    /// is settled.
    pub here: Vec<Colour>,
    /// Last second, by the chain's clock and since 1970, at which the player to move there has to have
    /// answered, or at which a line there can be contested; none if no such time runs, or no seat is
    /// played in this program.
    pub deadline: Option<u64>,
    /// Whether a line has ended the game on the chain that can still be contested, by making another move.
    pub contested: bool,
    /// The player who may start the opponent's clock.
    pub press: Option<Colour>,
    /// Why the relay is not there; none if it is.
    pub relay_missing: Option<String>,
    /// Whether the opponent is at the relay, as that says; none if it is not told.
    pub opponent: Option<bool>,
}

/// A seat of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Seat {
    /// The computer that plays here; none if a person does.
    pub computer: Option<Computer>,
}

/// A computer at a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Computer {
    /// How well it plays.
    pub level: Level,
    /// Why it does not move.
    pub error: Option<String>,
}

/// A position that a line of moves leads to, on no chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct ViewedLine {
    /// There is no game: always none.
    pub game: (),
    /// The position.
    #[serde(flatten)]
    pub position: Position,
    /// What is shown of it.
    #[serde(flatten)]
    pub shown: Shown,
}

/// A game in the lobby.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ListedGame {
    /// A game in the contract's storage.
    Stored(Box<StoredGame>),
    /// A game whose storage was freed.
    Freed(FreedGame),
}

/// A game of the lobby that is in the contract's storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct StoredGame {
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// How it stands, in words.
    pub standing: String,
    /// Always false.
    #[cfg_attr(feature = "declarations", ts(type = "false"))]
    pub freed: bool,
}

/// A game of the lobby whose storage was freed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct FreedGame {
    /// Number of the game.
    pub game: ClassicId,
    /// How it stands, in words.
    pub standing: String,
    /// Always true.
    #[cfg_attr(feature = "declarations", ts(type = "true"))]
    pub freed: bool,
}
