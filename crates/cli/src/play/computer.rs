//! Computers at a table.

use connect4_client::Address;
use connect4_opponent::{Level, Opponent, variant};
use connect4_rules::variant::{Move, Position as VariantPosition};
use connect4_rules::{Bin, Position};

use crate::failure::Failure;

/// An opponent of a kind of game.
pub trait Thinks: Send + 'static {
    /// Position of the game.
    type Position: Send + 'static;
    /// Move of the game.
    type Move: Send + 'static;

    /// An opponent of this level, whose choices follow from a seed.
    fn new(level: Level, seed: u64) -> Self;

    /// The move for the player to move; none if the game is over.
    fn choose(&mut self, position: &Self::Position) -> Option<Self::Move>;
}

impl Thinks for Opponent {
    type Position = Position;
    type Move = Bin;

    fn new(level: Level, seed: u64) -> Self {
        Self::new(level, seed)
    }

    fn choose(&mut self, position: &Position) -> Option<Bin> {
        self.choose(position)
    }
}

impl Thinks for variant::Opponent {
    type Position = VariantPosition;
    type Move = Move;

    fn new(level: Level, seed: u64) -> Self {
        Self::new(level, seed)
    }

    fn choose(&mut self, position: &VariantPosition) -> Option<Move> {
        self.choose(position)
    }
}

/// A computer opponent that plays for an account.
pub struct Computer<O = Opponent> {
    account: Address,
    level: Level,
    /// None while it thinks.
    opponent: Option<O>,
}

impl<O: Thinks> Computer<O> {
    /// An opponent of this level that plays for an account.
    pub fn new(account: Address, level: Level) -> Self {
        Self {
            account,
            level,
            opponent: Some(O::new(level, rand::random())),
        }
    }

    /// The account for which it plays.
    pub const fn account(&self) -> Address {
        self.account
    }

    /// Its level.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Chooses a move in a game that goes on.
    pub async fn choose(&mut self, position: O::Position) -> Result<O::Move, Failure> {
        let failed = |why: &str| Failure::Other(format!("the computer {why}"));
        let mut opponent = self
            .opponent
            .take()
            .ok_or_else(|| failed("thinks already"))?;
        let thought = tokio::task::spawn_blocking(move || {
            let chosen = opponent.choose(&position);
            (opponent, chosen)
        });
        let (opponent, chosen) = thought
            .await
            .map_err(|error| failed(&format!("failed: {error}")))?;
        self.opponent = Some(opponent);
        chosen.ok_or_else(|| failed("sees no move"))
    }
}
