//! Refusals and failures: exit status and message.

use std::fs;
use std::net::TcpListener;

use tempfile::TempDir;

use crate::run::{Commands, Node, run};

#[test]
fn invalid_terms_are_refused_before_anything_is_paid() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("deploy");
    for (line, status, why) in [
        ("start --blue alice", 3, "two different accounts"),
        ("start --bins 4", 2, "bins"),
        ("resign --game 0", 2, "which account signs?"),
        ("resign --game 0 --account alice", 3, "no game 0"),
        ("free --game 0 --account alice", 3, "no game 0"),
        ("claim --game 0", 2, "has no clock"),
        ("withdraw --account bob", 3, "nothing"),
    ] {
        let refused = commands.run(line).expect(status);
        assert!(refused.err.contains(why), "{line}: {}", refused.err);
    }
    assert_eq!(commands.out("list"), "no games yet\n");
}

#[test]
fn refusals_of_the_contract_are_reported() {
    let node = Node::start(&["--tmp"]);
    let url = node.url.as_str();
    let refused = |arguments: &[&str], why: &str| {
        let ended = run(&[arguments, &["--url", url]].concat(), "").expect(3);
        assert!(
            ended.err.starts_with("error: ") && ended.err.contains(why),
            "{}",
            ended.err
        );
    };
    let go = |arguments: &[&str]| {
        run(&[arguments, &["--url", url]].concat(), "").expect(0);
    };
    go(&["start", "--bins", "6", "--capacity", "4"]);
    let drop = |bin, account| ["move", "--game", "0", bin, "--account", account];
    refused(
        &["start", "--red", "bob", "--blue", "bob"],
        "two different accounts",
    );
    refused(&drop("1", "bob"), "not your turn");
    refused(&drop("1", "charlie"), "does not play this game");
    refused(&drop("7", "alice"), "no such bin");
    refused(&drop("300", "alice"), "no such bin");
    refused(&["show", "--game", "7"], "there is no game 7");
    refused(&["move", "--game", "1", "1"], "its only game is 0");
    for (turn, bin) in ["1", "1", "1", "1"].into_iter().enumerate() {
        go(&drop(bin, ["alice", "bob"][turn % 2]));
    }
    refused(&drop("1", "alice"), "the bin is full");
    for (turn, bin) in ["3", "2", "4", "2", "5", "2", "6"].into_iter().enumerate() {
        go(&drop(bin, ["alice", "bob"][turn % 2]));
    }
    refused(&drop("2", "bob"), "the game has ended");
}

#[test]
fn invalid_arguments_are_refused_before_a_chain_is_opened() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("chain");
    let data = data.to_str().unwrap();
    for (arguments, why) in [
        (&["start", "--bins", "4"][..], "at least 5 bins"),
        (&["start", "--capacity", "3"], "capacity of at least 4"),
        (&["start", "--line", "7"], "3 to 6"),
        (
            &["start", "--bins", "25", "--capacity", "25"],
            "at most 128",
        ),
        (&["start", "--bins", "-1"], "--bins"),
        (&["play", "--bins", "25", "--capacity", "25"], "at most 128"),
        (&["play", "--line", "7"], "3 to 6"),
        (&["play", "--red", "mallory"], "is not an account"),
        (
            &[
                "play",
                "--red",
                "0x00112233445566778899aabbccddeeff00112233",
                "--blue",
                "alice",
            ],
            "",
        ),
        (
            &["move", "--game", "0", "1", "--account", "mallory"],
            "not a development account",
        ),
        (&["show", "--contract", "0x12"], "an address is 0x and 40"),
        (&["drop", "--game", "0", "0"], "bins count from 1 here"),
        (&["drop", "--game", "0"], "<MOVE>"),
        (&["fly"], "fly"),
        (&["node", "--block-time", "0"], "more than 0"),
        (&["node", "--keep-states", "0"], "--keep-states"),
    ] {
        let ended = run(&[arguments, &["--data", data]].concat(), "");
        println!("{arguments:?}: {}", ended.err);
        assert!(ended.err.contains(why), "{}", ended.err);
        ended.expect(2);
    }
    assert!(!fs::exists(data).unwrap());
}

#[test]
fn failures_say_what_to_do() {
    // Nothing listens on a port that was just released.
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let url = format!("ws://127.0.0.1:{port}");
    let ended = run(&["list", "--url", &url], "").expect(1);
    assert!(
        ended.err.contains(&format!("cannot connect to {url}")),
        "{}",
        ended.err
    );
    assert!(ended.err.contains("connect4 node"), "{}", ended.err);
    let ended = run(&["list", "--url", "gopher://x"], "").expect(1);
    assert!(
        ended.err.contains("has to start with ws://"),
        "{}",
        ended.err
    );

    let node = Node::start(&["--tmp"]);
    let ended = run(&["show", "--url", &node.url], "").expect(1);
    assert!(
        ended.err.contains("there is no contract at 0x"),
        "{}",
        ended.err
    );
    assert!(ended.err.contains("connect4 deploy"), "{}", ended.err);
    run(&["deploy", "--url", &node.url], "").expect(0);
    let ended = run(&["show", "--url", &node.url], "").expect(3);
    assert!(ended.err.contains("has no games yet"), "{}", ended.err);

    // The port is in use.
    let port = node.url.rsplit_once(':').unwrap().1;
    let ended = run(&["node", "--tmp", "--rpc-port", port], "").expect(1);
    assert!(ended.err.contains("cannot listen on"), "{}", ended.err);
}
