//! The README's examples, run as they stand.
//!
//! A `console` block is a session: after `$ ` a command, after that what it prints on either
//! stream. `[..]` stands for anything in a line, a line `...` for any lines. All blocks share one
//! chain, in a folder of their own. A block that starts a server ends with it.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
};

const README: &str = include_str!("../README.md");

struct Example {
    command: String,
    expected: Vec<String>,
}

fn examples() -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in README.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            examples.push(Example {
                command: command.into(),
                expected: Vec::new(),
            });
        } else if let (true, Some(example)) = (inside, examples.last_mut()) {
            example.expected.push(line.into());
        }
    }
    examples
}

/// A shell in which `connect4` is the built program and plays on the chain in `folder`.
fn shell(command: &str, folder: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_connect4"));
    let mut path = program.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("bash");
    for name in [
        "URL",
        "CONTRACT",
        "DEPLOYER",
        "SECRET",
        "RED_SECRET",
        "BLUE_SECRET",
    ] {
        shell.env_remove(format!("CONNECT4_{name}"));
    }
    shell
        .env("PATH", path)
        .env("CONNECT4_DATA", folder)
        .args(["-c", command]);
    shell
}

fn line_matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("[..]");
    let Some(mut rest) = parts.next().and_then(|start| line.strip_prefix(start)) else {
        return false;
    };
    let mut ended = rest.is_empty();
    for part in parts {
        match rest.find(part) {
            _ if part.is_empty() => (rest, ended) = ("", true),
            Some(at) => {
                rest = &rest[at + part.len()..];
                ended = rest.is_empty();
            }
            None => return false,
        }
    }
    ended
}

fn matches(expected: &[String], printed: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((any, expected)) if any == "..." => {
            (0..=printed.len()).any(|from| matches(expected, &printed[from..]))
        }
        Some((pattern, expected)) => printed.split_first().is_some_and(|(line, printed)| {
            line_matches(pattern, line) && matches(expected, printed)
        }),
    }
}

/// What serves others runs until it is told to stop: its first line is what the example shows.
fn start_server(command: &str, folder: &Path) -> String {
    let (option, usual) = if command.starts_with("connect4 node") {
        ("--rpc-port", 9944)
    } else {
        ("--port", 4444)
    };
    let command = format!("exec {command} {option} 0 2>&1");
    let mut server = shell(&command, folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("piped"))
        .read_line(&mut line)
        .expect("a line");
    server.kill().expect("stopped");
    server.wait().expect("stopped");
    // The port was the system's choice.
    let (start, end) = line.trim_end().rsplit_once(':').expect("an address");
    let end = end.trim_start_matches(|character: char| character.is_ascii_digit());
    format!("{start}:{usual}{end}")
}

#[test]
fn the_examples_do_what_they_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = examples();
    assert!(examples.len() >= 6, "the README has examples");
    for Example { command, expected } in examples {
        let serves = ["connect4 node", "connect4 serve"];
        let printed = if serves.iter().any(|start| command.starts_with(start)) {
            start_server(&command, folder.path())
        } else {
            let merged = format!("{{ {command}; }} 2>&1");
            let output = shell(&merged, folder.path()).output().expect("bash runs");
            String::from_utf8(output.stdout).expect("text")
        };
        let lines: Vec<&str> = printed.lines().collect();
        assert!(
            matches(&expected, &lines),
            "$ {command}\nis to print\n{}\nbut prints\n{printed}",
            expected.join("\n"),
        );
    }
}

#[test]
fn the_price_list_is_that_of_the_cost_table() {
    let costs = include_str!("../COSTS.md");
    let row = |name: &str| {
        let start = format!("| {name} |");
        let row = costs
            .lines()
            .find(|line| line.starts_with(&start))
            .expect("a row");
        row.split('|')
            .map(|cell| cell.trim().replace(',', ""))
            .collect::<Vec<_>>()
    };
    let proof = |name| row(name)[2].parse::<u64>().expect("a number");
    let dot = |name, column: usize| row(name)[column].parse::<f64>().expect("a number");
    let grouped = |number: u64| format!("{},{:03}", number / 1000, number % 1000);
    for expected in [
        format!(
            "A move takes {} bytes of proof",
            grouped(proof("later move"))
        ),
        format!(
            "message which writes can take is {}.",
            grouped(proof("`flip`: one read, one write"))
        ),
        format!(
            "| deploy the contracts, once | {:.2} DOT | {:.2} DOT |",
            dot("upload the code of the games", 4) + dot("deploy the code and both contracts", 4),
            dot("upload the code of the games", 5) + dot("deploy the code and both contracts", 5),
        ),
        format!(
            "| start a game | {:.3} DOT | {:.3} DOT |",
            dot("start a game", 4),
            dot("start a game", 5),
        ),
        format!("| a move | 0 | {:.3} DOT |", dot("later move", 5)),
        format!(
            "| challenge | {:.3} DOT | {:.3} DOT |",
            dot("challenge, for a stake and with a clock", 4),
            dot("challenge, for a stake and with a clock", 5),
        ),
        format!(
            "| accept | {:.3} DOT | {:.3} DOT |",
            dot("accept", 4),
            dot("accept", 5),
        ),
        format!(
            "| withdraw | 0 | {:.3} DOT |",
            dot("withdraw, with the game settled", 5)
        ),
    ] {
        assert!(
            README.contains(&expected),
            "the README is to say: {expected}"
        );
    }
}
