//! Results of many games, with their error.

use connect4_rules::{Bin, Position, Shape, ShapeError};

/// Standard errors on either side within which 95 % lie.
const WITHIN_95: f64 = 1.96;

/// Points of groups of games: those of a group depend on each other, as they have one opening.
#[derive(Default)]
pub(crate) struct Tally {
    games: u32,
    wins: u32,
    draws: u32,
    /// The points of each group, by game.
    groups: Vec<f64>,
}

impl Tally {
    /// Adds a group of games: 1, a half or 0 for each.
    pub(crate) fn add(&mut self, points: &[f64]) {
        for &point in points {
            self.games += 1;
            self.wins += u32::from(point > 0.75);
            self.draws += u32::from((0.25..=0.75).contains(&point));
        }
        self.groups
            .push(points.iter().sum::<f64>() / points.len() as f64);
    }

    /// Points by game.
    pub(crate) fn share(&self) -> f64 {
        self.groups.iter().sum::<f64>() / self.groups.len() as f64
    }

    /// Half of the interval in which the share lies with 95 %.
    pub(crate) fn error(&self) -> f64 {
        let count = self.groups.len() as f64;
        let share = self.share();
        let squares = self.groups.iter().map(|points| (points - share).powi(2));
        WITHIN_95 * (squares.sum::<f64>() / (count - 1.0).max(1.0) / count).sqrt()
    }

    /// Columns of a table: won, drawn, lost, and the share of the points.
    pub(crate) fn results(&self) -> String {
        let Self {
            games, wins, draws, ..
        } = self;
        let (share, error) = (100.0 * self.share(), 100.0 * self.error());
        let losses = games - wins - draws;
        format!("{wins} | {draws} | {losses} | {share:.1} ± {error:.1} %")
    }
}

/// The difference of ratings that the points tell, with its interval.
pub(crate) fn elo(tally: &Tally) -> String {
    let rating = |share: f64| -400.0 * (1.0 / share.clamp(0.001, 0.999) - 1.0).log10();
    let (share, error) = (tally.share(), tally.error());
    if share >= 1.0 {
        // If one game in so many were lost, this would have been seen with 95 %.
        return format!(
            "more than {:.0}",
            rating(1.0 - 3.0 / f64::from(tally.games))
        );
    }
    let (least, most) = (rating(share - error), rating(share + error));
    let most = match share + error < 1.0 {
        true => format!("to {most:+.0}"),
        false => "or more".to_owned(),
    };
    format!("{:+.0} ({least:+.0} {most})", rating(share))
}

/// A board as `9x7`, with a line of four.
pub(crate) fn shape(board: &str) -> Result<Shape, Box<dyn std::error::Error>> {
    let (bins, capacity) = board.split_once('x').ok_or("a board is like 9x7")?;
    Shape::new(bins.parse()?, capacity.parse()?, 4).map_err(|error: ShapeError| error.into())
}

/// Whether the game goes on, and no drop ends it.
#[allow(dead_code, reason = "not every example has openings")]
pub(crate) fn is_quiet(position: &Position) -> bool {
    let shape = position.shape();
    let ends = |bin: Bin| {
        let mut after = *position;
        after
            .drop(bin)
            .is_ok_and(|dropped| dropped.outcome.is_some())
    };
    position.outcome().is_none() && !shape.iter_bins().any(ends)
}
