//! Terms of games.

use connect4_rules::variant::{Variant, VariantSpec};
use serde::{Deserialize, Serialize};

/// Terms of a game. A classic game has the terms of [`Variant::classic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Terms {
    /// The terms without the limit, which may be out of bounds.
    #[serde(flatten)]
    pub spec: VariantSpec,
    /// Seconds for each move; none if there is no limit. Games with a clock have none.
    pub limit: Option<u32>,
}

impl Terms {
    /// Terms with the time for a move, in seconds; none if there is no limit.
    #[must_use]
    pub fn new(terms: impl Into<VariantSpec>, limit: Option<u32>) -> Self {
        Self {
            spec: terms.into(),
            limit,
        }
    }
}

/// Terms without a time limit.
impl From<Variant> for Terms {
    fn from(variant: Variant) -> Self {
        Self::new(variant, None)
    }
}
