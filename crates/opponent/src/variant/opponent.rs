//! The opponent, which chooses a move.

use connect4_rules::variant::{Move, Position};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::search::{Candidate, Search};
use crate::level::Level;
use crate::pick::pick;

/// A computer opponent in games of any terms.
///
/// # Examples
///
/// ```
/// use connect4_opponent::{Level, variant::Opponent};
/// use connect4_rules::Shape;
/// use connect4_rules::variant::{Position, VariantSpec};
///
/// // Three players: red and blue build towers, and red would complete its own next. Green stops it.
/// let terms = VariantSpec { players: 3, ..VariantSpec::classic(Shape::STANDARD) };
/// let position = Position::from_moves(terms.try_into()?, "12712712")?;
/// let mut opponent = Opponent::new(Level::Hard, 7);
/// assert_eq!(opponent.choose(&position), Some("1".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Opponent {
    level: Level,
    dice: ChaCha8Rng,
}

impl Opponent {
    /// An opponent of a level. Its choices follow from the seed and the positions alone, except those
    /// of [`Level::Perfect`], which depend on time.
    #[must_use]
    pub fn new(level: Level, seed: u64) -> Self {
        Self {
            level,
            dice: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The opponent's level.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The move that the opponent makes for the player to move; none if the game is over.
    ///
    /// Whatever the level, except for [`Level::Random`]: a move that wins at once is made, and one
    /// that is known to lose is not if there is another.
    pub fn choose(&mut self, position: &Position) -> Option<Move> {
        if self.level == Level::Random {
            let moves: Vec<Move> = position.legal_moves().collect();
            return match moves.len() {
                0 => None,
                count => Some(moves[self.dice.random_range(0..count)]),
            };
        }
        let mut candidates =
            Search::new(self.level.variant_budget(), &mut self.dice).candidates(position);
        if let Some(win) = candidates.iter().find(|candidate| candidate.wins()) {
            return Some(win.action);
        }
        if candidates.iter().all(Candidate::loses) {
            // The move after which the others need most to win is the one that was looked at longest.
            let longest = candidates.iter().max_by_key(|candidate| candidate.visits);
            return longest.map(|candidate| candidate.action);
        }
        candidates.retain(|candidate| !candidate.loses());
        let values: Vec<(Move, f64)> = candidates
            .iter()
            .map(|candidate| (candidate.action, candidate.value))
            .collect();
        pick(&values, self.level.variant_temperature(), &mut self.dice)
    }
}
