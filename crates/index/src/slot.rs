//! Where the rows of a game are.

use connect4_client::GameId;
use connect4_protocol::GameName;
use connect4_protocol::fast::GameNumber;
use sqlx::any::AnyRow;

use crate::error::Error;
use crate::sql;

/// A game among those of all versions of the contracts: each version counts its games from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameKey {
    /// Version of the contracts, as [`Contracts::version`](connect4_client::Contracts::version); 0 if it is
    /// not known.
    pub version: u32,
    /// The game, by its name in these contracts.
    pub game: GameName,
}

/// The place of a game in the tables: a numbering, and its number there. Each version of the contracts has
/// four numberings: of games of two, of variants, of games by signed terms, and of signed games whose ends were recorded.
/// The index numbers the last two in the order in which the chain first tells of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    pub line: i64,
    pub number: u32,
}

const LINES: i64 = 4;
const OF_VARIANTS: i64 = 1;
const BY_TERMS: i64 = 2;
const OF_ENDS: i64 = 3;

impl Slot {
    /// That of a game that began on the chain.
    pub fn new(version: u32, game: GameId) -> Self {
        let of_version = match game {
            GameId::Classic(_) | GameId::Fast(_) => 0,
            GameId::Variant(_) => OF_VARIANTS,
        };
        Self {
            line: LINES * i64::from(version) + of_version,
            number: game.number(),
        }
    }

    /// The numbering of the games by signed terms of a version.
    pub fn line_by_terms(version: u32) -> i64 {
        LINES * i64::from(version) + BY_TERMS
    }

    /// The numbering of the signed games whose ends were recorded, beside those of a version.
    pub fn line_of_ends(version: u32) -> i64 {
        LINES * i64::from(version) + OF_ENDS
    }

    /// Whether it is that of a signed game whose end was recorded.
    pub const fn is_of_ends(self) -> bool {
        self.line % LINES == OF_ENDS
    }

    /// Whether it is that of a game by signed terms.
    pub const fn is_by_terms(self) -> bool {
        self.line % LINES == BY_TERMS
    }

    pub fn version(self) -> u32 {
        u32::try_from(self.line / LINES).unwrap_or_default()
    }

    /// The game on the chain; none of a game that began elsewhere.
    pub const fn on_chain(self) -> Option<GameId> {
        match self.line % LINES {
            0 => Some(GameId::of_two(self.number)),
            OF_VARIANTS => Some(GameId::Variant(self.number)),
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

    /// The game of a row with `line` and `number`, and with `digest`, which is none of a game that began on
    /// the chain.
    pub fn key(self, row: &AnyRow) -> Result<GameKey, Error> {
        let game = match self.on_chain() {
            Some(game) => game.into(),
            None => GameName::Terms(sql::parsed::<GameNumber>(row, "digest")?),
        };
        Ok(GameKey {
            version: self.version(),
            game,
        })
    }
}
