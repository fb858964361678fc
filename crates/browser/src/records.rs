//! Records of the contracts, as the page reads them.

use connect4_protocol::{Address, Game};
use connect4_rules::Player;
use connect4_wire::Position;
use serde::Serialize;

/// A game, as a contract has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChainGame {
    /// The position.
    #[serde(flatten)]
    pub position: Position,
    /// Accounts of the players, in the order of play.
    pub players: [Address; 2],
    /// Account that has paid the deposit for the game's storage, and gets it back.
    pub payer: Address,
}

impl From<&Game> for ChainGame {
    fn from(game: &Game) -> Self {
        Self {
            position: Position::of_game(game),
            players: Player::ALL.map(|player| game.account_of(player)),
            payer: game.payer(),
        }
    }
}
