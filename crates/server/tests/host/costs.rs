//! What strangers make a host spend: requests to its node, and pictures.

use std::net::SocketAddr;

use connect4_client::Client;
use connect4_relay::{Allowed, Rate};
use connect4_server::{Connection, HostLimits};
use connect4_testing::counting::Counting;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::watching::deployed;
use super::{Host, NEIGHBOUR, STRANGER, body};
use crate::served::Chained;

/// Hash of a transaction that nobody has sent.
const UNKNOWN: &str = "0x1111111111111111111111111111111111111111111111111111111111111111";
const OTHER: &str = "192.0.2.2";

/// Limits of dear requests of one address, which come back at no time.
fn dear(burst: u32) -> HostLimits {
    HostLimits {
        dear: Allowed {
            at_once: 256,
            most: u32::MAX,
            rate: Rate {
                burst,
                per_second: 0,
            },
        },
        ..HostLimits::default()
    }
}

/// A host whose requests to its node are counted, on a chain with so many blocks.
async fn counted(blocks: u32, limits: HostLimits) -> (Chained, Host, Counting) {
    let chain = Chained::start().await;
    deployed(&chain).await;
    while chain.chain.best().1.number < blocks {
        chain.chain.seal().expect("a block");
    }
    let node = chain.url().trim_start_matches("ws://").into();
    let counting = Counting::before(node).await;
    let client = Client::connect(&counting.url()).await.expect("it answers");
    let host = Host::with(&chain, limits, Some(Connection::to(client))).await;
    // The contracts are found by then.
    let later = format!("/api/transactions/{UNKNOWN}?from={}", u32::MAX);
    while status(host.addr, later.clone(), NEIGHBOUR).await != 200 {
        tokio::task::yield_now().await;
    }
    (chain, host, counting)
}

/// The status and the answer of a look for the unknown transaction, with the blocks that it has made the node tell
/// and all requests to the node.
async fn look(host: &Host, counting: &Counting, from: u32) -> (u16, Value, usize, usize) {
    let count = || (counting.asked("chain_getBlock"), counting.requests());
    let before = count();
    let path = format!("/api/transactions/{UNKNOWN}?from={from}");
    let (status, answer) = host.get(&path, STRANGER).await;
    let after = count();
    let answer = if status == 200 {
        body(&answer)
    } else {
        Value::Null
    };
    (status, answer, after.0 - before.0, after.1 - before.1)
}

#[tokio::test(flavor = "multi_thread")]
async fn looks_for_a_transaction_read_each_new_block_once() {
    let (_chain, host, counting) = counted(96, dear(20)).await;
    let (status, answer, blocks, requests) = look(&host, &counting, 33).await;
    println!("first: {blocks} blocks, {requests} requests");
    assert_eq!((status, &answer["next"]), (200, &97.into()));
    assert_eq!(answer["found"], Value::Null);
    assert!(blocks <= 64, "{blocks}");
    for _ in 0..10 {
        let (status, answer, blocks, requests) = look(&host, &counting, 33).await;
        println!("again: {blocks} blocks, {requests} requests");
        assert_eq!((status, &answer["next"]), (200, &97.into()));
        assert_eq!(blocks, 0);
        assert!(requests <= 8, "{requests}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_at_old_blocks_is_charged_block_by_block() {
    let (_chain, host, counting) = counted(400, dear(20)).await;
    // One for the request, and one for each block.
    let (status, answer, blocks, requests) = look(&host, &counting, 10).await;
    println!("old: {blocks} blocks, {requests} requests");
    assert_eq!((status, &answer["next"]), (200, &29.into()));
    assert_eq!(blocks, 19);
    let (status, _, blocks, _) = look(&host, &counting, 29).await;
    assert_eq!((status, blocks), (429, 0));
    // Others are looked for all the same.
    let path = format!("/api/transactions/{UNKNOWN}?from=390");
    assert_eq!(host.get(&path, OTHER).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_charged_by_what_they_cost() {
    let chain = Chained::start().await;
    let host = Host::start(&chain, dear(21)).await;
    let line = "bins=7&capacity=6&line=4&players=2&moves=4433221";
    let ask = async |path: String| status(host.addr, path, STRANGER).await;
    // Four for a PNG, one for an SVG.
    for after in 0..5 {
        let path = format!("/line/picture.png?{line}&move={after}");
        assert_eq!(ask(path).await, 200);
    }
    assert_eq!(ask(format!("/line/picture.png?{line}&move=5")).await, 429);
    assert_eq!(ask(format!("/line/picture.svg?{line}&move=5")).await, 200);
    assert_eq!(ask(format!("/line/picture.svg?{line}&move=6")).await, 429);
    // What was drawn is there for all.
    assert_eq!(ask(format!("/line/picture.png?{line}&move=4")).await, 200);
    // Lines are made up by anybody, and are not animated.
    let animated = format!("/line/picture.gif?{line}");
    assert_eq!(status(host.addr, animated, OTHER).await, 404);
}

/// One address asks for more than can be drawn: others have a place in the queue.
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_for_pictures_leaves_others_a_place() {
    let chain = Chained::start().await;
    let many = dear(4096);
    let limits = HostLimits {
        requests: many.dear,
        ..many
    };
    let host = Host::start(&chain, limits).await;
    let picture = |moves: String| {
        format!("/line/picture.png?bins=14&capacity=8&line=4&players=2&moves={moves}")
    };
    let mut flood = JoinSet::new();
    for number in 0..128 {
        let bins = [1 + number / 64, 1 + number / 8 % 8, 1 + number % 8];
        let path = picture(bins.map(|bin| bin.to_string()).concat());
        flood.spawn(status(host.addr, path, STRANGER));
    }
    while let Some(asked) = flood.join_next().await {
        // The address has no more places now.
        if asked.expect("answered") == 503 {
            let path = picture("99".into());
            assert_eq!(status(host.addr, path, OTHER).await, 200);
            return;
        }
    }
    panic!("one address alone may have all places");
}

async fn status(addr: SocketAddr, path: String, from: &str) -> u16 {
    let mut stream = TcpStream::connect(addr).await.expect("it listens");
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: games.example\r\nx-forwarded-for: {from}\r\n\
         connection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("answered");
    let head = String::from_utf8_lossy(&answer[..12]);
    let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
    status.expect("a status")
}
