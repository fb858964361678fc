//! Lines that commands of the program print with `--json`.

use serde::Serialize;

use super::game::Game;
use super::moves::Played;
use super::transaction::Receipt;
use crate::{Address, Colour, GameId};

/// What a command or a player did in a variant, by `event`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum VariantReport {
    /// A game started.
    VariantStarted {
        /// The game.
        game: Box<Game>,
        /// The transaction; none if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// A game or table is shown, or played from here on.
    Variant {
        /// The game.
        game: Box<Game>,
    },
    /// A table was opened.
    TableOpened {
        /// The table.
        game: Box<Game>,
        /// The transaction.
        transaction: Receipt,
    },
    /// An account joined a table.
    Joined {
        /// The account.
        account: Address,
        /// Its seat, from 0 in turn order.
        seat: u8,
        /// The table, or the game that it has become.
        game: Box<Game>,
        /// The transaction; none if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// An account left a table or a game, or was removed for being late.
    Left {
        /// The account.
        account: Address,
        /// Whether it was removed for being late.
        late: bool,
        /// The table or the game without it.
        game: Box<Game>,
        /// The transaction; none if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// A table was closed before the start.
    TableClosed {
        /// Number of the game, which will not be played.
        game: GameId,
        /// The transaction; none if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// A player moved.
    Moved {
        /// The move, and what it did to the discs.
        #[serde(flatten)]
        played: Played,
        /// The move as text.
        text: String,
        /// The game after the move.
        game: Box<Game>,
        /// The transaction; none if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// The blocks of the last moves of the game that is played were replaced.
    VariantTakenBack {
        /// Number of moves.
        count: u16,
        /// The game without them.
        game: Box<Game>,
    },
    /// An answer of a player was refused.
    MoveRefused {
        /// The player.
        player: Colour,
        /// Why, in words.
        reason: String,
    },
    /// A game ended.
    VariantEnded {
        /// The winner; none after a draw.
        winner: Option<Colour>,
        /// The game.
        game: Box<Game>,
        /// The transaction that ended it; none if a move did, or if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// The storage of a game was freed.
    VariantFreed {
        /// Number of the game.
        game: GameId,
        /// The transaction.
        transaction: Receipt,
    },
}
