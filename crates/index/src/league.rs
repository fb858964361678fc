//! Kinds of games, and which of them are rated together.

use std::fmt;
use std::str::FromStr;

use connect4_protocol::signed::PoolName;
use connect4_protocol::{GameId, GameName};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A plain game between two accounts, which is not rated.
    Classic,
    Variant,
    /// A signed game without a stake, which did not begin on the chain.
    Signed,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Classic, Self::Variant, Self::Signed];

    #[must_use]
    pub const fn of(game: GameName) -> Self {
        match game {
            GameName::Chain(GameId::Classic(_)) => Self::Classic,
            GameName::Chain(GameId::Variant(_)) => Self::Variant,
            GameName::Terms(_) => Self::Signed,
        }
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Variant => "variant",
            Self::Signed => "signed",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

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
    /// Variants with two players.
    Two,
    /// Variants with three or four players.
    More,
    /// Signed games without a stake that a witness has ended which the host counts, of the pool with this number, 0 for
    /// none in particular. An account that plays them costs nothing, so they are apart from all others.
    Witnessed(u16),
}

/// Before the name of a pool.
const OF_POOL: &str = "witnessed-";

impl League {
    /// The leagues of variants.
    pub const OF_VARIANTS: [Self; 2] = [Self::Two, Self::More];

    /// The league of a variant with so many players.
    #[must_use]
    pub const fn of_variant(players: usize) -> Self {
        match players {
            2 => Self::Two,
            _ => Self::More,
        }
    }
}

/// `two`, `more` or `witnessed`, or `witnessed-` and the name of a pool or its number.
impl fmt::Display for League {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Two => f.write_str("two"),
            Self::More => f.write_str("more"),
            Self::Witnessed(0) => f.write_str("witnessed"),
            Self::Witnessed(pool) => write!(f, "{OF_POOL}{}", PoolName(*pool)),
        }
    }
}

/// Reads what `Display` writes.
impl FromStr for League {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let league = match text {
            "two" => Self::Two,
            "more" => Self::More,
            "witnessed" => Self::Witnessed(0),
            _ => {
                let pool = text.strip_prefix(OF_POOL).ok_or(())?;
                let PoolName(pool) = pool.parse()?;
                Self::Witnessed(pool)
            }
        };
        // Leading zeros parse, but are never written.
        (league.to_string() == text).then_some(league).ok_or(())
    }
}
