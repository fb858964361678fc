//! The examples of the README and of the pages in `docs/`.
//!
//! | block | is |
//! |---|---|
//! | `console` | a session, which is run: after `$ ` a command, then what it prints on either stream |
//! | `sh` | commands that need another machine or a lot of time: their options are checked |
//! | of another language, or without one | no commands |
//!
//! In the output of a session `[..]` stands for any text in a line, a line `...` for any number of
//! lines. The sessions of a page share one chain, in a folder of their own. A command that serves ends
//! its session, and is stopped after its first line.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use connect4_testing::documents::{Block, Document, documents, root};

use crate::run::without_settings;

/// A command of a session, and the lines that it has to print.
struct Example<'a> {
    command: &'a str,
    expected: Vec<&'a str>,
}

fn session<'a>(block: &Block<'a>) -> Vec<Example<'a>> {
    let mut examples: Vec<Example<'a>> = Vec::new();
    for &line in &block.lines {
        if let Some(command) = line.strip_prefix("$ ") {
            examples.push(Example {
                command,
                expected: Vec::new(),
            });
        } else {
            let example = examples
                .last_mut()
                .expect("a session starts with a command");
            example.expected.push(line);
        }
    }
    assert!(!examples.is_empty(), "a session without a command");
    examples
}

/// A shell in which `connect4` is the built program and plays on the chain in `folder`.
fn shell(command: &str, folder: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_connect4"));
    let mut path = program.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("bash");
    without_settings(&mut shell)
        .env("PATH", path)
        .env("CONNECT4_DATA", folder)
        .args(["-c", command]);
    shell
}

/// Whether a line has the form of a pattern, in which `[..]` stands for any text.
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

/// Whether the lines have the form of the patterns, in which `...` stands for any number of lines.
fn matches(expected: &[&str], printed: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((&"...", expected)) => {
            (0..=printed.len()).any(|from| matches(expected, &printed[from..]))
        }
        Some((pattern, expected)) => printed.split_first().is_some_and(|(line, printed)| {
            line_matches(pattern, line) && matches(expected, printed)
        }),
    }
}

/// Starts a command that serves on a free port, and stops it after its first line. Returns the line
/// with the default port in it, which the example shows.
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
    let (start, end) = line.trim_end().rsplit_once(':').expect("an address");
    let end = end.trim_start_matches(|character: char| character.is_ascii_digit());
    format!("{start}:{usual}{end}")
}

/// Runs the sessions of a page on a chain of its own.
fn run_sessions(page: &Document) {
    let folder = tempfile::tempdir().expect("a folder");
    let blocks = page.blocks();
    let sessions = blocks.iter().filter(|block| block.language == "console");
    for Example { command, expected } in sessions.flat_map(session) {
        let serves = ["connect4 node", "connect4 serve"];
        let printed = if serves.iter().any(|start| command.starts_with(start)) {
            start_server(command, folder.path())
        } else {
            let merged = format!("{{ {command}; }} 2>&1");
            let output = shell(&merged, folder.path()).output().expect("bash runs");
            String::from_utf8(output.stdout).expect("text")
        };
        let lines: Vec<&str> = printed.lines().collect();
        assert!(
            matches(&expected, &lines),
            "{}:\n$ {command}\nis to print\n{}\nbut prints\n{printed}",
            page.path.display(),
            expected.join("\n"),
        );
    }
}

#[test]
fn every_session_prints_what_the_documents_show() {
    for page in documents() {
        run_sessions(&page);
    }
}

/// The commands of a block, each in one line and without what the shell does with it.
fn commands(block: &Block<'_>) -> Vec<String> {
    let text = block.lines.join("\n").replace("\\\n", " ");
    let commands = text.lines().map(|line| {
        let command = line.split(" #").next().expect("a part").trim();
        command.trim_end_matches('&').trim().to_owned()
    });
    commands.filter(|command| !command.is_empty()).collect()
}

/// With `--help` after its arguments, a command is parsed and not run.
#[test]
fn commands_that_are_not_run_have_options_that_exist() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = documents();
    let blocks = pages.iter().flat_map(Document::blocks);
    for command in blocks
        .filter(|block| block.language == "sh")
        .flat_map(|block| commands(&block))
    {
        // `0x…` stands for any address, `5F…` for any account.
        let address = format!("0x{}", "ab".repeat(20));
        let account = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY";
        let command = command.replace("0x…", &address);
        let command = command.replace("5F…", account).replace("5Grwva…", account);
        let words: Vec<&str> = command.split_whitespace().collect();
        match words[..] {
            ["connect4", ..] => {
                let output = shell(&format!("{command} --help"), folder.path())
                    .output()
                    .expect("bash runs");
                let errors = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "$ {command}\n{errors}");
            }
            [script, ..] if script.starts_with("scripts/") => {
                assert!(root().join(script).is_file(), "{script} does not exist");
            }
            [
                "cargo" | "git" | "sudo" | "curl" | "printf" | "journalctl" | "podman" | "caddy",
                ..,
            ] => {}
            _ => panic!("neither the program nor a script: {command}"),
        }
    }
}

#[test]
fn no_example_of_the_documents_is_left_out() {
    let pages = documents();
    let blocks: Vec<Block<'_>> = pages.iter().flat_map(Document::blocks).collect();
    for block in &blocks {
        match block.language {
            "console" => {
                session(block);
            }
            "sh" => assert!(
                block.lines.iter().all(|line| !line.starts_with("$ ")),
                "a session is to be marked `console`: {block:?}"
            ),
            // Records, which tests of their crate read.
            "text"
                if block
                    .lines
                    .first()
                    .is_some_and(|line| line.starts_with("[Connect4 ")) => {}
            // The types that programs sign, and an example, which tests/ecosystem checks.
            "text"
                if block
                    .lines
                    .first()
                    .is_some_and(|line| line.contains("(address ")) => {}
            "json" => {}
            "" | "html" | "mermaid" | "nginx" | "yaml" => assert!(
                block
                    .lines
                    .iter()
                    .all(|line| !line.starts_with("$ ") && !line.starts_with("connect4 ")),
                "commands are to be marked `console` or `sh`: {block:?}"
            ),
            other => panic!("no test knows blocks in {other:?}: {block:?}"),
        }
    }
    let sessions = blocks.iter().filter(|block| block.language == "console");
    assert!(sessions.count() >= 9, "the documents have sessions");
}
