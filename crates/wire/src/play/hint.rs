//! Hints: what moves are worth before they are made.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use connect4_opponent::Looking;
use connect4_rules::variant::Colour;
use connect4_rules::{Outcome, Player};
use serde::Serialize;

use super::review::Worth;
use super::wording;

/// What each legal move of a position is worth, and the position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Hint {
    /// The player to move; none if the game is over on the board.
    pub to_move: Option<Colour>,
    /// The legal bins, from the left.
    pub bins: Vec<HintedBin>,
    /// The best of them.
    pub best_bins: Vec<u8>,
    /// What the position is worth.
    pub evaluation: Evaluation,
    /// Whether all is known. Before it is, there are some of the bins, and one that keeps the result of the position.
    pub is_complete: bool,
}

/// What a drop into a bin is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct HintedBin {
    /// The bin.
    pub bin: u8,
    /// Worth of the drop for the player to move.
    pub worth: Worth,
    /// The same in words.
    pub words: String,
}

/// What a position is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Evaluation {
    /// From -1, a win of blue, to 1, a win of red; 0 is a draw. Between them what a search expects.
    pub value: f64,
    /// The same in words, as `red wins in 21`.
    pub words: String,
}

impl Hint {
    /// What is known of a position.
    #[must_use]
    pub fn of(looking: &Looking) -> Self {
        let position = looking.position();
        let is_complete = looking.is_complete();
        let mover = position.to_move();
        let Some(outlook) = looking.outlook() else {
            return Self {
                is_complete,
                to_move: None,
                bins: Vec::new(),
                best_bins: Vec::new(),
                evaluation: Evaluation::of_end(position.outcome()),
            };
        };
        let hinted = outlook.bins.iter().map(|(bin, worth)| HintedBin {
            bin: bin.index(),
            worth: (*worth).into(),
            words: wording::worth(*worth),
        });
        Self {
            is_complete,
            to_move: Some(mover.into()),
            bins: hinted.collect(),
            best_bins: outlook.best_bins.iter().map(|bin| bin.index()).collect(),
            evaluation: Evaluation {
                value: for_red(mover, outlook.worth.value()),
                words: wording::evaluation(mover, outlook.worth),
            },
        }
    }
}

impl Evaluation {
    /// What the end of a game on the board is worth.
    fn of_end(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Won(player)) => Self {
                value: for_red(player, 1.0),
                words: format!("{player} has won"),
            },
            Some(Outcome::Draw) | None => Self {
                value: 0.0,
                words: "a draw".into(),
            },
        }
    }
}

/// A value for a player, as red sees it.
const fn for_red(player: Player, value: f64) -> f64 {
    match player {
        Player::One => value,
        Player::Two => -value,
    }
}
