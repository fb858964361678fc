//! The relay on a chain: as a part of the server, and by itself.

use std::net::SocketAddr;

use connect4_protocol::signed::feed::FromFeed;
use connect4_protocol::signed::lobby;
use connect4_protocol::signed::relay::Refusal;
use connect4_testing::lobby::Visitor;
use connect4_testing::socket::Socket;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::served::Served;

/// What the feed says first: a welcome, or why it refuses.
async fn first(relay: SocketAddr) -> Result<(), Refusal> {
    let mut socket = Socket::feed(relay, None).await;
    match socket.next_in_feed().await {
        Some(FromFeed::Welcome { .. }) => Ok(()),
        Some(FromFeed::Refused(refusal)) => Err(refusal),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rooms_of_the_page_are_open_to_programs_and_closed_to_pages_of_others() {
    let served = Served::start().await;
    let addr = served.host.addr();
    for (head, status) in [
        ("host: games.example".to_owned(), "101"),
        (format!("host: {addr}\r\norigin: http://{addr}"), "101"),
        (
            format!("host: {addr}\r\norigin: http://evil.example"),
            "403",
        ),
    ] {
        let mut stream = TcpStream::connect(addr).await.expect("it listens");
        let request = format!(
            "GET {} HTTP/1.1\r\n{head}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n\r\n",
            lobby::PATH
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.expect("answered");
        let answer = String::from_utf8_lossy(&answer);
        assert_eq!(answer, format!("HTTP/1.1 {status}"), "{head}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relay_by_itself_needs_no_chain_once_it_has_begun() {
    let mut served = Served::start().await;
    served.deploy().await;
    let relay = served.relay().await;
    let addr = relay.local_addr();
    let _working = Task(tokio::spawn(relay.run()));
    assert_eq!(first(addr).await, Ok(()));

    served.lose_chain();
    assert_eq!(first(addr).await, Ok(()));
    Visitor::enter(addr).await.follow().await;
}

/// A relay at work, which ends when this is dropped.
struct Task<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
