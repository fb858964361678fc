//! Lines of `puzzle`.

use connect4_rules::variant::Colour;
use serde::Serialize;

use crate::play::Worth;

/// What `puzzle` asks and what came of it, by `puzzle`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(tag = "puzzle", rename_all = "snake_case")]
pub enum PuzzleReport {
    /// A position to solve.
    Asked {
        /// Number of the puzzle, from 1; null for a position of a game.
        number: Option<usize>,
        /// Grade of the puzzle, from 1, the easiest.
        grade: Option<u8>,
        /// Day whose puzzle it is, as `2026-11-24`, in UTC.
        day: Option<String>,
        /// What the player to move is to reach.
        goal: Goal,
        /// The moves that lead to the position, in the notation.
        moves: String,
        /// The player to move.
        to_move: Colour,
    },
    /// A hint.
    Hint {
        /// One of these bins is right.
        bins: Vec<u8>,
    },
    /// A drop that keeps the goal in reach, and the opponent's reply.
    Right {
        /// Bin of the drop.
        bin: u8,
        /// Bin of the reply; null if the game is over.
        reply: Option<u8>,
    },
    /// A drop that misses the goal. It was not made.
    Wrong {
        /// Bin of the drop.
        bin: u8,
        /// Worth of the drop.
        worth: Worth,
        /// Bins of the moves after it under perfect play, the opponent's first: up to the end of the game,
        /// or one.
        line: Vec<u8>,
    },
    /// The goal was reached.
    Solved {
        /// Whether without a wrong drop and without a hint.
        clean: bool,
        /// Days in succession, up to now, whose puzzle was solved.
        streak: u32,
    },
    /// With `--list`, the puzzles of a grade.
    Grade {
        /// The grade, from 1.
        grade: u8,
        /// Number of puzzles.
        count: usize,
        /// Number of those that were solved here.
        solved: usize,
        /// Number of the next one.
        next: Option<usize>,
    },
    /// With `--list`, the daily puzzles.
    Daily {
        /// The day, in UTC.
        day: String,
        /// Number of its puzzle.
        number: Option<usize>,
        /// Whether it was solved here.
        solved: bool,
        /// Days in succession whose puzzle was solved.
        streak: u32,
        /// Longest streak.
        best: u32,
    },
}

/// What is to be reached in a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// A win.
    Win,
    /// A draw.
    Hold,
}

impl From<connect4_opponent::puzzle::Goal> for Goal {
    fn from(goal: connect4_opponent::puzzle::Goal) -> Self {
        match goal {
            connect4_opponent::puzzle::Goal::Win => Self::Win,
            connect4_opponent::puzzle::Goal::Hold => Self::Hold,
        }
    }
}
