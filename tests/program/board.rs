//! The expected board, drawn without the rules, and games on the classroom board.

use crate::run::{Ended, run};

/// The board after these drops, red first, drawn without the rules: discs pile up.
pub fn picture(
    bins: usize,
    capacity: usize,
    drops: &[usize],
    winning: &[(usize, usize)],
) -> String {
    numbered(0, bins, capacity, drops, winning)
}

/// The same with bins that are counted from 1, as all but the question of `play` counts them.
pub fn picture_from_one(
    bins: usize,
    capacity: usize,
    drops: &[usize],
    winning: &[(usize, usize)],
) -> String {
    numbered(1, bins, capacity, drops, winning)
}

fn numbered(
    first: usize,
    bins: usize,
    capacity: usize,
    drops: &[usize],
    winning: &[(usize, usize)],
) -> String {
    let mut piles = vec![Vec::new(); bins];
    for (turn, &bin) in drops.iter().enumerate() {
        piles[bin].push(turn % 2 == 0);
    }
    let rule = format!("+{}\n", "---+".repeat(bins));
    let mut text = String::new();
    for row in (0..capacity).rev() {
        text.push_str(&rule);
        text.push('|');
        for (bin, pile) in piles.iter().enumerate() {
            let disc = match (pile.get(row), winning.contains(&(bin, row))) {
                (None, _) => ' ',
                (Some(true), false) => '●',
                (Some(true), true) => '◎',
                (Some(false), false) => '⬟',
                (Some(false), true) => '⬠',
            };
            text.push_str(&format!(" {disc} |"));
        }
        text.push('\n');
    }
    text.push_str(&rule);
    for bin in 0..bins {
        let number = bin + first;
        text.push_str(&if bin == 0 {
            format!("{number:>3}")
        } else {
            format!("{number:>4}")
        });
    }
    text + "\n"
}

/// The answers at a terminal that make these drops.
pub fn answers(drops: &[usize]) -> String {
    drops.iter().map(|bin| format!("{bin}\n")).collect()
}

/// `play` on a classroom board, 6 bins of 4.
pub const CLASSROOM: [&str; 5] = ["play", "--bins", "6", "--capacity", "4"];

/// Plays with this input on a classroom board, on a chain in memory.
pub fn classroom(input: &str) -> Ended {
    run(&[&CLASSROOM[..], &["--tmp"]].concat(), input)
}
