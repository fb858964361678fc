//! What moves are worth: the review of a game, which tells what each move gave away, and the outlook of
//! a position, for hints.

use alloc::vec::Vec;
use core::time::Duration;

use connect4_rules::{Bin, Position, Shape};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::budget::Budget;
use crate::search::Search;
use crate::standard::Standard;

/// Value of a position for a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// The player wins with so many more discs of its own, from 1, however the opponent plays.
    WinsIn(u8),
    /// The game is a draw under perfect play.
    Draw,
    /// The opponent wins with so many more discs of its own, from 1, under perfect play.
    LosesIn(u8),
    /// The result is not known. A search expects this score of the player, from 0, a loss, to 1, a
    /// win; a draw is 0.5.
    About(f64),
}

impl Worth {
    /// The value from -1, a sure loss, to 1, a sure win; 0 is a draw.
    #[must_use]
    pub const fn value(self) -> f64 {
        match self {
            Self::WinsIn(_) => 1.0,
            Self::Draw => 0.0,
            Self::LosesIn(_) => -1.0,
            Self::About(chance) => chance * 2.0 - 1.0,
        }
    }

    /// Orders values: a greater rank is better for the player. Sooner wins are better than later
    /// ones, and later losses than sooner ones.
    fn rank(self) -> f64 {
        match self {
            Self::WinsIn(discs) => 1000.0 - f64::from(discs),
            Self::Draw => 0.0,
            Self::LosesIn(discs) => f64::from(discs) - 1000.0,
            Self::About(chance) => chance,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// No move was better; or, where scores are expected only, by a tenth at most.
    None,
    /// The move wins later or loses sooner than the best one; or lost more than a tenth of the
    /// expected score.
    Inaccuracy,
    /// The move gave away a win or a draw; or lost more than three tenths of the expected score.
    Blunder,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Value of the position after the move, for the player who made it.
    pub made: Worth,
    /// Value of the position after the best move, for the same player.
    pub best: Worth,
    /// The best bins, in ascending order; the bin of the move may be one of them.
    pub best_bins: Vec<Bin>,
}

impl Verdict {
    /// Severity of the move's fault.
    #[must_use]
    pub fn fault(&self) -> Fault {
        let lost = self.best.rank() - self.made.rank();
        match (self.made, self.best) {
            (Worth::About(_), Worth::About(_)) if lost > 0.3 => Fault::Blunder,
            (Worth::About(_), Worth::About(_)) if lost > 0.1 => Fault::Inaccuracy,
            (Worth::About(_), Worth::About(_)) => Fault::None,
            _ if lost <= 0.0 => Fault::None,
            (Worth::WinsIn(_), Worth::WinsIn(_)) | (Worth::LosesIn(_), Worth::LosesIn(_)) => {
                Fault::Inaccuracy
            }
            _ => Fault::Blunder,
        }
    }
}

/// What a position holds for the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// Worth of a drop into each legal bin, in ascending order of bins.
    pub bins: Vec<(Bin, Worth)>,
    /// Worth of the position, which is that of a drop into one of the best bins.
    pub worth: Worth,
    /// The best bins, in ascending order.
    pub best_bins: Vec<Bin>,
}

impl Outlook {
    /// The outlook where drops are worth so much; none if there is no drop.
    fn of(bins: Vec<(Bin, Worth)>) -> Option<Self> {
        let worths = bins.iter().map(|(_, worth)| *worth);
        let worth = worths.max_by(|a, b| a.rank().total_cmp(&b.rank()))?;
        let best_bins = bins
            .iter()
            .filter(|(_, other)| other.rank() >= worth.rank())
            .map(|(bin, _)| *bin)
            .collect();
        Some(Self {
            bins,
            worth,
            best_bins,
        })
    }

    /// The verdict on a drop into a bin; none if the drop is not legal.
    #[must_use]
    pub fn verdict(&self, bin: Bin) -> Option<Verdict> {
        let made = self.bins.iter().find(|(other, _)| *other == bin)?.1;
        Some(Verdict {
            made,
            best: self.worth,
            best_bins: self.best_bins.clone(),
        })
    }
}

/// A position at whose moves a [`Reviewer`] looks one after another, so that what is known of it already can be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Looking {
    position: Position,
    /// The bins that were not looked at, the next one last.
    left: Vec<Bin>,
    /// What the others are worth.
    seen: Vec<(Bin, Worth)>,
    /// A best bin, and who wins.
    first: Option<(Bin, Worth)>,
}

impl Looking {
    /// Nothing is known of the position yet.
    #[must_use]
    pub fn at(position: Position) -> Self {
        let mut left: Vec<Bin> = match position.outcome() {
            None => position.legal_bins().collect(),
            Some(_) => Vec::new(),
        };
        let middle = f64::from(position.shape().bins() - 1) / 2.0;
        let from_the_middle = |bin: &Bin| (f64::from(bin.index()) - middle).abs();
        left.sort_by(|a, b| from_the_middle(b).total_cmp(&from_the_middle(a)));
        Self {
            position,
            left,
            seen: Vec::new(),
            first: None,
        }
    }

    /// The position.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Whether all is known.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.left.is_empty()
    }

    /// What is known: of a position that is not [complete](Self::is_complete) who wins, one bin that keeps that, and what
    /// some bins are worth. None if nothing is known, or the game is over.
    #[must_use]
    pub fn outlook(&self) -> Option<Outlook> {
        let mut bins = self.seen.clone();
        let first = self.first.filter(|_| !self.is_complete());
        if let Some((bin, worth)) = first
            && !bins.iter().any(|(seen, _)| *seen == bin)
        {
            bins.push((bin, worth));
        }
        bins.sort_unstable_by_key(|(bin, _)| *bin);
        let outlook = Outlook::of(bins)?;
        Some(match first {
            Some((bin, worth)) => Outlook {
                worth,
                best_bins: Vec::from([bin]),
                ..outlook
            },
            None => outlook,
        })
    }
}

/// Tells what moves are worth.
#[derive(Default)]
pub struct Reviewer {
    /// Made when it is needed: it takes 34 MB.
    standard: Option<Standard>,
}

const SEED: u64 = 0;

impl Reviewer {
    /// Number of games that a search plays to their end for each move.
    const PLAYOUTS: u32 = 20_000;

    /// A reviewer with a solver that was used before; see [`Opponent::with_solver`](crate::Opponent::with_solver).
    #[must_use]
    pub const fn with_solver(standard: Option<Standard>) -> Self {
        Self { standard }
    }

    /// The solver of the standard board, if it was needed.
    #[must_use]
    pub fn into_solver(self) -> Option<Standard> {
        self.standard
    }

    /// Looks at the next move of a position: on the standard board first who wins, and then at one bin, a best one first and
    /// the others from the middle outwards; on other boards at all.
    pub fn look_on(&mut self, looking: &mut Looking) {
        let position = looking.position;
        if position.shape() != Shape::STANDARD {
            looking.seen = self.worths(&position);
            looking.left.clear();
            return;
        }
        let standard = self.standard.get_or_insert_default();
        if looking.first.is_none() {
            let Some((outcome, best)) = standard.outcome(&position) else {
                return;
            };
            let worth = match outcome {
                0 => Worth::Draw,
                // It is certain, and not known how soon.
                1 => Worth::About(1.0),
                _ => Worth::About(0.0),
            };
            looking.first = Some((best, worth));
            looking.left.retain(|bin| *bin != best);
            looking.left.push(best);
        } else if let Some(bin) = looking.left.pop()
            && let Some(score) = standard.score(&position, bin)
        {
            looking.seen.push((bin, worth_of(&position, score)));
        }
    }

    /// The verdict on a drop into a bin; none if the drop is not legal. As exact as [`Self::look_ahead`].
    pub fn look_at(&mut self, position: &Position, bin: Bin) -> Option<Verdict> {
        self.look_ahead(position)?.verdict(bin)
    }

    /// What each legal drop is worth, and the position; none if the game is over. Exact on the standard
    /// board. On others by a search that does not depend on what was asked before.
    pub fn look_ahead(&mut self, position: &Position) -> Option<Outlook> {
        Outlook::of(self.worths(position))
    }

    fn worths(&mut self, position: &Position) -> Vec<(Bin, Worth)> {
        if position.shape() != Shape::STANDARD {
            let budget = Budget::Playouts(Self::PLAYOUTS);
            let mut dice = ChaCha8Rng::seed_from_u64(SEED);
            // The budget is no time.
            let clock = || Duration::ZERO;
            return Search::new(budget, clock, &mut dice)
                .values(position)
                .into_iter()
                .map(|(bin, value)| (bin, Worth::About((value + 1.0) / 2.0)))
                .collect();
        }
        let scores = self.standard.get_or_insert_default().scores(position);
        let worths = scores.into_iter();
        worths
            .map(|(bin, score)| (bin, worth_of(position, score)))
            .collect()
    }
}

/// What a score of the solver says of a position of the standard board, for the player to move.
fn worth_of(position: &Position, score: i8) -> Worth {
    let left = Shape::STANDARD.cells() - position.plies();
    let (ours, theirs) = (left.div_ceil(2), left / 2);
    let discs = score.unsigned_abs();
    match score {
        1.. => Worth::WinsIn((ours + 1).saturating_sub(discs)),
        0 => Worth::Draw,
        _ => Worth::LosesIn((theirs + 1).saturating_sub(discs)),
    }
}
