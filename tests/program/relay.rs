//! `relay`: rooms for signed games, without a page.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use crate::run::{Commands, Ended, Node, Running, by_shell, connect4, run, signal};
use crate::serve::ask;

/// A relay on a free port.
pub struct Relay {
    running: Running,
    pub addr: String,
    /// The log of the witness that it is, and its key.
    witness: Option<(TempDir, String)>,
}

impl Relay {
    fn start(command: Command) -> Self {
        let mut running = Running::start(command);
        let line = running.line_with("Relay at ws://127.0.0.1:");
        let addr = line.strip_prefix("Relay at ws://").expect("a URL");
        Self {
            addr: addr.to_owned(),
            running,
            witness: None,
        }
    }

    /// A relay that is a witness of signed games.
    pub fn witness(node: &Node) -> Self {
        Self::witness_at(node, "127.0.0.1:0", TempDir::new().expect("a folder"))
    }

    fn witness_at(node: &Node, addr: &str, log: TempDir) -> Self {
        let folder = log.path().to_str().expect("text");
        let arguments = ["relay", "--listen", addr, "--url", &node.url];
        let mut relay = Self::start(connect4(
            &[&arguments[..], &["--witness-log", folder]].concat(),
        ));
        let said = relay.running.error_with("It is the witness ");
        let (_, key) = said.split_once("witness ").expect("a key");
        let key = key.split_whitespace().next().expect("a key").to_owned();
        relay.witness = Some((log, key));
        relay
    }

    /// The key of the witness that it is.
    pub fn key(&self) -> &str {
        let (_, key) = self.witness.as_ref().expect("a witness");
        key
    }

    pub fn url(&self) -> String {
        format!("ws://{}", self.addr)
    }

    /// Ends this witness, and begins it again with its log, at the same address.
    pub fn restart(mut self, node: &Node) -> Self {
        let (log, _) = self.witness.take().expect("a witness");
        let addr = self.addr.clone();
        self.stop().expect(0);
        Self::witness_at(node, &addr, log)
    }

    pub fn on(node: &Node) -> Self {
        Self::at(node, "127.0.0.1:0")
    }

    /// A relay on an address that another one had.
    pub fn at(node: &Node, addr: &str) -> Self {
        Self::start(connect4(&["relay", "--listen", addr, "--url", &node.url]))
    }

    /// The answer to a request for a path.
    fn get(&self, path: &str) -> String {
        ask(
            &self.addr,
            &format!("GET {path} HTTP/1.1\r\nhost: relay"),
            "",
        )
    }

    /// Opens a socket in a room as a proxy does for a visitor. Returns the status of the answer as well.
    fn open(&self, visitor: &str) -> (String, TcpStream) {
        let mut stream = TcpStream::connect(&self.addr).expect("it listens");
        write!(
            stream,
            "GET /signed/lobby HTTP/1.1\r\nhost: relay\r\nx-forwarded-for: {visitor}\r\n\
             connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n\r\n"
        )
        .expect("sent");
        let mut head = [0; 12];
        stream.read_exact(&mut head).expect("answered");
        let status = head.iter().skip(9).copied().map(char::from);
        (status.collect(), stream)
    }

    /// Has it stand still for so long.
    pub fn pause(&self, time: Duration) {
        signal("STOP", self.running.child.id());
        std::thread::sleep(time);
        signal("CONT", self.running.child.id());
    }

    pub fn stop(self) -> Ended {
        self.running.stop("TERM")
    }
}

#[test]
fn a_relay_runs_until_it_is_told_to_stop() {
    let node = Node::start(&["--tmp"]);
    let mut relay = Relay::on(&node);
    relay.running.error_with(&node.url);
    let counts = relay.get("/metrics");
    assert!(
        counts.contains("connect4_relay_staked_rooms 0\n"),
        "{counts}"
    );
    let nothing = relay.get("/");
    assert!(nothing.starts_with("HTTP/1.1 404 "), "{nothing}");
    relay.stop().expect(0);
}

#[test]
fn a_relay_tells_machines_where_it_is() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    let mut relay = commands.start("relay --listen 127.0.0.1:0 --json");
    let line = relay.line_with("relaying");
    let told: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    let url = told["url"].as_str().expect("a URL");
    assert!(url.starts_with("ws://127.0.0.1:"), "{url}");
    relay.stop("TERM").expect(0);
}

#[test]
fn a_relay_without_a_chain_or_a_port_says_so() {
    let ended = run(&["relay", "--url", "ws://127.0.0.1:1"], "").expect(1);
    assert!(ended.err.contains("127.0.0.1:1"), "{}", ended.err);
    let node = Node::start(&["--tmp"]);
    let relay = Relay::on(&node);
    let taken = ["relay", "--listen", &relay.addr, "--url", &node.url];
    let ended = run(&taken, "").expect(1);
    assert!(ended.err.contains("--listen"), "{}", ended.err);
}

#[test]
fn a_relay_counts_by_address_whom_its_operator_does_not_name() {
    let node = Node::start(&["--tmp"]);
    let commands = ["relay", "--listen", "127.0.0.1:0", "--url", &node.url];
    let mut command = connect4(&commands);
    command.args([
        "--max-connections-per-ip",
        "1",
        "--trust-proxy",
        "127.0.0.1",
    ]);
    command.args([
        "--uncounted",
        "198.51.100.0/24",
        "--uncounted",
        "2001:db8::7",
    ]);
    let relay = Relay::start(command);
    let mut open = Vec::new();
    for (visitor, expected) in [
        ("192.0.2.1", "101"),
        ("192.0.2.1", "429"),
        ("198.51.100.1, 192.0.2.1", "429"),
        ("192.0.2.2", "101"),
        ("198.51.100.1", "101"),
        ("198.51.100.1", "101"),
        ("2001:db8::7", "101"),
        ("2001:db8::7", "101"),
        ("2001:db8::8", "101"),
        ("2001:db8::8", "429"),
    ] {
        let (status, stream) = relay.open(visitor);
        assert_eq!(status, expected, "{visitor}");
        open.push(stream);
    }
    let ended = run(&["relay", "--uncounted", "games.example"], "").expect(2);
    assert!(ended.err.contains("10.0.0.0/8"), "{}", ended.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_relay_takes_as_many_connections_as_the_system_allows() {
    let node = Node::start(&["--tmp"]);
    let listen = ["relay", "--listen", "127.0.0.1:0", "--url", &node.url];
    let program = connect4(&listen);
    let relay = Relay::start(by_shell("ulimit -Sn 64", &program));
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", relay.running.child.id()));
    let limits = limits.expect("the limits of a process");
    let files = limits
        .lines()
        .find(|line| line.starts_with("Max open files"))
        .expect("the limit of open files");
    let soft = files.split_whitespace().nth(3);
    let soft = soft.and_then(|soft| soft.parse::<u64>().ok());
    assert!(soft > Some(64), "{files}");
    let connections: Vec<_> = (0..100)
        .map(|_| std::net::TcpStream::connect(&relay.addr).expect("it listens"))
        .collect();
    assert!(
        relay
            .get("/metrics")
            .contains("connect4_relay_staked_rooms")
    );
    drop(connections);
}
