//! Records of the contracts, as the page reads them.

use alloc::vec::Vec;

use connect4_protocol::{Address, Game, variants};
use connect4_wire::{Position, Seat};
use serde::Serialize;

/// A game or a table, as a contract has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChainGame {
    /// The position.
    #[serde(flatten)]
    pub position: Position,
    /// The players, in the order of play.
    pub players: Vec<Seat>,
    /// Whether only named accounts play, so that nobody else may join the table.
    pub named: bool,
    /// Account that has paid the deposit for the game's storage, and gets it back.
    pub payer: Address,
    /// Last second at which the player to move may move, since 1970; none without a limit, before the start and after the
    /// end.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub deadline: Option<u64>,
}

impl From<&Game> for ChainGame {
    fn from(game: &Game) -> Self {
        Self {
            position: Position::of_game(game),
            players: Seat::of_game(game),
            named: true,
            payer: game.payer(),
            deadline: None,
        }
    }
}

impl From<&variants::Game> for ChainGame {
    fn from(game: &variants::Game) -> Self {
        Self {
            position: Position::of_variant_game(game),
            players: Seat::of_variant(game),
            named: game.is_named(),
            payer: game.payer(),
            deadline: game.deadline(),
        }
    }
}
