//! The relay on a chain: as a part of the server, and by itself.

mod served;

use std::net::SocketAddr;

use connect4_client::{Contracts, Offer, Signer};
use connect4_protocol::Error;
use connect4_protocol::fast::wire::{FromRelay, Refusal, path};
use connect4_protocol::fast::{Evidence, FIRST, FastGame};
use connect4_rules::{ByPlayer, Player, Shape};
use connect4_testing::fast::{FastPlay, brings};
use connect4_testing::socket::Socket;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use served::Served;

fn players() -> ByPlayer<Signer> {
    let account = |name| Signer::development(name).expect("a development account");
    ByPlayer {
        one: account("alice"),
        two: account("bob"),
    }
}

/// Starts a fast game of Alice and Bob on the chain.
async fn start(contract: &Contracts) -> FastPlay {
    let mut play = FastPlay::new(FIRST);
    let players = players();
    let offer = Offer {
        opponent: Some(players.two.address()),
        challenger_first: true,
        shape: Shape::STANDARD.into(),
        clock: None,
        stake: 0,
        key: Some(play.keys.one.address()),
        pie_rule: false,
        expires_in: None,
    };
    let challenge = contract.challenge(&players.one, offer).await;
    let challenge = challenge.expect("a challenge").value;
    let key = Some(play.keys.two.address());
    let accepted = contract.accept(&players.two, challenge, key).await;
    play.number = accepted.expect("a game").value.number();
    let game = contract
        .game::<FastGame>(play.id())
        .await
        .expect("it answers");
    play.game = game.expect("the game");
    play.domain = contract.domain().expect("fast games");
    play
}

/// Enters the room of a game, again and again until the relay has seen it on its chain.
async fn enter(relay: SocketAddr, game: u32, not_yet: Refusal) -> Socket {
    loop {
        let mut socket = Socket::open(relay, game).await;
        match socket.next().await {
            Some(FromRelay::Welcome { .. }) => return socket,
            Some(FromRelay::Refused(refusal)) => assert_eq!(refusal, not_yet),
            other => panic!("{other:?}"),
        }
    }
}

async fn play_at(relay: SocketAddr, play: &FastPlay) {
    let mut alice = Socket::join(relay, play, Player::One).await;
    let mut bob = Socket::join(relay, play, Player::Two).await;
    alice.present(true, true, 0).await;
    alice.send(play.position(&[3])).await;
    bob.moves(&[3]).await;
    bob.send(play.position(&[3, 4])).await;
    alice.moves(&[3, 4]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_of_the_page_is_a_relay() {
    let served = Served::start().await;
    let addr = served.host.addr();
    let mut early = Socket::open(addr, FIRST).await;
    assert_eq!(early.refusal().await, Refusal::NoSuchGame);
    let play = start(&served.deploy().await).await;
    drop(enter(addr, play.number, Refusal::NoSuchGame).await);
    play_at(addr, &play).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn its_rooms_are_open_to_programs_and_closed_to_pages_of_others() {
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
            path(FIRST)
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.expect("answered");
        let answer = String::from_utf8_lossy(&answer);
        assert_eq!(answer, format!("HTTP/1.1 {status}"), "{head}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relay_by_itself_outlasts_an_outage_of_the_chain() {
    let mut served = Served::start().await;
    let contract = served.deploy().await;
    let (play, other) = (start(&contract).await, start(&contract).await);
    let relay = served.relay().await;
    let addr = relay.local_addr();
    let _working = Task(tokio::spawn(relay.run()));
    play_at(addr, &play).await;

    served.lose_chain();
    loop {
        let mut unknown = Socket::open(addr, FIRST + 7).await;
        match unknown.refusal().await {
            Refusal::ChainUnreachable => break,
            refusal => assert_eq!(refusal, Refusal::NoSuchGame),
        }
    }
    // What it knows, it still passes on.
    let mut alice = Socket::join(addr, &play, Player::One).await;
    assert_eq!(alice.position().await, play.evidence(&[3, 4], None));
    served.find_chain().await;
    let mut watcher = enter(addr, other.number, Refusal::ChainUnreachable).await;
    assert_eq!(watcher.position().await, Evidence::start());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_was_settled_on_the_chain_has_no_room() {
    let served = Served::start().await;
    let contract = served.deploy().await;
    let play = start(&contract).await;
    let relay = served.relay().await;
    let addr = relay.local_addr();
    let _working = Task(tokio::spawn(relay.run()));
    play_at(addr, &play).await;
    let won = play.agreed(&[3, 4, 3, 4, 3, 4, 3]);
    contract
        .send(&players().two, brings(play.number, won))
        .await
        .expect("both have signed");
    // It asks the chain when nobody is in the room any more.
    loop {
        let mut late = Socket::open(addr, play.number).await;
        if let Some(FromRelay::Refused(refusal)) = late.next().await {
            assert_eq!(refusal, Refusal::Invalid(Error::GameOver));
            break;
        }
    }
}

/// A relay at work, which ends when this is dropped.
struct Task<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
