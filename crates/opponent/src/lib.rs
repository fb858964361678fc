//! Computer opponents.
//!
//! An [`Opponent`] chooses a bin in a [`Position`] by what a tree search finds; see [`Search`]. The
//! weaker its level, the less it may search, and the more often it takes something else than the
//! best. On the standard board the highest level knows: a solver tells what each position leads to
//! when both play perfectly; see [`Standard`].
//!
//! What is legal and what wins, `connect4_rules` says.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod review;
mod search;
mod standard;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use connect4_rules::{Bin, Position, Shape};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

pub use review::{Fault, Reviewer, Verdict, Worth};
pub use search::{Budget, Search};
pub use standard::Standard;

/// How well an opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Drops anywhere.
    Random,
    /// Sees what is near, and is often wrong.
    Easy,
    /// Is wrong now and then.
    Medium,
    /// Is seldom wrong.
    Hard,
    /// Never wrong on the standard board; on others as good as the time allows.
    Perfect,
}

impl Level {
    /// All of them, the weakest first.
    pub const ALL: [Self; 5] = [
        Self::Random,
        Self::Easy,
        Self::Medium,
        Self::Hard,
        Self::Perfect,
    ];

    /// The name by which it reads back.
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

    /// How evenly it chooses between better and worse bins, on a scale on which a sure win is 1 and
    /// a sure loss -1 (the temperature of a softmax). None: it always takes the best.
    const fn temperature(self) -> Option<f64> {
        match self {
            Self::Random => Some(f64::INFINITY),
            Self::Easy => Some(0.5),
            Self::Medium => Some(0.2),
            Self::Hard => Some(0.05),
            Self::Perfect => None,
        }
    }

    /// What it may spend on a move.
    const fn budget(self) -> Budget {
        match self {
            Self::Random => Budget::Playouts(0),
            Self::Easy => Budget::Playouts(300),
            Self::Medium => Budget::Playouts(3_000),
            Self::Hard => Budget::Playouts(30_000),
            Self::Perfect => Budget::Time(Duration::from_secs(1)),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Text that names no level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelError(String);

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Level::ALL.map(Level::name).join(", ");
        write!(f, "`{}` is no level: use one of {names}", self.0)
    }
}

impl std::error::Error for LevelError {}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        Self::ALL
            .into_iter()
            .find(|level| level.name() == text)
            .ok_or_else(|| LevelError(text.into()))
    }
}

/// Somebody who plays by itself.
///
/// # Examples
///
/// ```
/// use connect4_opponent::{Level, Opponent};
/// use connect4_rules::{Bin, Position, Shape};
///
/// // Red has three in a row: whoever plays well stops it.
/// let mut position = Position::new(Shape::STANDARD);
/// for bin in [0, 0, 1, 1, 2] {
///     position.drop(Bin::new(bin))?;
/// }
/// let mut opponent = Opponent::new(Level::Perfect, 7);
/// assert_eq!(opponent.choose(&position), Some(Bin::new(3)));
/// # Ok::<(), connect4_rules::DropError>(())
/// ```
pub struct Opponent {
    level: Level,
    dice: ChaCha8Rng,
    standard: Option<Standard>,
}

impl Opponent {
    /// An opponent whose choices follow from the seed alone, but for those that it makes by time.
    #[must_use]
    pub fn new(level: Level, seed: u64) -> Self {
        Self {
            level,
            dice: ChaCha8Rng::seed_from_u64(seed),
            standard: None,
        }
    }

    /// How well it plays.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Where it would drop a disc; none if the game is over.
    pub fn choose(&mut self, position: &Position) -> Option<Bin> {
        let bins: Vec<Bin> = position.legal_bins().collect();
        match self.level {
            _ if bins.is_empty() => None,
            Level::Random => Some(bins[self.dice.random_range(0..bins.len())]),
            Level::Perfect if position.shape() == Shape::STANDARD => {
                self.standard.get_or_insert_default().best(position)
            }
            level => {
                let values = Search::new(level.budget(), &mut self.dice).values(position);
                self.pick(&values)
            }
        }
    }

    fn pick(&mut self, values: &[(Bin, f64)]) -> Option<Bin> {
        let best = values
            .iter()
            .map(|(_, value)| *value)
            .fold(f64::MIN, f64::max);
        let Some(temperature) = self.level.temperature() else {
            // Among equals, any.
            let equals: Vec<Bin> = values
                .iter()
                .filter(|(_, value)| *value >= best)
                .map(|(bin, _)| *bin)
                .collect();
            return Some(equals[self.dice.random_range(0..equals.len().max(1))]);
        };
        let weights: Vec<f64> = values
            .iter()
            .map(|(_, value)| ((value - best) / temperature).exp())
            .collect();
        let mut left = self.dice.random_range(0.0..weights.iter().sum::<f64>());
        for ((bin, _), weight) in values.iter().zip(&weights) {
            left -= weight;
            if left < 0.0 {
                return Some(*bin);
            }
        }
        values.last().map(|(bin, _)| *bin)
    }
}
