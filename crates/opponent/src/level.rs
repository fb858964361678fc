//! How strong an opponent is.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;
use core::time::Duration;

use crate::budget::Budget;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Makes any legal move.
    Random,
    /// Sees the next moves, and often chooses a worse one.
    Easy,
    /// Chooses a worse move now and then.
    Medium,
    /// Seldom chooses a worse move.
    Hard,
    /// Plays perfectly on the standard board, and as well as a second a move allows on others and in
    /// variants.
    Perfect,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Self; 5] = [
        Self::Random,
        Self::Easy,
        Self::Medium,
        Self::Hard,
        Self::Perfect,
    ];

    /// Name of the level, which [`str::parse`] reads.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Perfect => "perfect",
        }
    }

    /// Temperature of the softmax by which it chooses among bins, whose values are from -1, a sure
    /// loss, to 1, a sure win: the higher, the more often it takes a worse one. None: it always takes
    /// the best.
    pub(crate) const fn temperature(self) -> Option<f64> {
        match self {
            Self::Random => Some(f64::INFINITY),
            Self::Easy => Some(0.5),
            Self::Medium => Some(0.2),
            Self::Hard => Some(0.05),
            Self::Perfect => None,
        }
    }

    /// Budget of the search for a move.
    pub(crate) const fn budget(self) -> Budget {
        match self {
            Self::Random => Budget::Playouts(0),
            Self::Easy => Budget::Playouts(300),
            Self::Medium => Budget::Playouts(700),
            Self::Hard => Budget::Playouts(2_000),
            Self::Perfect => Budget::Time(Duration::from_secs(1)),
        }
    }

    /// [`Self::temperature`] for variants. It is lower: there are more moves to choose among, and so
    /// more that are worse.
    pub(crate) const fn variant_temperature(self) -> Option<f64> {
        match self {
            Self::Random => Some(f64::INFINITY),
            Self::Easy => Some(0.25),
            Self::Medium => Some(0.08),
            Self::Hard => Some(0.02),
            Self::Perfect => None,
        }
    }

    /// Budget of the search for a move of a variant, of which there are more to choose among.
    pub(crate) const fn variant_budget(self) -> Budget {
        match self {
            Self::Random => Budget::Playouts(0),
            Self::Easy => Budget::Playouts(100),
            Self::Medium => Budget::Playouts(1_000),
            Self::Hard => Budget::Playouts(10_000),
            Self::Perfect => Budget::Time(Duration::from_secs(1)),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returned if a text is no name of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelError(String);

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Level::ALL.map(Level::name).join(", ");
        write!(f, "`{}` is no level: use one of {names}", self.0)
    }
}

impl core::error::Error for LevelError {}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        Self::ALL
            .into_iter()
            .find(|level| level.name() == text)
            .ok_or_else(|| LevelError(text.into()))
    }
}
