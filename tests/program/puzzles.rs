//! Puzzles at the terminal.

use std::path::Path;

use tempfile::TempDir;

use crate::run::run;

fn puzzle(folder: &Path, options: &str, input: &str) -> crate::run::Ended {
    let data = folder.to_str().expect("text");
    let arguments = ["puzzle", "--data", data].into_iter();
    run(
        &arguments
            .chain(options.split_whitespace())
            .collect::<Vec<_>>(),
        input,
    )
}

#[test]
fn a_puzzle_is_solved_with_hints_and_is_remembered() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let asked = puzzle(folder, "--grade 1 --json", "hint\nhint\nquit\n")
        .expect(0)
        .json();
    let hints: Vec<_> = asked
        .iter()
        .filter(|line| line["puzzle"] == "hint")
        .collect();
    assert_eq!(hints[0]["bins"].as_array().map(Vec::len), Some(2));
    let bin = hints[1]["bins"][0].as_u64().expect("a bin");
    let number = asked[0]["number"].as_u64().expect("a number");
    // The first of the file is a draw that is held.
    // What is typed counts from 1.
    let bin = bin + 1;
    let wrong = (1..=7).find(|other| *other != bin).expect("another bin");
    let input = format!("{wrong}\n9\n0\n{bin}\nquit\n");
    let ended = puzzle(folder, &format!("--number {number} --json"), &input).expect(0);
    let lines = ended.json();
    assert_eq!(lines[1]["puzzle"], "wrong", "{}", ended.out);
    assert!(
        lines.iter().any(|line| line["puzzle"] == "right"),
        "{}",
        ended.out
    );
    assert!(!folder.join("puzzles.json").exists() || ended.out.contains("solved"));
}

#[test]
fn a_daily_puzzle_is_the_same_for_everybody() {
    let folders = [(); 2].map(|()| TempDir::new().expect("a folder"));
    let [first, second] = folders.map(|folder| {
        puzzle(folder.path(), "--day 2026-11-24", "quit\n")
            .expect(0)
            .out
    });
    assert_eq!(first, second);
    assert!(first.contains(", grade 2, of 2026-11-24: "), "{first}");
}

#[test]
fn the_list_names_grades_and_the_streak() {
    let folder = TempDir::new().expect("a folder");
    let list = puzzle(folder.path(), "--list", "").expect(0);
    assert_eq!(list.out.lines().count(), 6, "{}", list.out);
    assert!(list.out.starts_with("grade 1: 0 of "), "{}", list.out);
    assert!(list.out.contains("; streak 0, longest 0"), "{}", list.out);
    let none = puzzle(folder.path(), "--number 999999", "").expect(2);
    assert!(none.err.contains("numbers from 1 to "), "{}", none.err);
    puzzle(folder.path(), "--day 2026-13-01", "").expect(2);
    puzzle(folder.path(), "", "").expect(4);
    // A damaged file is left as it is, and said to be what it is.
    std::fs::write(folder.path().join("puzzles.json"), "{").expect("a file");
    let damaged = puzzle(folder.path(), "--list", "").expect(1);
    assert!(
        damaged.err.contains("the puzzles that you have solved"),
        "{}",
        damaged.err
    );
}

#[test]
fn what_was_given_away_in_games_of_a_file_is_played_again() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("games.txt");
    let game = "[Connect4 \"1\"]\n[Terms \"7x6, line 4\"]\n\n4 4 3 3 *\n";
    std::fs::write(&file, game.repeat(2)).expect("a file");
    let file = file.to_str().expect("text");
    // Red drops into bin 4 in place of 5, and blue lets red have three in the bottom row with both ends open.
    let asked = puzzle(folder.path(), &format!("{file} --json"), "4\nquit\n").expect(0);
    let lines = asked.json();
    assert_eq!(
        (&lines[0]["puzzle"], &lines[0]["moves"]),
        (&"asked".into(), &"44".into())
    );
    assert_eq!(lines[1]["puzzle"], "right", "{}", asked.out);
    puzzle(folder.path(), "missing.txt", "").expect(1);
}
