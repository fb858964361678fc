//! Terms of games.

use connect4_rules::variant::{self, Variant, VariantSpec};
use serde::{Deserialize, Serialize};

use crate::board::Shape;

/// How often each power may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Powers {
    /// How often an opponent's disc may be taken out.
    pub take: u8,
    /// How often a row may be cleared.
    pub clear: u8,
    /// How often a disc may be put where it floats.
    pub float: u8,
}

impl From<variant::Powers> for Powers {
    fn from(powers: variant::Powers) -> Self {
        Self {
            take: powers.take,
            clear: powers.clear,
            float: powers.float,
        }
    }
}

impl From<Powers> for variant::Powers {
    fn from(powers: Powers) -> Self {
        Self {
            take: powers.take,
            clear: powers.clear,
            float: powers.float,
        }
    }
}

/// Terms of a game. A classic game has the terms of [`Variant::classic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Terms {
    /// Shape of the board.
    pub shape: Shape,
    /// How many play.
    pub players: u8,
    /// Whether a player may take an own disc out of the bottom of a bin.
    pub pop_out: bool,
    /// Whether the second player may exchange colours with the first.
    pub pie_rule: bool,
    /// How often each player may use each power in a game.
    pub powers: Powers,
    /// Seconds for each move; none if there is no limit. Games with a clock have none.
    pub limit: Option<u32>,
}

impl Terms {
    /// Terms with the time for a move, in seconds; none if there is no limit.
    #[must_use]
    pub fn new(variant: impl Into<VariantSpec>, limit: Option<u32>) -> Self {
        let VariantSpec {
            shape,
            players,
            pop_out,
            pie_rule,
            powers,
        } = variant.into();
        Self {
            shape: shape.into(),
            players,
            pop_out,
            pie_rule,
            powers: powers.into(),
            limit,
        }
    }

    /// The terms without the limit, which may be out of bounds.
    #[must_use]
    pub fn spec(self) -> VariantSpec {
        VariantSpec {
            shape: self.shape.into(),
            players: self.players,
            pop_out: self.pop_out,
            pie_rule: self.pie_rule,
            powers: self.powers.into(),
        }
    }
}

/// Terms without a time limit.
impl From<Variant> for Terms {
    fn from(variant: Variant) -> Self {
        Self::new(variant, None)
    }
}
