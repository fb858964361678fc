//! Computer opponents, and the review of a game.

use tempfile::TempDir;

use crate::board::answers;
use crate::run::run;

#[test]
fn the_computer_plays_with_an_account_of_its_own() {
    // Red, who moves first, wins on the standard board against any play, without a refused move.
    let anywhere: String = (0..100).map(|turn| format!("{}\n", turn % 7)).collect();
    let arguments = [
        "play",
        "--tmp",
        "--against",
        "perfect",
        "--seat",
        "blue",
        "--blue",
        "eve",
    ];
    let ended = run(&arguments, &anywhere).expect(0);
    assert!(
        ended.out.contains("the computer plays red: perfect"),
        "{}",
        ended.out
    );
    assert!(ended.out.contains("red: alice") && ended.out.contains("blue: eve"));
    assert_eq!(
        ended.out.lines().last(),
        Some("winner: red"),
        "{}",
        ended.out
    );
    assert!(!ended.out.contains("the contract refused"), "{}", ended.out);
}

#[test]
fn a_game_against_the_computer_is_resumed() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    let shape = [
        "--bins",
        "9",
        "--capacity",
        "5",
        "--line",
        "5",
        "--data",
        data,
    ];
    let left = run(
        &[&["play", "--against", "easy"], &shape[..]].concat(),
        "4\n",
    )
    .expect(4);
    assert!(
        left.err.contains("--seat red --against easy"),
        "{}",
        left.err
    );
    assert_eq!(left.out.matches(" into bin ").count(), 2, "{}", left.out);
    let on = [
        "play",
        "--game",
        "0",
        "--seat",
        "red",
        "--against",
        "random",
        "--data",
        data,
    ];
    let on = run(&on, "4\nresign\n").expect(0);
    assert_eq!(on.out.lines().last(), Some("winner: blue by resignation"));

    let none = run(&["play", "--tmp", "--against", "champion"], "").expect(2);
    assert!(none.err.contains("use one of random, easy"), "{}", none.err);
}

#[test]
fn a_review_shows_the_losing_move() {
    let folder = TempDir::new().unwrap();
    let data = ["--data", folder.path().to_str().unwrap()];
    // Red builds a column in the middle bin, and blue does not stop it.
    run(
        &[&["play"], &data[..]].concat(),
        &answers(&[3, 0, 3, 0, 3, 0, 3]),
    )
    .expect(0);
    let review = run(&[&["review"], &data[..]].concat(), "").expect(0);
    let lines: Vec<&str> = review.out.lines().collect();
    assert_eq!(lines.len(), 7, "{}", review.out);
    assert_eq!(lines[0], "  0  red into bin 4: wins in 21");
    assert!(
        lines[5].starts_with("  5  blue into bin 1: loses in 1 ? bin 4: loses in "),
        "{}",
        lines[5]
    );
    assert_eq!(lines[6], "  6  red into bin 4: wins");
    let json = run(&[&["review", "--json"], &data[..]].concat(), "")
        .expect(0)
        .json();
    assert_eq!(json[5]["made"]["loses_in"], 1);
    assert_eq!(json[5]["best_bins"], serde_json::json!([3]));
}

/// Late positions and their scores.
const SOLVED: [(&str, i8); 4] = [
    ("2252576253462244111563365343671351441", -1),
    ("7422341735647741166133573473242566", 1),
    ("23163416124767223154467471272416755633", 0),
    ("65214673556155731566316327373221417", -1),
];

#[test]
fn positions_are_evaluated_one_a_line() {
    let lines: Vec<String> = SOLVED
        .iter()
        .map(|(moves, _)| format!("{moves}\n"))
        .collect();
    let evaluated = run(&["evaluate"], &lines.concat()).expect(0);
    let scores = |text: &str| {
        let words = |line: &str| {
            let mut words = line.split(' ');
            let moves = words.next().expect("moves").to_owned();
            let score: i8 = words.next().expect("a score").parse().expect("a number");
            (moves, score)
        };
        text.lines().map(words).collect::<Vec<_>>()
    };
    let expected = SOLVED.map(|(moves, score)| (moves.to_owned(), score));
    assert_eq!(scores(&evaluated.out), expected);
    // The same from arguments.
    let arguments = ["evaluate"]
        .into_iter()
        .chain(SOLVED.map(|(moves, _)| moves));
    let named = run(&arguments.collect::<Vec<_>>(), "").expect(0);
    assert_eq!(named.out, evaluated.out);
    let json = run(&["evaluate", "--json"], "4453\n\n44x\n1212121\n11111112\n");
    let ended = json.expect(3);
    assert!(
        ended.err.contains("2 lines were passed over"),
        "{}",
        ended.err
    );
    let lines = ended.json();
    let events: Vec<_> = lines
        .iter()
        .filter_map(|line| line["event"].as_str())
        .collect();
    assert_eq!(
        events,
        ["evaluated", "passed_over", "evaluated", "passed_over"]
    );
    assert_eq!(
        (&lines[1]["line"], &lines[3]["line"]),
        (&3.into(), &5.into())
    );
    assert_eq!(lines[0]["moves"], "4453");
    assert_eq!(lines[2]["score"], serde_json::Value::Null);
    assert_eq!(lines[2]["outcome"], "winner: red");
    let refused = run(&["evaluate", "4453", "48"], "").expect(2);
    assert!(
        refused.err.contains("`48` is no position"),
        "{}",
        refused.err
    );
    assert_eq!(refused.out, "");
}
