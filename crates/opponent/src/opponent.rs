//! The opponent, which chooses a move.

use alloc::vec::Vec;

use connect4_rules::variant::{self, Move};
use connect4_rules::{Bin, Play, Position, Shape};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::budget::Clock;
use crate::level::Level;
use crate::pick::pick;
use crate::search::{Candidate, Search};
use crate::standard::Standard;

/// A computer opponent in games of any terms.
///
/// # Examples
///
/// ```
/// use connect4_opponent::{Level, Opponent};
/// use connect4_rules::variant::{self, VariantSpec};
/// use connect4_rules::{Bin, Position, Shape};
///
/// // Red has three in a row, which blue has to stop.
/// let position = Position::from_moves(Shape::STANDARD, "11223")?;
/// let mut opponent = Opponent::new(Level::Perfect, 7);
/// assert_eq!(opponent.choose(&position), Some(Bin::new(3)));
///
/// // Three players: red and blue build towers, and red would complete its own next. Green stops it.
/// let terms = VariantSpec { players: 3, ..VariantSpec::classic(Shape::STANDARD) };
/// let position = variant::Position::from_moves(terms.try_into()?, "12712712")?;
/// let mut opponent = Opponent::new(Level::Hard, 7);
/// assert_eq!(opponent.choose(&position), Some("1".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Opponent {
    level: Level,
    clock: Clock,
    dice: ChaCha8Rng,
    standard: Option<Standard>,
}

impl Opponent {
    /// An opponent of a level. Its choices follow from the seed and the positions alone, except those
    /// of [`Level::Perfect`], which depend on time where the solver does not know the game.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn new(level: Level, seed: u64) -> Self {
        Self::with_clock(level, seed, crate::budget::system)
    }

    /// [`Self::new`] with a clock, for where the standard library has none.
    #[must_use]
    pub fn with_clock(level: Level, seed: u64, clock: Clock) -> Self {
        Self {
            level,
            clock,
            dice: ChaCha8Rng::seed_from_u64(seed),
            standard: None,
        }
    }

    /// The same opponent with a solver that was used before: what it knows makes the next moves quick.
    #[must_use]
    pub fn with_solver(self, standard: Option<Standard>) -> Self {
        Self { standard, ..self }
    }

    /// The solver of the standard board, if it was needed.
    #[must_use]
    pub fn into_solver(self) -> Option<Standard> {
        self.standard
    }

    /// The opponent's level.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The move that the opponent makes for the player to move; none if the game is over.
    pub fn choose<P: Choose>(&mut self, position: &P) -> Option<P::Move> {
        if self.level != Level::Random {
            return position.choose(self);
        }
        let moves: Vec<P::Move> = position.legal_moves().collect();
        match moves.len() {
            0 => None,
            count => Some(moves[self.dice.random_range(0..count)]),
        }
    }
}

/// A position in which an [`Opponent`] can choose.
pub trait Choose: Play {
    /// The move that an opponent makes that looks ahead; none if the game is over.
    fn choose(&self, opponent: &mut Opponent) -> Option<Self::Move>;
}

impl Choose for Position {
    fn choose(&self, opponent: &mut Opponent) -> Option<Bin> {
        let (level, clock) = (opponent.level, opponent.clock);
        let dice = &mut opponent.dice;
        if level == Level::Perfect && self.shape() == Shape::STANDARD {
            return opponent.standard.get_or_insert_default().best(self);
        }
        let values = Search::new(level.budget(), clock, dice).values(self);
        pick(&values, level.temperature(), dice)
    }
}

/// A move that wins at once is made, and one that is known to lose is not if there is another.
impl Choose for variant::Position {
    fn choose(&self, opponent: &mut Opponent) -> Option<Move> {
        let (level, clock) = (opponent.level, opponent.clock);
        let dice = &mut opponent.dice;
        let mut candidates = Search::new(level.variant_budget(), clock, dice).candidates(self);
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
        pick(&values, level.variant_temperature(), dice)
    }
}
