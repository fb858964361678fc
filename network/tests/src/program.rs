//! The program, and the other built files.

use std::{
    env,
    ffi::OsStr,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::Value;

use crate::wait::until;

/// Variables of the program that would change what a test expects.
const VARIABLES: [&str; 6] = [
    "CONNECT4_CONTRACT",
    "CONNECT4_DATA",
    "CONNECT4_DEPLOYER",
    "CONNECT4_SECRET",
    "CONNECT4_URL",
    "CONNECT4_VARIANTS",
];

/// A built file in the target folder of this workspace.
pub(crate) fn built(name: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../target")
        .join(name);
    assert!(
        file.exists(),
        "{} is missing: scripts/test-network builds it",
        file.display()
    );
    file
}

/// A built runtime: `runtime`; `runtime-upgrade` and `runtime-moved`, which come after it; `runtime-hub`, which has
/// what Polkadot Hub has besides; or, with `-unhashed` behind its name, the same one without the hash of its metadata.
pub fn runtime(name: &str) -> PathBuf {
    built(&format!("{name}.wasm"))
}

/// The program, which is built in the other workspace.
fn command() -> Command {
    let path = env::var_os("CONNECT4_PROGRAM").expect("CONNECT4_PROGRAM names the program");
    without_variables(path)
}

/// A command that runs the program, or runs others which do.
fn without_variables(path: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(path);
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command
}

/// Tests of Node.js: this file in the folder that this variable names. They may run the program.
pub fn node_tests(variable: &str, file: &str) -> Command {
    let folder = env::var_os(variable)
        .unwrap_or_else(|| panic!("{variable} is unset: scripts/test-network names the folder"));
    let mut command = without_variables("node");
    command
        .args(["--test", "--test-reporter=spec", file])
        .current_dir(folder);
    command
}

/// What a process said until it ended.
pub struct Answer {
    pub status: ExitStatus,
    pub out: String,
    pub err: String,
}

impl Answer {
    /// Runs a command until it ends.
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.stdin(Stdio::null()).output().expect("it starts");
        Self {
            status: output.status,
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// What it printed.
    ///
    /// # Panics
    ///
    /// If it failed.
    #[track_caller]
    pub fn ok(self) -> String {
        assert!(
            self.status.success(),
            "{}: {}{}",
            self.status,
            self.out,
            self.err
        );
        self.out
    }

    /// What it printed with `--json`, a value a line.
    ///
    /// # Panics
    ///
    /// If it failed.
    #[track_caller]
    pub fn json(self) -> Vec<Value> {
        let lines = self.ok();
        lines
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }
}

/// Runs the program until it ends.
pub fn program<S: AsRef<OsStr>>(url: &str, args: impl IntoIterator<Item = S>) -> Answer {
    Answer::of(command().args(args).args(["--url", url]))
}

/// A process that runs, and what it has said so far.
pub struct Running {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
    said: Arc<Mutex<String>>,
}

impl Running {
    pub fn program<'a>(url: &str, args: impl IntoIterator<Item = &'a str>) -> Self {
        let args: Vec<_> = args.into_iter().collect();
        let name = format!("connect4 {}", args.join(" "));
        Self::start(&name, command().args(args).args(["--url", url]))
    }

    /// Starts the program with its data in this folder.
    pub fn program_in<'a>(
        folder: &Path,
        url: &str,
        args: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let args: Vec<_> = args.into_iter().collect();
        let name = format!("connect4 {}", args.join(" "));
        let mut command = command();
        command.args(args).args(["--url", url]);
        Self::start(&name, command.env("CONNECT4_DATA", folder))
    }

    pub fn start(name: &str, command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let said = Arc::new(Mutex::new(String::new()));
        follow(child.stdout.take(), &said);
        follow(child.stderr.take(), &said);
        Self {
            name: name.to_owned(),
            input: child.stdin.take(),
            child,
            said,
        }
    }

    /// Everything it has said, on standard output and standard error.
    pub fn said(&self) -> String {
        self.said.lock().expect("no thread panicked").clone()
    }

    /// Writes a line to its standard input.
    pub fn type_line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("its input is open");
        writeln!(input, "{line}")
            .and_then(|()| input.flush())
            .expect("it reads");
    }

    /// Waits until it has said a text `times` times.
    ///
    /// # Panics
    ///
    /// If it ends before, or does not say it in time.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str, times: usize) {
        let mut ended = false;
        let what = format!("{} says {text:?} {times} times", self.name);
        let found = until(&what, || {
            // In this order: what it says last is read before it counts as ended.
            if self.said().matches(text).count() >= times {
                return Some(true);
            }
            if ended {
                return Some(false);
            }
            ended = self.child.try_wait().expect("it is a child").is_some();
            None
        });
        assert!(
            found,
            "{} ended without {text:?}:\n{}",
            self.name,
            self.said()
        );
    }

    #[track_caller]
    pub fn wait(&mut self) -> ExitStatus {
        self.input = None;
        let what = format!("{} ends", self.name);
        let child = &mut self.child;
        until(&what, || child.try_wait().expect("it is a child"))
    }

    pub fn runs(&mut self) -> bool {
        self.child.try_wait().expect("it is a child").is_none()
    }

    /// Asks it to end, as a service manager does, and waits.
    #[track_caller]
    pub fn stop(&mut self) {
        let pid = self.child.id().to_string();
        Command::new("kill")
            .arg(pid)
            .status()
            .expect("kill is there");
        self.wait();
    }

    /// Ends it at once, as a power cut does.
    pub fn kill(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
        if thread::panicking() {
            let said = self.said();
            let lines: Vec<_> = said.lines().collect();
            let from = lines.len().saturating_sub(20);
            eprintln!(
                "--- {} said at last:\n{}",
                self.name,
                lines[from..].join("\n")
            );
        }
    }
}

/// Adds what a process says to `said`, line by line.
fn follow(stream: Option<impl Read + Send + 'static>, said: &Arc<Mutex<String>>) {
    let said = said.clone();
    let mut stream = BufReader::new(stream.expect("it is piped"));
    thread::spawn(move || {
        let mut line = Vec::new();
        while stream
            .read_until(b'\n', &mut line)
            .is_ok_and(|length| length > 0)
        {
            let text = String::from_utf8_lossy(&line);
            said.lock().expect("no thread panicked").push_str(&text);
            line.clear();
        }
    });
}
