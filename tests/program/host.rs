//! `host`: a public host, seen by strangers and by its operator.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::net::TcpListener;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Commands, Node, Running, connect4, run};
use crate::serve::{Socket, ask};

/// A host on a free port.
struct Host {
    running: Running,
    addr: String,
}

impl Host {
    fn start(arguments: &[&str]) -> Self {
        let listen = ["host", "--listen", "127.0.0.1:0"];
        let mut running = Running::start(connect4(&[&listen, arguments].concat()));
        let line = running.line_with("http://127.0.0.1:");
        let (_, addr) = line.split_once("http://").expect("a URL");
        let end = addr.find(|letter: char| !letter.is_ascii_digit() && !".:".contains(letter));
        Self {
            addr: addr[..end.unwrap_or(addr.len())].to_owned(),
            running,
        }
    }

    fn get(&self, path: &str) -> String {
        let head = format!("GET {path} HTTP/1.1\r\nhost: {}", self.addr);
        ask(&self.addr, &head, "")
    }

    fn post(&self, path: &str, body: &str) -> String {
        let json = "content-type: application/json";
        let head = format!("POST {path} HTTP/1.1\r\nhost: {}\r\n{json}", self.addr);
        ask(&self.addr, &head, body)
    }

    /// Waits until its index has all blocks.
    fn until_indexed(&self) {
        loop {
            let answer = self.get("/api/history");
            let body = answer.split_once("\r\n\r\n").map(|(_, body)| body);
            let history: Option<Value> = body.and_then(|body| serde_json::from_str(body).ok());
            if history.is_some_and(|history| history["index"]["behind"] == 0) {
                break;
            }
        }
    }

    /// What a page is told first of a game, or of the lobby.
    fn sees(&self, query: &str) -> Value {
        let mut socket = Socket::open(&self.addr, &format!("/api/live{query}"));
        loop {
            let told = socket.next();
            let is_up = told["type"] == "chain" && told["up"] == true;
            if !is_up {
                return told;
            }
        }
    }

    /// All that it answers, whatever is asked.
    fn everything(&self, transaction: &str) -> Vec<String> {
        let alice = "/api/accounts/0x9621dde636de098b43efb0fa9b61facfe328f99d";
        let account = "0x9621dde636de098b43efb0fa9b61facfe328f99d";
        let call =
            format!(r#"{{"account":"{account}","contract":"games","data":"0x00","payment":"0"}}"#);
        let mut answers: Vec<String> = [
            "/",
            "/nowhere",
            "/health",
            "/api/hello",
            alice,
            &format!("{alice}/against/0x41dccbd49b26c50d34355ed86ff0fa9e489d1e01"),
            &format!("{alice}/against/nobody"),
            "/api/standings",
            "/api/history",
            "/api/history?result=drawn",
            "/api/search?q=0x96",
            "/api/now",
            &format!("/api/holder?account={account}"),
            &format!("/api/transactions/{transaction}?from=1"),
            &format!("/api/transactions/{transaction}?from=9999"),
        ]
        .iter()
        .map(|path| self.get(path))
        .collect();
        answers.extend([
            self.post("/api/prepare", &call),
            self.post(
                "/api/submit",
                r#"{"head":"0x84","signature":"0x00","tail":"0x00"}"#,
            ),
            self.post("/api/prepare", "no json"),
            self.post("/api/look", r#"{"contract":"stakes","data":["0x00"]}"#),
        ]);
        let games = ["", "?game=0", "?game=1", "?game=7", "?game=f0", "?game=v0"];
        answers.extend(games.map(|game| self.sees(game).to_string()));
        answers
    }
}

/// Checks that none of the answers has a secret.
#[track_caller]
fn none_has(answers: &[String], secrets: &[&str], world: &str) {
    for answer in answers {
        for secret in secrets {
            assert!(!answer.contains(secret), "{secret} in {world}: {answer}");
        }
    }
}

#[test]
fn strangers_are_told_neither_where_the_node_and_the_database_are_nor_what_opens_them() {
    let node = Node::start(&["--tmp", "--keep-states", "2"]);
    let commands = Commands { node: &node };
    // Two games and a variant that have ended and were freed, in blocks without a state.
    commands.out("deploy");
    let started = commands.json("start");
    let transaction = started["transaction"]["hash"].as_str().expect("a hash");
    for (name, bin) in ["alice", "bob"].iter().cycle().zip([1, 2, 1, 2, 1, 2, 1]) {
        commands.out(&format!("move --game 0 {bin} --account {name}"));
    }
    commands.out("free --game 0");
    for _ in 0..3 {
        commands.out("start");
    }

    let folder = TempDir::new().unwrap();
    let database = folder.path().join("games.db");
    let index = format!("sqlite:{}", database.display());
    let address = node.url.strip_prefix("ws://").expect("a URL");
    let url = format!("ws://{address}/v2/SECRET?token=SECRET");
    let mut host = Host::start(&["--url", &url, "--index", &index]);
    host.running.error_with("chain found");
    let port = address.split_once(':').expect("a port").1;
    let port = format!(":{port}");
    let secrets = ["SECRET", &port, folder.path().to_str().unwrap()];

    let told = host.everything(transaction);
    none_has(&told, &secrets, "a pruned world");
    let says = |told: &[String], words: &str| told.iter().any(|answer| answer.contains(words));
    assert!(says(&told, "has discarded the state"), "{told:#?}");

    // The database is no database any more, whichever connection reads it, and can't be put aside either: within two
    // seconds the host would build it anew.
    host.until_indexed();
    fs::create_dir(database.with_extension("unreadable")).unwrap();
    for end in ["", "-wal", "-shm"] {
        let file = format!("{}{end}", database.display());
        // The host has mapped one of them to memory, which is lost if the file gets shorter.
        let opened = OpenOptions::new().write(true).open(&file);
        let mut opened = opened.unwrap_or_else(|error| panic!("{file}: {error}"));
        opened
            .write_all("no database".repeat(4096).as_bytes())
            .unwrap();
    }
    host.running.error_with("games.db cannot be opened");
    let told = host.everything(transaction);
    none_has(&told, &secrets, "a world without an index");
    // In words that say nothing of the database.
    let words = "the index of games is out of order";
    assert!(says(&told, words), "{told:#?}");
    assert!(
        !says(&told, "not a database") && !says(&told, "malformed"),
        "{told:#?}"
    );

    node.running.kill();
    // Its operator is told where nothing answers.
    host.running.error_with("no response from ws://127.0.0.1");
    let told = host.everything(transaction);
    none_has(&told, &secrets, "a world without a node");
    assert!(says(&told, "The chain is unreachable"), "{told:#?}");
    let ended = host.running.stop("TERM").expect(0);
    assert!(!ended.err.contains("SECRET"), "the log: {}", ended.err);
}

/// A server that takes connections and answers nothing of use.
fn of_no_use() -> (String, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    (
        listener.local_addr().expect("it listens").to_string(),
        listener,
    )
}

#[test]
fn a_host_starts_whatever_its_node_does_and_serves_once_it_is_of_use() {
    let (addr, listener) = of_no_use();
    let answering = std::thread::spawn(move || {
        // Whoever connects is answered as by a web server.
        use std::io::Read as _;
        let (mut stream, _) = listener.accept().expect("a connection");
        let _ = stream.read(&mut [0; 4096]);
        let _ = write!(
            stream,
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"
        );
        listener
    });
    let url = format!("ws://{addr}");
    let mut host = Host::start(&["--url", &url, "--no-index"]);
    assert!(host.get("/").starts_with("HTTP/1.1 200 "));
    let health = host.get("/health");
    assert!(health.starts_with("HTTP/1.1 503 "), "{health}");
    // A node comes where the other server was.
    drop(answering.join().expect("no panic"));
    let port = addr.split_once(':').expect("a port").1;
    let node = Node::of(connect4(&["node", "--tmp", "--rpc-port", port]));
    host.running.error_with("chain found");
    assert!(host.get("/health").starts_with("HTTP/1.1 200 "));
    drop(node);
}

#[test]
fn a_host_waits_for_the_contract_that_it_was_given() {
    let node = Node::start(&["--tmp"]);
    let nobody = "0x00000000000000000000000000000000000000aa";
    let mut host = Host::start(&["--url", &node.url, "--contract", nobody, "--no-index"]);
    let why = host.running.error_with("chain lost");
    assert!(why.contains("there is no contract at"), "{why}");
    let hello = host.get("/api/hello");
    assert!(hello.starts_with("HTTP/1.1 200 "), "{hello}");
    host.running.stop("TERM").expect(0);
}

/// What a host says of witnesses in its first answer.
fn witnesses(host: &Host) -> (Value, Value) {
    let answer = host.get("/api/hello");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    let hello: Value = serde_json::from_str(body).expect("JSON");
    (hello["witness"].clone(), hello["witnesses"].clone())
}

#[test]
fn a_host_is_a_witness_and_says_what_to_do_if_it_can_be_none() {
    let node = Node::start(&["--tmp"]);
    let other = "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd";
    let options = ["--url", &node.url, "--no-index", "--witness", other];
    let mut host = Host::start(&options);
    let said = host.running.error_with("witness 0x");
    let (key, counted) = witnesses(&host);
    assert_eq!(counted, serde_json::json!([key, other]));
    assert!(said.contains(key.as_str().expect("a key")), "{said}");
    // Another one beside it is none.
    let mut beside = Host::start(&options);
    let why = beside.running.error_with("not a witness");
    let in_use = "another process has the log of the witness (in ";
    assert!(why.contains(in_use), "{why}");
    let nobody = (Value::Null, serde_json::json!([other]));
    assert_eq!(witnesses(&beside), nobody);
    beside.running.stop("TERM").expect(0);
    let silent = Host::start(&[&options[..], &["--no-witness"]].concat());
    assert_eq!(witnesses(&silent), nobody);
    silent.running.stop("TERM").expect(0);
    let folder = TempDir::new().unwrap();
    let named = folder.path().join("log");
    let named = ["--witness-log", named.to_str().expect("text")];
    let second = Host::start(&[&options[..], &named].concat());
    let (own, counted) = witnesses(&second);
    assert_eq!(counted, serde_json::json!([own, other]));
    assert_ne!(own, key);
    // One that was to use this log does not start without it.
    let all = [&["host", "--listen", "127.0.0.1:0"][..], &options, &named].concat();
    let ended = run(&all, "").expect(1);
    let says_why = ended.err.contains(in_use) && ended.err.contains("--witness-log");
    assert!(says_why, "{}", ended.err);
    second.running.stop("TERM").expect(0);
    // Where its players meet elsewhere it is none.
    let relay = ["--relay", "ws://127.0.0.1:1"];
    let third = Host::start(&[&options[..], &relay].concat());
    assert_eq!(witnesses(&third), nobody);
    third.running.stop("TERM").expect(0);
    let fourth = Host::start(&[&options[..], &relay, &named].concat());
    assert_eq!(witnesses(&fourth).0, own, "the same log");
    fourth.running.stop("TERM").expect(0);
    host.running.stop("TERM").expect(0);
    let again = Host::start(&options);
    assert_eq!(witnesses(&again).0, key);
    let bad = ["host", "--url", &node.url, "--witness", "nobody"];
    run(&bad, "").expect(2);
}

/// The unit that is packaged, with its settings.
fn unit() -> String {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../packaging/connect4-host.service"
    );
    fs::read_to_string(Path::new(file)).expect("the unit")
}

#[test]
fn systemd_never_gives_up_on_a_host() {
    let unit = unit();
    for setting in ["StartLimitIntervalSec=0", "Restart=always"] {
        assert!(unit.lines().any(|line| line == setting), "{setting}");
    }
}
