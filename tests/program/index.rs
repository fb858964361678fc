//! The index of past events on disk: read once, shared, resumed after a kill.

use std::fs;
use std::path::{Path, PathBuf};

use connect4_chain::{Chain, Options, Storage};
use tempfile::TempDir;

use crate::run::{Commands, Ended, Node, Running, connect4, run, run_command, signal};

/// Moves of a variant of two players, one a line, by which red wins: plain games are unrated.
const WON: &str = "6\n1\n5\n1\n4\n1\n3\n";

/// A chain in a folder with a game that red has won, and so many empty blocks behind it.
fn chain(folder: &Path, blocks: u32) {
    let data = folder.to_str().unwrap();
    let played = ["play", "--pop-out", "--data", data, "--no-index"];
    run(&played, WON).expect(0);
    let chain = Chain::open(Options {
        storage: Storage::Folder(folder.to_path_buf()),
        ..Options::default()
    })
    .unwrap();
    for _ in 0..blocks {
        chain.seal().unwrap();
    }
}

/// A command on a chain elsewhere, for a user with this folder of data.
fn of_user(arguments: &[&str], url: &str, home: &Path) -> std::process::Command {
    let mut command = connect4(&[arguments, &["--url", url]].concat());
    command.env("XDG_DATA_HOME", home);
    command
}

fn standings(url: &str, home: &Path) -> Ended {
    run_command(of_user(&["standings"], url, home), "").expect(0)
}

/// The index's file in a folder; none if there is none.
fn file(folder: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(folder.join("index")).ok()?;
    let mut files = files.map(|file| file.unwrap().path());
    files.find(|file| file.extension().is_some_and(|end| end == "db"))
}

#[test]
fn the_index_is_beside_the_local_chain_unless_none_is_wanted() {
    let folder = TempDir::new().unwrap();
    chain(folder.path(), 3);
    let data = folder.path().to_str().unwrap();
    let without = run(&["standings", "--data", data, "--no-index"], "").expect(0);
    assert!(without.out.contains("1516     1"), "{}", without.out);
    assert!(!folder.path().join("index").exists());
    let with = run(&["standings", "--data", data], "").expect(0);
    assert_eq!((with.out, with.err), (without.out, without.err));
    let file = file(folder.path()).expect("an index");

    // An unreadable one is renamed, which is said once.
    fs::write(&file, "no database").unwrap();
    let replay = ["replay", "--game", "v0", "--data", data, "--pause", "0"];
    let anew = run(&replay, "").expect(0);
    assert!(anew.err.contains("was renamed"), "{}", anew.err);
    assert!(file.with_extension("unreadable").exists());
    let again = run(&replay, "").expect(0);
    assert_eq!((again.out, again.err), (anew.out, String::new()));
}

#[test]
fn a_chain_in_memory_and_one_elsewhere() {
    let node = Node::start(&["--tmp"]);
    run(&["play", "--pop-out", "--url", &node.url], WON).expect(0);
    let home = TempDir::new().unwrap();
    let first = standings(&node.url, home.path());
    assert!(first.out.contains("1516     1"), "{}", first.out);
    assert!(file(&home.path().join("connect4")).is_some());
    assert_eq!(standings(&node.url, home.path()).out, first.out);
}

#[test]
fn a_reading_that_was_killed_is_resumed() {
    let folder = TempDir::new().unwrap();
    chain(folder.path(), 2500);
    let node = Node::start(&["--data", folder.path().to_str().unwrap()]);
    let home = TempDir::new().unwrap();
    let data = home.path().join("connect4");
    let whole = run(&["standings", "--no-index", "--url", &node.url], "").expect(0);
    assert!(whole.out.contains("1516     1"), "{}", whole.out);
    for _ in 0..3 {
        let reading = Running::start(of_user(&["standings"], &node.url, home.path()));
        // It is killed once it has begun to write.
        while file(&data).is_none_or(|file| fs::metadata(file).unwrap().len() == 0) {
            std::thread::yield_now();
        }
        signal("KILL", reading.child.id());
        reading.end();
    }
    let resumed = standings(&node.url, home.path());
    assert_eq!((resumed.out, resumed.err), (whole.out, String::new()));
}

#[test]
fn two_programs_share_it() {
    let folder = TempDir::new().unwrap();
    chain(folder.path(), 1500);
    let node = Node::start(&["--data", folder.path().to_str().unwrap()]);
    let home = TempDir::new().unwrap();
    let commands = [
        &["standings"][..],
        &["standings", "--json"],
        &["replay", "--game", "v0"],
    ];
    let commands: Vec<&[&str]> = commands.repeat(2);
    let running: Vec<Running> = commands
        .iter()
        .map(|command| Running::start(of_user(command, &node.url, home.path())))
        .collect();
    for (running, command) in running.into_iter().zip(commands) {
        let ended = running.end().expect(0);
        let alone = [command, &["--no-index", "--url", &node.url]].concat();
        let alone = run(&alone, "").expect(0);
        assert_eq!((ended.out, ended.err), (alone.out, String::new()));
    }
}

#[test]
fn what_a_node_has_discarded_is_said() {
    let node = Node::start(&["--tmp", "--keep-states", "8"]);
    let commands = Commands { node: &node };
    let home = TempDir::new().unwrap();
    let of_home = |arguments: &[&str]| {
        let command = of_user(arguments, &node.url, home.path());
        run_command(command, "").expect(0)
    };
    let play = |answers: &str| {
        let game = ["play", "--pop-out", "--no-index", "--url", &node.url];
        run(&game, answers).expect(0);
    };
    play(WON);
    play("1\n6\n1\n5\n1\n4\n2\n3\n");
    commands.out("free --game v0");
    for _ in 0..10 {
        commands.out("start");
    }

    let told = of_home(&["standings"]).out;
    let lines: Vec<&str> = told.lines().collect();
    // Blue has won the second game, which is stored still.
    assert!(
        lines[2].starts_with("  1516     1      0       0      1  bob"),
        "{told}"
    );
    assert_eq!(
        lines[4],
        "ratings are no proof against one person with many accounts"
    );
    let (blocks, times) = lines[5].split_once(" (20").expect("a time");
    let last: u32 = blocks
        .strip_prefix("incomplete for variants: the node has discarded the states of blocks 0 to ")
        .expect(blocks)
        .parse()
        .unwrap();
    assert!(
        times.ends_with(
            "Z), and with them their events; a node that keeps all states (--state-pruning \
             archive) has them"
        ),
        "{times}"
    );
    assert!(
        lines[7].starts_with("1 game that started then is no longer in"),
        "{told}"
    );

    let json = of_home(&["standings", "--json"]).json();
    assert_eq!(json[0]["complete"], false);
    let incomplete = &json[2];
    assert_eq!(incomplete["incomplete"], "variants");
    assert_eq!(incomplete["missing"][0]["first"], 0);
    assert_eq!(incomplete["missing"][0]["last"], last);
    assert!(incomplete["missing"][0]["until"].as_u64().is_some());
    assert_eq!(incomplete["lost"], 1);

    let replay = of_user(&["replay", "--game", "v1"], &node.url, home.path());
    let replayed = run_command(replay, "").expect(1).err;
    let expected = "error: looking up the history of game v1: its start cannot be read, as the node \
                    has discarded the states of blocks 0 to ";
    assert!(replayed.starts_with(expected), "{replayed}");

    // What the index has outlasts the states: the games that have started since are there.
    let known = of_home(&["standings", "--json"]).json();
    for _ in 0..10 {
        commands.out("start");
        of_home(&["standings"]);
    }
    let later = of_home(&["standings", "--json"]).json();
    assert_eq!(later, known);
}

#[test]
fn a_page_that_is_served_keeps_the_index_up() {
    let node = Node::start(&["--tmp", "--keep-states", "256", "--dev-rpc"]);
    let home = TempDir::new().unwrap();
    let game = ["play", "--pop-out", "--no-index", "--url", &node.url];
    run(&game, WON).expect(0);
    let mut page = Running::start(of_user(&["serve", "--port", "0"], &node.url, home.path()));
    page.line_with("Play at");
    let data = home.path().join("connect4");
    // Each block that was read is written to the file's journal.
    let written = || {
        let journal = file(&data)?.with_extension("db-wal");
        fs::metadata(journal).ok()?.modified().ok()
    };
    let mut before = None;
    // A look at new blocks writes more than once, so that the index may be some rounds behind.
    for _ in 0..20 {
        while written() == before {
            std::thread::yield_now();
        }
        before = written();
        for _ in 0..17 {
            node.ask("dev_seal", "[]");
        }
    }
    page.stop("TERM").expect(0);
    let told = run_command(
        of_user(&["standings", "--json"], &node.url, home.path()),
        "",
    );
    let told = told.expect(0).json();
    assert_eq!((told.len(), &told[0]["complete"]), (2, &true.into()));
    // The fee of a move, too, is in a state that the node does not have any more.
    let replay = ["replay", "--game", "v0"];
    let with = of_user(&[&replay[..], &["--json"]].concat(), &node.url, home.path());
    assert_eq!(run_command(with, "").expect(0).json().len(), 9);
    let without = [&replay[..], &["--no-index", "--url", &node.url]].concat();
    let without = run(&without, "").expect(1);
    assert!(without.err.contains("has discarded"), "{}", without.err);
}
