//! Options of `puzzle`.

use std::path::PathBuf;

use clap::Args;
use connect4_client::GameId;
use connect4_opponent::puzzle::GRADES;

use crate::puzzles::Day;

#[derive(Args, Debug, Clone)]
pub struct Puzzle {
    /// The positions in which a win or a draw was given away in the games of this file, with exported games or one
    /// that the program has kept; `-` is standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["grade", "number", "day", "game", "list"])]
    pub file: Option<PathBuf>,
    /// The next puzzle of this grade that you have not solved: 1, the easiest, to 5
    #[arg(long, value_name = "GRADE", value_parser = clap::value_parser!(u8).range(1..=i64::from(GRADES)))]
    pub grade: Option<u8>,
    /// The puzzle with this number
    #[arg(long, value_name = "NUMBER", conflicts_with = "grade")]
    pub number: Option<usize>,
    /// The puzzle of this day, such as 2026-11-24, in UTC [default: today]
    #[arg(long, value_name = "DATE", conflicts_with_all = ["grade", "number"])]
    pub day: Option<Day>,
    /// The positions of this game in which a win or a draw was given away, on the standard board: 3
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["grade", "number", "day"])]
    pub game: Option<GameId>,
    /// List the grades and the daily puzzle with what you have solved, and end
    #[arg(long, conflicts_with_all = ["grade", "number", "day", "game"])]
    pub list: bool,
}
