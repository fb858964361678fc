//! `serve`: the page and its server, seen from outside.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Node, Running, connect4, run};

/// Answer of a server to a request given as its first lines and its body.
pub fn ask(addr: &str, request: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(addr).expect("the server listens");
    let length = body.len();
    let end = format!("content-length: {length}\r\nconnection: close\r\n\r\n{body}");
    write!(stream, "{request}\r\n{end}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// A live socket of a page: a WebSocket on which the server talks alone.
pub struct Socket(TcpStream);

impl Socket {
    pub fn open(addr: &str, path: &str) -> Self {
        let mut stream = TcpStream::connect(addr).expect("the server listens");
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: {addr}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n\r\n"
        )
        .unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(Self::bytes(&mut stream, 1)[0]);
        }
        let head = String::from_utf8(head).unwrap();
        assert!(head.starts_with("HTTP/1.1 101 "), "{head}");
        Self(stream)
    }

    fn bytes(stream: &mut TcpStream, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        stream.read_exact(&mut bytes).expect("the socket is open");
        bytes
    }

    pub fn next(&mut self) -> Value {
        const TEXT: u8 = 0x81;
        loop {
            let head = Self::bytes(&mut self.0, 2);
            // The server masks nothing: this is the length, or says how many bytes hold it.
            let extended = match head[1] {
                126 => 2,
                127 => 8,
                _ => 0,
            };
            let length = match extended {
                0 => usize::from(head[1]),
                count => Self::bytes(&mut self.0, count)
                    .into_iter()
                    .fold(0, |length, byte| length << 8 | usize::from(byte)),
            };
            let body = Self::bytes(&mut self.0, length);
            if head[0] == TEXT {
                return serde_json::from_slice(&body).expect("JSON");
            }
        }
    }
}

/// Two programs of one player have one folder: the second says that it is no witness, and serves.
#[test]
fn a_page_is_served_also_by_a_program_that_can_be_no_witness() {
    let node = Node::start(&["--tmp"]);
    let serve = ["serve", "--port", "0", "--no-index", "--url", &node.url];
    let mut first = Running::start(connect4(&serve));
    let said = first.error_with("It is the witness 0x");
    let mut second = Running::start(connect4(&serve));
    let why = second.error_with("not a witness of signed games");
    assert!(why.contains("another process has the log"), "{why}");
    second.line_with("Play at http://127.0.0.1:");
    second.stop("TERM");
    // One that is told to be a witness does not serve if it can't.
    let folder = said_folder(&why);
    let named = [&serve[..], &["--witness-log", &folder]].concat();
    let ended = run(&named, "").expect(1);
    assert!(ended.err.contains("--witness-log"), "{}", ended.err);
    first.stop("TERM");
    let again = Running::start(connect4(&named)).error_with("It is the witness 0x");
    assert_eq!(again, said);
}

/// The folder that stands in brackets.
fn said_folder(why: &str) -> String {
    let (_, rest) = why.split_once("(in ").expect("a folder");
    rest.trim_end_matches(')').into()
}

#[test]
fn the_log_of_a_chain_in_memory_goes_with_it() {
    let serve = ["serve", "--port", "0", "--tmp"];
    let keys = [(); 2].map(|()| {
        let mut server = Running::start(connect4(&serve));
        let said = server.error_with("It is the witness 0x");
        server.error_with("The log of the witness is gone when this program ends");
        server.stop("TERM");
        said
    });
    assert_ne!(keys[0], keys[1]);
}

#[test]
fn a_page_is_served_while_other_commands_use_the_folder() {
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

    let get = |path: &str| ask(addr, &format!("GET {path} HTTP/1.1\r\nhost: {addr}"), "");
    let page = get("/");
    assert!(page.starts_with("HTTP/1.1 200 "), "{page}");
    assert!(page.contains("content-security-policy: default-src 'self'"));
    assert!(!page.contains(key), "the page does not contain the key");
    assert!(get("/nowhere").starts_with("HTTP/1.1 404 "));
    let hello = get("/api/hello");
    assert!(
        hello.contains("\"accounts\":[]") && !hello.contains(key),
        "{hello}"
    );

    // Other commands find the chain, though its folder is in use.
    run(&["start", "--data", folder], "").expect(0);
    let listed = run(&["list", "--data", folder], "").expect(0);
    assert!(listed.out.contains("alice - bob"), "{}", listed.out);

    // A variant of four is played with the accounts of the host.
    let head = |method: &str, path: &str| {
        format!("{method} {path} HTTP/1.1\r\nhost: {addr}\r\nx-connect4-keys: {key}")
    };
    let hello = ask(addr, &head("GET", "/api/hello"), "");
    let (_, token) = hello.split_once("\"token\":\"").expect("a token");
    let (token, _) = token.split_once('"').unwrap();
    let post = |path: &str, body: &str| {
        let head = head("POST", path);
        let request =
            format!("{head}\r\nx-connect4-token: {token}\r\ncontent-type: application/json");
        ask(addr, &request, body)
    };
    let names = ["alice", "bob", "charlie", "dave"];
    let seats = names.map(|name| format!(r#"{{"account":"{name}","level":null}}"#));
    let started = post(
        "/api/games",
        &format!(
            r#"{{"kind":"variant","terms":{{"shape":{{"bins":7,"capacity":6,"line":4}},"players":4,"pop_out":true,
                "pie_rule":false,"powers":{{"take":1,"clear":0,"float":0}},"limit":null}},
                "seats":[{}]}}"#,
            seats.join(",")
        ),
    );
    assert!(started.contains(r#"{"game":"v0"}"#), "{started}");
    let drop = r#"{"move":{"kind":"drop","bin":3},"turns":0,"board":[[],[],[],[],[],[],[]]}"#;
    let moved = post("/api/games/v0/move", drop);
    assert!(moved.starts_with("HTTP/1.1 200 "), "{moved}");
    let again = post("/api/games/v0/move", drop);
    assert!(
        again.starts_with("HTTP/1.1 409 ") && again.contains("the board is not the one you saw"),
        "{again}"
    );

    // A second server on the same port is refused.
    let (_, port) = addr.split_once(':').unwrap();
    let other = TempDir::new().unwrap();
    let other = other.path().to_str().unwrap();
    let second = run(&["serve", "--port", port, "--data", other], "").expect(1);
    assert!(second.err.contains("--port"), "{}", second.err);

    // A server that is told to stop ends without an error, and removes its address.
    server.stop("TERM").expect(0);
    assert!(!data.path().join("node.url").exists());
}
