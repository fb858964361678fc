//! Where the rows of a game are.

use connect4_client::GameId;
use connect4_protocol::GameName;
use connect4_protocol::signed::GameNumber;
use sqlx::any::AnyRow;

use crate::error::Error;
use crate::sql;

/// The place of a game in the tables: a numbering, and its number there. There are three numberings: of games of two,
/// of variants, and of signed games whose ends were recorded. The index numbers the last ones in the order in which
/// the chain first tells of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    pub line: i64,
    pub number: u32,
}

impl Slot {
    /// The numbering of games of two that began on the chain.
    pub const OF_TWO: i64 = 0;
    /// The numbering of games of variants.
    pub const OF_VARIANTS: i64 = 1;
    /// The numbering of signed games whose ends were recorded.
    pub const OF_ENDS: i64 = 2;

    /// That of a game that began on the chain.
    pub const fn new(game: GameId) -> Self {
        let line = match game {
            GameId::Classic(_) => Self::OF_TWO,
            GameId::Variant(_) => Self::OF_VARIANTS,
        };
        Self {
            line,
            number: game.number(),
        }
    }

    /// Whether it is that of a signed game whose end was recorded.
    pub const fn is_of_ends(self) -> bool {
        self.line == Self::OF_ENDS
    }

    /// The game on the chain; none of a game that began elsewhere.
    pub const fn on_chain(self) -> Option<GameId> {
        match self.line {
            Self::OF_TWO => Some(GameId::Classic(self.number)),
            Self::OF_VARIANTS => Some(GameId::Variant(self.number)),
            _ => None,
        }
    }

    /// Numbering and number.
    pub const fn parts(&self) -> (i64, u32) {
        (self.line, self.number)
    }

    /// The slot of a row with `line` and `number`.
    pub fn read(row: &AnyRow) -> Result<Self, Error> {
        Ok(Self {
            line: sql::number(row, "line")?,
            number: sql::small(row, "number")?,
        })
    }

    /// The name of the game of a row with `line` and `number`, and with `digest`, which is none of a game that began on
    /// the chain.
    pub fn name(self, row: &AnyRow) -> Result<GameName, Error> {
        Ok(match self.on_chain() {
            Some(game) => game.into(),
            None => GameName::Terms(sql::parsed::<GameNumber>(row, "digest")?),
        })
    }
}
