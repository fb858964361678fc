//! `puzzle`: positions to solve.

use std::path::Path;

use connect4_opponent::puzzle::{Answer, GRADES, Goal, Task};
use connect4_opponent::{Puzzle, Reviewer};
use connect4_rules::{Bin, Position, Shape, notation};
use connect4_wire::PuzzleReport;

use super::review::drops;
use crate::args::{self, Global};
use crate::failure::Failure;
use crate::input;
use crate::live::Bins;
use crate::lookup;
use crate::output::Output;
use crate::place::Place;
use crate::play::turn::Typed;
use crate::puzzles::{Day, Solved};
use crate::said::Said;
use crate::session::Session;
use crate::written;

/// What is typed for an answer.
const QUESTION: &str = "bin, from 1 at the left, hint or quit: ";

/// Asks the puzzles that the command line names.
pub async fn puzzle(global: &Global, args: &args::Puzzle, out: &mut Output) -> Result<(), Failure> {
    let folder = Place::of(global, false)?.own_folder(global);
    let mut solved = Solved::read(folder.as_deref())?;
    let today = Day::today();
    if args.list {
        return list(&solved, today, out);
    }
    let tasks = match (&args.file, args.game) {
        (Some(file), _) => Some(mistakes_in(file, out).await?),
        (None, Some(id)) => Some((mistakes(global, id, out).await?, 0)),
        (None, None) => None,
    };
    if let Some((tasks, bad)) = tasks {
        if tasks.is_empty() {
            out.say(Said::Notice(
                "nobody gave away a win or a draw in this game",
            ))?;
        }
        let mut solving = Solving::begin(out);
        for (moves, task) in tasks {
            let asked = asked(None, None, task.goal(), task.position(), moves);
            match solving.solve(task, None, asked, out).await? {
                Some(clean) => say(out, PuzzleReport::Solved { clean, streak: 0 })?,
                None => break,
            }
        }
        return written::passed_over(bad, "game");
    }
    let day = match (args.grade, args.number) {
        (None, None) => Some(args.day.unwrap_or(today)),
        _ => None,
    };
    let found = match (args.grade, args.number, day) {
        (Some(grade), ..) => next(&solved, grade),
        (_, Some(number), _) => Puzzle::all().nth(number.wrapping_sub(1)),
        (.., day) => day.and_then(|Day(day)| Puzzle::of_day(day)),
    };
    let puzzle = found.ok_or_else(|| {
        let count = Puzzle::all().count();
        Failure::Usage(format!(
            "there is no such puzzle: they have the numbers from 1 to {count}"
        ))
    })?;
    let position = puzzle
        .position()
        .map_err(|error| Failure::Other(error.to_string()))?;
    let asked = asked(
        Some(&puzzle),
        day,
        puzzle.goal,
        &position,
        puzzle.moves.into(),
    );
    let task = Task::new(position, puzzle.goal);
    let mut solving = Solving::begin(out);
    let Some(clean) = solving.solve(task, Some(puzzle.answer), asked, out).await? else {
        return Ok(());
    };
    solved.solve(puzzle.number, day, today);
    solved.write(folder.as_deref())?;
    let streak = match day {
        Some(_) => solved.streak(today),
        None => 0,
    };
    say(out, PuzzleReport::Solved { clean, streak })
}

/// The first puzzle of a grade that was not solved, else the first one.
fn next(solved: &Solved, grade: u8) -> Option<Puzzle> {
    let of_grade = || Puzzle::all().filter(move |puzzle| puzzle.grade == grade);
    of_grade()
        .find(|puzzle| !solved.has(puzzle.number))
        .or_else(|| of_grade().next())
}

fn list(solved: &Solved, today: Day, out: &mut Output) -> Result<(), Failure> {
    for grade in 1..=GRADES {
        let of_grade = || Puzzle::all().filter(move |puzzle| puzzle.grade == grade);
        say(
            out,
            PuzzleReport::Grade {
                grade,
                count: of_grade().count(),
                solved: of_grade()
                    .filter(|puzzle| solved.has(puzzle.number))
                    .count(),
                next: next(solved, grade).map(|puzzle| puzzle.number),
            },
        )?;
    }
    let number = Puzzle::of_day(today.0).map(|puzzle| puzzle.number);
    say(
        out,
        PuzzleReport::Daily {
            day: today.to_string(),
            number,
            solved: number.is_some_and(|number| solved.has(number)),
            streak: solved.streak(today),
            best: solved.best(),
        },
    )
}

/// The positions of a game in which a win or a draw was given away, with the moves before them.
async fn mistakes(
    global: &Global,
    id: connect4_client::GameId,
    out: &mut Output,
) -> Result<Vec<(String, Task)>, Failure> {
    let named = lookup::classic(id, "its moves cannot be reviewed")?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, None).await?;
    let id = lookup::named(&contract, Some(named)).await?;
    let progress = out.progress();
    progress.say("looking for the game's blocks");
    let history = contract.history(id, 0).await?;
    let game = connect4_client::replay(&history)?;
    progress.clear();
    let moves = connect4_client::drops(&connect4_client::moves(&history));
    given_away(game.shape(), moves, out).await
}

/// The same of the games of two players in a file, and how many games of it cannot be read.
async fn mistakes_in(
    file: &Path,
    out: &mut Output,
) -> Result<(Vec<(String, Task)>, usize), Failure> {
    let (games, bad) = written::read_good(file, out)?;
    let mut tasks = Vec::new();
    for found in games {
        if let Some(moves) = drops(&found.record) {
            tasks.extend(given_away(found.record.terms.shape(), moves, out).await?);
        }
    }
    Ok((tasks, bad))
}

/// The same of a game of these drops.
async fn given_away(
    shape: Shape,
    moves: Vec<Bin>,
    out: &Output,
) -> Result<Vec<(String, Task)>, Failure> {
    let progress = out.progress();
    progress.say("thinking");
    let found = tokio::task::spawn_blocking(move || {
        let mut reviewer = Reviewer::default();
        let mut position = Position::new(shape);
        let mut tasks = Vec::new();
        for (turn, bin) in moves.iter().enumerate() {
            let verdict = reviewer.look_at(&position, *bin);
            let task = verdict.and_then(|verdict| Task::of_fault(position, &verdict));
            let before = notation::write(moves.iter().take(turn).copied()).to_string();
            tasks.extend(task.map(|task| (before, task)));
            if position.drop(*bin).is_err() {
                break;
            }
        }
        tasks
    });
    let found = found.await.map_err(failed)?;
    progress.clear();
    Ok(found)
}

fn asked(
    puzzle: Option<&Puzzle>,
    day: Option<Day>,
    goal: Goal,
    position: &Position,
    moves: String,
) -> PuzzleReport {
    PuzzleReport::Asked {
        number: puzzle.map(|puzzle| puzzle.number),
        grade: puzzle.map(|puzzle| puzzle.grade),
        day: day.map(|day| day.to_string()),
        goal: goal.into(),
        moves,
        to_move: position.to_move().into(),
    }
}

/// The player at this terminal, and the opponent.
struct Solving {
    typed: Typed,
    reviewer: Reviewer,
}

impl Solving {
    fn begin(out: &Output) -> Self {
        Self {
            typed: Typed::begin(out),
            reviewer: Reviewer::default(),
        }
    }

    /// Asks a position until it is solved. Returns whether it was without a wrong drop and a hint; none if
    /// the player has left it.
    async fn solve(
        &mut self,
        mut task: Task,
        mut answer: Option<Bin>,
        asked: PuzzleReport,
        out: &mut Output,
    ) -> Result<Option<bool>, Failure> {
        say(out, asked)?;
        let (mut clean, mut hints) = (true, 0);
        out.say(Said::Board((*task.position()).into()))?;
        loop {
            let count = task.position().shape().bins();
            out.ask_bin(QUESTION, Bins { count, first: 1 })?;
            let Some(line) = self.typed.next().await? else {
                return Err(Failure::unfinished());
            };
            out.answered(&line)?;
            match line.trim() {
                "quit" | "q" => return Ok(None),
                "hint" | "h" => {
                    clean = false;
                    hints += 1;
                    let bins = self.hint(&task, answer, hints).await?;
                    say(out, PuzzleReport::Hint { bins })?;
                    continue;
                }
                _ => {}
            }
            let bin = match input::bin_from_one(&line, task.position()) {
                Ok(bin) => bin,
                Err(reason) => {
                    out.say(Said::Notice(&reason))?;
                    continue;
                }
            };
            let reply = self.thinking(out, move |reviewer| {
                let mut task = task;
                (task.answer(reviewer, bin), task)
            });
            let (reacted, after) = reply.await?;
            let is_over = matches!(reacted, Some(Answer::Solved { .. }));
            match reacted {
                None => continue,
                Some(Answer::Wrong { worth, line }) => {
                    clean = false;
                    let line = line.iter().map(|bin| bin.index()).collect();
                    let (bin, worth) = (bin.index(), worth.into());
                    say(out, PuzzleReport::Wrong { bin, worth, line })?;
                    continue;
                }
                Some(Answer::Right { reply }) => right(out, bin, Some(reply))?,
                Some(Answer::Solved { reply }) => right(out, bin, reply)?,
            }
            (task, answer, hints) = (after, None, 0);
            out.say(Said::Board((*task.position()).into()))?;
            if is_over {
                return Ok(Some(clean));
            }
        }
    }

    /// The first hint names two bins, the next ones the right one.
    async fn hint(
        &mut self,
        task: &Task,
        answer: Option<Bin>,
        hints: u32,
    ) -> Result<Vec<u8>, Failure> {
        let position = *task.position();
        let best = match answer {
            Some(answer) => Some(answer),
            None => {
                let outlook = self.think(move |reviewer| reviewer.look_ahead(&position));
                outlook
                    .await?
                    .and_then(|outlook| outlook.best_bins.first().copied())
            }
        };
        let Some(best) = best else {
            return Ok(Vec::new());
        };
        let mut bins = vec![best.index()];
        if hints == 1 {
            let legal: Vec<Bin> = position.legal_bins().filter(|bin| *bin != best).collect();
            // Any, but always the same one.
            let other = legal.get(usize::from(position.plies()) % legal.len().max(1));
            bins.extend(other.map(|bin| bin.index()));
            bins.sort_unstable();
        }
        Ok(bins)
    }

    async fn thinking<T: Send + 'static>(
        &mut self,
        out: &Output,
        look: impl FnOnce(&mut Reviewer) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let progress = out.progress();
        progress.say("thinking");
        let seen = self.think(look).await;
        progress.clear();
        seen
    }

    async fn think<T: Send + 'static>(
        &mut self,
        look: impl FnOnce(&mut Reviewer) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let mut reviewer = std::mem::take(&mut self.reviewer);
        let thought = tokio::task::spawn_blocking(move || {
            let seen = look(&mut reviewer);
            (reviewer, seen)
        });
        let (reviewer, seen) = thought.await.map_err(failed)?;
        self.reviewer = reviewer;
        Ok(seen)
    }
}

fn right(out: &mut Output, bin: Bin, reply: Option<Bin>) -> Result<(), Failure> {
    let (bin, reply) = (bin.index(), reply.map(Bin::index));
    say(out, PuzzleReport::Right { bin, reply })
}

fn say(out: &mut Output, report: PuzzleReport) -> Result<(), Failure> {
    out.say(Said::Puzzle(&report))
}

fn failed(error: tokio::task::JoinError) -> Failure {
    Failure::Other(format!("the search failed: {error}"))
}
