//! Reviews of games.

use alloc::string::String;
use alloc::vec::Vec;

use connect4_rules::variant::Colour;
use serde::Serialize;

use super::wording;

/// What a position is worth to the player who has just moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Worth {
    /// A win, with so many more discs of this player.
    WinsIn(u8),
    /// A draw.
    Draw,
    /// A loss, with so many more discs of the opponent.
    LosesIn(u8),
    /// A chance to win, from 0 to 1.
    Chance(f64),
}

impl From<connect4_opponent::Worth> for Worth {
    fn from(worth: connect4_opponent::Worth) -> Self {
        match worth {
            connect4_opponent::Worth::WinsIn(discs) => Self::WinsIn(discs),
            connect4_opponent::Worth::Draw => Self::Draw,
            connect4_opponent::Worth::LosesIn(discs) => Self::LosesIn(discs),
            connect4_opponent::Worth::About(chance) => Self::Chance(chance),
        }
    }
}

/// What a move gave away.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Verdict {
    /// Turn of the game, from 0.
    pub turn: u8,
    /// The player who moved.
    pub player: Colour,
    /// Bin of the move.
    pub bin: u8,
    /// Worth of the move.
    pub made: Worth,
    /// Worth of the best moves.
    pub best: Worth,
    /// Bins of the best moves.
    pub best_bins: Vec<u8>,
    /// What the move cost of the player's time, in milliseconds; none if that is not known.
    pub spent: Option<u64>,
}

impl Verdict {
    /// The verdict on a move.
    #[must_use]
    pub fn new(
        turn: u8,
        player: connect4_rules::Player,
        bin: connect4_rules::Bin,
        verdict: &connect4_opponent::Verdict,
        spent: Option<u64>,
    ) -> Self {
        Self {
            turn,
            player: player.into(),
            bin: bin.index(),
            made: verdict.made.into(),
            best: verdict.best.into(),
            best_bins: verdict.best_bins.iter().map(|bin| bin.index()).collect(),
            spent,
        }
    }
}

/// A verdict with its words for the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Reviewed {
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Sign of the fault, as in chess: `??`, `?` or nothing.
    pub mark: &'static str,
    /// Worth of the move, in words.
    pub made_words: String,
    /// Worth of the best moves, in words.
    pub best_words: String,
}

impl Reviewed {
    /// The verdict on a move. What it cost is not known.
    #[must_use]
    pub fn new(
        turn: u8,
        player: connect4_rules::Player,
        bin: connect4_rules::Bin,
        verdict: &connect4_opponent::Verdict,
    ) -> Self {
        Self {
            verdict: Verdict::new(turn, player, bin, verdict, None),
            mark: wording::mark(verdict.fault()),
            made_words: wording::worth(verdict.made),
            best_words: wording::worth(verdict.best),
        }
    }
}
