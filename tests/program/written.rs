//! Games as text: exported, verified, reviewed.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::{Commands, Node, run};

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("written");
    path.display().to_string()
}

/// What was signed of it is not looked at, and no chain is asked for it.
#[test]
fn a_game_of_an_earlier_version_is_read_and_not_proven() {
    let node = Node::start(&["--tmp"]);
    let vectors = include_str!("../../crates/record/vectors.json");
    let vectors: Value = serde_json::from_str(vectors).expect("JSON");
    let vectors = vectors["records"].as_array().expect("records");
    let folder = tempfile::tempdir().expect("a folder");
    let earlier = vectors.iter().filter(|vector| vector["proof"] == "earlier");
    let mut count = 0;
    for vector in earlier {
        count += 1;
        let text = vector["text"].as_str().expect("text");
        let file = write(folder.path(), "earlier.txt", text);
        for arguments in [
            &["verify", &file][..],
            &["verify", &file, "--url", &node.url],
        ] {
            let verified = run(arguments, "").expect(3);
            let game = vector["game"].as_str().expect("a name");
            let named = format!("line 1: game {game}: ");
            assert!(verified.out.contains(&named), "{}", verified.out);
            let why = "  not proven: it has no signature of a kind that is checked\n";
            assert!(verified.out.ends_with(why), "{}", verified.out);
        }
        let moves = vector["steps"].as_array().expect("moves").len();
        let reviewed = run(&["review", &file], "").expect(0);
        assert!(reviewed.out.lines().count() >= moves, "{}", reviewed.out);
    }
    assert_eq!(count, 2);
}

#[test]
fn games_of_the_chain_are_proven_by_a_look_at_it() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("start --bins 6 --capacity 4");
    for (turn, bin) in [1, 2, 1, 2, 1, 2, 1].into_iter().enumerate() {
        let by = ["alice", "bob"][turn % 2];
        commands.out(&format!("move --game 0 {bin} --account {by}"));
    }
    commands.out("start");
    commands.out("resign --game 1 --account alice");
    commands.out("start --bins 6 --capacity 4 --players 3 --take 1");
    commands.out("move --game v0 1");
    commands.out("leave --game v0 --account charlie");
    commands.out("move --game v0 t1.1");
    commands.out("leave --game v0 --account alice");
    let exported = commands.out("export --account alice");
    let folder = tempfile::TempDir::new().expect("a folder");
    let folder = folder.path();
    let file = write(folder, "games.txt", &exported);
    assert!(exported.contains("\n1 2 1 2 1 2 1 1-0\n"), "{exported}");
    assert!(exported.contains("\n0-1\n"), "{exported}");
    assert!(exported.contains("\n1 q3 t1.1 q1 0-1-0\n"), "{exported}");
    let games = ["0", "1", "v0"].map(|game| commands.out(&format!("export {game}")));
    assert_eq!(games.concat(), exported);
    let alone = run(&["verify", &file], "").expect(3);
    assert!(
        alone.err.contains("3 of 3 games are not proven"),
        "{}",
        alone.err
    );
    let looked = commands.out(&format!("verify {file}"));
    assert_eq!(looked.matches("\n  proven\n").count(), 3, "{looked}");
    // Another chain has none of them, and this one has no others.
    let other = Node::start(&["--tmp"]);
    let elsewhere = run(&["verify", &file, "--url", &other.url], "").expect(3);
    assert_eq!(
        elsewhere.out.matches("the chain does not have it").count(),
        3,
        "{}",
        elsewhere.out
    );
    for (part, by, why) in [
        (
            "1 2 1 2 1 2 1 ",
            "2 1 2 1 2 1 2 ",
            "the chain has other moves",
        ),
        ("[Genesis \"0x", "[Genesis \"0x", "it is of another chain"),
        (
            "[Player1 \"0x",
            "[Player1 \"0x",
            "the chain has other players",
        ),
        (
            "[Started \"",
            "[Started \"1",
            "the chain has it from another block on",
        ),
        ("\n0-1\n", "\n1-0\n", "the chain has 0-1 by resignation"),
    ] {
        let mut changed = exported.replacen(part, by, 1);
        if by.ends_with("0x") {
            // Another first digit.
            let at = changed.find(by).expect("a tag") + by.len();
            let other = if changed[at..].starts_with('1') {
                "2"
            } else {
                "1"
            };
            changed.replace_range(at..=at, other);
        }
        let changed = write(folder, "changed.txt", &changed);
        let looked = run(&["verify", &changed, "--url", &node.url], "").expect(3);
        assert!(looked.out.contains(why), "{}", looked.out);
        assert!(looked.err.contains("1 of 3 games"), "{}", looked.err);
    }
    let variant = run(&["review", &file], "").expect(3);
    assert!(
        variant.err.contains("cannot be reviewed"),
        "{}",
        variant.err
    );
}

/// Three games, of which the second has another result than its moves give.
const ONE_BAD: &str = "\
[Connect4 \"1\"]
[Terms \"7x6, line 4\"]
[End \"by a line\"]

4 3 4 3 4 3 4 1-0

[Connect4 \"1\"]
[Terms \"7x6, line 4\"]
[End \"by a line\"]

4 3 4 3 4 3 4 0-1

[Connect4 \"1\"]
[Terms \"7x6, line 4\"]
[End \"by a line\"]

4 3 4 3 4 3 4 1-0
";
const BAD: &str = "line 11: the result is 0-1 by a line, but the moves give 1-0 by a line\n";

#[test]
fn a_bad_game_of_a_file_is_named_and_the_others_are_looked_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "three.txt", ONE_BAD);
    let passed_over = format!("passed over: {file}, {BAD}");
    let verified = run(&["verify", &file], "").expect(3);
    let found: Vec<_> = verified.out.matches(": a game of no chain: 1-0").collect();
    assert_eq!(found.len(), 2, "{}", verified.out);
    assert!(verified.err.contains(&passed_over), "{}", verified.err);
    assert!(
        verified
            .err
            .contains("2 of 2 games are not proven, and 1 cannot be read"),
        "{}",
        verified.err
    );
    let lines = run(&["verify", &file, "--json"], "").expect(3).json();
    let events: Vec<_> = lines
        .iter()
        .filter_map(|line| line["event"].as_str())
        .collect();
    assert_eq!(events, ["passed_over", "verified", "verified"]);
    assert_eq!(
        (&lines[0]["line"], &lines[0]["file"]),
        (&11.into(), &file.as_str().into())
    );
    let reviewed = run(&["review", &file], "").expect(3);
    assert_eq!(reviewed.out.lines().count(), 16, "{}", reviewed.out);
    assert!(reviewed.err.contains(&passed_over), "{}", reviewed.err);
    assert!(
        reviewed.err.ends_with("error: a game was passed over\n"),
        "{}",
        reviewed.err
    );
    let puzzles = run(&["puzzle", &file], "").expect(4);
    assert!(
        puzzles.out.contains("after 2 moves: red moves and wins"),
        "{}",
        puzzles.out
    );
    assert!(puzzles.err.contains(&passed_over), "{}", puzzles.err);
    // Of several files one can be none at all.
    let other = write(folder.path(), "none.txt", "not a game\n");
    let verified = run(&["verify", &other, &file], "").expect(3);
    let found: Vec<_> = verified.out.matches(": a game of no chain: 1-0").collect();
    assert_eq!(found.len(), 2, "{}", verified.out);
    let passed_over = format!("passed over: {other}: line 1: a game begins with");
    assert!(verified.err.contains(&passed_over), "{}", verified.err);
}
