//! The program run as a child process: its input, its lines of output, its exit status.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use connect4_client::{Client, Code, Contracts, Lookup};
use connect4_testing::contracts::{GAMES, SIGNED_RECORDS, VARIANTS};
use serde_json::Value;

/// How long a line of output or the end of a program may take before it counts as a hang.
const LIMIT: Duration = Duration::from_secs(120);

/// The contracts that the tests look at.
pub const CODE: Code = Code {
    games: GAMES,
    variants: VARIANTS,
    signed_records: Some(SIGNED_RECORDS),
    stakes: None,
};

/// The contracts with this code that the program has deployed.
pub async fn contract(node: &Node, code: Code<'static>) -> Contracts {
    let client = Client::connect(&node.url).await.expect("the node answers");
    let lookup = Lookup {
        code,
        contract: None,
        variants: None,
        deployer: None,
    };
    lookup.open(&client, None).await.expect("it is deployed")
}

/// The program with these arguments, not started yet.
pub fn connect4(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_connect4"));
    without_settings(&mut command)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Removes the settings of the user who runs the tests: none may find an account, a chain, a contract
/// or an index of theirs. Each test has a folder of its own: chains in memory have the same first block, and what is
/// kept for one would be found for that of another test.
pub fn without_settings(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CONNECT4_") {
            command.env_remove(name);
        }
    }
    let test = thread::current();
    let test = test.name().unwrap_or("others").replace("::", "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("data");
    command.env("XDG_DATA_HOME", folder.join(test))
}

/// The same command after another one in the same shell, as one that sets a limit.
pub fn by_shell(first: &str, command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("{first}; exec \"$0\" \"$@\"")])
        .arg(command.get_program())
        .args(command.get_args());
    without_settings(&mut shell)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    shell
}

pub struct Running {
    pub child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
    seen: String,
    complaints: String,
}

/// Lines from a source as they arrive, without their ends.
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
    /// Starts a command that was made by [`connect4`].
    pub fn start(mut command: Command) -> Self {
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

    /// Writes a line to the program.
    pub fn say(&mut self, line: impl fmt::Display) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Presses keys at the program's terminal.
    pub fn press(&mut self, keys: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(keys.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// Reads output up to a line that contains this text, unless there was one already.
    pub fn has_line_with(&mut self, text: &str) {
        if !self.seen.lines().any(|line| line.contains(text)) {
            self.line_with(text);
        }
    }

    /// Reads output up to a line that contains this text, and returns the line.
    pub fn line_with(&mut self, text: &str) -> String {
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

    /// The next line of output; none if the program has ended.
    pub fn next_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(LIMIT) {
            Ok(line) => {
                self.seen.push_str(&line);
                self.seen.push('\n');
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                let errors = self.rest_of_errors();
                panic!("no line after\n{}\n{errors}", self.seen);
            }
        }
    }

    /// Ends the program at once, as `kill -9` does.
    pub fn kill(mut self) {
        self.child.kill().expect("it runs, or has ended");
        self.child.wait().expect("it has ended");
    }

    /// Reads errors up to a line that contains this text, and returns the line.
    pub fn error_with(&mut self, text: &str) -> String {
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

    /// Ends the program, and returns the errors not read yet.
    fn rest_of_errors(&mut self) -> String {
        let _ = self.child.kill();
        self.errors.iter().collect::<Vec<_>>().join("\n")
    }

    /// Sends a signal, with the input left open, and waits until the program ends.
    pub fn stop(self, name: &str) -> Ended {
        signal(name, self.child.id());
        self.wait()
    }

    pub fn close(&mut self) {
        drop(self.input.take());
    }

    /// Closes the input and waits until the program ends.
    pub fn end(mut self) -> Ended {
        self.close();
        self.wait()
    }

    fn wait(mut self) -> Ended {
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

#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    pub out: String,
    pub err: String,
}

impl Ended {
    #[track_caller]
    pub fn expect(self, status: i32) -> Self {
        assert_eq!(
            self.status.code(),
            Some(status),
            "{}\n{}",
            self.out,
            self.err
        );
        self
    }

    /// The lines of the output, as JSON.
    #[track_caller]
    pub fn json(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}")))
            .collect()
    }
}

/// Runs the program with this input until it ends.
pub fn run(arguments: &[&str], input: &str) -> Ended {
    run_command(connect4(arguments), input)
}

/// Runs a command that was made by [`connect4`] with this input until it ends.
pub fn run_command(command: Command, input: &str) -> Ended {
    let mut running = Running::start(command);
    let id = running.child.id();
    // A program that hangs is killed, and fails its test.
    let (done, finished) = channel::<()>();
    thread::spawn(move || {
        if let Err(RecvTimeoutError::Timeout) = finished.recv_timeout(LIMIT) {
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

/// Sends a signal to a process that the test started.
pub fn signal(name: &str, id: u32) {
    let sent = Command::new("kill")
        .args([format!("-{name}"), id.to_string()])
        .stderr(Stdio::null())
        .status();
    assert!(sent.is_ok(), "the command `kill` is missing");
}

/// A node on a chain in memory, or in a folder.
pub struct Node {
    pub running: Running,
    pub url: String,
}

impl Node {
    /// Starts `connect4 node` on a free port.
    pub fn start(arguments: &[&str]) -> Self {
        let arguments = [&["node", "--rpc-port", "0"], arguments].concat();
        Self::of(connect4(&arguments))
    }

    /// Starts a command that runs a node, and waits until it serves.
    pub fn of(command: Command) -> Self {
        let mut running = Running::start(command);
        let line = running.error_with("Running JSON-RPC server: addr=");
        let (_, addr) = line.split_once("addr=").unwrap();
        Self {
            url: format!("ws://{addr}"),
            running,
        }
    }

    /// The answer to a request of its RPC, with these parameters in JSON.
    pub fn ask(&self, method: &str, params: &str) -> String {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        let mut stream = TcpStream::connect(&self.url["ws://".len()..]).unwrap();
        let request = format!(
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

/// Commands on the chain of one node.
pub struct Commands<'a> {
    pub node: &'a Node,
}

impl Commands<'_> {
    /// Runs a command, given as its arguments with a space between them.
    pub fn run(&self, line: &str) -> Ended {
        let arguments: Vec<&str> = line.split(' ').chain(["--url", &self.node.url]).collect();
        run(&arguments, "")
    }

    /// Output of a command that has to succeed.
    pub fn out(&self, line: &str) -> String {
        self.run(line).expect(0).out
    }

    /// Last line that a command prints with `--json`; it has to succeed.
    pub fn json(&self, line: &str) -> Value {
        let mut lines = self.run(&format!("{line} --json")).expect(0).json();
        lines.pop().expect("a line")
    }

    /// Starts a command without waiting for its end.
    pub fn start(&self, line: &str) -> Running {
        let arguments: Vec<&str> = line.split(' ').chain(["--url", &self.node.url]).collect();
        Running::start(connect4(&arguments))
    }

    /// Balance of an account, in the token's smallest unit.
    pub fn balance(&self, name: &str) -> i128 {
        let accounts = self.run("accounts --json").expect(0).json();
        let account = accounts.iter().find(|account| account["name"] == name);
        account.unwrap()["balance"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap()
    }
}
