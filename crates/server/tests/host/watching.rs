//! Pages that watch games at a host, which may be slow, and a host that begins and ends.

use std::net::SocketAddr;
use std::time::Duration;

use connect4_chain::Retracted;
use connect4_client::{Client, Contracts, GameId, Signer};
use connect4_rules::{Bin, Shape};
use connect4_server::HostLimits;
use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpSocket, TcpStream};

use super::{Host, STRANGER, body, upgrade};
use crate::served::{Chained, Watching, lookup};

/// A socket that takes little.
async fn narrow(addr: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(1).expect("the smallest");
    socket.connect(addr).await.expect("it listens")
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_read_an_answer_keeps_nobody_waiting() {
    let chain = Chained::start().await;
    let host = Host::start(&chain, HostLimits::default()).await;
    let mut lazy = Vec::new();
    for _ in 0..50 {
        let mut stream = narrow(host.addr).await;
        let request = "GET /page/icon-512.png HTTP/1.1\r\nhost: games.example\r\n\r\n";
        stream
            .write_all(request.repeat(4).as_bytes())
            .await
            .expect("sent");
        lazy.push(stream);
    }
    assert_eq!(host.get("/", STRANGER).await.0, 200);
    drop(lazy);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_who_reads_nothing_is_closed_and_the_others_are_told_everything() {
    let chain = Chained::start().await;
    let (contract, alice, bob) = deployed(&chain).await;
    let limits = HostLimits {
        stall: Duration::from_millis(50),
        ..HostLimits::default()
    };
    let host = Host::start(&chain, limits).await;
    let mut lazy = narrow(host.addr).await;
    lazy.write_all(upgrade("", STRANGER).as_bytes())
        .await
        .expect("sent");
    let mut other = Watching::at(host.addr, None).await;
    // With each game the lobby is told anew, until the connection holds no more of it.
    let slow = r#"connect4_sockets_closed_total{reason="slow"}"#;
    while host.metric(slow).await == "0" {
        let started = start_game(&contract, &alice, &bob).await.to_string();
        other
            .seen(|told| {
                let mut games = told["games"].as_array().into_iter().flatten();
                games.any(|game| game["game"] == started)
            })
            .await;
    }
    assert_eq!(host.metric(slow).await, "1");
    while host.metric("connect4_sockets ").await != "1" {
        tokio::task::yield_now().await;
    }
    drop(lazy);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_starts_while_its_node_is_away() {
    let mut chain = Chained::start().await;
    chain.lose();
    let host = Host::with(&chain, HostLimits::default(), None).await;
    let (status, answer) = host.get("/health", STRANGER).await;
    assert_eq!(status, 503);
    assert_eq!(body(&answer)["status"], "away");
    assert_eq!(host.get("/", STRANGER).await.0, 200, "the page is there");
    let (status, answer) = host.get("/api/hello", STRANGER).await;
    assert_eq!(status, 200);
    assert_eq!(body(&answer)["chain"]["contract"], Value::Null);
    chain.find().await;
    while host.get("/health", STRANGER).await.0 != 200 {
        tokio::task::yield_now().await;
    }
}

/// The games contract of a chain with all contracts, and its first two players.
pub async fn deployed(chain: &Chained) -> (Contracts, Signer, Signer) {
    let account = |name| Signer::development(name).expect("a development account");
    let client = Client::connect(&chain.url()).await.expect("it answers");
    let (alice, bob) = (account("alice"), account("bob"));
    let (contract, _) = lookup().deploy(&client, &alice).await.expect("deployed");
    (contract, alice, bob)
}

pub async fn start_game(contract: &Contracts, one: &Signer, two: &Signer) -> GameId {
    let shape = Shape::STANDARD.into();
    let started = contract.start_game(one, one.address(), two.address(), shape);
    started.await.expect("started").value
}

#[tokio::test(flavor = "multi_thread")]
async fn watchers_of_a_host_are_told_what_the_chain_does_and_takes_back() {
    let chain = Chained::start().await;
    let (contract, alice, bob) = deployed(&chain).await;
    let number = start_game(&contract, &alice, &bob).await;
    let other = start_game(&contract, &alice, &bob).await;
    let host = Host::start(&chain, HostLimits::default()).await;
    let mut watching = host.see(&number.to_string()).await;
    let mut beside = host.see(&other.to_string()).await;
    let mut lobby = Watching::at(host.addr, None).await;
    let turns = |wanted: u64| move |told: &Value| told["turns"] == wanted;
    watching.seen(turns(0)).await;
    beside.seen(turns(0)).await;
    chain.chain.stall_finality().expect("it stays in memory");
    let drop = async |player: &Signer, bin| {
        let dropped = contract.drop_disc(player, number, Bin::new(bin)).await;
        dropped.expect("a move");
    };
    drop(&alice, 3).await;
    watching.seen(turns(1)).await;
    drop(&bob, 3).await;
    watching.seen(turns(2)).await;
    let played = number.to_string();
    lobby
        .seen(|told| {
            let games = told["games"].as_array().into_iter().flatten();
            let mut games = games.filter(|game| game["game"] == played);
            games.any(|game| game["turns"] == 2)
        })
        .await;
    // The block of the last move is replaced by one without it.
    chain.chain.reorganise(1, Retracted::Drop).expect("a fork");
    watching.seen(turns(1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_moves_from_one_host_to_another() {
    let chain = Chained::start().await;
    let (contract, alice, bob) = deployed(&chain).await;
    let number = start_game(&contract, &alice, &bob).await.to_string();
    let mut first = Host::start(&chain, HostLimits::default()).await;
    let second = Host::start(&chain, HostLimits::default()).await;
    let is_game = |told: &Value| told["turns"] == 0;
    let mut watching = first.see(&number).await;
    let before = watching.seen(is_game).await;
    // What one has prepared, the other one knows as well.
    let hello = async |host: &Host| body(&host.get("/api/hello", STRANGER).await.1);
    let (mut one, mut two) = (hello(&first).await, hello(&second).await);
    for hello in [&mut one, &mut two] {
        hello.as_object_mut().expect("an object").remove("token");
    }
    assert_eq!(one, two);

    first.stop.take().expect("once").send(()).expect("it runs");
    assert_eq!(watching.closed().await, Some(1012), "service restart");
    let mut watching = second.see(&number).await;
    assert_eq!(watching.seen(is_game).await, before);
    let dropped = contract.drop_disc(&alice, number.parse().expect("a number"), Bin::new(3));
    dropped.await.expect("a move");
    watching.seen(|told| told["turns"] == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_plays_by_other_contracts_is_not_shown_a_game_of_the_same_number() {
    let chain = Chained::start().await;
    let (contract, alice, bob) = deployed(&chain).await;
    let number = start_game(&contract, &alice, &bob).await;
    let host = Host::start(&chain, HostLimits::default()).await;
    for (by, wanted) in [(contract.address(), "game"), (alice.address(), "missing")] {
        let query = format!("/api/live?game={number}&contract={by}");
        let mut watching = Watching::open(host.addr, &query).await;
        let seen = watching.seen(|told| told["type"] != "chain").await;
        assert_eq!(seen["type"], wanted, "{seen}");
    }
}
