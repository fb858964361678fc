//! Puzzles of the standard board: positions in which exactly one drop wins, or exactly one holds a draw.
//!
//! `puzzles.txt` has them all; `scripts/make-puzzles` makes it, from games of the levels against each
//! other, and two solvers confirm each puzzle. The first line names the format and the edition, with which
//! the puzzles' numbers change:
//!
//! ```text
//! connect4 puzzles 1
//! 2 win 3
//! 443526215
//! ```
//!
//! A line of three words is a heading: the grade from 1, the easiest, to [`GRADES`]; `win` or `hold`; and
//! the further discs of the winner, with the next one: of the player to move for a win, and of the opponent
//! after the best of the wrong drops for a draw to hold. Each line below it is a puzzle, as a
//! move string: the moves that lead to the position, and then its answer. Puzzles are numbered from 1 in
//! the order of the file.

use alloc::vec::Vec;

use connect4_rules::notation::NotationError;
use connect4_rules::{Bin, Outcome, Position, Shape};

use crate::review::{Outlook, Reviewer, Worth};

const TEXT: &str = include_str!("puzzles.txt");
pub const GRADES: u8 = 5;
/// Grade of the daily puzzle from Monday to Sunday.
const WEEK: [u8; 7] = [2, 2, 3, 3, 4, 4, 5];
/// Steps through the puzzles of a grade from day to day: a prime, so that it passes all of them.
const STRIDE: usize = 7919;
/// Most plies of the line that shows what a wrong drop leads to.
const MOST_SHOWN: usize = 7;

/// What a player is to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    Win,
    /// A draw, where every other drop loses.
    Hold,
}

impl Goal {
    /// Whether a position of this worth still has what is to be reached.
    #[must_use]
    pub fn is_kept(self, worth: Worth) -> bool {
        match self {
            Self::Win => matches!(worth, Worth::WinsIn(_)),
            Self::Hold => matches!(worth, Worth::WinsIn(_) | Worth::Draw),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// Its number, from 1.
    pub number: usize,
    /// From 1, the easiest, to [`GRADES`].
    pub grade: u8,
    /// What the player to move is to reach.
    pub goal: Goal,
    /// Discs of the winner; see the [file](self).
    pub discs: u8,
    /// The moves that lead to the position.
    pub moves: &'static str,
    /// The one drop that reaches the goal.
    pub answer: Bin,
}

impl Puzzle {
    /// All puzzles, by their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        read(TEXT)
    }

    /// The edition of the puzzles: those of another one have other numbers.
    #[must_use]
    pub fn edition() -> &'static str {
        let first = TEXT.lines().next().unwrap_or_default();
        first.rsplit(' ').next().unwrap_or_default()
    }

    /// The puzzle of a day, counted from 1 January 1970, in UTC. Its grade follows from the day of the
    /// week.
    #[must_use]
    pub fn of_day(day: u32) -> Option<Self> {
        let day = usize::try_from(day).ok()?;
        // The first day was a Thursday.
        let grade = *WEEK.get((day % 7 + 3) % 7)?;
        let of_grade: Vec<Self> = Self::all().filter(|puzzle| puzzle.grade == grade).collect();
        let at = day.wrapping_mul(STRIDE).checked_rem(of_grade.len())?;
        of_grade.get(at).copied()
    }

    /// The position.
    ///
    /// # Errors
    ///
    /// If the moves are not legal, which those of the file are.
    pub fn position(&self) -> Result<Position, NotationError<Bin>> {
        Position::from_moves(Shape::STANDARD, self.moves)
    }
}

/// Reads the puzzles of a file. Lines that are none are left out.
fn read(text: &'static str) -> impl Iterator<Item = Puzzle> {
    let mut heading = None;
    text.lines()
        .skip(1)
        .filter_map(move |line| {
            if line.contains(' ') {
                heading = read_heading(line);
                return None;
            }
            let (grade, goal, discs) = heading?;
            let (moves, answer) = line.split_at_checked(line.len().checked_sub(1)?)?;
            let answer = Bin::from_char(answer.chars().next()?)?;
            Some((grade, goal, discs, moves, answer))
        })
        .zip(1..)
        .map(|((grade, goal, discs, moves, answer), number)| Puzzle {
            number,
            grade,
            goal,
            discs,
            moves,
            answer,
        })
}

fn read_heading(line: &str) -> Option<(u8, Goal, u8)> {
    let mut words = line.split(' ');
    let grade = words.next()?.parse().ok()?;
    let goal = match words.next()? {
        "win" => Goal::Win,
        "hold" => Goal::Hold,
        _ => return None,
    };
    let discs = words.next()?.parse().ok()?;
    Some((grade, goal, discs))
}

/// What a drop in a [`Task`] led to.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The goal can't be reached any more; the task is as it was before.
    Wrong {
        /// Worth of the drop for the player who made it.
        worth: Worth,
        /// How the game continues after it under perfect play, at most seven moves, the opponent's first.
        line: Vec<Bin>,
    },
    /// The goal can still be reached. The opponent has replied, and it is the player's turn.
    Right { reply: Bin },
    /// The goal is reached: the game is over, or no drop of the player can miss it any more.
    Solved {
        /// The opponent's reply; none if the game was over before.
        reply: Option<Bin>,
    },
}

/// A position that is played on until the goal is reached, against perfect play: that of a puzzle, or one
/// in which a player gave away a win or a draw.
///
/// A win is played until there is a line; a draw until the game is over or all drops hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    position: Position,
    goal: Goal,
}

impl Task {
    #[must_use]
    pub const fn new(position: Position, goal: Goal) -> Self {
        Self { position, goal }
    }

    /// The task of a position in which a drop gave away a win or a draw; none if it did not.
    #[must_use]
    pub fn of_fault(position: Position, verdict: &crate::Verdict) -> Option<Self> {
        let goal = match verdict.best {
            Worth::WinsIn(_) => Goal::Win,
            Worth::Draw => Goal::Hold,
            Worth::LosesIn(_) | Worth::About(_) => return None,
        };
        (!goal.is_kept(verdict.made)).then_some(Self { position, goal })
    }

    /// The position, in which it is the player's turn unless the game is over.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    #[must_use]
    pub const fn goal(&self) -> Goal {
        self.goal
    }

    /// Drops a disc of the player, and then one of the opponent; none if the drop is not legal.
    pub fn answer(&mut self, reviewer: &mut Reviewer, bin: Bin) -> Option<Answer> {
        let worth = reviewer.look_at(&self.position, bin)?.made;
        let mut after = self.position;
        after.drop(bin).ok()?;
        if !self.goal.is_kept(worth) {
            let line = line(reviewer, after, MOST_SHOWN);
            return Some(Answer::Wrong { worth, line });
        }
        self.position = after;
        let Some(reply) = best(reviewer, &self.position) else {
            return Some(Answer::Solved { reply: None });
        };
        self.position.drop(reply).ok()?;
        let is_clear = match (self.goal, reviewer.look_ahead(&self.position)) {
            (_, None) => true,
            (Goal::Win, Some(_)) => false,
            (Goal::Hold, Some(Outlook { bins, .. })) => {
                bins.iter().all(|(_, worth)| self.goal.is_kept(*worth))
            }
        };
        Some(match is_clear {
            true => Answer::Solved { reply: Some(reply) },
            false => Answer::Right { reply },
        })
    }
}

/// The best drop, the nearest to the middle of several; none if the game is over.
fn best(reviewer: &mut Reviewer, position: &Position) -> Option<Bin> {
    let middle = i16::from(position.shape().bins() / 2);
    let best = reviewer.look_ahead(position)?.best_bins;
    best.into_iter()
        .min_by_key(|bin| (i16::from(bin.index()) - middle).abs())
}

/// The moves from a position on under perfect play, so many at most.
fn line(reviewer: &mut Reviewer, mut position: Position, most: usize) -> Vec<Bin> {
    let mut line = Vec::new();
    while line.len() < most && position.outcome().is_none() {
        let Some(bin) = best(reviewer, &position) else {
            break;
        };
        if position.drop(bin).is_err() {
            break;
        }
        line.push(bin);
    }
    // Only a line that shows a win is worth more than its first move.
    if !matches!(position.outcome(), Some(Outcome::Won(_))) {
        line.truncate(1);
    }
    line
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_puzzle_is_a_legal_position_with_a_legal_answer() {
        let mut seen = HashSet::new();
        let lines = TEXT.lines().skip(1).filter(|line| !line.contains(' '));
        assert_eq!(Puzzle::all().count(), lines.count());
        for puzzle in Puzzle::all() {
            let position = puzzle.position().unwrap();
            assert!((1..=GRADES).contains(&puzzle.grade), "{puzzle:?}");
            assert!(position.outcome().is_none(), "{puzzle:?}");
            assert!(position.legal_bins().any(|bin| bin == puzzle.answer));
            assert!(position.legal_bins().count() > 2, "{puzzle:?}");
            let text = position.to_string();
            let mirrored: Vec<String> = text
                .lines()
                .map(|row| row.chars().rev().collect())
                .collect();
            // Rows are written symmetrically but for spaces at their ends.
            let rows = |text: String| text.split_whitespace().collect::<String>();
            let (text, mirrored) = (rows(text), rows(mirrored.join("\n")));
            assert!(
                !seen.contains(&mirrored),
                "{puzzle:?} is the image of another"
            );
            assert!(seen.insert(text), "{puzzle:?} is there twice");
        }
        for grade in 1..=GRADES {
            assert!(Puzzle::all().any(|puzzle| puzzle.grade == grade), "{grade}");
        }
        assert_eq!(Puzzle::edition(), "1");
    }

    /// `scripts/make-puzzles --check 1` looks at all of them, with another solver, too.
    #[test]
    fn some_puzzles_have_the_one_answer_that_they_say() {
        let mut reviewer = Reviewer::default();
        let all: Vec<Puzzle> = Puzzle::all().collect();
        for puzzle in all.iter().step_by(all.len() / 40 + 1) {
            let outlook = reviewer.look_ahead(&puzzle.position().unwrap()).unwrap();
            let right: Vec<Bin> = outlook
                .bins
                .iter()
                .filter(|(_, worth)| puzzle.goal.is_kept(*worth))
                .map(|(bin, _)| *bin)
                .collect();
            assert_eq!(right, [puzzle.answer], "{puzzle:?}");
            match (puzzle.goal, outlook.worth) {
                (Goal::Win, worth) => assert_eq!(worth, Worth::WinsIn(puzzle.discs)),
                (Goal::Hold, worth) => assert_eq!(worth, Worth::Draw),
            }
        }
    }

    #[test]
    fn the_puzzles_of_a_week_get_harder() {
        // From Monday, 23 November 2026.
        let week: Vec<Puzzle> = (20_780..20_787)
            .map(|day| Puzzle::of_day(day).unwrap())
            .collect();
        let grades: Vec<u8> = week.iter().map(|puzzle| puzzle.grade).collect();
        assert_eq!(grades, [2, 2, 3, 3, 4, 4, 5]);
        let mut days: Vec<usize> = (20_780..21_145)
            .map(|day| Puzzle::of_day(day).unwrap().number)
            .collect();
        days.sort_unstable();
        days.dedup();
        let enough = Puzzle::all().count() > 2_000;
        assert!(
            !enough || days.len() == 365,
            "{} puzzles in a year",
            days.len()
        );
    }

    /// Plays the best bins of a task, and counts the player's discs.
    fn play(task: &mut Task, reviewer: &mut Reviewer) -> u8 {
        for discs in 1.. {
            let bin = best(reviewer, task.position()).unwrap();
            match task.answer(reviewer, bin).unwrap() {
                Answer::Right { .. } => {}
                Answer::Solved { .. } => return discs,
                Answer::Wrong { .. } => panic!("{}", task.position()),
            }
        }
        0
    }

    #[test]
    fn a_win_is_played_to_its_line_and_a_draw_until_nothing_can_go_wrong() {
        let mut reviewer = Reviewer::default();
        for grade in 1..=GRADES {
            for goal in [Goal::Win, Goal::Hold] {
                // Late ones, which are solved fast.
                let found = Puzzle::all()
                    .filter(|puzzle| puzzle.grade == grade && puzzle.goal == goal)
                    .max_by_key(|puzzle| puzzle.moves.len());
                let Some(puzzle) = found else { continue };
                let mut task = Task::new(puzzle.position().unwrap(), goal);
                let discs = play(&mut task, &mut reviewer);
                match goal {
                    Goal::Win => {
                        assert_eq!(discs, puzzle.discs, "{puzzle:?}");
                        assert!(task.position().outcome().is_some());
                    }
                    Goal::Hold => {
                        let all = reviewer.look_ahead(task.position());
                        let all = all.map(|outlook| outlook.bins).unwrap_or_default();
                        assert!(all.iter().all(|(_, worth)| goal.is_kept(*worth)));
                    }
                }
            }
        }
    }

    #[test]
    fn a_wrong_drop_is_refuted_and_not_made() {
        let mut reviewer = Reviewer::default();
        // Red has three in the lowest row, which blue has to stop.
        let position = Position::from_moves(Shape::STANDARD, "11223").unwrap();
        let mut task = Task::new(position, Goal::Hold);
        let Some(Answer::Wrong { worth, line }) = task.answer(&mut reviewer, Bin::new(0)) else {
            panic!("red wins");
        };
        assert_eq!((worth, line), (Worth::LosesIn(1), vec![Bin::new(3)]));
        assert_eq!(*task.position(), position);
        assert_eq!(task.answer(&mut reviewer, Bin::new(7)), None);
        let verdict = reviewer.look_at(&position, Bin::new(0)).unwrap();
        let task = Task::of_fault(position, &verdict);
        assert_eq!(
            task.map(|task| task.goal()),
            match verdict.best {
                Worth::Draw => Some(Goal::Hold),
                Worth::WinsIn(_) => Some(Goal::Win),
                _ => None,
            }
        );
    }
}
