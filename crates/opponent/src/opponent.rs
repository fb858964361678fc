//! The opponent, which chooses a bin.

use connect4_rules::{Bin, Position, Shape};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::level::Level;
use crate::search::Search;
use crate::standard::Standard;

/// A computer opponent.
///
/// # Examples
///
/// ```
/// use connect4_opponent::{Level, Opponent};
/// use connect4_rules::{Bin, Position, Shape};
///
/// // Red has three in a row, which blue has to stop.
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
    /// An opponent of a level. Its choices follow from the seed and the positions alone, except those
    /// of [`Level::Perfect`] on boards other than the standard one, which depend on time.
    #[must_use]
    pub fn new(level: Level, seed: u64) -> Self {
        Self {
            level,
            dice: ChaCha8Rng::seed_from_u64(seed),
            standard: None,
        }
    }

    /// The opponent's level.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The bin into which the opponent drops its disc; none if the game is over.
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

    /// One of the bins, by their values and the temperature of the level.
    fn pick(&mut self, values: &[(Bin, f64)]) -> Option<Bin> {
        let best = values
            .iter()
            .map(|(_, value)| *value)
            .fold(f64::MIN, f64::max);
        let Some(temperature) = self.level.temperature() else {
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
