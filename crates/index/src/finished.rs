//! Games that have ended with a result.

use connect4_protocol::{Address, End};
use connect4_rules::variant::VariantSpec;
use connect4_rules::{Shape, ShapeSpec};

/// How a game ended for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    Won,
    Drawn,
    Lost,
}

impl GameResult {
    /// Score against another player of the same game; none if neither was better, as between two
    /// who lost to a third.
    pub(crate) const fn score_against(self, other: Self) -> Option<f64> {
        match (self, other) {
            (Self::Lost, Self::Lost) => None,
            (Self::Won, _) | (Self::Drawn, Self::Lost) => Some(1.0),
            (Self::Drawn, Self::Drawn) => Some(0.5),
            (_, Self::Won) | (Self::Lost, Self::Drawn) => Some(0.0),
        }
    }
}

/// A game that has ended with a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// The players in turn order, each with the result.
    pub players: Vec<(Address, GameResult)>,
    /// Whether it was played on the standard board, or one of its pool: on others no games are rated.
    pub is_standard: bool,
    /// Whether it ended before a line was possible. Then it counts for who lost it alone.
    pub is_short: bool,
    /// Those of the players who have said in its terms that they are programs.
    pub programs: Vec<Address>,
}

impl Finished {
    /// A plain or a signed game of so many turns; none if it ended without a result.
    #[must_use]
    pub fn of_two(
        players: [Address; 2],
        shape: ShapeSpec,
        turns: u32,
        winner: Option<Address>,
        end: End,
    ) -> Option<Self> {
        if !end.has_result() {
            return None;
        }
        let result = |player| match winner {
            Some(winner) if winner == player => GameResult::Won,
            Some(_) => GameResult::Lost,
            None => GameResult::Drawn,
        };
        // The player who begins has a line with the disc `line` at the earliest; the opponent has one
        // disc less by then.
        let first_line = (2 * u32::from(shape.line)).saturating_sub(1);
        Some(Self {
            players: players.map(|player| (player, result(player))).to_vec(),
            is_standard: shape == Shape::STANDARD.into(),
            is_short: !end.is_on_the_board() && turns < first_line,
            programs: Vec::new(),
        })
    }

    /// A game of a variant of so many turns, which some players have left; none if it ended without a
    /// result.
    #[must_use]
    pub fn variant(
        players: &[Address],
        has_left: &[Address],
        variant: &VariantSpec,
        turns: u32,
        winner: Option<Address>,
        end: End,
    ) -> Option<Self> {
        if !end.has_result() {
            return None;
        }
        let result = |player| match winner {
            Some(winner) if winner == player => GameResult::Won,
            None if !has_left.contains(&player) => GameResult::Drawn,
            _ => GameResult::Lost,
        };
        // Nobody can have a line before the first player has had as many turns as it takes discs.
        let rounds = u32::from(variant.shape.line).saturating_sub(1);
        let first_line = u32::from(variant.players) * rounds + 1;
        Some(Self {
            players: players
                .iter()
                .map(|&player| (player, result(player)))
                .collect(),
            is_standard: variant.shape == Shape::STANDARD.into(),
            is_short: !end.is_on_the_board() && turns < first_line,
            programs: Vec::new(),
        })
    }

    /// Sets which of two players have said that they are programs.
    pub(crate) fn mark_programs(&mut self, are_programs: [bool; 2]) {
        let players = self.players.iter().zip(are_programs);
        let programs = players.filter(|(_, is_program)| *is_program);
        self.programs = programs.map(|((account, _), _)| *account).collect();
    }

    /// Each two of the players, the smaller address first.
    pub fn pairs(&self) -> impl Iterator<Item = (Address, Address)> {
        let players = || self.players.iter().map(|(account, _)| *account);
        players().flat_map(move |one| {
            let others = players().filter(move |other| one < *other);
            others.map(move |other| (one, other))
        })
    }
}
