//! Words about puzzles.

use connect4_wire::{Goal, PuzzleReport};

use super::text::Text;
use crate::game::Numbering;
use crate::words::coloured;

/// What `puzzle` asks and what came of it.
pub fn puzzle(text: &mut Text<'_>, report: &PuzzleReport) {
    match report {
        PuzzleReport::Asked {
            number,
            grade,
            day,
            goal,
            to_move,
            moves,
        } => {
            let which = match (number, grade) {
                (Some(number), Some(grade)) => format!("puzzle {number}, grade {grade}"),
                _ => format!("after {} moves", moves.len()),
            };
            let day = day.as_ref().map(|day| format!(", of {day}"));
            let name = coloured(*to_move, *to_move, true);
            let goal = match goal {
                Goal::Win => "moves and wins",
                Goal::Hold => "moves and holds a draw: all other bins lose",
            };
            text.line(format!("{which}{}: {name} {goal}", day.unwrap_or_default()));
        }
        PuzzleReport::Hint { bins } => text.line(format!("hint: bin {}", joined(bins, " or "))),
        PuzzleReport::Right { bin, reply } => {
            let reply = reply.map(|reply| format!("; the reply is bin {}", from_one(reply)));
            let reply = reply.unwrap_or_default();
            text.line(format!("bin {} is right{reply}", from_one(*bin)));
        }
        PuzzleReport::Wrong { bin, worth, line } => {
            let worth = match worth {
                connect4_wire::Worth::LosesIn(_) => "loses",
                _ => "is only a draw",
            };
            let answer = match line.as_slice() {
                [] => String::new(),
                [reply] => format!(" to bin {}", from_one(*reply)),
                line => format!(" to {}", joined(line, ", ")),
            };
            text.line(format!(
                "bin {} {worth}{answer}. Try another",
                from_one(*bin)
            ));
        }
        PuzzleReport::Solved { clean, streak } => {
            let how = match clean {
                true => "solved at the first try",
                false => "solved",
            };
            text.line(match streak {
                0 => how.into(),
                1 => format!("{how}; the first day of a streak"),
                days => format!("{how}; {days} days in succession"),
            });
        }
        PuzzleReport::Grade {
            grade,
            count,
            solved,
            next,
        } => {
            let next = next.map(|next| format!(", the next is {next}"));
            text.line(format!(
                "grade {grade}: {solved} of {count} solved{}",
                next.unwrap_or_default()
            ));
        }
        PuzzleReport::Daily {
            day,
            number,
            solved,
            streak,
            best,
        } => {
            let number = number.map_or_else(|| "none".into(), |number| number.to_string());
            let solved = if *solved { ", solved" } else { "" };
            text.line(format!(
                "daily puzzle of {day}: {number}{solved}; streak {streak}, longest {best}"
            ));
        }
    }
}

fn joined(bins: &[u8], by: &str) -> String {
    let bins = bins.iter().map(|bin| from_one(*bin).to_string());
    bins.collect::<Vec<_>>().join(by)
}

fn from_one(bin: u8) -> u16 {
    Numbering::One.of(bin)
}
