//! Games that were interrupted: by the end of input, a signal, a full disk, a closed pipe.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::board::{CLASSROOM, picture};
use crate::run::{Node, Running, by_shell, connect4, run};

#[test]
fn a_game_that_was_left_is_resumed() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    let ended = run(
        &[&CLASSROOM[..], &["--data", data]].concat(),
        "5\n0\n4\n0\n",
    )
    .expect(4);
    let command = format!("connect4 play --game 0 --data '{data}'");
    assert!(ended.err.contains(&command), "{}", ended.err);

    let ended = run(&["play", "--game", "0", "--data", data], "3\n0\n2\n").expect(0);
    assert!(!ended.out.contains("deployed"), "{}", ended.out);
    let winning = [(2, 0), (3, 0), (4, 0), (5, 0)];
    assert!(
        ended
            .out
            .contains(&picture(6, 4, &[5, 0, 4, 0, 3, 0, 2], &winning))
    );
    assert_eq!(ended.out.lines().last(), Some("winner: red"));

    // A game that has ended asks for nothing.
    let ended = run(&["play", "--game", "0", "--data", data], "").expect(0);
    assert!(!ended.out.contains("Enter a bin"));
    assert_eq!(ended.out.lines().last(), Some("winner: red"));
}

#[test]
fn a_full_disk_stops_the_chain_with_an_error_and_loses_no_move() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    run(&["deploy", "--data", data], "").expect(0);
    // The chain's file may grow by some blocks only.
    let size = fs::metadata(folder.path().join("chain.redb"))
        .unwrap()
        .len();
    let limited = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"",
        size / 1024 + 1000
    );
    let mut shell = Command::new("bash");
    shell.args(["-c", &limited, env!("CARGO_BIN_EXE_connect4")]);
    shell.args(["node", "--rpc-port", "0", "--data", data]);
    let pipe = Stdio::piped;
    shell.stdin(pipe()).stdout(pipe()).stderr(pipe());
    let Node { mut running, url } = Node::of(shell);

    let game = "3\n4\n".repeat(4);
    let mut shown = 0;
    loop {
        let mut play = Running::start(connect4(&["play", "--url", &url]));
        play.say(&game);
        play.close();
        let mut is_lost = false;
        while let Some(line) = play.next_line() {
            shown += u64::from(line.contains(" into bin "));
            // It would wait until the node is there again.
            is_lost = line.contains("does not respond");
            if is_lost {
                break;
            }
        }
        match is_lost {
            true => play.kill(),
            false if play.end().status.success() => continue,
            false => {}
        }
        break;
    }
    // The node says why it ends: the file cannot be written again before it is opened again.
    let said = running.error_with("the chain makes no more blocks: ");
    assert!(said.contains("store failed"), "{said}");
    assert!(said.contains("start the chain again"), "{said}");
    running.end().expect(1);

    // Without the limit, the chain has every move that was shown.
    let games = run(&["list", "--json", "--limit", "1000", "--data", data], "").expect(0);
    let turns = |line| serde_json::from_str::<Value>(line).unwrap()["turns"].as_u64();
    let kept: u64 = games.out.lines().filter_map(turns).sum();
    assert_eq!(kept, shown);
}

/// A page that is served goes on showing what there is, and says why its chain takes nothing more.
#[test]
fn a_full_disk_is_named_by_a_served_page_and_its_chain() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    run(&["deploy", "--data", data], "").expect(0);
    let file = fs::metadata(folder.path().join("chain.redb")).unwrap();
    // In blocks of 512 bytes.
    let limited = format!("trap '' XFSZ; ulimit -f {}", file.len() / 512 + 2000);
    let serve = connect4(&["serve", "--no-index", "--port", "0", "--data", data]);
    let mut running = Running::start(by_shell(&limited, &serve));
    running.line_with("Play at ");
    let url = fs::read_to_string(folder.path().join("node.url")).unwrap();
    let url = url.trim().to_owned();
    let mut node = Node { running, url };
    assert!(!node.ask("system_health", "[]").contains("halted"));
    let game = "3\n4\n".repeat(4);
    while run(&["play", "--url", &node.url], &game).status.success() {}
    let said = node.running.error_with("the chain makes no more blocks: ");
    assert!(said.contains("start the chain again"), "{said}");
    let health = node.ask("system_health", "[]");
    assert!(
        health.contains(r#""halted":"the chain's store failed"#),
        "{health}"
    );
    let again = run(&["play", "--url", &node.url], &game).expect(1);
    assert!(again.err.contains("store failed"), "{}", again.err);
    assert!(again.err.contains("start the chain again"), "{}", again.err);
}

#[test]
fn a_killed_program_has_kept_every_move_that_it_showed() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    let mut game = Running::start(connect4(&[&CLASSROOM[..], &["--data", data]].concat()));
    for (turn, bin) in [5, 0, 4, 0, 3].into_iter().enumerate() {
        game.line_with(&format!("add shape: {}, ", turn + 1));
        game.say(bin);
    }
    game.line_with("red into bin 3");
    game.child.kill().unwrap();
    game.child.wait().unwrap();
    assert!(
        folder.path().join("node.url").exists(),
        "a killed program leaves its file behind"
    );

    let ended = run(&["play", "--game", "0", "--data", data], "0\n2\n").expect(0);
    let winning = [(2, 0), (3, 0), (4, 0), (5, 0)];
    assert!(
        ended.out.contains(&picture(6, 4, &[5, 0, 4, 0, 3], &[])),
        "{}",
        ended.out
    );
    assert!(
        ended
            .out
            .contains(&picture(6, 4, &[5, 0, 4, 0, 3, 0, 2], &winning))
    );
    assert!(!folder.path().join("node.url").exists());
}

#[test]
fn an_interrupted_game_prints_how_to_resume_it() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    for (name, status) in [("INT", 130), ("TERM", 143)] {
        let mut game = Running::start(connect4(&["play", "--data", data]));
        game.line_with("add shape: 1");
        // The program ends although its input stays open.
        let ended = game.stop(name).expect(status);
        assert!(ended.err.contains("resume it by"), "{}", ended.err);
        assert!(ended.err.contains("connect4 play --game"), "{}", ended.err);
    }
    assert!(!folder.path().join("node.url").exists());
}

#[test]
fn a_closed_output_pipe_ends_the_program_silently() {
    let mut command = connect4(&["play", "--tmp"]);
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    drop(output);
    for _ in 0..6 {
        let _ = writeln!(input, "0");
    }
    drop(input);
    let mut err = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut err)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(141), "{err}");
    assert_eq!(err, "");
}
