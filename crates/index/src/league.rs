//! Kinds of games, and which of them are rated together.

use std::fmt;
use std::str::FromStr;

use connect4_protocol::GameId;

/// Kind of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A game of two whose moves are transactions.
    Classic,
    /// A game of two whose moves are signed and sent to the opponent.
    Fast,
    /// A game of a variant.
    Variant,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Classic, Self::Fast, Self::Variant];

    /// The kind of a game.
    #[must_use]
    pub const fn of(game: GameId) -> Self {
        match game {
            GameId::Classic(_) => Self::Classic,
            GameId::Fast(_) => Self::Fast,
            GameId::Variant(_) => Self::Variant,
        }
    }

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Fast => "fast",
            Self::Variant => "variant",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads the name.
impl FromStr for Kind {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let named = Self::ALL.into_iter().find(|kind| kind.name() == text);
        named.ok_or(())
    }
}

/// Games that are rated together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum League {
    /// Classic and fast games.
    Classic,
    /// Variants with two players.
    Two,
    /// Variants with three or four players.
    More,
}

impl League {
    /// All leagues.
    pub const ALL: [Self; 3] = [Self::Classic, Self::Two, Self::More];

    /// The league of a game of so many players.
    #[must_use]
    pub const fn of(game: GameId, players: usize) -> Self {
        match (game, players) {
            (GameId::Classic(_) | GameId::Fast(_), _) => Self::Classic,
            (GameId::Variant(_), 2) => Self::Two,
            (GameId::Variant(_), _) => Self::More,
        }
    }

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Two => "two",
            Self::More => "more",
        }
    }
}

/// Reads the name.
impl FromStr for League {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let named = Self::ALL.into_iter().find(|league| league.name() == text);
        named.ok_or(())
    }
}
