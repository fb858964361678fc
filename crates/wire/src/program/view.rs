//! What the page watches and shows.

use connect4_protocol::{Address, GameName};
use connect4_rules::variant::Colour;
use serde::Serialize;

use super::game::Game;
use super::host::AnsweredBlock;
use super::small_board::board_text;
use crate::Terms;
use crate::play::{Player, Sent, Shown};

/// Message of a live socket. The page is told again whenever something has changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Live {
    /// State of the connection to the chain.
    Chain(Chain),
    /// The game, or the table, that the page watches.
    Game(Box<View>),
    /// There is no such game.
    Missing {
        /// Why.
        error: String,
    },
    /// The lobby.
    Games(Lists),
}

/// What the lobby lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Lists {
    /// How many games of each kind were numbered.
    pub counts: Counts,
    /// The newest games of each kind, without open tables: classic ones, then variants; of each kind
    /// the newest first.
    pub games: Vec<ListedGame>,
    /// The newest open tables, the newest first.
    pub tables: Vec<ListedGame>,
}

/// Numbers of games by kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Counts {
    /// Classic games.
    pub classic: u32,
    /// Games of variants, and tables.
    pub variant: u32,
}

/// A game or a table in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct ListedGame {
    /// Number of the game.
    pub game: GameName,
    /// How it stands, in words.
    pub standing: String,
    /// Whether its storage was freed, or its table closed: then nothing else is told.
    pub freed: bool,
    /// Terms of the game; none if it was freed.
    pub terms: Option<Terms>,
    /// Number of turns that were taken.
    pub turns: u8,
    /// The board while the game goes on, as that of a game of the index; none before the start and after the end.
    pub position: Option<String>,
    /// The player to move; none before the start and after the end.
    pub to_move: Option<Colour>,
    /// Whether the game has ended.
    pub over: bool,
    /// Whether the game has started. Before, it is a table that waits for players.
    pub started: bool,
    /// Whether only named accounts play, so that nobody else may join the table.
    pub named: bool,
    /// Account that has paid the deposit for the game's storage.
    pub payer: Option<Address>,
    /// The players in the order of play.
    pub players: Vec<ListedPlayer>,
}

/// A player of a game in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct ListedPlayer {
    /// The colour that is played now.
    pub colour: Colour,
    /// The account that plays here, or for which the place is kept; none if anyone may take it.
    pub account: Option<Address>,
    /// Whether the account has joined.
    pub joined: bool,
}

impl ListedGame {
    /// A game that is stored, which stands as these words say.
    #[must_use]
    pub fn stored(game: &Game, standing: String) -> Self {
        let position = &game.position;
        let player = |player: &Player| ListedPlayer {
            colour: player.colour,
            account: player.account,
            joined: player.joined,
        };
        Self {
            game: game.game,
            standing,
            freed: false,
            terms: Some(position.terms),
            turns: position.turns,
            position: (game.started && !position.over).then(|| board_text(position)),
            to_move: position.to_move,
            over: position.over,
            started: game.started,
            named: game.named,
            payer: game.payer,
            players: game.players.iter().map(player).collect(),
        }
    }

    /// A game that is not stored any more.
    #[must_use]
    pub fn freed(game: GameName, standing: String) -> Self {
        Self {
            game,
            standing,
            freed: true,
            terms: None,
            turns: 0,
            position: None,
            to_move: None,
            over: true,
            started: true,
            named: true,
            payer: None,
            players: Vec::new(),
        }
    }
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

/// A player who left a game that had started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Departure {
    /// The player.
    pub player: Colour,
    /// Whether the player was removed for being late.
    pub late: bool,
    /// After how many turns.
    pub turns: u8,
    /// The transaction.
    pub transaction: Sent,
}

/// A game or a table as the page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct View {
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// What is shown of it.
    #[serde(flatten)]
    pub shown: Shown,
    /// The players who have left a variant, in that order, if the moves are known.
    pub departures: Vec<Departure>,
    /// Whether the storage of the game was freed, so that it is known from its events alone.
    pub freed: bool,
    /// The block of the last move, for those who answer it; none if that is on no chain or not known.
    pub last_block: Option<AnsweredBlock>,
}
