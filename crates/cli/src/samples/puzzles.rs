//! What `puzzle` prints.

use connect4_wire::{Goal, PuzzleReport};

/// One of each.
pub fn reports() -> Vec<PuzzleReport> {
    let asked = PuzzleReport::Asked {
        number: Some(12),
        grade: Some(3),
        day: Some("2026-11-24".into()),
        goal: Goal::Win,
        moves: "11223".into(),
        to_move: connect4_rules::variant::Colour::Blue,
    };
    let wrong = |worth, line| PuzzleReport::Wrong {
        bin: 6,
        worth,
        line,
    };
    vec![
        asked,
        PuzzleReport::Asked {
            number: None,
            grade: None,
            day: None,
            goal: Goal::Hold,
            moves: "11223".into(),
            to_move: connect4_rules::variant::Colour::Blue,
        },
        PuzzleReport::Hint { bins: vec![2, 3] },
        PuzzleReport::Hint { bins: vec![3] },
        PuzzleReport::Right {
            bin: 3,
            reply: Some(0),
        },
        PuzzleReport::Right {
            bin: 3,
            reply: None,
        },
        wrong(connect4_wire::Worth::LosesIn(2), vec![3, 0, 4]),
        wrong(connect4_wire::Worth::Draw, vec![3]),
        PuzzleReport::Solved {
            clean: true,
            streak: 2,
        },
        PuzzleReport::Solved {
            clean: false,
            streak: 0,
        },
        PuzzleReport::Grade {
            grade: 2,
            count: 700,
            solved: 3,
            next: Some(154),
        },
        PuzzleReport::Daily {
            day: "2026-11-24".into(),
            number: Some(12),
            solved: true,
            streak: 2,
            best: 5,
        },
    ]
}
