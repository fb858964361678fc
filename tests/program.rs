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

/// What a server answers to a bare request.
fn ask(addr: &str, request: &str) -> String {
    let mut stream = std::net::TcpStream::connect(addr).expect("it listens");
    write!(stream, "{request}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_page_is_served_beside_the_other_commands() {
    let data = TempDir::new().unwrap();
    let folder = data.path().to_str().unwrap();
    let serve = ["serve", "--port", "0", "--data", folder];
    let mut server = Running::start(connect4(&serve));
    let line = server.line_with("Play at http://127.0.0.1:");
    let (url, key) = line
        .strip_prefix("Play at ")
        .and_then(|link| link.split_once("/#key="))
        .expect("a link with a key");
    let addr = url.strip_prefix("http://").unwrap();
    assert_eq!(key.len(), 32);

    let get = |path: &str| ask(addr, &format!("GET {path} HTTP/1.1\r\nhost: {addr}"));
    let page = get("/");
    assert!(page.starts_with("HTTP/1.1 200 "), "{page}");
    assert!(page.contains("content-security-policy: default-src 'self'"));
    assert!(!page.contains(key), "the page itself gives no key away");
    assert!(get("/nowhere").starts_with("HTTP/1.1 404 "));
    let hello = get("/api/hello");
    assert!(
        hello.contains("\"accounts\":[]") && !hello.contains(key),
        "{hello}"
    );

    // The folder is in use, and still the other commands find the chain.
    run(&["start", "--data", folder], "").expect(0);
    let listed = run(&["list", "--data", folder], "").expect(0);
    assert!(listed.out.contains("alice - bob"), "{}", listed.out);

    // A second one can't have the same port, and says so.
    let (_, port) = addr.split_once(':').unwrap();
    let other = TempDir::new().unwrap();
    let other = other.path().to_str().unwrap();
    let second = run(&["serve", "--port", port, "--data", other], "").expect(1);
    assert!(second.err.contains("--port"), "{}", second.err);

    // Told to stop, it ends well and leaves nothing that says it were still there.
    signal("TERM", server.child.id());
    server.end().expect(0);
    assert!(!data.path().join("node.url").exists());
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

// --- Matches ---------------------------------------------------------------------------------

/// Commands on one chain.
struct Commands<'a> {
    node: &'a Node,
}

impl Commands<'_> {
    fn run(&self, line: &str) -> Ended {
        let arguments: Vec<&str> = line.split(' ').chain(["--url", &self.node.url]).collect();
        run(&arguments, "")
    }

    /// What a command says that has to succeed.
    fn out(&self, line: &str) -> String {
        self.run(line).expect(0).out
    }

    /// What a command prints for machines.
    fn json(&self, line: &str) -> Value {
        let mut lines = self.run(&format!("{line} --json")).expect(0).json();
        lines.pop().expect("a line")
    }

    /// Starts a command that goes on.
    fn start(&self, line: &str) -> Running {
        let arguments: Vec<&str> = line.split(' ').chain(["--url", &self.node.url]).collect();
        Running::start(connect4(&arguments))
    }

    /// What an account has, in the token's smallest unit.
    fn balance(&self, name: &str) -> i128 {
        let accounts = self.run("accounts --json").expect(0).json();
        let account = accounts.iter().find(|account| account["name"] == name);
        account.unwrap()["balance"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap()
    }
}

/// One token, in its smallest unit.
const TOKEN: i128 = 10_000_000_000;
/// More than the fees and deposits of a few transactions.
const A_LITTLE: i128 = TOKEN / 5;

#[test]
fn two_people_play_a_match_for_a_stake() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    let [alice, bob] = ["alice", "bob"].map(|name| {
        commands.out("deploy --account ferdie");
        commands.balance(name)
    });
    let terms = "--stake 100 --bank 1h --increment 10s --first me --bins 6 --capacity 4";
    let reach = "--deployer ferdie";
    let mut red = commands.start(&format!("challenge --play --account alice {terms} {reach}"));
    let made = red.line_with("challenges anyone");
    assert!(
        made.contains(
            "6x4, line 4; the challenger begins; 1:00 h for all moves and 10 s more with \
                       each; stake 100 DOT each"
        ),
        "{made}"
    );
    red.line_with("connect4 accept --challenge 0 --play");
    let listed = commands.out(&format!("challenges {reach}"));
    assert!(listed.contains("    0  alice"), "{listed}");
    let mut blue = commands.start(&format!(
        "accept --challenge 0 --play --account bob {reach}"
    ));
    blue.line_with("accepted challenge 0: game 0");
    blue.line_with("stake: 100 DOT each");
    let mut watch = commands.start(&format!("watch --game 0 {reach}"));
    watch.line_with("red to move");
    for (turn, bin) in [5, 0, 4, 0, 3, 0, 2].into_iter().enumerate() {
        let (mover, waiting, colour) = if turn % 2 == 0 {
            (&mut red, &mut blue, "red")
        } else {
            (&mut blue, &mut red, "blue")
        };
        mover.line_with(&format!("add shape: {}", turn + 1));
        mover.say(bin);
        for table in [mover, waiting, &mut watch] {
            table.line_with(&format!("{colour} into bin {bin}"));
        }
    }
    let red = red.end().expect(0);
    assert!(red.out.contains("winner: red\n"), "{}", red.out);
    assert!(red.out.contains("red was paid 200 DOT"), "{}", red.out);
    let blue = blue.end().expect(0);
    assert_eq!(blue.out.lines().last(), Some("winner: red"));
    assert!(
        watch
            .end()
            .expect(0)
            .out
            .contains("game 0 ended, winner: red")
    );

    let won = commands.balance("alice") - alice;
    let lost = bob - commands.balance("bob");
    assert!((won - 100 * TOKEN).abs() < A_LITTLE, "{won}");
    assert!((lost - 100 * TOKEN).abs() < A_LITTLE, "{lost}");
    let game = commands.json(&format!("show {reach}"));
    assert_eq!(game["end"], "line");
    assert_eq!(game["match"]["settled"], true);
    assert_eq!(game["match"]["stake"], (100 * TOKEN).to_string());
    let nothing = commands
        .run(&format!("withdraw --account bob {reach}"))
        .expect(3);
    assert!(nothing.err.contains("nothing is owed"), "{}", nothing.err);
}

#[test]
fn a_challenge_is_declined_or_cancelled_and_its_stake_comes_back() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("deploy");
    let before = commands.balance("charlie");
    for number in 0..2 {
        let made = commands.json("challenge --account charlie --to dave --stake 50 --bank 5m");
        assert_eq!(made["challenge"], number);
        assert_eq!(made["terms"]["stake"], (50 * TOKEN).to_string());
        assert_eq!(made["terms"]["clock"]["bank"], 300);
    }
    assert!(before - commands.balance("charlie") > 100 * TOKEN);
    let listed = commands.out("challenges");
    assert_eq!(listed.lines().count(), 2, "{listed}");

    // Nobody else accepts, declines or cancels it.
    for (line, why) in [
        ("accept --challenge 0 --account eve", "somebody else"),
        ("decline --challenge 0 --account eve", "somebody else"),
        ("cancel --challenge 0 --account eve", "only they can cancel"),
        (
            "accept --challenge 0 --account charlie",
            "two different accounts",
        ),
        ("accept --challenge 7 --account eve", "no open challenge 7"),
    ] {
        let refused = commands.run(line).expect(3);
        assert!(refused.err.contains(why), "{line}: {}", refused.err);
    }

    let declined = commands.out("decline --challenge 0");
    assert!(declined.contains("declined challenge 0"), "{declined}");
    // Who cancels is paid all that is owed: the other stake, too.
    let cancelled = commands.out("cancel --challenge 1");
    assert!(
        cancelled.contains("charlie was paid 100 DOT"),
        "{cancelled}"
    );
    let lost = before - commands.balance("charlie");
    assert!(lost < A_LITTLE, "{lost}");
    assert_eq!(commands.out("challenges"), "no open challenges\n");
}

#[test]
fn a_game_ends_by_resignation_or_agreement_and_is_followed_by_a_rematch() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    let game = |number: u32| commands.json(&format!("show --game {number}"));
    commands.out("challenge --to bob --first me --stake 1 --bank 1h");
    let mut watch = commands.start("watch");
    watch.line_with("following the contract");
    commands.out("accept --challenge 0");
    watch.line_with("game 0 started: 7x6, line 4; red: alice");
    watch.line_with("challenge 0 was accepted; 1:00 h for all moves; stake 1 DOT each");
    commands.out("drop --game 0 --bin 3");

    // An offer lapses when the other moves.
    commands.out("draw --game 0 --account alice");
    watch.line_with("game 0: red offers a draw");
    assert_eq!(game(0)["match"]["draw_offer"], "red");
    let again = commands.run("draw --game 0 --account alice").expect(3);
    assert!(
        again.err.contains("your offer stands already"),
        "{}",
        again.err
    );
    commands.out("drop --game 0 --bin 3");
    assert_eq!(game(0)["match"]["draw_offer"], Value::Null);
    let late = commands
        .run("draw --accept --game 0 --account bob")
        .expect(3);
    assert!(late.err.contains("a move has ended it"), "{}", late.err);

    // It is declined, made by the other, and accepted.
    commands.out("draw --game 0 --account alice");
    commands.out("draw --decline --game 0 --account bob");
    watch.line_with("game 0: blue declines the draw");
    commands.out("draw --game 0 --account bob");
    let agreed = commands.out("draw --accept --game 0 --account alice");
    assert!(
        agreed.contains("game 0 ended: a tie by agreement"),
        "{agreed}"
    );
    watch.line_with("game 0 ended: a tie by agreement");
    assert_eq!(game(0)["end"], "agreement");
    for (name, owed) in [
        ("alice", "alice was paid 1 DOT"),
        ("bob", "bob was paid 1 DOT"),
    ] {
        let paid = commands.out(&format!("withdraw --account {name}"));
        assert!(paid.contains(owed), "{paid}");
    }

    // After a draw who moved second begins.
    commands.out("rematch --game 0 --account bob");
    watch.line_with("game 0: blue offers a rematch");
    let next = commands.out("rematch --accept --game 0 --account alice");
    assert!(
        next.contains("started game 1, the rematch of game 0"),
        "{next}"
    );
    let [before, after] = [game(0), game(1)];
    assert_eq!(after["red"], before["blue"]);
    assert_eq!(after["match"]["previous"], 0);
    assert_eq!(before["match"]["next"], 1);
    assert_eq!(after["match"]["score"]["draws"], 1);
    let once = commands.run("rematch --game 0 --account bob").expect(3);
    assert!(once.err.contains("was started already"), "{}", once.err);

    // Resigning is told apart, and takes nothing but an account that plays.
    let stranger = commands.run("resign --game 1 --account eve").expect(3);
    assert!(stranger.err.contains("does not play"), "{}", stranger.err);
    let early = commands.run("claim --game 1").expect(3);
    assert!(early.err.contains("still has time"), "{}", early.err);
    let resigned = commands.out("resign --game 1 --account bob");
    assert!(
        resigned.contains("winner: blue by resignation"),
        "{resigned}"
    );
    assert_eq!(game(1)["match"]["score"]["blue"], 1);
    commands.out("rematch --game 1 --account alice");
    commands.out("rematch --decline --game 1 --account bob");
    assert_eq!(game(1)["match"]["rematch_offer"], Value::Null);

    // What was paid is told, and the storage freed; the game can still be seen.
    let paid = commands.json("withdraw --account alice");
    assert_eq!(
        paid["amount"],
        (3 * TOKEN).to_string(),
        "the pot, and the offer's stake"
    );
    let freed = commands.out("free --game 1");
    assert!(freed.contains("deposit back"), "{freed}");
    watch.line_with("game 1: its storage was freed by alice");
    let gone = commands.run("show --game 1").expect(3);
    assert!(gone.err.contains("its storage was freed"), "{}", gone.err);
    assert!(
        commands
            .out("list")
            .contains("    1  ended, its storage freed")
    );
    let replayed = commands.out("replay --game 0 --pause 0");
    assert!(
        replayed.ends_with("a tie by agreement\nmoves, bins from 1: 44\n"),
        "{replayed}"
    );
    let replayed = commands.out("replay --game 1 --pause 0");
    assert!(
        replayed.contains("winner: blue by resignation"),
        "{replayed}"
    );

    // Giving up at once is a loss for who does, and a win for nobody.
    let standings = commands.run("standings --json").expect(0).json();
    let row =
        |row: &Value| ["wins", "draws", "losses", "rating"].map(|name| row[name].as_f64().unwrap());
    assert_eq!(row(&standings[0]), [0.0, 0.0, 0.0, 1500.0]);
    assert_eq!(row(&standings[1]), [0.0, 0.0, 1.0, 1484.0]);
    signal("INT", watch.child.id());
    assert_eq!(watch.child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_player_who_never_moves_gives_the_stakes_back_by_running_out_of_time() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("challenge --to bob --first me --stake 5 --bank 1s");
    // Bob waits; that the deadline is over is seen by the program that waits, without any block.
    let blue = commands
        .start("accept --challenge 0 --play")
        .end()
        .expect(0);
    assert!(
        blue.out
            .contains("aborted: time ran out before both had moved"),
        "{}",
        blue.out
    );
    assert!(blue.out.contains("blue was paid 5 DOT"), "{}", blue.out);
    assert!(
        commands
            .out("withdraw --account alice")
            .contains("alice was paid 5 DOT")
    );
    for line in [
        "drop --game 0 --bin 0",
        "drop --game 0 --bin 0 --account alice",
    ] {
        let late = commands.run(line).expect(3);
        assert!(late.err.contains("the game has ended"), "{}", late.err);
    }
    assert_eq!(commands.out("standings"), "no finished games yet\n");
}

#[test]
fn a_series_is_played_at_one_terminal() {
    let drops = answers(&[5, 0, 4, 0, 3, 0, 2]);
    let input = format!("{drops}y\n{drops}yes\ndraw\n5\naccept\nno\n");
    let arguments = [&CLASSROOM[..], &["--tmp", "--series"]].concat();
    let ended = run(&arguments, &input).expect(0);
    let games: Vec<&str> = ended.out.split("Connect Four 6x4").skip(1).collect();
    assert_eq!(games.len(), 3, "{}", ended.out);
    // Blue lost, so bob begins: then alice, who has lost as blue.
    for (game, red) in games.iter().zip(["alice", "bob", "alice"]) {
        assert!(game.contains(&format!("red: {red} (")), "{game}");
    }
    assert!(games[0].contains("winner: red\n") && games[1].contains("winner: red\n"));
    assert!(
        games[2].contains("the series stands red 1 : 1 blue, draws 0"),
        "{}",
        games[2]
    );
    // Red offers a draw and moves; blue, whose move would end it, accepts.
    assert!(games[2].contains("red offers a draw: accept, decline, or play on"));
    assert!(games[2].contains("a tie by agreement"), "{}", games[2]);
}

#[test]
fn a_game_can_be_given_up_at_the_terminal() {
    let ended = classroom("help\n5\nclaim\nresign\n").expect(0);
    assert!(
        ended.out.contains("resign gives the game up"),
        "{}",
        ended.out
    );
    assert!(
        ended.out.contains("this game has no clock"),
        "{}",
        ended.out
    );
    assert_eq!(ended.out.lines().last(), Some("winner: red by resignation"));
}

#[test]
fn terms_that_make_no_sense_are_refused_before_anything_is_paid() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    let contract = commands.json("deploy");
    for (line, status, why) in [
        ("challenge --stake much", 2, "is no amount"),
        (
            "challenge --stake 0.00000000001 --bank 5m",
            2,
            "at most 10 decimals",
        ),
        ("challenge --stake 1", 3, "needs a clock"),
        ("challenge --bank 31d", 3, "at most a day"),
        ("challenge --bank 0", 3, "from 1 second"),
        ("challenge --bank soon", 2, "give seconds as 300"),
        ("challenge --increment 5", 2, "--bank"),
        ("challenge --to alice", 3, "two different accounts"),
        ("challenge --bins 4", 2, "bins"),
        ("challenge --stake 2000000 --bank 5m", 1, "cannot pay"),
        ("resign --game 0", 2, "who signs?"),
        ("resign --game 0 --account alice", 3, "no game 0"),
    ] {
        let refused = commands.run(line).expect(status);
        assert!(refused.err.contains(why), "{line}: {}", refused.err);
    }
    assert_eq!(commands.out("challenges"), "no open challenges\n");

    // A contract of games alone is played on, and has no matches.
    let games = contract["games"].as_str().unwrap();
    let alone = format!("--contract {games}");
    commands.out(&format!("start {alone}"));
    commands.out(&format!("drop --game 0 --bin 3 {alone}"));
    let none = commands
        .run(&format!("resign --game 0 --account bob {alone}"))
        .expect(1);
    assert!(none.err.contains("has games alone"), "{}", none.err);
}

// --- Against the computer --------------------------------------------------------------------

#[test]
fn the_computer_plays_with_an_account_of_its_own() {
    // Whatever blue does, red wins on the standard board, and never puts a disc where it can't.
    let anywhere: String = (0..100).map(|turn| format!("{}\n", turn % 7)).collect();
    let arguments = [
        "play",
        "--tmp",
        "--against",
        "perfect",
        "--seat",
        "blue",
        "--blue",
        "eve",
    ];
    let ended = run(&arguments, &anywhere).expect(0);
    assert!(
        ended.out.contains("the computer plays red: perfect"),
        "{}",
        ended.out
    );
    assert!(ended.out.contains("red: alice") && ended.out.contains("blue: eve"));
    assert_eq!(
        ended.out.lines().last(),
        Some("winner: red"),
        "{}",
        ended.out
    );
    assert!(!ended.out.contains("the contract refused"), "{}", ended.out);
}

#[test]
fn a_game_against_the_computer_is_gone_on_with() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    let shape = [
        "--bins",
        "9",
        "--capacity",
        "5",
        "--line",
        "5",
        "--data",
        data,
    ];
    let left = run(
        &[&["play", "--against", "easy"], &shape[..]].concat(),
        "4\n",
    )
    .expect(4);
    assert!(
        left.err.contains("--seat red --against easy"),
        "{}",
        left.err
    );
    assert_eq!(left.out.matches(" into bin ").count(), 2, "{}", left.out);
    let on = [
        "play",
        "--game",
        "0",
        "--seat",
        "red",
        "--against",
        "random",
        "--data",
        data,
    ];
    let on = run(&on, "4\nresign\n").expect(0);
    assert_eq!(on.out.lines().last(), Some("winner: blue by resignation"));

    let none = run(&["play", "--tmp", "--against", "champion"], "").expect(2);
    assert!(none.err.contains("use one of random, easy"), "{}", none.err);
}

#[test]
fn a_review_shows_what_a_game_was_lost_by() {
    let folder = TempDir::new().unwrap();
    let data = ["--data", folder.path().to_str().unwrap()];
    // Red builds a column in the middle, and blue does not stop it.
    run(
        &[&["play"], &data[..]].concat(),
        &answers(&[3, 0, 3, 0, 3, 0, 3]),
    )
    .expect(0);
    let review = run(&[&["review"], &data[..]].concat(), "").expect(0);
    let lines: Vec<&str> = review.out.lines().collect();
    assert_eq!(lines.len(), 7, "{}", review.out);
    assert_eq!(lines[0], "  0  red into bin 3: wins in 21");
    assert!(
        lines[5].starts_with("  5  blue into bin 0: loses in 1 ? bin 3: loses in "),
        "{}",
        lines[5]
    );
    assert_eq!(lines[6], "  6  red into bin 3: wins");
    let json = run(&[&["review", "--json"], &data[..]].concat(), "")
        .expect(0)
        .json();
    assert_eq!(json[5]["made"]["loses_in"], 1);
    assert_eq!(json[5]["best_bins"], serde_json::json!([3]));
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
