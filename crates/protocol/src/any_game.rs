//! A game of any kind.

use crate::{Game, variants};

/// A game of any kind, as its contract has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    clippy::large_enum_variant,
    reason = "both are a few hundred bytes, and few are held at a time"
)]
pub enum AnyGame {
    /// A game between two accounts, classic or fast.
    Two(Game),
    /// A game of a variant, or a table.
    Variant(variants::Game),
}

impl AnyGame {
    /// The game between two accounts; none if it is one of a variant.
    #[must_use]
    pub const fn two(&self) -> Option<&Game> {
        match self {
            Self::Two(game) => Some(game),
            Self::Variant(_) => None,
        }
    }

    /// The game of a variant; none if it is one between two accounts.
    #[must_use]
    pub const fn variant(&self) -> Option<&variants::Game> {
        match self {
            Self::Variant(game) => Some(game),
            Self::Two(_) => None,
        }
    }
}

impl From<Game> for AnyGame {
    fn from(game: Game) -> Self {
        Self::Two(game)
    }
}

impl From<variants::Game> for AnyGame {
    fn from(game: variants::Game) -> Self {
        Self::Variant(game)
    }
}
