//! Variants: at one terminal, at several, by single commands.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::run::{Commands, Ended, Node, run};

/// Plays a variant on a chain in memory: options, then answers with a space between them.
fn play(options: &str, answers: &str) -> Ended {
    let arguments: Vec<&str> = ["play", "--tmp", "--bins", "6", "--capacity", "4"]
        .into_iter()
        .chain(options.split(' '))
        .collect();
    run(&arguments, &lines(answers))
}

fn lines(answers: &str) -> String {
    answers.split(' ').map(|line| format!("{line}\n")).collect()
}

#[test]
fn four_at_one_terminal_use_each_power_to_a_win() {
    // Red 1.1, blue 2.1, green 3.1, yellow 3.2; red takes blue's disc, blue floats one in bin 6,
    // green clears row 1, so that yellow's disc comes down; yellow drops on it.
    let ended = play(
        "--players 4 --take 1 --clear 1 --float 1",
        "1 2 3 3 t2.1 f6.4 r1 3 1 2 4 3 1 2 4 3",
    );
    println!("{}", ended.out);
    let ended = ended.expect(0);
    assert!(
        ended
            .out
            .contains("Connect Four 6x4, line 4, 4 players, 1 take, 1 clear, 1 float: game v0 on")
    );
    for text in [
        "● red: alice (",
        "⬟ blue: bob (",
        "▲ green: charlie (",
        "■ yellow: dave (",
        "red takes blue's disc out of bin 2, row 1: block ",
        "blue floats a disc in bin 6, row 4: block ",
        "green clears row 1: block ",
        "yellow drops into bin 3, row 2: block ",
        "turn: 5, player: ● red\n",
        "▸ ▲ green   charlie  1 take, 1 clear, 1 float\n",
        "  ▲ green   charlie  1 take, 1 float\n",
        "Enter a move, bins and rows from 1 (4, t4.2, r2, f4.5, help): ",
        " 4 |   |   | □ |",
    ] {
        assert!(ended.out.contains(text), "{text}");
    }
    assert_eq!(ended.out.lines().last(), Some("winner: yellow"));
}

#[test]
fn refused_moves_are_asked_for_again_with_the_reason() {
    let ended = play(
        "--players 3 --take 1 --pop-out",
        "x 0 7 1 p1 t2.1 t1.1 help 2 t1.9 s r1 f1.1 1 t2.1 claim",
    );
    let ended = ended.expect(4);
    for (reason, times) in [
        (
            "`x` is not a move: 4 drops into bin 4; p4 pops your own disc out of the bottom of bin \
             4; t4.2 takes an opponent's disc out of bin 4, row 2\n",
            1,
        ),
        ("`0` is not a move", 1),
        ("there is no such bin: they are 1 to 6\n", 1),
        (
            "the disc at the bottom of the bin is not the mover's own\n",
            1,
        ),
        ("the cell has no disc\n", 1),
        ("this game is played without such moves\n", 3),
        ("this power is used up\n", 1),
        ("leave gives the game up, claim removes a player", 1),
    ] {
        let found = ended.out.matches(reason).count();
        assert_eq!(found, times, "{reason}\n{}", ended.out);
    }
    // Blue took red's disc, so that its power is used up.
    assert!(ended.out.contains("▸ ▲ green   charlie  1 take\n"));
    assert!(ended.out.contains("  ⬟ blue    bob      no powers left\n"));
}

#[test]
fn colours_are_swapped_and_discs_pop_out() {
    let ended = play("--pie-rule --pop-out", "3 s 4 3 p4 p3 leave").expect(0);
    for text in [
        "6x4, line 4, pop out, pie rule: game v0",
        "blue swaps the colours: block ",
        // Alice began as red and is blue now, and to move.
        "blue drops into bin 4, row 1: block ",
        "blue pops bin 4: block ",
        "red pops bin 3: block ",
        "blue leaves the game: block ",
        "(4, p4, s, help)",
    ] {
        assert!(ended.out.contains(text), "{text}\n{}", ended.out);
    }
    let last = ended.out.lines().last();
    assert_eq!(last, Some("winner: red as the last player left"));

    // A list tells who plays which colour now.
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("start --pie-rule");
    commands.out("move --game v0 4");
    commands.out("move --game v0 s");
    let list = commands.out("list");
    let expected = "   v0  7x6, line 4, pie rule  bob - alice  turns 2, blue to move\n";
    assert!(list.ends_with(expected), "{list}");
}

#[test]
fn a_small_board_is_filled_to_a_tie() {
    let answers = "1 2 1 2 2 1 2 1 3 4 3 4 4 3 4 3 5 5 5 5";
    let arguments = "play --tmp --bins 5 --capacity 4 --players 2 --pie-rule";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let ended = run(&arguments, &lines(answers)).expect(0);
    let last = ended.out.lines().last();
    assert_eq!(last, Some("a tie without a legal move"), "{}", ended.out);
}

#[test]
fn a_game_is_resumed_after_the_input_ended() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    let arguments = ["play", "--players", "3", "--data", data];
    let ended = run(&arguments, "4\n4\n").expect(4);
    let resume = format!("connect4 play --game v0 --data '{data}'");
    assert!(ended.err.contains(&resume), "{}", ended.err);
    let ended = run(&["play", "--game", "v0", "--data", data], "5\n").expect(4);
    assert!(ended.out.contains("turn: 3, player: ▲ green\n"));
    assert!(ended.out.contains("green drops into bin 5, row 1: block "));
}

#[test]
fn play_prints_json_lines() {
    let printed = play("--players 3 --take 1 --json", "1 2 x t1.1 3 leave leave").expect(0);
    let lines = printed.json();
    let named = |name: &str| -> Vec<&Value> {
        let lines = lines.iter();
        lines.filter(|line| line["event"] == name).collect()
    };
    assert_eq!(named("variant").len(), 1);
    let moved = named("moved");
    let texts: Vec<_> = moved.iter().map(|line| line["text"].clone()).collect();
    assert_eq!(json!(texts), json!(["1", "2", "t1.1", "3"]));
    assert_eq!(moved[2]["player"], "green");
    assert_eq!(
        moved[2]["removed"],
        json!([{"colour": "red", "bin": 0, "row": 0}])
    );
    assert_eq!(named("move_refused")[0]["player"], "green");
    assert_eq!(named("left").len(), 2);
    let ended = lines.last().unwrap();
    assert_eq!(ended["event"], "variant_ended");
    assert_eq!(ended["winner"], "red");
    assert_eq!(ended["game"]["end"], "last left");
}

#[test]
fn computers_play_the_other_seats() {
    let ended = play(
        "--line 3 --players 3 --seat blue --against random,easy",
        "1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6",
    );
    assert!(ended.out.contains("you play blue\n"), "{}", ended.out);
    assert!(ended.out.contains("the computer plays red: random\n"));
    assert!(ended.out.contains("the computer plays green: easy\n"));
    assert!(!ended.out.contains("player: ● red"));
    let ended = ended.expect(0);
    let last = ended.out.lines().last().unwrap();
    assert!(last.starts_with("winner: ") || last.starts_with("a tie"));

    let wrong = play("--players 4 --against easy,hard", "").expect(2);
    assert!(
        wrong.err.contains("2 levels were given for 3 opponents"),
        "{}",
        wrong.err
    );
    let classic = play("--against easy,hard", "").expect(2);
    assert!(classic.err.contains("one opponent, not 2"));
}

#[test]
fn three_play_at_three_terminals() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    let mut red = commands.start("play --players 3 --bins 6 --capacity 4 --seat red");
    let joins = red.line_with("connect4 play --game v0 --seat blue");
    assert!(joins.contains(&node.url), "{joins}");
    let mut blue = commands.start("play --game v0 --seat blue");
    let mut green = commands.start("play --game v0 --seat green");
    red.line_with("turn: 1");
    // Who comes later is not told of the moves before.
    for waiting in [&mut blue, &mut green] {
        waiting.line_with("waiting for red to move; Ctrl-C leaves");
    }
    red.say("1");
    blue.line_with("red drops into bin 1, row 1");
    blue.line_with("turn: 2");
    blue.say("2");
    green.line_with("blue drops into bin 2, row 1");
    green.line_with("turn: 3");
    green.say("leave");
    red.line_with("green leaves the game");
    red.line_with("turn: 3");
    red.say("resign");
    for (name, running) in [("red", red), ("blue", blue), ("green", green)] {
        let ended = running.end().expect(0);
        let last = ended.out.lines().last();
        assert_eq!(last, Some("winner: blue as the last player left"), "{name}");
    }
}

#[test]
fn tables_are_opened_joined_left_and_listed() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    assert_eq!(commands.out("tables"), "no open tables\n");
    let opened = commands.out("table --players 3 --clear 1 --limit 60s");
    assert!(
        opened
            .contains("opened table v0: 7x6, line 4, 3 players, 1 clear; 1:00 min for each move\n"),
        "{opened}"
    );
    assert!(opened.contains("⬟ blue: free\n"), "{opened}");
    assert!(opened.contains("  connect4 join --game v0 --play --account <NAME>"));
    let named = commands.json("table --account bob --to charlie,alice");
    assert_eq!(named["event"], "table_opened");
    assert_eq!(named["game"]["named"], true);
    assert_eq!(named["game"]["terms"]["players"], 3);

    let listed = commands.out("tables");
    assert!(
        listed.contains(
            "   v0  7x6, line 4, 3 players, 1 clear; 1:00 min for each move  alice - free - free  \
             waits for players, 1 of 3 are there\n"
        ),
        "{listed}"
    );
    assert!(listed.contains("   v1  7x6, line 4, 3 players  bob - (charlie) - (alice)  waits"));
    assert!(commands.out("list").contains("variants:\n   v0  7x6"));

    let joined = commands.out("join --game v0 --account bob");
    assert!(joined.contains(") joins table v0\n"), "{joined}");
    assert!(joined.ends_with("waits for players, 2 of 3 are there\n"));
    let left = commands.json("leave --game v0 --account bob");
    assert_eq!(
        (&left["event"], &left["game"]["started"]),
        (&json!("left"), &json!(false))
    );
    // Whose seat is kept joins unasked.
    commands.out("join --game v1");
    let full = commands.json("join --game v1");
    assert_eq!(full["game"]["started"], true);
    assert_eq!(full["game"]["players"][1]["name"], "charlie");
    let closed = commands.out("leave --game v0 --account alice");
    assert!(closed.starts_with("closed table v0\n"), "{closed}");
    assert_eq!(commands.out("tables"), "no open tables\n");
    let list = commands.out("list");
    assert!(list.contains("   v0  over, its storage freed\n"), "{list}");
    assert!(list.contains("   v1  7x6, line 4, 3 players  bob - charlie - alice  turns 0, red to"));

    for (line, status, why) in [
        ("join --game v1 --account dave", 3, "started already"),
        ("join --game v0 --account dave", 3, "its table was closed"),
        ("join --game v9 --account dave", 3, "its games are v0 to v1"),
        ("join --game 1 --account dave", 2, "1 is not a table"),
        ("table --limit 5s", 3, "from 10 seconds to 30 days"),
        ("table --players 5", 2, "2 to 4 players"),
        ("table --players 2 --to bob,charlie", 3, "as many accounts"),
        ("table --to alice", 3, "two different accounts"),
        ("leave --game 0 --account alice", 2, "connect4 resign"),
        ("leave --game v1", 2, "which account signs?"),
        ("review --game v1", 2, "cannot be reviewed"),
        ("free --game v1", 3, "the game is not over"),
        ("claim --game v1", 3, "no time limit"),
    ] {
        let refused = commands.run(line).expect(status);
        assert!(refused.err.contains(why), "{line}: {}", refused.err);
    }
}

#[test]
fn a_table_is_waited_at_and_played() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    let mut alice = commands.start("table --bins 6 --capacity 4 --play");
    alice.line_with("waits for players, 1 of 2 are there");
    let mut bob = commands.start("join --game v0 --account bob --play");
    alice.line_with(") joins table v0");
    alice.line_with("turn: 1, player: ● red");
    alice.say("3");
    bob.line_with("turn: 2, player: ⬟ blue");
    bob.say("resign");
    let won = alice.end().expect(0);
    assert!(won.out.ends_with("winner: red as the last player left\n"));
    bob.end().expect(0);
}

#[test]
fn a_game_by_single_commands_is_watched_replayed_and_freed() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    let started = commands.out("start --bins 6 --capacity 4 --players 3 --take 1 --float 1");
    assert!(
        started.contains("started game v0: 6x4, line 4, 3 players, 1 take, 1 float\n"),
        "{started}"
    );
    let mut all = commands.start("watch");
    all.line_with("following the contract");
    let mut watch = commands.start("watch --game v0 --json");
    watch.line_with("\"started\":true");
    let mut read = commands.start("watch --game v0");
    read.line_with("red to move");

    let moved = commands.out("move --game v0 1");
    let sent = "sending: red drops into bin 1, row 1\n";
    assert!(moved.starts_with(sent), "{moved}");
    assert!(
        moved.contains("red drops into bin 1, row 1\n  block "),
        "{moved}"
    );
    assert!(moved.ends_with("blue to move\n"));
    all.line_with("game v0: red drops into bin 1 (block ");
    let taken = commands.json("move --game v0 t1.1");
    assert_eq!((&taken["kind"], &taken["row"]), (&json!("take"), &json!(0)));
    read.line_with("game v0: blue takes red's disc out of bin 1, row 1 (block ");
    for (line, status, why) in [
        ("move --game v0 t1.1", 3, "no disc"),
        ("move --game v0 p1", 3, "without such moves"),
        ("move --game v0 1 --account alice", 3, "not your turn"),
        ("move --game v0 1 --account dave", 3, "does not play"),
        ("move --game v0 y1", 2, "not a move"),
        ("move --game v7 1", 3, "its only game is v0"),
        ("move --game x 1", 2, "v3 for a variant"),
    ] {
        let refused = commands.run(line).expect(status);
        assert!(refused.err.contains(why), "{line}: {}", refused.err);
    }
    commands.out("move --game v0 f3.4");
    let shown = commands.out("show --game v0");
    assert!(
        shown.contains(" 4 |   |   | ▲ |   |   |   |\n") && shown.contains("turns taken: 3\n"),
        "{shown}"
    );
    let left = commands.out("resign --game v0 --account bob");
    assert!(left.contains("blue leaves game v0\n"), "{left}");
    assert!(left.ends_with("red to move\n"), "{left}");
    for action in ["1", "2", "1", "2", "1", "4", "1"] {
        commands.out(&format!("move --game v0 {action}"));
    }
    let shown = commands.json("show --game v0");
    assert_eq!(
        (&shown["winner"], &shown["end"]),
        (&json!("red"), &json!("line"))
    );

    let watched = watch.end().expect(0).json();
    let events: Vec<_> = watched[1..].iter().map(|line| &line["event"]).collect();
    assert_eq!(events.len(), 12, "ten moves, a leaver, the end: {events:?}");
    assert_eq!(watched[4]["event"], "left");
    let last = read.end().expect(0);
    assert!(last.out.contains("game v0: blue leaves\n"), "{}", last.out);
    assert!(
        last.out.contains(" 4 | ◎ |   | ▲ |   |   |   |\n"),
        "{}",
        last.out
    );

    let replayed = commands.out("replay --game v0");
    assert!(
        replayed.ends_with("winner: red\nmoves, bins and rows from 1: 1t1.1f3.41212141\n"),
        "{replayed}"
    );
    let standings = commands.out("standings");
    assert!(
        standings.starts_with("variants of three and four players:\nrating  wins"),
        "{standings}"
    );
    let told = commands.run("standings --json").expect(0).json();
    assert_eq!(told[0]["games"], "more");
    let last = told.last().unwrap();
    assert_eq!(
        (&last["unrated"], &last["other_board"]),
        (&json!("more"), &json!(1))
    );
    let freed = commands.out("free --game v0");
    assert!(freed.contains("freed the storage of game v0") && freed.contains("deposit back"));
    assert!(
        commands
            .out("replay --game v0")
            .ends_with("1t1.1f3.41212141\n")
    );
    let gone = commands.run("show --game v0").expect(3);
    assert!(
        gone.err.contains("connect4 replay --game v0"),
        "{}",
        gone.err
    );

    // The notation makes moves of classic games, too, and nothing else.
    commands.out("start");
    let dropped = commands.out("move --game 0 4");
    // What is sent is said before. What is typed and printed counts from 1, and JSON from 0.
    let sent = "dropping a disc into the 4th bin from the left\n";
    assert!(dropped.starts_with(sent), "{dropped}");
    assert!(dropped.contains("dropped into bin 4, row 1"), "{dropped}");
    assert!(
        dropped.contains("  1   2   3   4   5   6   7\n"),
        "{dropped}"
    );
    let dropped = commands.json("drop --game 0 4");
    assert_eq!((&dropped["bin"], &dropped["row"]), (&3.into(), &1.into()));
    let zero = commands.run("drop --game 0 0").expect(2);
    assert!(zero.err.contains("bins count from 1 here"), "{}", zero.err);
    let refused = commands.run("move --game 0 p4").expect(2);
    assert!(
        refused.err.contains("only moves are drops"),
        "{}",
        refused.err
    );
}

#[test]
fn a_late_player_is_removed() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("table --players 3 --to bob,charlie --limit 10s");
    commands.out("join --game v0");
    commands.out("join --game v0");
    // Alice, who is to move, is away; the others' programs remove her when her time is up.
    let mut bob = commands.start("play --game v0 --seat blue");
    bob.line_with("time left: red ");
    bob.line_with("red was late and is removed");
    bob.line_with("turn: 1, player: ⬟ blue");
    bob.say("1");
    bob.line_with("waiting for green to move");
    let shown = commands.json("show --game v0");
    assert_eq!(shown["players"][0]["out"], true);
    let late = commands.run("move --game v0 2 --account alice").expect(3);
    assert!(late.err.contains("has left the game"), "{}", late.err);
}

#[test]
fn terms_and_seats_that_do_not_fit_are_refused() {
    for (options, why) in [
        ("--players 3 --pie-rule", "the pie rule is for two players"),
        ("--players 1", "2 to 4 players"),
        ("--take 10", "at most 9 times"),
        ("--players 3 --seat yellow", "a game of 3 has no yellow"),
        ("--players 3 --yellow eve", "a game of 3 has no yellow"),
        ("--seat green", "red and blue"),
        ("--players 3 --line 7", "line"),
    ] {
        let ended = play(options, "").expect(2);
        assert!(ended.err.contains(why), "{options}: {}", ended.err);
    }
}
