//! `serve`: the page and its server, seen from outside.

use std::io::{Read, Write};
use std::net::TcpStream;

use tempfile::TempDir;

use crate::run::{Running, connect4, run};

/// Answer of a server to a request given as its first lines.
fn ask(addr: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(addr).expect("the server listens");
    write!(stream, "{request}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
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

    let get = |path: &str| ask(addr, &format!("GET {path} HTTP/1.1\r\nhost: {addr}"));
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
