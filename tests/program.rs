//! The program as its user has it: the built binary, driven through its input and output.
//!
//! Nothing here waits for a time to pass: what is awaited is a line of output or an end. The limit on
//! that only turns a hang into a failure.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// How long anything may take before it counts as a hang.
const LIMIT: Duration = Duration::from_secs(120);

// --- Driving the program ---------------------------------------------------------------------

fn connect4(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_connect4"));
    for name in [
        "URL",
        "DATA",
        "CONTRACT",
        "DEPLOYER",
        "SECRET",
        "RED_SECRET",
        "BLUE_SECRET",
    ] {
        command.env_remove(format!("CONNECT4_{name}"));
    }
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A program at work.
struct Running {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
    seen: String,
    complaints: String,
}

fn lines(source: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut source = BufReader::new(source);
        let mut line = Vec::new();
        while matches!(source.read_until(b'\n', &mut line), Ok(1..)) {
            let text = String::from_utf8_lossy(&line)
                .trim_end_matches('\n')
                .to_owned();
            line.clear();
            if sender.send(text).is_err() {
                return;
            }
        }
    });
    receiver
}

impl Running {
    fn start(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the program starts");
        Self {
            input: child.stdin.take(),
            lines: lines(child.stdout.take().unwrap()),
            errors: lines(child.stderr.take().unwrap()),
            child,
            seen: String::new(),
            complaints: String::new(),
        }
    }

    fn say(&mut self, line: impl std::fmt::Display) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The next line of output that holds this text.
    fn line_with(&mut self, text: &str) -> String {
        loop {
            let Ok(line) = self.lines.recv_timeout(LIMIT) else {
                let errors = self.rest_of_errors();
                panic!("no line with {text:?} after\n{}\n{errors}", self.seen);
            };
            self.seen.push_str(&line);
            self.seen.push('\n');
            if line.contains(text) {
                return line;
            }
        }
    }

    /// The next line of errors that holds this text.
    fn error_with(&mut self, text: &str) -> String {
        loop {
            let Ok(line) = self.errors.recv_timeout(LIMIT) else {
                panic!("no error with {text:?} after\n{}", self.complaints);
            };
            self.complaints.push_str(&line);
            self.complaints.push('\n');
            if line.contains(text) {
                return line;
            }
        }
    }

    fn rest_of_errors(&mut self) -> String {
        let _ = self.child.kill();
        self.errors.iter().collect::<Vec<_>>().join("\n")
    }

    /// Ends the input and waits for the program's end.
    fn end(mut self) -> Ended {
        drop(self.input.take());
        for line in self.lines.iter() {
            self.seen.push_str(&line);
            self.seen.push('\n');
        }
        for line in self.errors.iter() {
            self.complaints.push_str(&line);
            self.complaints.push('\n');
        }
        let status = self.child.wait().unwrap();
        assert!(!self.complaints.contains("panicked"), "{}", self.complaints);
        Ended {
            status,
            out: std::mem::take(&mut self.seen),
            err: std::mem::take(&mut self.complaints),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program that has ended.
#[derive(Debug)]
struct Ended {
    status: ExitStatus,
    out: String,
    err: String,
}

impl Ended {
    #[track_caller]
    fn expect(self, status: i32) -> Self {
        assert_eq!(
            self.status.code(),
            Some(status),
            "{}\n{}",
            self.out,
            self.err
        );
        self
    }

    /// The output's lines as JSON.
    #[track_caller]
    fn json(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
            .collect()
    }
}

/// Runs the program to its end with this input.
fn run(arguments: &[&str], input: &str) -> Ended {
    run_command(connect4(arguments), input)
}

fn run_command(command: Command, input: &str) -> Ended {
    let mut running = Running::start(command);
    let id = running.child.id();
    // A hang must not hang the tests.
    let (done, finished) = channel::<()>();
    thread::spawn(move || {
        if let Err(std::sync::mpsc::RecvTimeoutError::Timeout) = finished.recv_timeout(LIMIT) {
            signal("KILL", id);
        }
    });
    let mut pipe = running.input.take().unwrap();
    let input = input.to_owned();
    let writer = thread::spawn(move || {
        // The program may end before it has read everything.
        let _ = pipe.write_all(input.as_bytes());
    });
    let ended = running.end();
    writer.join().unwrap();
    drop(done);
    ended
}

fn signal(name: &str, id: u32) {
    let sent = Command::new("kill")
        .args([format!("-{name}"), id.to_string()])
        .stderr(Stdio::null())
        .status();
    assert!(sent.is_ok(), "kill is missing");
}

/// A node on a chain in memory, or in a folder.
struct Node {
    running: Running,
    url: String,
}

impl Node {
    fn start(arguments: &[&str]) -> Self {
        let arguments = [&["node", "--rpc-port", "0"], arguments].concat();
        Self::of(connect4(&arguments))
    }

    fn of(command: Command) -> Self {
        let mut running = Running::start(command);
        let line = running.error_with("Running JSON-RPC server: addr=");
        let (_, addr) = line.split_once("addr=").unwrap();
        Self {
            url: format!("ws://{addr}"),
            running,
        }
    }
}

// --- What is expected ------------------------------------------------------------------------

/// The board after these drops, drawn without the rules: discs pile up, red first.
fn picture(bins: usize, capacity: usize, drops: &[usize], winning: &[(usize, usize)]) -> String {
    let mut piles = vec![Vec::new(); bins];
    for (turn, &bin) in drops.iter().enumerate() {
        piles[bin].push(turn % 2 == 0);
    }
    let rule = format!("+{}\n", "---+".repeat(bins));
    let mut text = String::new();
    for row in (0..capacity).rev() {
        text.push_str(&rule);
        text.push('|');
        for (bin, pile) in piles.iter().enumerate() {
            let disc = match (pile.get(row), winning.contains(&(bin, row))) {
                (None, _) => ' ',
                (Some(true), false) => '●',
                (Some(true), true) => '◎',
                (Some(false), false) => '⬟',
                (Some(false), true) => '⬠',
            };
            text.push_str(&format!(" {disc} |"));
        }
        text.push('\n');
    }
    text.push_str(&rule);
    for bin in 0..bins {
        text.push_str(&if bin == 0 {
            format!("{bin:>3}")
        } else {
            format!("{bin:>4}")
        });
    }
    text + "\n"
}

fn answers(drops: &[usize]) -> String {
    drops.iter().map(|bin| format!("{bin}\n")).collect()
}

const CLASSROOM: [&str; 5] = ["play", "--bins", "6", "--capacity", "4"];

/// Plays on a classroom board on a chain in memory.
fn classroom(input: &str) -> Ended {
    run(&[&CLASSROOM[..], &["--tmp"]].concat(), input)
}

// --- The classroom table ---------------------------------------------------------------------

#[test]
fn the_nine_sequences_end_as_the_table_says() {
    type Case<'a> = (&'a str, &'a [usize], Option<&'a str>, &'a [(usize, usize)]);
    let cases: [Case; 9] = [
        (
            "1",
            &[5, 0, 4, 0, 3, 0, 2],
            Some("winner: red"),
            &[(2, 0), (3, 0), (4, 0), (5, 0)],
        ),
        ("2", &[5, 0, 4, 0, 3, 0], None, &[]),
        (
            "3",
            &[0, 1, 0, 1, 0, 1, 3, 1],
            Some("winner: blue"),
            &[(1, 0), (1, 1), (1, 2), (1, 3)],
        ),
        ("4", &[0, 1, 0, 1, 0, 1], None, &[]),
        (
            "5",
            &[0, 1, 1, 2, 3, 2, 2, 3, 3, 4, 3],
            Some("winner: red"),
            &[(0, 0), (1, 1), (2, 2), (3, 3)],
        ),
        (
            "6",
            &[0, 1, 2, 3, 0, 2, 0, 0, 1, 1],
            Some("winner: blue"),
            &[(0, 3), (1, 2), (2, 1), (3, 0)],
        ),
        (
            "7",
            &[
                0, 1, 0, 2, 0, 0, 3, 1, 2, 1, 1, 2, 3, 3, 5, 3, 5, 5, 4, 4, 4, 5, 4, 2,
            ],
            Some("a tie"),
            &[],
        ),
        (
            "8",
            &[0, 1, 0, 2, 1, 3, 0, 4],
            Some("winner: blue"),
            &[(1, 0), (2, 0), (3, 0), (4, 0)],
        ),
        (
            "9",
            &[1, 0, 1, 2, 1, 3, 1],
            Some("winner: red"),
            &[(1, 0), (1, 1), (1, 2), (1, 3)],
        ),
    ];
    for (case, drops, end, winning) in cases {
        println!("case {case}");
        let ended = classroom(&answers(drops));
        println!("{}", ended.out);
        for taken in 0..drops.len() {
            let before = picture(6, 4, &drops[..taken], &[]);
            assert!(ended.out.contains(&before), "after {taken}:\n{before}");
        }
        assert!(ended.out.contains(&picture(6, 4, drops, winning)));
        match end {
            Some(end) => {
                assert_eq!(ended.out.lines().last(), Some(end));
                ended.expect(0);
            }
            None => {
                assert!(!ended.out.contains("winner") && !ended.out.contains("a tie"));
                let ended = ended.expect(4);
                assert!(
                    ended
                        .err
                        .contains("the input ended in the middle of the game")
                );
            }
        }
    }
}

#[test]
fn boards_are_as_large_as_asked_for_and_no_smaller_than_they_can_be() {
    println!("case A");
    let ended = classroom("").expect(4);
    assert!(
        ended.out.contains(&picture(6, 4, &[], &[])),
        "{}",
        ended.out
    );
    println!("case B");
    let ended = run(&["play", "--tmp", "--bins", "7", "--capacity", "5"], "").expect(4);
    assert!(
        ended.out.contains(&picture(7, 5, &[], &[])),
        "{}",
        ended.out
    );
    println!("case C");
    let ended = run(&["play", "--tmp", "--bins", "5", "--capacity", "1"], "").expect(4);
    assert!(
        ended.out.contains("capacity raised from 1 to 4"),
        "{}",
        ended.out
    );
    assert!(!ended.out.contains("bins raised"));
    assert!(
        ended.out.contains(&picture(5, 4, &[], &[])),
        "{}",
        ended.out
    );
    println!("the usual board");
    let ended = run(&["play", "--tmp"], "").expect(4);
    assert!(
        ended.out.contains(&picture(7, 6, &[], &[])),
        "{}",
        ended.out
    );
    println!("no command");
    let folder = TempDir::new().unwrap();
    let ended = run(&["--data", folder.path().to_str().unwrap()], "").expect(4);
    assert!(
        ended.out.contains(&picture(7, 6, &[], &[])),
        "{}",
        ended.out
    );
}

#[test]
fn a_bad_bin_is_named_and_asked_for_again() {
    println!("case G");
    let ended = classroom("-1\n7\n0\n-2\n10\n1\n").expect(4);
    let invalid = "invalid bin index, needs to be in [0, 6)\n";
    assert_eq!(ended.out.matches(invalid).count(), 4, "{}", ended.out);
    assert!(ended.out.contains(&picture(6, 4, &[0, 1], &[])));
    // Six answers, and one more was asked for.
    assert_eq!(
        ended
            .out
            .matches("Enter a bin index (starting from 0): ")
            .count(),
        7
    );
    // A turn is told once, whatever is answered.
    for disc in ["1, player: red", "2, player: blue", "3, player: red"] {
        assert_eq!(
            ended.out.matches(&format!("add shape: {disc}\n")).count(),
            1
        );
    }

    println!("case H");
    let ended = classroom("0\n0\n0\n0\n0\n1\n").expect(4);
    assert_eq!(
        ended.out.matches("the bin is full\n").count(),
        1,
        "{}",
        ended.out
    );
    assert!(ended.out.contains(&picture(6, 4, &[0, 0, 0, 0, 1], &[])));

    println!("others");
    let ended = classroom("\nsix\n1.5\n999999999999999999999\n\u{1b}[2J\n 5 \r\n").expect(4);
    assert!(
        ended.out.contains("empty answer, a bin index is needed\n"),
        "{}",
        ended.out
    );
    assert!(ended.out.contains("`six` is not a number\n"));
    assert!(ended.out.contains("`1.5` is not a number\n"));
    assert_eq!(ended.out.matches(invalid).count(), 1);
    assert!(!ended.out.contains('\u{1b}'));
    assert!(ended.out.contains(&picture(6, 4, &[5], &[])));
}

#[test]
fn each_move_shows_its_transaction_and_fee() {
    let ended = classroom("5\n0\n").expect(4);
    for text in [
        "red into bin 5, row 0: block ",
        "blue into bin 0, row 0: block ",
    ] {
        let line = ended.out.lines().find(|line| line.contains(text)).unwrap();
        assert!(
            line.contains(", transaction 0x") && line.contains(", fee 0."),
            "{line}"
        );
    }
}

// --- Leaving and going on --------------------------------------------------------------------

#[test]
fn a_game_that_was_left_is_gone_on_with() {
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

    // A game that is over asks nothing.
    let ended = run(&["play", "--game", "0", "--data", data], "").expect(0);
    assert!(!ended.out.contains("Enter a bin"));
    assert_eq!(ended.out.lines().last(), Some("winner: red"));
}

#[test]
fn a_full_disk_stops_the_chain_with_an_error_and_no_move_is_lost() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    run(&["deploy", "--data", data], "").expect(0);
    // The file of the chain may grow by some blocks, and no more.
    let size = fs::metadata(folder.path().join("chain.redb"))
        .unwrap()
        .len();
    let limited = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"",
        size / 1024 + 200
    );
    let mut shell = Command::new("bash");
    shell.args(["-c", &limited, env!("CARGO_BIN_EXE_connect4")]);
    shell.args(["node", "--rpc-port", "0", "--data", data]);
    let pipe = Stdio::piped;
    shell.stdin(pipe()).stdout(pipe()).stderr(pipe());
    let node = Node::of(shell);

    let game = "3\n4\n".repeat(4);
    let play = || run(&["play", "--url", &node.url], &game);
    let mut shown = 0;
    loop {
        let ended = play();
        shown += ended.out.matches(" into bin ").count() as u64;
        if !ended.status.success() {
            ended.expect(1);
            break;
        }
    }
    let again = play().expect(1);
    assert!(again.err.contains("store failed"), "{}", again.err);
    assert!(again.err.contains("start the chain again"), "{}", again.err);

    // With room again, the chain goes on with every move that was shown.
    drop(node);
    let games = run(&["list", "--json", "--limit", "1000", "--data", data], "").expect(0);
    let turns = |line| serde_json::from_str::<Value>(line).unwrap()["turns"].as_u64();
    let kept: u64 = games.out.lines().filter_map(turns).sum();
    assert_eq!(kept, shown);
}

#[test]
fn a_killed_game_has_every_move_it_had_shown() {
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
        "it could not tidy up"
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
fn an_interrupted_game_says_how_to_go_on() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    for (name, status) in [("INT", 130), ("TERM", 143)] {
        let mut game = Running::start(connect4(&["play", "--data", data]));
        game.line_with("add shape: 1");
        signal(name, game.child.id());
        game.error_with("go on with it by");
        game.error_with("connect4 play --game");
        // The input stays open: nobody has to type anything.
        assert_eq!(game.child.wait().unwrap().code(), Some(status));
    }
    assert!(!folder.path().join("node.url").exists());
}

#[test]
fn output_that_nobody_reads_is_no_crash() {
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

// --- Several programs on one chain -----------------------------------------------------------

#[test]
fn programs_share_a_chain_by_its_url() {
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
    // Another program sees the move at once, and makes the next.
    let shown = run(&[&["show"], &url[..]].concat(), "").expect(0);
    assert!(
        shown.out.contains(&picture(6, 4, &[5], &[])),
        "{}",
        shown.out
    );
    assert!(shown.out.contains("blue to move"));
    let moved = run(
        &[&["drop", "--game", "0", "--bin", "0"], &url[..]].concat(),
        "",
    )
    .expect(0);
    assert!(
        moved.out.contains(&picture(6, 4, &[5, 0], &[])),
        "{}",
        moved.out
    );
    // The first one tries to move for blue, and is told how the game stands by the chain.
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

    // The contract is found again.
    let again = run(&[&CLASSROOM[..], &url].concat(), "").expect(4);
    assert!(!again.out.contains("deployed") && again.out.contains("started game 1"));
    let listed = run(&[&["list"], &url[..]].concat(), "").expect(0);
    assert_eq!(listed.out.lines().count(), 2, "{}", listed.out);
    assert!(listed.out.contains("winner: red") && listed.out.contains("red to move"));
}

#[test]
fn programs_share_a_folder() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    let mut node = Node::start(&["--data", data]);

    // A second chain on the folder is refused.
    let second = run(&["node", "--rpc-port", "0", "--data", data], "").expect(1);
    assert!(second.err.contains("is in use"), "{}", second.err);
    assert!(second.err.contains(data), "{}", second.err);
    let served = format!("it is served at {}", node.url);
    assert!(second.err.contains(&served), "{}", second.err);

    // Everything else finds the chain that is there.
    run(&["start", "--data", data], "").expect(0);
    run(&["drop", "--game", "0", "--bin", "3", "--data", data], "").expect(0);
    let by_url = run(&["show", "--json", "--url", &node.url], "").expect(0);
    let by_folder = run(&["show", "--json", "--data", data], "").expect(0);
    assert_eq!(by_url.json(), by_folder.json());

    signal("TERM", node.running.child.id());
    assert_eq!(node.running.child.wait().unwrap().code(), Some(0));
    assert!(!folder.path().join("node.url").exists());
    // And without it, the chain itself.
    let alone = run(&["show", "--json", "--data", data], "").expect(0);
    assert_eq!(alone.json(), by_folder.json());
}

#[test]
fn two_people_play_from_two_seats() {
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
fn a_node_serves_on_when_nobody_reads_its_errors() {
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
fn blocks_come_at_a_steady_beat_if_asked() {
    let node = Node::start(&["--tmp", "--block-time", "0.2"]);
    let ended = run(
        &[&CLASSROOM[..], &["--url", &node.url]].concat(),
        "5\n0\n4\n0\n3\n0\n2\n",
    );
    assert_eq!(ended.expect(0).out.lines().last(), Some("winner: red"));
}

// --- For scripts -----------------------------------------------------------------------------

#[test]
fn a_game_is_played_followed_and_replayed_by_commands() {
    let node = Node::start(&["--tmp"]);
    let url = node.url.as_str();
    let json = |arguments: &[&str]| run(&[arguments, &["--json", "--url", url]].concat(), "");

    let deployed = json(&["deploy"]).expect(0).json();
    let contract = deployed[0]["contract"].as_str().unwrap().to_owned();
    assert!(
        deployed[0]["transaction"]["fee"]
            .as_str()
            .unwrap()
            .parse::<u128>()
            .unwrap()
            > 0
    );
    let again = json(&["deploy"]).expect(0).json();
    assert_eq!(again[0]["contract"], contract.as_str());
    assert_eq!(again[0]["transaction"], Value::Null);

    let start = [
        "start",
        "--bins",
        "6",
        "--capacity",
        "4",
        "--red",
        "charlie",
        "--blue",
        "//Dave",
    ];
    // Another game between, that is none of ours.
    assert_eq!(json(&start).expect(0).json()[0]["game"], 0);
    let started = json(&start).expect(0).json();
    assert_eq!(started[0]["game"], 1);
    assert_eq!(
        started[0]["shape"],
        serde_json::json!({"bins": 6, "capacity": 4, "line": 4})
    );

    let mut watch = Running::start(connect4(&["watch", "--game", "1", "--json", "--url", url]));
    watch.line_with("\"turns\":0");
    let mut people = Running::start(connect4(&["watch", "--game", "1", "--url", url]));
    people.line_with("red to move");

    json(&["drop", "--game", "0", "--bin", "2"]).expect(0);
    let drops = [5, 0, 4, 0, 3, 0, 2];
    for (turn, bin) in drops.into_iter().enumerate() {
        let account = if turn % 2 == 0 { "charlie" } else { "dave" };
        let bin = bin.to_string();
        let dropped = json(&["drop", "--game", "1", "--bin", &bin, "--account", account])
            .expect(0)
            .json();
        assert_eq!(dropped[0]["game"]["turns"], turn + 1);
        assert!(dropped[0]["transaction"]["block"].as_u64().unwrap() > 0);
    }

    let shown = json(&["show", "--game", "1"]).expect(0).json();
    assert_eq!(shown[0]["winner"], "red");
    assert_eq!(shown[0]["over"], true);
    assert_eq!(shown[0]["to_move"], Value::Null);
    assert_eq!(shown[0]["contract"], contract.as_str());
    assert_eq!(
        shown[0]["board"],
        serde_json::json!([
            ["blue", "blue", "blue"],
            [],
            ["red"],
            ["red"],
            ["red"],
            ["red"]
        ])
    );
    let cells: Vec<Value> = [2, 3, 4, 5]
        .iter()
        .map(|bin| serde_json::json!({"bin": bin, "row": 0}))
        .collect();
    assert_eq!(shown[0]["winning_cells"], Value::Array(cells.clone()));

    let moves = |events: &[Value]| -> Vec<usize> {
        events
            .iter()
            .filter(|event| event["event"] == "dropped")
            .map(|event| event["bin"].as_u64().unwrap() as usize)
            .collect()
    };
    let watched = watch.end().expect(0).json();
    assert_eq!(moves(&watched), drops);
    let people = people.end().expect(0);
    assert!(
        people.out.contains("game 1 ended, winner: red"),
        "{}",
        people.out
    );

    let replayed = json(&["replay", "--game", "1"]).expect(0).json();
    assert_eq!(replayed[0]["event"], "started");
    assert_eq!(moves(&replayed), drops);
    let last = replayed.last().unwrap();
    assert_eq!(
        (&last["event"], &last["winner"]),
        (&"ended".into(), &"red".into())
    );
    assert_eq!(last["winning_cells"], Value::Array(cells));
    assert!(replayed.iter().all(|event| event["game"] == 1));
    assert_eq!(watched[1..], replayed[1..]);

    let replay = run(&["replay", "--game", "1", "--url", url], "").expect(0);
    for taken in 0..drops.len() {
        assert!(replay.out.contains(&picture(6, 4, &drops[..taken], &[])));
    }
    assert!(
        replay.out.contains("moves, bins from 1: 6151413\n"),
        "{}",
        replay.out
    );

    let listed = json(&["list"]).expect(0).json();
    assert_eq!(listed.len(), 2);
    let newest = json(&["list", "--limit", "1"]).expect(0).json();
    assert_eq!(newest, [listed[1].clone()]);
    // What is shown is that, and what goes beside the game.
    let mut shown = shown[0].clone();
    let beside = shown.as_object_mut().unwrap().remove("match").unwrap();
    assert_eq!(beside["score"]["red"], 1);
    assert_eq!(listed[1], shown);
    let accounts = json(&["accounts"]).expect(0).json();
    assert_eq!(accounts[0]["name"], "alice");
    assert_eq!(accounts[0]["mapped"], true);
}

#[test]
fn play_prints_for_machines_too() {
    let arguments = [&CLASSROOM[..], &["--tmp", "--json"]].concat();
    let events = run(&arguments, "5\nx\n0\n4\n0\n3\n0\n2\n").expect(0).json();
    let named = |name: &str| events.iter().filter(|event| event["event"] == name).count();
    assert_eq!((named("game"), named("dropped")), (1, 7));
    assert_eq!((named("refused"), named("ended")), (1, 1));
    assert_eq!(events.last().unwrap()["winner"], "red");
    let ended = run(&arguments, "").expect(4);
    let error: Value = serde_json::from_str(ended.err.trim()).unwrap();
    assert_eq!(error["status"], 4);
}

#[test]
fn the_contract_has_the_last_word() {
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
    let drop = |bin, account| ["drop", "--game", "0", "--bin", bin, "--account", account];
    refused(
        &["start", "--red", "bob", "--blue", "bob"],
        "two different accounts",
    );
    refused(&drop("0", "bob"), "not your turn");
    refused(&drop("0", "charlie"), "does not play this game");
    refused(&drop("6", "alice"), "no such bin");
    refused(
        &drop("-1", "alice"),
        "invalid bin index, needs to be in [0, 6)",
    );
    refused(
        &drop("300", "alice"),
        "invalid bin index, needs to be in [0, 6)",
    );
    refused(&["show", "--game", "7"], "there is no game 7");
    refused(&["drop", "--game", "1", "--bin", "0"], "its only game is 0");
    for (turn, bin) in ["0", "0", "0", "0"].into_iter().enumerate() {
        go(&drop(bin, ["alice", "bob"][turn % 2]));
    }
    refused(&drop("0", "alice"), "the bin is full");
    for (turn, bin) in ["2", "1", "3", "1", "4", "1", "5"].into_iter().enumerate() {
        go(&drop(bin, ["alice", "bob"][turn % 2]));
    }
    refused(&drop("1", "bob"), "the game has ended");
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_happens() {
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
        (&["play", "--red", "mallory"], "names no account"),
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
            &["drop", "--game", "0", "--bin", "0", "--account", "mallory"],
            "no development account",
        ),
        (&["show", "--contract", "0x12"], "no address"),
        (&["drop", "--game", "0"], "--bin"),
        (&["fly"], "fly"),
        (&["node", "--block-time", "0"], "no time"),
    ] {
        let ended = run(&[arguments, &["--data", data]].concat(), "");
        println!("{arguments:?}: {}", ended.err);
        assert!(ended.err.contains(why), "{}", ended.err);
        ended.expect(2);
    }
    assert!(!fs::exists(data).unwrap());
}

#[test]
fn what_fails_says_what_to_do() {
    // Nothing listens on a port that was just given back.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
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

    // A port that is taken.
    let port = node.url.rsplit_once(':').unwrap().1;
    let ended = run(&["node", "--tmp", "--rpc-port", port], "").expect(1);
    assert!(ended.err.contains("cannot listen on"), "{}", ended.err);
}

#[test]
fn secrets_come_from_files_and_the_environment() {
    let folder = TempDir::new().unwrap();
    let secret = folder.path().join("secret");
    let file = secret.to_str().unwrap();
    let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk";
    let node = Node::start(&["--tmp"]);
    let url = ["--url", &node.url];

    // Charlie's, by their phrase.
    fs::write(&secret, format!("{phrase}//Charlie\n")).unwrap();
    let started = run(
        &[&["start", "--json", "--secret-file", file], &url[..]].concat(),
        "",
    );
    assert_eq!(started.expect(0).json()[0]["game"], 0);
    let mut command = connect4(&[&["drop", "--game", "0", "--bin", "3"], &url[..]].concat());
    command.env("CONNECT4_SECRET", format!("{phrase}//Charlie"));
    run_command(command, "").expect(0);

    // Somebody who has nothing.
    fs::write(&secret, format!("{phrase}//nobody//7")).unwrap();
    let ended = run(&[&["start", "--secret-file", file], &url[..]].concat(), "").expect(1);
    assert!(ended.err.contains("cannot pay"), "{}", ended.err);
    assert!(!ended.err.contains("bottom drive"), "{}", ended.err);

    // No secret at all.
    fs::write(&secret, "open sesame").unwrap();
    let ended = run(&[&["start", "--secret-file", file], &url[..]].concat(), "").expect(2);
    assert!(ended.err.contains("this is no secret key"), "{}", ended.err);
    assert!(!ended.err.contains("sesame"), "{}", ended.err);
    let ended = run(
        &[&["start", "--secret-file", "/nowhere"], &url[..]].concat(),
        "",
    )
    .expect(2);
    assert!(ended.err.contains("/nowhere"), "{}", ended.err);
    let ended = run(
        &[
            &["play", "--red", &format!("0x{}", "11".repeat(20))],
            &url[..],
        ]
        .concat(),
        "",
    );
    assert!(ended.expect(2).err.contains("--red-secret-file"));
}

#[test]
fn an_option_names_the_chain_before_the_environment() {
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
