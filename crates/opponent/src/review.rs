//! What a move gave away.

use connect4_rules::{Bin, Position, Shape};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::{Budget, Search, Standard};

/// What a position is worth to a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// The player wins with so many more discs of its own, however the other plays.
    WinsIn(u8),
    /// It is a draw if neither errs.
    Draw,
    /// The other player wins with so many more discs of its own, if it does not err.
    LosesIn(u8),
    /// Nobody knows; a search gives the player this chance to win, from 0 to 1, a draw as a half.
    About(f64),
}

impl Worth {
    /// The better the greater; those of a class by how soon they win or how late they lose.
    fn rank(self) -> f64 {
        match self {
            Self::WinsIn(discs) => 1000.0 - f64::from(discs),
            Self::Draw => 0.0,
            Self::LosesIn(discs) => f64::from(discs) - 1000.0,
            Self::About(chance) => chance,
        }
    }
}

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// It was as good as any; or, where only chances are known, less than a tenth worse.
    None,
    /// It wins later than it could, or loses sooner; or gave away a tenth of a chance.
    Inaccuracy,
    /// It gave away a win or a draw; or three tenths of a chance.
    Blunder,
}

/// A move in review.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// What it led to, for who made it.
    pub made: Worth,
    /// What the best would have led to.
    pub best: Worth,
    /// Where that would have been, from the left.
    pub best_bins: Vec<Bin>,
}

impl Verdict {
    /// How bad the move was.
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

/// Looks at moves after a game.
pub struct Reviewer {
    standard: Standard,
    dice: ChaCha8Rng,
}

impl Default for Reviewer {
    fn default() -> Self {
        Self {
            standard: Standard::default(),
            dice: ChaCha8Rng::seed_from_u64(0),
        }
    }
}

impl Reviewer {
    /// How many games a search plays to their end for a move.
    const PLAYOUTS: u32 = 20_000;

    /// What a drop into a bin gives away; none if it is not legal. Exact on the standard board.
    pub fn look_at(&mut self, position: &Position, bin: Bin) -> Option<Verdict> {
        let worths = self.worths(position);
        let made = worths.iter().find(|(other, _)| *other == bin)?.1;
        let best = worths
            .iter()
            .map(|(_, worth)| *worth)
            .max_by(|a, b| a.rank().total_cmp(&b.rank()))?;
        let best_bins = worths
            .iter()
            .filter(|(_, worth)| worth.rank() >= best.rank())
            .map(|(bin, _)| *bin)
            .collect();
        Some(Verdict {
            made,
            best,
            best_bins,
        })
    }

    fn worths(&mut self, position: &Position) -> Vec<(Bin, Worth)> {
        if position.shape() != Shape::STANDARD {
            let budget = Budget::Playouts(Self::PLAYOUTS);
            return Search::new(budget, &mut self.dice)
                .values(position)
                .into_iter()
                .map(|(bin, value)| (bin, Worth::About((value + 1.0) / 2.0)))
                .collect();
        }
        let left = 42 - position.plies();
        let (ours, theirs) = (left.div_ceil(2), left / 2);
        self.standard
            .scores(position)
            .into_iter()
            .map(|(bin, score)| {
                let discs = score.unsigned_abs();
                let worth = match score {
                    1.. => Worth::WinsIn((ours + 1).saturating_sub(discs)),
                    0 => Worth::Draw,
                    _ => Worth::LosesIn((theirs + 1).saturating_sub(discs)),
                };
                (bin, worth)
            })
            .collect()
    }
}
