//! The computer at a table.

use connect4_client::Address;
use connect4_opponent::{Level, Opponent};
use connect4_protocol::Game;
use connect4_rules::{Bin, Player};

use crate::failure::Failure;

/// A computer opponent that plays for an account.
pub struct Computer {
    account: Address,
    level: Level,
    /// None while it thinks.
    opponent: Option<Opponent>,
}

impl Computer {
    /// An opponent of this level that plays for an account.
    pub fn new(account: Address, level: Level) -> Self {
        Self {
            account,
            level,
            opponent: Some(Opponent::new(level, rand::random())),
        }
    }

    /// The player of the game as whom it plays.
    pub fn player(&self, game: &Game) -> Option<Player> {
        game.player_of(&self.account)
    }

    /// Its level.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Chooses a bin in a game that goes on.
    pub async fn choose(&mut self, game: &Game) -> Result<Bin, Failure> {
        let failed = |why: &str| Failure::Other(format!("the computer {why}"));
        let mut opponent = self
            .opponent
            .take()
            .ok_or_else(|| failed("thinks already"))?;
        let position = game.position();
        let thought = tokio::task::spawn_blocking(move || {
            let bin = opponent.choose(&position);
            (opponent, bin)
        });
        let (opponent, bin) = thought
            .await
            .map_err(|error| failed(&format!("failed: {error}")))?;
        self.opponent = Some(opponent);
        bin.ok_or_else(|| failed("sees no move"))
    }
}
