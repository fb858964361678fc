//! `relay`: rooms for fast games, without a page.

use std::process::Command;

use crate::run::{Commands, Ended, Node, Running, by_shell, connect4, run};
use crate::serve::ask;

/// A relay on a free port.
pub struct Relay {
    running: Running,
    pub addr: String,
}

impl Relay {
    fn start(command: Command) -> Self {
        let mut running = Running::start(command);
        let line = running.line_with("Relay at ws://127.0.0.1:");
        let addr = line.strip_prefix("Relay at ws://").expect("a URL");
        Self {
            addr: addr.to_owned(),
            running,
        }
    }

    pub fn on(node: &Node) -> Self {
        let listen = ["relay", "--listen", "127.0.0.1:0", "--url", &node.url];
        Self::start(connect4(&listen))
    }

    /// The answer to a request for a path.
    fn get(&self, path: &str) -> String {
        ask(
            &self.addr,
            &format!("GET {path} HTTP/1.1\r\nhost: relay"),
            "",
        )
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
    assert!(counts.contains("connect4_relay_rooms 0"), "{counts}");
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
    assert!(relay.get("/metrics").contains("connect4_relay_rooms"));
    drop(connections);
}
