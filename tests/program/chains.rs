//! Which chain a command uses, and several programs on one chain.

use std::fs;
use std::io::{BufRead, BufReader};

use tempfile::TempDir;

use crate::board::{CLASSROOM, picture, picture_from_one};
use crate::run::{Commands, Node, Running, connect4, run, run_command, signal};

#[test]
fn programs_share_a_chain_by_url() {
    let node = Node::start(&["--tmp"]);
    let url = ["--url", &node.url];
    let winning = [(2, 0), (3, 0), (4, 0), (5, 0)];
    let won = picture(6, 4, &[5, 0, 4, 0, 3, 0, 2], &winning);

    assert!(
        run(&[&["list"], &url[..]].concat(), "")
            .expect(0)
            .out
            .contains("no games yet")
    );
    let mut game = Running::start(connect4(&[&CLASSROOM[..], &url].concat()));
    game.line_with("add shape: 1");
    game.say(5);
    game.line_with("red into bin 5");
    // Another program sees the move at once, and makes the next one.
    let shown = run(&[&["show"], &url[..]].concat(), "").expect(0);
    assert!(
        shown.out.contains(&picture_from_one(6, 4, &[5], &[])),
        "{}",
        shown.out
    );
    assert!(shown.out.contains("blue to move"));
    let moved = run(&[&["move", "--game", "0", "1"], &url[..]].concat(), "").expect(0);
    assert!(
        moved.out.contains(&picture_from_one(6, 4, &[5, 0], &[])),
        "{}",
        moved.out
    );
    // The first program tries to move for blue, is refused, and reads the game again.
    game.say(0);
    for bin in [4, 0, 3, 0, 2] {
        game.say(bin);
    }
    let ended = game.end().expect(0);
    assert!(
        ended
            .out
            .contains("the contract refused: it is not your turn"),
        "{}",
        ended.out
    );
    assert!(ended.out.contains(&won), "{}", ended.out);

    // The contract is found, not deployed again.
    let again = run(&[&CLASSROOM[..], &url].concat(), "").expect(4);
    assert!(!again.out.contains("deployed") && again.out.contains("started game 1"));
    let listed = run(&[&["list"], &url[..]].concat(), "").expect(0);
    assert_eq!(listed.out.lines().count(), 2, "{}", listed.out);
    assert!(listed.out.contains("winner: red") && listed.out.contains("red to move"));
}

#[test]
fn programs_share_a_chain_by_data_folder() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    let node = Node::start(&["--data", data]);

    // A second chain on the folder is refused.
    let second = run(&["node", "--rpc-port", "0", "--data", data], "").expect(1);
    assert!(second.err.contains("is in use"), "{}", second.err);
    assert!(second.err.contains(data), "{}", second.err);
    let served = format!("it is served at {}", node.url);
    assert!(second.err.contains(&served), "{}", second.err);

    // Every other command uses the chain that is served.
    run(&["start", "--data", data], "").expect(0);
    run(&["move", "--game", "0", "4", "--data", data], "").expect(0);
    let by_url = run(&["show", "--json", "--url", &node.url], "").expect(0);
    let by_folder = run(&["show", "--json", "--data", data], "").expect(0);
    assert_eq!(by_url.json(), by_folder.json());

    node.running.stop("TERM").expect(0);
    assert!(!folder.path().join("node.url").exists());
    // Without the node, a command opens the chain itself.
    let alone = run(&["show", "--json", "--data", data], "").expect(0);
    assert_eq!(alone.json(), by_folder.json());
}

#[test]
fn two_programs_play_the_two_seats_of_a_game() {
    let node = Node::start(&["--tmp"]);
    let url = ["--url", &node.url];
    let board = ["--bins", "6", "--capacity", "4"];
    let red = [&["play", "--seat", "red"], &board[..], &url].concat();
    let mut red = Running::start(connect4(&red));
    red.line_with("connect4 play --game 0 --seat blue");
    red.line_with("add shape: 1, player: red");
    let blue = [&["play", "--game", "0", "--seat", "blue"], &url[..]].concat();
    let mut blue = Running::start(connect4(&blue));
    blue.line_with("waiting for red to move");
    let drops = [5, 0, 4, 0, 3, 0, 2];
    for (turn, bin) in drops.into_iter().enumerate() {
        let (mover, waiting, colour) = if turn % 2 == 0 {
            (&mut red, &mut blue, "red")
        } else {
            (&mut blue, &mut red, "blue")
        };
        mover.say(bin);
        for table in [mover, waiting] {
            table.line_with(&format!("{colour} into bin {bin}"));
        }
    }
    let winning = [(2, 0), (3, 0), (4, 0), (5, 0)];
    let won = picture(6, 4, &drops, &winning);
    for table in [red, blue] {
        let ended = table.end().expect(0);
        assert!(ended.out.contains(&won), "{}", ended.out);
        assert_eq!(ended.out.lines().last(), Some("winner: red"));
    }
}

#[test]
fn a_node_keeps_serving_when_its_error_pipe_is_closed() {
    let mut command = connect4(&[
        "node",
        "--dev",
        "--port=0",
        "--rpc-port=0",
        "-lruntime::revive=debug",
        "--alice",
    ]);
    let mut child = command.spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("Running JSON-RPC server: addr=127.0.0.1:") {
        line.clear();
        assert_ne!(errors.read_line(&mut line).unwrap(), 0);
    }
    drop(errors);
    let url = format!("ws://{}", line.trim().split_once("addr=").unwrap().1);
    run(&["start", "--url", &url], "").expect(0);
    signal("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_game_is_played_with_a_fixed_block_time() {
    let node = Node::start(&["--tmp", "--block-time", "0.2"]);
    let ended = run(
        &[&CLASSROOM[..], &["--url", &node.url]].concat(),
        "5\n0\n4\n0\n3\n0\n2\n",
    );
    assert_eq!(ended.expect(0).out.lines().last(), Some("winner: red"));
}

#[test]
fn a_node_for_development_can_replace_its_last_blocks() {
    let node = Node::start(&["--tmp", "--dev-rpc", "--finality-lag", "100"]);
    let commands = Commands { node: &node };
    commands.out("deploy");
    commands.out("start");
    assert!(commands.out("list").contains("alice - bob"));
    let answer = node.ask("dev_reorganise", r#"[1, "drop"]"#);
    assert!(answer.contains("\"result\":\"0x"), "{answer}");
    assert!(commands.out("list").contains("no games yet"));

    let node = Node::start(&["--tmp"]);
    let answer = node.ask("dev_reorganise", r#"[1, "drop"]"#);
    assert!(answer.contains("-32601"), "no such method: {answer}");
}

#[test]
fn a_game_is_played_on_while_the_chain_is_upgraded() {
    // The block of the upgrade does not become final.
    let node = Node::start(&["--tmp", "--dev-rpc", "--finality-lag", "1000"]);
    let url = ["--url", &node.url];
    let mut game = Running::start(connect4(&[&CLASSROOM[..], &url].concat()));
    for bin in [5, 0, 4] {
        game.say(bin);
        game.line_with(&format!("into bin {bin}"));
    }
    let answer = node.ask("dev_upgrade", "[]");
    assert!(answer.contains("\"result\":\"0x"), "{answer}");
    for bin in [0, 3, 0, 2] {
        game.say(bin);
    }
    let ended = game.end().expect(0);
    assert_eq!(ended.out.lines().last(), Some("winner: red"));

    let commands = Commands { node: &node };
    let winning = [(2, 0), (3, 0), (4, 0), (5, 0)];
    let won = picture_from_one(6, 4, &[5, 0, 4, 0, 3, 0, 2], &winning);
    assert!(commands.out("replay --game 0").contains(&won));
    assert!(commands.out("list").contains("winner: red"));
}

#[test]
fn an_option_takes_precedence_over_the_environment() {
    let (one, two) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let node = Node::start(&["--tmp"]);
    run(&["start", "--url", &node.url], "").expect(0);
    let with = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = connect4(arguments);
        command.envs(variables.iter().copied());
        run_command(command, "")
    };
    let (folder, url) = (
        ("CONNECT4_DATA", one.path().to_str().unwrap()),
        ("CONNECT4_URL", node.url.as_str()),
    );
    let listed = with(&["list"], &[url, folder]).expect(0);
    assert!(listed.out.contains("alice - bob"), "{}", listed.out);
    assert!(!fs::exists(one.path().join("chain.redb")).unwrap());
    let listed = with(
        &["list", "--data", two.path().to_str().unwrap()],
        &[url, folder],
    )
    .expect(0);
    assert!(listed.out.contains("no games yet"), "{}", listed.out);
    let played = with(&["play", "--tmp"], &[url, folder]).expect(4);
    assert!(played.out.contains("started game 0"), "{}", played.out);
    with(&["start"], &[folder]).expect(0);
    assert!(fs::exists(one.path().join("chain.redb")).unwrap());
    with(&["play", "--tmp", "--url", &node.url], &[]).expect(2);
}
