//! A chain that takes back blocks in the middle of a game: who plays or watches is told.

use serde_json::Value;

use crate::run::{Commands, Node, Running};

/// A node on which blocks become final late enough for all that is tried here.
fn node() -> Node {
    Node::start(&["--tmp", "--dev-rpc", "--finality-lag", "100"])
}

/// Replaces the newest blocks, so many, and drops their transactions.
#[track_caller]
fn take_back(node: &Node, blocks: u32) {
    let answer = node.ask("dev_reorganise", &format!("[{blocks}, \"drop\"]"));
    assert!(answer.contains("\"result\""), "{answer}");
}

/// Two programs that play the two seats of a game.
fn players(commands: &Commands<'_>) -> [Running; 2] {
    let mut red = commands.start("play --seat red --bins 6 --capacity 4");
    red.line_with("add shape: 1, player: red");
    let mut blue = commands.start("play --game 0 --seat blue");
    blue.line_with("waiting for red to move");
    [red, blue]
}

#[test]
fn a_disc_that_is_taken_back_is_told_and_its_move_offered_again() {
    let node = node();
    let commands = Commands { node: &node };
    let [mut red, mut blue] = players(&commands);
    red.say(5);
    blue.line_with("red into bin 5");
    blue.line_with("add shape: 2, player: blue");
    red.line_with("waiting for blue to move");

    take_back(&node, 1);
    for table in [&mut red, &mut blue] {
        let told = table.line_with("Undone: ");
        assert!(
            told.starts_with("Undone: the last disc (bin 5 of red, block "),
            "{told}"
        );
        assert!(told.ends_with("); its block was replaced."), "{told}");
    }
    blue.line_with("waiting for red to move");
    red.line_with("add shape: 1, player: red");
    red.say(4);
    red.line_with("Enter a bin index (starting from 0; you had chosen 5): 4");
    blue.line_with("red into bin 4");

    // Both moves of a round.
    blue.say(0);
    for table in [&mut red, &mut blue] {
        table.line_with("blue into bin 0");
    }
    take_back(&node, 2);
    for table in [&mut red, &mut blue] {
        let told = table.line_with("Undone: the last 2 discs (bin 0 of blue, block ");
        assert!(told.contains("; bin 4 of red, block "), "{told}");
    }
    for (turn, bin) in [5, 0, 4, 0, 3, 0, 2].into_iter().enumerate() {
        let mover = [&mut red, &mut blue].into_iter().nth(turn % 2).unwrap();
        mover.line_with(&format!("add shape: {}", turn + 1));
        mover.say(bin);
    }
    for table in [red, blue] {
        let ended = table.end().expect(0);
        assert_eq!(ended.out.lines().last(), Some("winner: red"));
    }
}

/// The question for a rematch stood when the block of the last disc was replaced.
#[test]
fn a_game_whose_end_is_taken_back_goes_on_before_there_is_another() {
    let node = node();
    let commands = Commands { node: &node };
    let mut table = commands.start("play --series --bins 6 --capacity 4");
    for bin in [5, 0, 4, 0, 3, 0, 2] {
        table.say(bin);
    }
    table.line_with("winner: red");
    take_back(&node, 1);
    table.say("y");
    table.line_with("the end of the game is undone: its block was replaced");
    table.line_with("add shape: 7, player: red");
    table.say(2);
    table.line_with("winner: red");
    table.say("n");
    table.end().expect(0);
    let started = commands.out("list");
    assert_eq!(started.lines().count(), 1, "{started}");
}

#[test]
fn a_move_in_answer_to_a_disc_that_is_taken_back_is_not_made() {
    let node = node();
    let commands = Commands { node: &node };
    let mut both = commands.start("play --bins 6 --capacity 4");
    both.line_with("add shape: 1, player: red");
    both.say(5);
    both.line_with("add shape: 2, player: blue");
    take_back(&node, 1);
    both.say(0);
    both.line_with("Undone: the last disc (bin 5 of red, block ");
    both.line_with("add shape: 1, player: red");
    both.say(3);
    both.line_with("red into bin 3");
}

#[test]
fn a_move_of_a_variant_that_is_taken_back_is_told() {
    let node = node();
    let commands = Commands { node: &node };
    let mut red = commands.start("play --players 3 --line 3 --seat red");
    red.line_with("turn: 1, player:");
    let mut blue = commands.start("play --game v0 --seat blue --json");
    blue.line_with("\"turns\":0");
    red.say(1);
    red.line_with("red drops into bin 1");
    red.line_with("waiting for");
    blue.line_with("moved");
    take_back(&node, 1);
    let told = red.line_with("Undone: ");
    assert!(
        told.starts_with("Undone: the last move (red drops into bin 1, block "),
        "{told}"
    );
    let told: Value = serde_json::from_str(&blue.line_with("variant_taken_back")).unwrap();
    assert_eq!(
        (&told["count"], &told["game"]["turns"]),
        (&1.into(), &0.into())
    );
    red.line_with("turn: 1, player:");
    red.say(2);
    red.line_with("; you had chosen 1): 2");
    red.line_with("red drops into bin 2");
}

#[test]
fn who_watches_the_best_blocks_is_told_at_once_and_what_is_taken_back() {
    let node = node();
    let commands = Commands { node: &node };
    commands.out("start --bins 6 --capacity 4");
    let mut text = commands.start("watch --best --game 0");
    text.line_with("red to move");
    let mut json = commands.start("watch --best --game 0 --json");
    json.line_with("\"turns\":");
    commands.out("move --game 0 6");
    text.line_with("red into bin 6");
    let dropped: Value = serde_json::from_str(&json.line_with("dropped")).unwrap();
    commands.out("resign --game 0 --account bob");
    text.line_with("game 0 ended, winner: red by resignation");
    json.line_with("\"event\":\"ended\"");

    take_back(&node, 2);
    text.line_with("and with it: game 0 ended, winner: red by resignation");
    let told = text.line_with("and with it: game 0: red");
    let block = &dropped["block"];
    assert_eq!(
        told,
        format!("Block {block} was replaced, and with it: game 0: red into bin 6, row 1")
    );
    text.line_with("red to move");
    let told: Value = serde_json::from_str(&json.line_with("taken_back")).unwrap();
    assert_eq!(told["what"], "ended");
    let told: Value = serde_json::from_str(&json.line_with("taken_back")).unwrap();
    assert_eq!(told["what"], "dropped");
    for place in ["game", "block", "block_hash", "index"] {
        assert_eq!(told[place], dropped[place], "{place}");
    }
    // The game goes on, and the program ends once its end is final.
    for bin in [6, 1, 5, 1, 4, 1, 3] {
        commands.out(&format!("move --game 0 {bin}"));
    }
    text.line_with("game 0 ended, winner: red");
    for _ in 0..100 {
        node.ask("dev_seal", "[]");
    }
    for program in [text, json] {
        program.end().expect(0);
    }
}

#[test]
fn who_watches_final_blocks_is_told_nothing_that_could_be_taken_back() {
    let node = node();
    let commands = Commands { node: &node };
    commands.out("start --bins 6 --capacity 4");
    for _ in 0..100 {
        node.ask("dev_seal", "[]");
    }
    let mut watch = commands.start("watch --game 0");
    watch.line_with("red to move");
    commands.out("move --game 0 6");
    take_back(&node, 1);
    commands.out("move --game 0 4");
    for _ in 0..100 {
        node.ask("dev_seal", "[]");
    }
    // The storage is freed before the events are final.
    let told = watch.line_with("red into bin");
    assert!(told.contains("bin 4"), "{told}");
}

#[test]
fn a_variant_that_began_after_the_final_blocks_is_watched_from_its_first_move() {
    let node = node();
    let commands = Commands { node: &node };
    commands.out("start --bins 6 --capacity 4 --players 3");
    commands.out("move --game v0 1");
    let mut watch = commands.start("watch --game v0");
    watch.line_with("red to move");
    for _ in 0..100 {
        node.ask("dev_seal", "[]");
    }
    watch.line_with("red drops into bin 1");
    watch.line_with("blue to move");
}

/// The program waits for blocks on top of the move that it answers. That move is replaced meanwhile.
#[test]
fn a_fork_while_a_move_waits_for_blocks_does_not_end_the_program() {
    let node = node();
    let commands = Commands { node: &node };
    commands.out("start --bins 6 --capacity 4");
    for bin in [6, 1] {
        commands.out(&format!("move --game 0 {bin}"));
    }
    let mut red = commands.start("play --game 0 --seat red --confirmations 50");
    red.line_with("add shape: 3, player: red");
    red.say(4);
    take_back(&node, 1);
    let told = red.line_with("Undone: ");
    assert!(told.starts_with("Undone: the last disc"), "{told}");
    red.line_with("waiting for blue to move");
    commands.out("move --game 0 2");
    red.line_with("add shape: 3, player: red");
}
