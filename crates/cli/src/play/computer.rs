//! Computers at a table.

use connect4_client::Address;
use connect4_opponent::{Level, Opponent};
use connect4_rules::variant::Move;

use crate::failure::Failure;
use crate::game::Position;

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

    pub const fn account(&self) -> Address {
        self.account
    }

    pub const fn level(&self) -> Level {
        self.level
    }

    /// Chooses a move in a game that goes on.
    pub async fn choose(&mut self, position: Position) -> Result<Move, Failure> {
        let failed = |why: &str| Failure::Other(format!("the computer {why}"));
        let mut opponent = self
            .opponent
            .take()
            .ok_or_else(|| failed("thinks already"))?;
        let thought = tokio::task::spawn_blocking(move || {
            let chosen = match &position {
                Position::Classic(position) => opponent.choose(position).map(Move::Drop),
                Position::Variant(position) => opponent.choose(position),
            };
            (opponent, chosen)
        });
        let (opponent, chosen) = thought
            .await
            .map_err(|error| failed(&format!("failed: {error}")))?;
        self.opponent = Some(opponent);
        chosen.ok_or_else(|| failed("sees no move"))
    }
}
