//! How far an index is.

use std::fmt;

use connect4_client::{BlockRef, Gap};

use crate::error::Error;

/// How far an index is, against the chain as this host's node knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// The newest block that is in the index; none before the first one.
    pub block: Option<BlockRef>,
    /// Time of that block in seconds since 1970; none if it is not known.
    pub time: Option<u64>,
    /// The best block of the chain; none if the chain was not asked yet.
    pub best: Option<BlockRef>,
    /// Time of the best block in seconds since 1970; none if it is not known.
    pub best_time: Option<u64>,
    /// Number of the chain's newest final block; none if the chain was not asked yet.
    pub finalized: Option<u32>,
    /// Blocks whose events are missing, as the node had discarded their states.
    pub missing: Vec<Gap>,
    /// Whether this host writes the index.
    pub writes: bool,
    /// Why the index is not filled at the moment; none if it is.
    pub trouble: Option<Trouble>,
}

/// Why an index is not filled, in words for its operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    Chain(String),
    Database(String),
}

impl From<&Error> for Trouble {
    fn from(error: &Error) -> Self {
        match error {
            Error::Chain(error) => Self::Chain(error.to_string()),
            error => Self::Database(error.to_string()),
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Chain(text) | Self::Database(text)) = self;
        f.write_str(text)
    }
}

impl Status {
    /// Number of blocks by which the index is behind the best one; none if that is not known.
    #[must_use]
    pub fn behind(&self) -> Option<u32> {
        self.behind_of(self.best?.number)
    }

    /// Number of blocks by which the index is behind the newest final one; none if that is not known.
    #[must_use]
    pub fn behind_final(&self) -> Option<u32> {
        self.behind_of(self.finalized?)
    }

    fn behind_of(&self, number: u32) -> Option<u32> {
        let next = self.block.map_or(0, |block| block.number.saturating_add(1));
        Some(number.saturating_add(1).saturating_sub(next))
    }

    /// Seconds of the chain's time by which the index is behind the best block; none if that is not
    /// known.
    #[must_use]
    pub fn seconds_behind(&self) -> Option<u64> {
        match self.behind()? {
            0 => Some(0),
            _ => Some(self.best_time?.saturating_sub(self.time?)),
        }
    }
}
