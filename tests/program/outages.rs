//! A node that goes away in the middle of a game and comes back: programs wait for it, say so once,
//! and go on.

use std::net::TcpListener;

use serde_json::Value;
use tempfile::TempDir;

use crate::board::picture;
use crate::run::{Commands, Node, Running, connect4, run, signal};
use crate::serve::{Socket, ask};

/// Connections that are refused before the node is back: each is an attempt that fails.
const ATTEMPTS: usize = 12;

/// A node on a folder, which can be killed and started again where it was.
struct Place {
    folder: TempDir,
    node: Node,
}

impl Place {
    fn start() -> Self {
        let folder = TempDir::new().unwrap();
        let node = Node::start(&["--data", folder.path().to_str().unwrap()]);
        Self { folder, node }
    }

    fn url(&self) -> String {
        self.node.url.clone()
    }

    fn folder(&self) -> &str {
        self.folder.path().to_str().unwrap()
    }

    fn kill(&mut self) {
        self.node.running.child.kill().unwrap();
        self.node.running.child.wait().unwrap();
    }

    /// Takes this many connections in the node's place, and drops each.
    fn refuse(&self, connections: usize) {
        let addr = self.node.url.strip_prefix("ws://").unwrap();
        let listener = TcpListener::bind(addr).unwrap();
        for _ in 0..connections {
            drop(listener.accept().unwrap());
        }
    }

    fn restart(&mut self) {
        let (_, port) = self.node.url.rsplit_once(':').unwrap();
        let arguments = ["node", "--rpc-port", port, "--data", self.folder()];
        self.node = Node::of(connect4(&arguments));
    }

    fn commands(&self) -> Commands<'_> {
        Commands { node: &self.node }
    }
}

fn away(url: &str) -> String {
    format!("the node at {url} does not respond; waiting for it")
}

fn back(url: &str) -> String {
    format!("the node at {url} responds again")
}

/// Ends a program, and checks that it has told one outage, once.
#[track_caller]
fn ended_after_one_outage(program: Running, url: &str) -> String {
    let ended = program.end().expect(0);
    assert_eq!(ended.out.matches(&away(url)).count(), 1, "{}", ended.out);
    assert_eq!(ended.out.matches(&back(url)).count(), 1, "{}", ended.out);
    ended.out
}

#[test]
fn two_programs_play_on_after_their_node_was_away() {
    let mut place = Place::start();
    let url = place.url();
    let board = "--bins 6 --capacity 4";
    let mut red = place.commands().start(&format!("play --seat red {board}"));
    red.line_with("add shape: 1, player: red");
    let mut blue = place.commands().start("play --game 0 --seat blue");
    blue.line_with("waiting for red to move");
    red.say(5);
    blue.line_with("red into bin 5");
    blue.line_with("add shape: 2, player: blue");
    red.line_with("waiting for blue to move");

    place.kill();
    for table in [&mut red, &mut blue] {
        table.line_with(&away(&url));
    }
    // What is typed meanwhile is done later.
    blue.say(0);
    place.refuse(2 * ATTEMPTS);
    place.restart();
    for table in [&mut red, &mut blue] {
        table.line_with(&back(&url));
        table.line_with("blue into bin 0");
    }
    for (turn, bin) in [4, 0, 3, 0, 2].into_iter().enumerate() {
        let mover = [&mut red, &mut blue].into_iter().nth(turn % 2).unwrap();
        mover.line_with(&format!("add shape: {}", turn + 3));
        mover.say(bin);
    }
    let winning = [(2, 0), (3, 0), (4, 0), (5, 0)];
    let won = picture(6, 4, &[5, 0, 4, 0, 3, 0, 2], &winning);
    for table in [red, blue] {
        let out = ended_after_one_outage(table, &url);
        assert!(out.contains(&won), "{out}");
        assert_eq!(out.lines().last(), Some("winner: red"));
    }
}

#[test]
fn who_plays_takes_over_the_chain_of_a_folder() {
    let mut place = Place::start();
    let play = |arguments: &[&str]| {
        let data = ["--data", place.folder()];
        Running::start(connect4(&[arguments, &data].concat()))
    };
    let mut red = play(&["play", "--seat", "red", "--bins", "6", "--capacity", "4"]);
    red.line_with("add shape: 1, player: red");
    let mut blue = play(&["play", "--game", "0", "--seat", "blue"]);
    blue.line_with("waiting for red to move");
    place.kill();
    // One of them opens the chain, and the other finds it there.
    red.say(5);
    blue.line_with("red into bin 5");
    blue.line_with("add shape: 2, player: blue");
    blue.say(0);
    red.line_with("blue into bin 0");
    // Whoever has it leaves, and the one who stays goes on.
    red.line_with("add shape: 3, player: red");
    drop(red.stop("TERM"));
    let ended = run(&["move", "--game", "0", "5", "--data", place.folder()], "");
    ended.expect(0);
    blue.line_with("red into bin 4");
    blue.line_with("add shape: 4, player: blue");
    drop(blue.stop("TERM"));
    assert!(!place.folder.path().join("node.url").exists());
}

#[test]
fn a_variant_is_played_on_after_its_node_was_away() {
    let mut place = Place::start();
    let url = place.url();
    let play = "play --players 3 --line 3 --seat red";
    let mut red = place.commands().start(play);
    red.line_with("turn: 1, player:");
    place.kill();
    red.line_with(&away(&url));
    red.say(1);
    place.restart();
    red.line_with(&back(&url));
    red.line_with("red drops into bin 1");
    red.line_with("waiting for");
    let shown = place.commands().out("show --game v0");
    assert!(shown.contains("blue to move"), "{shown}");
}

#[test]
fn a_player_whose_time_runs_out_is_told_so_while_the_node_is_away() {
    let mut place = Place::start();
    let url = place.url();
    let commands = place.commands();
    commands.out("table --to bob --limit 10s");
    commands.out("join --game v0 --account bob");
    let mut red = commands.start("play --game v0 --seat red");
    red.line_with("turn: 1, player:");
    place.kill();
    red.line_with(&away(&url));
    red.line_with("your time has run out");
}

#[test]
fn a_program_that_watches_misses_nothing_while_its_node_is_away() {
    let mut place = Place::start();
    let url = place.url();
    place.commands().out("start --bins 6 --capacity 4");
    let drops = [6, 1, 5, 1, 4, 1, 3];
    let drop = |url: &str, bin| {
        let bin = format!("{bin}");
        run(&["move", "--game", "0", &bin, "--url", url], "").expect(0);
    };
    let mut text = place.commands().start("watch --game 0");
    text.line_with("red to move");
    let mut json = place.commands().start("watch --game 0 --json");
    json.line_with("\"turns\":0");
    drop(&url, drops[0]);
    text.line_with("red into bin 6");
    json.line_with("dropped");

    place.kill();
    text.line_with(&away(&url));
    let told: Value = serde_json::from_str(&json.line_with("away")).unwrap();
    assert_eq!(told["url"], url);
    // The chain goes on elsewhere.
    {
        let elsewhere = Node::start(&["--data", place.folder()]);
        for bin in &drops[1..6] {
            drop(&elsewhere.url, *bin);
        }
        elsewhere.running.stop("TERM").expect(0);
    }
    place.refuse(2 * ATTEMPTS);
    place.restart();
    let told: Value = serde_json::from_str(&json.line_with("back")).unwrap();
    assert_eq!(told["url"], url);
    assert!(told["seconds"].is_u64(), "{told}");
    for (turn, bin) in drops[1..6].iter().enumerate() {
        let colour = ["blue", "red"][turn % 2];
        text.line_with(&format!("{colour} into bin {bin}"));
        let told: Value = serde_json::from_str(&json.line_with("dropped")).unwrap();
        assert_eq!(
            (&told["bin"], &told["turn"]),
            (&(*bin - 1).into(), &(turn + 1).into())
        );
    }
    drop(&url, drops[6]);
    json.line_with("ended");
    let out = ended_after_one_outage(text, &url);
    assert_eq!(
        out.lines().last(),
        Some("game 0 ended, winner: red"),
        "{out}"
    );
}

#[test]
fn events_are_told_with_their_players_although_the_game_was_freed_meanwhile() {
    let mut place = Place::start();
    place.commands().out("start");
    place.commands().out("table --players 3 --line 3");
    for account in ["bob", "charlie"] {
        let join = format!("join --game v0 --account {account}");
        place.commands().out(&join);
    }
    let mut watch = place.commands().start("watch");
    for _ in 0..2 {
        watch.line_with("following the contract");
    }
    place.commands().out("move --game 0 4");
    watch.line_with("game 0: red into bin 4");
    place.kill();
    watch.line_with("does not respond");
    let elsewhere = Node::start(&["--data", place.folder()]);
    let commands = Commands { node: &elsewhere };
    for line in [
        "move --game 0 4",
        "resign --game 0 --account alice",
        "free --game 0 --account alice",
        "move --game v0 1",
        "leave --game v0 --account bob",
        "leave --game v0 --account charlie",
        "free --game v0 --account alice",
    ] {
        commands.out(line);
    }
    elsewhere.running.stop("TERM").expect(0);
    place.restart();
    let mut told = Vec::new();
    let has = |told: &[String], text: &str| told.iter().any(|line| line.contains(text));
    while !has(&told, "game 0: its storage was freed") || !has(&told, "game v0: its storage") {
        told.push(watch.line_with("game "));
    }
    for text in [
        "game 0: blue into bin 4",
        "game 0 ended, winner: blue by resignation",
        "game v0: red drops into bin 1",
        "game v0: blue leaves",
        "game v0 ended, winner: red",
    ] {
        assert!(has(&told, text), "no {text:?} in {told:#?}");
    }
}

#[cfg(unix)]
#[test]
fn a_node_that_hangs_is_waited_for_like_one_that_is_gone() {
    let place = Place::start();
    let url = place.url();
    let mut play = place.commands().start("play");
    play.line_with("add shape: 1, player: red");
    play.say(0);
    play.line_with("add shape: 2, player: blue");
    // It keeps its connections, and answers nothing on them.
    signal("STOP", place.node.running.child.id());
    play.say(1);
    play.line_with(&away(&url));
    signal("CONT", place.node.running.child.id());
    play.line_with(&back(&url));
    play.line_with("add shape: 3, player: red");
}

#[test]
fn the_page_is_told_once_that_the_chain_is_away() {
    let mut place = Place::start();
    let mut server = place.commands().start("serve --port 0");
    let line = server.line_with("Play at http://127.0.0.1:");
    let (addr, _) = line
        .strip_prefix("Play at http://")
        .and_then(|link| link.split_once("/#key="))
        .expect("a link with a key");
    let mut socket = Socket::open(addr, "/api/live");
    let chain = |socket: &mut Socket, up: bool| {
        let mut told = Vec::new();
        loop {
            let message = socket.next();
            if message["type"] == "chain" {
                let is_last = message["up"] == up;
                told.push(message);
                if is_last {
                    return told;
                }
            }
        }
    };
    chain(&mut socket, true);
    place.kill();
    let mut told = chain(&mut socket, false);
    place.refuse(ATTEMPTS);
    place.restart();
    told.extend(chain(&mut socket, true));
    // What was still on its way when the chain ended says that it is there.
    let away: Vec<_> = told
        .iter()
        .filter(|message| message["up"] == false)
        .collect();
    let reasons: Vec<_> = away
        .iter()
        .map(|message| message["why"].as_str().expect("a reason"))
        .collect();
    assert!(reasons[0].contains("was lost"), "{reasons:?}");
    assert!(reasons.len() < ATTEMPTS, "{reasons:?}");
    assert!(
        reasons.windows(2).all(|pair| pair[0] != pair[1]),
        "{reasons:?}"
    );
    let since = &away[0]["since"];
    assert!(since.is_u64(), "{told:?}");
    assert!(away.iter().all(|message| message["since"] == *since));
    let hello = ask(
        addr,
        &format!("GET /api/hello HTTP/1.1\r\nhost: {addr}"),
        "",
    );
    assert!(hello.starts_with("HTTP/1.1 200 "), "{hello}");
}
