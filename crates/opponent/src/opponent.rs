//! The opponent, which chooses a bin.

use connect4_rules::{Bin, Position, Shape};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::level::Level;
use crate::pick::pick;
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
                pick(&values, level.temperature(), &mut self.dice)
            }
        }
    }
}
