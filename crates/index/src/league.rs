//! Kinds of games, and which of them are rated together.

use std::fmt;
use std::str::FromStr;

use connect4_protocol::fast::PoolName;
use connect4_protocol::{GameId, GameName};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A game of two whose moves are transactions.
    Classic,
    /// A game of two whose moves are signed and sent to the opponent.
    Fast,
    Variant,
    /// A game by signed terms, which did not begin on the chain.
    Signed,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Classic, Self::Fast, Self::Variant, Self::Signed];

    #[must_use]
    pub const fn of(game: GameName) -> Self {
        match game {
            GameName::Chain(GameId::Classic(_)) => Self::Classic,
            GameName::Chain(GameId::Fast(_)) => Self::Fast,
            GameName::Chain(GameId::Variant(_)) => Self::Variant,
            GameName::Terms(_) => Self::Signed,
        }
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Fast => "fast",
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
    /// Classic and fast games that began on the chain.
    Classic,
    /// Variants with two players.
    Two,
    /// Variants with three or four players.
    More,
    /// Games by signed terms of the pool with this number, 0 for none in particular. An account that plays
    /// them costs nothing, so they are apart from all others.
    Signed(u16),
    /// Signed games without a stake that a witness has ended which the host counts, of the pool with this number, 0 for
    /// none in particular.
    Witnessed(u16),
}

/// Before the name of a pool.
const OF_POOL: &str = "signed-";
const OF_WITNESSED_POOL: &str = "witnessed-";

impl League {
    /// All leagues of games that began on the chain.
    pub const ON_CHAIN: [Self; 3] = [Self::Classic, Self::Two, Self::More];

    #[must_use]
    pub const fn of(game: GameId, players: usize) -> Self {
        match (game, players) {
            (GameId::Classic(_) | GameId::Fast(_), _) => Self::Classic,
            (GameId::Variant(_), 2) => Self::Two,
            (GameId::Variant(_), _) => Self::More,
        }
    }
}

/// `classic`, `two`, `more`, `signed` or `witnessed`, or one of these two, a hyphen, and the name of a pool or its number.
impl fmt::Display for League {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Classic => f.write_str("classic"),
            Self::Two => f.write_str("two"),
            Self::More => f.write_str("more"),
            Self::Signed(0) => f.write_str("signed"),
            Self::Signed(pool) => write!(f, "{OF_POOL}{}", PoolName(*pool)),
            Self::Witnessed(0) => f.write_str("witnessed"),
            Self::Witnessed(pool) => write!(f, "{OF_WITNESSED_POOL}{}", PoolName(*pool)),
        }
    }
}

/// Reads what `Display` writes.
impl FromStr for League {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let league = match text {
            "classic" => Self::Classic,
            "two" => Self::Two,
            "more" => Self::More,
            "signed" => Self::Signed(0),
            "witnessed" => Self::Witnessed(0),
            _ => {
                let signed = text.strip_prefix(OF_POOL);
                let (of, pool): (fn(u16) -> Self, &str) = match signed {
                    Some(pool) => (Self::Signed, pool),
                    None => (
                        Self::Witnessed,
                        text.strip_prefix(OF_WITNESSED_POOL).ok_or(())?,
                    ),
                };
                let PoolName(pool) = pool.parse()?;
                of(pool)
            }
        };
        // Leading zeros parse, but are never written.
        (league.to_string() == text).then_some(league).ok_or(())
    }
}
