//! Games as text: exported, verified, reviewed.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::guests::{Machine, relay};
use crate::records::{played, record};
use crate::run::{Commands, Ended, Node, run};

/// What a command on the machine of a guest prints; no chain is there, unless it is named.
pub fn on(machine: &Machine<'_>, line: &str) -> Ended {
    let arguments: Vec<&str> = line.split_whitespace().collect();
    let mut command = crate::run::connect4(&arguments);
    command.env("CONNECT4_DATA", machine.folder.path());
    crate::run::run_command(command, "")
}

/// The one line of a command.
fn only(ended: &Ended) -> Value {
    let lines = ended.json();
    let [line] = &lines[..] else {
        panic!("{}", ended.out);
    };
    line.clone()
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("written");
    path.display().to_string()
}

#[test]
fn a_guest_s_game_is_proven_by_its_text_alone() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let machine = played(&node, &relay);
    let folder = machine.folder.path();
    let exported = on(&machine, "export").expect(0).out;
    assert!(
        exported.starts_with("[Connect4 \"1\"]\n[Game \"0x"),
        "{exported}"
    );
    assert!(exported.contains("\n6 1 5 1 4 1 3 1-0\n"), "{exported}");
    let file = write(folder, "game.txt", &exported);
    // Anybody can check it, without a chain.
    let verified = run(&["verify", &file], "").expect(0);
    assert!(verified.out.contains("1-0 by a line"), "{}", verified.out);
    assert!(verified.out.ends_with("  proven\n"), "{}", verified.out);
    assert!(
        verified.out.contains("\n  pool: open\n"),
        "{}",
        verified.out
    );
    let standard_input = run(&["verify", "-", "--json"], &exported).expect(0);
    let line = only(&standard_input);
    assert_eq!(line["event"], "verified");
    assert_eq!(line["keys"], line["players"], "guests are their own keys");
    assert_eq!(line["pool"], "open");
    assert_eq!(
        (&line["proven"], &line["block"]),
        (&true.into(), &Value::Null)
    );
    // What is not signed is named: anybody can have written it.
    let staked = exported.replacen("[Chain ", "[Stake \"1000\"]\n[Venue \"Rome\"]\n[Chain ", 1);
    let staked = write(folder, "staked.txt", &staked);
    let verified = run(&["verify", &staked], "").expect(0);
    for text in [
        "  signed: Game, Chain, Contract, Player1, Player2, Terms, ",
        "  only said by the file, and not proven: Stake, Venue\n",
    ] {
        assert!(verified.out.contains(text), "{text}: {}", verified.out);
    }
    let line_of_staked = only(&run(&["verify", &staked, "--json"], "").expect(0));
    assert_eq!(
        line_of_staked["unproven"],
        serde_json::json!(["Stake", "Venue"])
    );
    assert_eq!(line["unproven"], serde_json::json!([]));
    // So is the file in which the program keeps the game.
    let number = line["game"].as_str().expect("a number").to_owned();
    let kept = folder.join(format!("guest/played/{number}.game"));
    let kept = kept.to_str().expect("text");
    let of_kept = only(&run(&["verify", kept, "--json"], "").expect(0));
    assert_eq!(
        (&of_kept["game"], &of_kept["proven"]),
        (&line["game"], &true.into())
    );
    let reviewed = run(&["review", kept], "").expect(0);
    assert_eq!(reviewed.out.lines().count(), 8, "{}", reviewed.out);
    // A text that says anything else is refused.
    let other = write(folder, "other.txt", &exported.replacen("6 1 5", "6 2 5", 1));
    let refused = run(&["verify", &other], "").expect(3);
    assert!(
        refused.out.contains("not proven: a signature is not by"),
        "{}",
        refused.out
    );
    let lost = write(
        folder,
        "lost.txt",
        &exported.replacen(" 1-0\n", " 0-1\n", 1),
    );
    let refused = run(&["verify", &lost], "").expect(3);
    assert!(
        refused.err.contains("but the moves give 1-0 by a line"),
        "{}",
        refused.err
    );
    // It can be looked at move by move, and named by its number.
    let reviewed = run(&["review", &file], "").expect(0);
    assert!(reviewed.out.contains("line 1:\n"), "{}", reviewed.out);
    assert_eq!(reviewed.out.lines().count(), 8, "{}", reviewed.out);
    let output = folder.join("again.txt");
    let line = format!("export {number} --output {}", output.display());
    let said = on(&machine, &line).expect(0).out;
    assert!(said.starts_with("wrote 1 game to "), "{said}");
    assert_eq!(
        fs::read_to_string(&output).expect("written") + "\n",
        exported
    );

    // The chain has nothing of it, until it is recorded there.
    let url = node.url.as_str();
    let looked = run(&["verify", &file, "--url", url], "").expect(0);
    assert!(looked.out.contains("not on the chain"), "{}", looked.out);
    let looked = run(&["verify", &staked, "--url", url], "").expect(0);
    assert!(
        looked.out.contains("and not proven: Stake,"),
        "{}",
        looked.out
    );
    // The text is enough to put it there.
    let text = format!("{file} --account bob --yes");
    record(&node, &machine, &text).expect(0);
    let nothing = record(&node, &machine, "--yes").expect(0);
    assert!(nothing.out.contains("no game to record"), "{}", nothing.out);
    let looked = run(&["verify", &file, "--url", url, "--json"], "").expect(0);
    assert!(only(&looked)["block"].is_u64(), "{}", looked.out);
    // Of what the chain has, the chain is the evidence.
    let from_chain = run(&["export", &number, "--url", url], "").expect(0).out;
    assert!(!from_chain.contains("Signature1"), "{from_chain}");
    let file = write(folder, "chain.txt", &from_chain);
    let unsigned = record(&node, &machine, &format!("{file} --yes")).expect(3);
    assert!(
        unsigned.out.contains("it has not what both have signed"),
        "{}",
        unsigned.out
    );
    let alone = run(&["verify", &file], "").expect(3);
    assert!(alone.out.contains("look there with --url"), "{}", alone.out);
    let looked = run(&["verify", &file, "--url", url], "").expect(0);
    assert!(looked.out.contains("on the chain: "), "{}", looked.out);
    assert!(!looked.out.contains("not proven"), "{}", looked.out);
    let looked = run(&["verify", &staked, "--url", url], "").expect(3);
    assert!(looked.out.contains("another stake"), "{}", looked.out);
    // Nobody has signed that text: it has to say what the chain does.
    let nonce = from_chain.lines().find(|line| line.starts_with("[Nonce "));
    for (says, lies, differs) in [
        ("6 1 5", "5 1 6", "other moves"),
        ("[Nonce ", "[Pool \"1\"]\n[Nonce ", "another pool"),
        ("[Nonce ", "[Programs \"2\"]\n[Nonce ", "other programs"),
        (nonce.expect("a nonce"), "[Nonce \"7\"]", "another nonce"),
    ] {
        let lies = from_chain.replacen(says, lies, 1);
        let changed = write(folder, "changed.txt", &lies);
        let looked = run(&["verify", &changed, "--url", url], "").expect(3);
        assert!(looked.out.contains(differs), "{lies}{}", looked.out);
    }
    let unknown = format!("0x{}", "1".repeat(64));
    let unknown = run(&["export", &unknown, "--url", url], "").expect(1);
    assert!(
        unknown.err.contains("nobody has recorded it"),
        "{}",
        unknown.err
    );
    relay.stop().expect(0);
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
        (
            "by resignation",
            "on time",
            "the chain has 0-1 by resignation",
        ),
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

#[test]
fn a_bad_game_of_a_file_is_named_and_the_others_are_recorded() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let machine = played(&node, &relay);
    let good = on(&machine, "export").expect(0).out;
    let file = write(
        machine.folder.path(),
        "two.txt",
        &format!("{}\n{good}", good.replacen(" 1-0\n", " 0-1\n", 1)),
    );
    let recorded = record(&node, &machine, &format!("{file} --max-fee 1 --json")).expect(3);
    let events: Vec<_> = recorded
        .json()
        .iter()
        .map(|line| line["event"].clone())
        .collect();
    assert_eq!(events, ["not_recorded", "record_cost", "recorded"]);
}
