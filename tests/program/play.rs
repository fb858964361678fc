//! `play` at one terminal: boards, questions, refused answers, series, `--json`.

use serde_json::Value;
use tempfile::TempDir;

use crate::board::{CLASSROOM, answers, classroom, picture};
use crate::run::run;

#[test]
fn the_nine_classroom_sequences_end_as_the_table_says() {
    type Case<'a> = (&'a str, &'a [usize], Option<&'a str>, &'a [(usize, usize)]);
    let cases: [Case; 9] = [
        (
            "1",
            &[5, 0, 4, 0, 3, 0, 2],
            Some("winner: red"),
            &[(2, 0), (3, 0), (4, 0), (5, 0)],
        ),
        ("2", &[5, 0, 4, 0, 3, 0], None, &[]),
        (
            "3",
            &[0, 1, 0, 1, 0, 1, 3, 1],
            Some("winner: blue"),
            &[(1, 0), (1, 1), (1, 2), (1, 3)],
        ),
        ("4", &[0, 1, 0, 1, 0, 1], None, &[]),
        (
            "5",
            &[0, 1, 1, 2, 3, 2, 2, 3, 3, 4, 3],
            Some("winner: red"),
            &[(0, 0), (1, 1), (2, 2), (3, 3)],
        ),
        (
            "6",
            &[0, 1, 2, 3, 0, 2, 0, 0, 1, 1],
            Some("winner: blue"),
            &[(0, 3), (1, 2), (2, 1), (3, 0)],
        ),
        (
            "7",
            &[
                0, 1, 0, 2, 0, 0, 3, 1, 2, 1, 1, 2, 3, 3, 5, 3, 5, 5, 4, 4, 4, 5, 4, 2,
            ],
            Some("a tie"),
            &[],
        ),
        (
            "8",
            &[0, 1, 0, 2, 1, 3, 0, 4],
            Some("winner: blue"),
            &[(1, 0), (2, 0), (3, 0), (4, 0)],
        ),
        (
            "9",
            &[1, 0, 1, 2, 1, 3, 1],
            Some("winner: red"),
            &[(1, 0), (1, 1), (1, 2), (1, 3)],
        ),
    ];
    for (case, drops, end, winning) in cases {
        println!("case {case}");
        let ended = classroom(&answers(drops));
        println!("{}", ended.out);
        for taken in 0..drops.len() {
            let before = picture(6, 4, &drops[..taken], &[]);
            assert!(ended.out.contains(&before), "after {taken}:\n{before}");
        }
        assert!(ended.out.contains(&picture(6, 4, drops, winning)));
        match end {
            Some(end) => {
                assert_eq!(ended.out.lines().last(), Some(end));
                ended.expect(0);
            }
            None => {
                assert!(!ended.out.contains("winner") && !ended.out.contains("a tie"));
                let ended = ended.expect(4);
                assert!(
                    ended
                        .err
                        .contains("the input ended in the middle of the game")
                );
            }
        }
    }
}

#[test]
fn a_board_has_the_requested_size_or_the_smallest_allowed() {
    println!("case A");
    let ended = classroom("").expect(4);
    assert!(
        ended.out.contains(&picture(6, 4, &[], &[])),
        "{}",
        ended.out
    );
    println!("case B");
    let ended = run(&["play", "--tmp", "--bins", "7", "--capacity", "5"], "").expect(4);
    assert!(
        ended.out.contains(&picture(7, 5, &[], &[])),
        "{}",
        ended.out
    );
    println!("case C");
    let ended = run(&["play", "--tmp", "--bins", "5", "--capacity", "1"], "").expect(4);
    assert!(
        ended.out.contains("capacity raised from 1 to 4"),
        "{}",
        ended.out
    );
    assert!(!ended.out.contains("bins raised"));
    assert!(
        ended.out.contains(&picture(5, 4, &[], &[])),
        "{}",
        ended.out
    );
    println!("the standard board");
    let ended = run(&["play", "--tmp"], "").expect(4);
    assert!(
        ended.out.contains(&picture(7, 6, &[], &[])),
        "{}",
        ended.out
    );
    println!("no command");
    let folder = TempDir::new().unwrap();
    let ended = run(&["--data", folder.path().to_str().unwrap()], "").expect(4);
    assert!(
        ended.out.contains(&picture(7, 6, &[], &[])),
        "{}",
        ended.out
    );
}

#[test]
fn a_bad_bin_is_reported_and_asked_for_again() {
    println!("case G");
    let ended = classroom("-1\n7\n0\n-2\n10\n1\n").expect(4);
    let invalid = "invalid bin index, needs to be in [0, 6)\n";
    assert_eq!(ended.out.matches(invalid).count(), 4, "{}", ended.out);
    assert!(ended.out.contains(&picture(6, 4, &[0, 1], &[])));
    // Six answers, then the question at which the input ended.
    assert_eq!(
        ended
            .out
            .matches("Enter a bin index (starting from 0): ")
            .count(),
        7
    );
    // A turn is announced once, however many answers are refused.
    for disc in ["1, player: red", "2, player: blue", "3, player: red"] {
        assert_eq!(
            ended.out.matches(&format!("add shape: {disc}\n")).count(),
            1
        );
    }

    println!("case H");
    let ended = classroom("0\n0\n0\n0\n0\n1\n").expect(4);
    assert_eq!(
        ended.out.matches("the bin is full\n").count(),
        1,
        "{}",
        ended.out
    );
    assert!(ended.out.contains(&picture(6, 4, &[0, 0, 0, 0, 1], &[])));

    println!("other answers");
    let ended = classroom("\nsix\n1.5\n999999999999999999999\n\u{1b}[2J\n 5 \r\n").expect(4);
    assert!(
        ended.out.contains("empty answer, a bin index is needed\n"),
        "{}",
        ended.out
    );
    assert!(ended.out.contains("`six` is not a number\n"));
    assert!(ended.out.contains("`1.5` is not a number\n"));
    assert_eq!(ended.out.matches(invalid).count(), 1);
    assert!(!ended.out.contains('\u{1b}'));
    assert!(ended.out.contains(&picture(6, 4, &[5], &[])));
}

#[test]
fn each_move_shows_its_transaction_and_fee() {
    let ended = classroom("5\n0\n").expect(4);
    for text in [
        "red into bin 5, row 0: block ",
        "blue into bin 0, row 0: block ",
    ] {
        let line = ended.out.lines().find(|line| line.contains(text)).unwrap();
        assert!(
            line.contains(", transaction 0x") && line.contains(", fee 0."),
            "{line}"
        );
    }
}

#[test]
fn a_series_is_played_at_one_terminal() {
    let won = answers(&[5, 0, 4, 0, 3, 0, 2]);
    let tied = answers(&[
        0, 1, 0, 2, 0, 0, 3, 1, 2, 1, 1, 2, 3, 3, 5, 3, 5, 5, 4, 4, 4, 5, 4, 2,
    ]);
    let input = format!("{won}y\n{tied}yes\n5\nresign\nno\n");
    let arguments = [&CLASSROOM[..], &["--tmp", "--series"]].concat();
    let ended = run(&arguments, &input).expect(0);
    let games: Vec<&str> = ended.out.split("Connect Four 6x4").skip(1).collect();
    assert_eq!(games.len(), 3, "{}", ended.out);
    // The loser moves first in the next game, after a draw the player who has moved second.
    for (game, red) in games.iter().zip(["alice", "bob", "alice"]) {
        assert!(game.contains(&format!("red: {red} (")), "{game}");
    }
    let ends = ["winner: red\n", "a tie\n", "winner: red by resignation\n"];
    for (game, end) in games.iter().zip(ends) {
        assert!(game.contains(end), "{game}");
    }
}

#[test]
fn a_player_resigns_at_the_terminal() {
    let ended = classroom("help\n5\nresign\n").expect(0);
    assert!(
        ended.out.contains("resign gives the game up"),
        "{}",
        ended.out
    );
    assert_eq!(ended.out.lines().last(), Some("winner: red by resignation"));
}

#[test]
fn play_prints_json_lines() {
    let arguments = [&CLASSROOM[..], &["--tmp", "--json"]].concat();
    let events = run(&arguments, "5\nx\n0\n4\n0\n3\n0\n2\n").expect(0).json();
    let named = |name: &str| events.iter().filter(|event| event["event"] == name).count();
    assert_eq!((named("game"), named("dropped")), (1, 7));
    assert_eq!((named("refused"), named("ended")), (1, 1));
    assert_eq!(events.last().unwrap()["winner"], "red");
    let ended = run(&arguments, "").expect(4);
    let error: Value = serde_json::from_str(ended.err.trim()).unwrap();
    assert_eq!(error["status"], 4);
}
