//! The opponent, which chooses a move.

use alloc::vec::Vec;

use connect4_rules::variant::{self, Colour, Move, Powers};
use connect4_rules::{Bin, ByPlayer, Play, Position, Shape};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::budget::{Budget, Clock};
use crate::deep::Deep;
use crate::level::Level;
use crate::opening;
use crate::pick::pick;
use crate::resist::latest_loss;
use crate::search::{Candidate, Search};
use crate::standard::Standard;

/// Positions that are looked at for the drop that loses latest, where a search has seen that all lose.
const RESISTANCE: u32 = 10_000;

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
    deep: Option<Deep>,
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
            deep: None,
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

    /// The best drop that the best level finds; none if the game is over.
    fn best(&mut self, position: &Position) -> Option<Bin> {
        if position.shape() == Shape::STANDARD {
            return self.standard.get_or_insert_default().best(position);
        }
        let found = self.deep().find(position, Level::Perfect.budget())?;
        Some(found.bin)
    }

    /// What a first drop is worth to who makes it, from -1 to 1; where neither the solver nor games tell it, by
    /// one of so many searches for one move. None if the board has no such bin.
    fn worth_of_first(&mut self, shape: Shape, bin: Bin, searches: u32) -> Option<f64> {
        if let Some(worth) = opening::worth(shape, bin) {
            return Some(worth);
        }
        let mut after = Position::new(shape);
        after.drop(bin).ok()?;
        if shape == Shape::STANDARD {
            let scores = self.standard.get_or_insert_default().scores(&after);
            let best = scores.into_iter().map(|(_, score)| score).max();
            return Some((-best.unwrap_or(0).signum()).into());
        }
        let budget = match Level::Perfect.budget() {
            Budget::Time(time) => Budget::Time(time / searches),
            Budget::Playouts(count) => Budget::Playouts(count / searches),
        };
        let found = self.deep().find(&after, budget);
        Some(found.map_or(0.0, |found| -found.value))
    }

    /// The drop that loses latest, if the level sees that every drop loses: by its search, or by as many positions as
    /// that plays games. A person who has a line of four in sight should not think that the computer has given up.
    fn resists(&self, position: &Position, values: &[(Bin, f64)]) -> Option<Bin> {
        let looks_lost = values.iter().all(|(_, value)| *value < 0.0)
            && values.iter().any(|(_, value)| *value <= -1.0);
        match self.level.budget() {
            Budget::Playouts(most) if looks_lost => latest_loss(position, most),
            Budget::Playouts(_) | Budget::Time(_) => None,
        }
    }

    fn deep(&mut self) -> &mut Deep {
        let clock = self.clock;
        self.deep.get_or_insert_with(|| Deep::new(clock))
    }

    /// The first drop that is worth least to a player who may then choose its side.
    fn fair_first_drop(&mut self, position: &Position) -> Option<Bin> {
        let bins: Vec<Bin> = position.legal_bins().collect();
        // The other half is its mirror image.
        let half = &bins[..bins.len().div_ceil(2)];
        let mut least = f64::INFINITY;
        let mut fairest = Vec::new();
        for &bin in half {
            let searches = u32::try_from(half.len()).ok()?;
            let worth = self.worth_of_first(position.shape(), bin, searches)?;
            let gain = if worth < 0.0 { -worth } else { worth };
            if gain < least {
                least = gain;
                fairest.clear();
            }
            if gain <= least {
                let mirrored = bins[bins.len() - 1 - usize::from(bin.index())];
                fairest.extend([bin, mirrored]);
            }
        }
        match fairest.len() {
            0 => None,
            count => Some(fairest[self.dice.random_range(0..count)]),
        }
    }

    /// Whether the first drop, which the position has, is worth more than what can be done against it.
    fn swaps(&mut self, position: &Position) -> bool {
        let mut bins = (0..position.shape().bins()).map(Bin::new);
        let first = bins.find(|&bin| position.height(bin) > 0);
        let worth = first.and_then(|bin| self.worth_of_first(position.shape(), bin, 1));
        worth.is_some_and(|worth| worth > 0.0)
    }
}

/// A position in which an [`Opponent`] can choose.
pub trait Choose: Play {
    /// The move that an opponent makes that looks ahead; none if the game is over.
    fn choose(&self, opponent: &mut Opponent) -> Option<Self::Move>;

    /// The position as one of drops between two players, about which a solver can be asked; none in games that have other
    /// moves than drops and the swap, or more players.
    fn drops(&self) -> Option<Position>;
}

impl Choose for Position {
    fn choose(&self, opponent: &mut Opponent) -> Option<Bin> {
        let (level, clock) = (opponent.level, opponent.clock);
        if level == Level::Perfect {
            return opponent.best(self);
        }
        let dice = &mut opponent.dice;
        let values = Search::new(level.budget(), clock, dice).values(self);
        opponent
            .resists(self, &values)
            .or_else(|| pick(&values, level.temperature(), &mut opponent.dice))
    }

    fn drops(&self) -> Option<Position> {
        Some(*self)
    }
}

/// With the pie rule the best level begins so that a swap gains least, and swaps where the opponent would be
/// better off. The others search: a move that wins at once is made, and one that is known to lose is not if there is another.
impl Choose for variant::Position {
    fn choose(&self, opponent: &mut Opponent) -> Option<Move> {
        let (level, clock) = (opponent.level, opponent.clock);
        if level == Level::Perfect
            && let Some(position) = self.drops()
        {
            let variant = self.variant();
            return match (variant.pie_rule(), self.turns()) {
                (true, 0) => opponent.fair_first_drop(&position).map(Move::Drop),
                (true, 1) if opponent.swaps(&position) => Some(Move::Swap),
                _ => opponent.best(&position).map(Move::Drop),
            };
        }
        let dice = &mut opponent.dice;
        let mut candidates = Search::new(level.variant_budget(), clock, dice).candidates(self);
        if let Some(win) = candidates.iter().find(|candidate| candidate.wins()) {
            return Some(win.action);
        }
        if candidates.iter().all(Candidate::loses) {
            let drops = self
                .drops()
                .filter(|_| candidates.iter().all(|it| it.action != Move::Swap));
            let latest = drops.and_then(|drops| latest_loss(&drops, RESISTANCE));
            if let Some(bin) = latest {
                return Some(Move::Drop(bin));
            }
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

    fn drops(&self) -> Option<Position> {
        let variant = self.variant();
        if variant.players() != 2 || variant.pop_out() || variant.powers() != Powers::NONE {
            return None;
        }
        let discs = ByPlayer {
            one: self.discs(Colour::Red),
            two: self.discs(Colour::Blue),
        };
        let drops = Position::from_discs(self.shape(), discs).ok()?;
        // A player may have left.
        (self.outcome().is_some() == drops.outcome().is_some()).then_some(drops)
    }
}
