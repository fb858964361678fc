//! A host as the witness of signed games.

use std::sync::{Arc, Mutex};

use connect4_client::{Address, Client};
use connect4_protocol::signed::Native;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{FromWitness, path, read};
use connect4_protocol::signed::{Chain, Crypto as _, GameNumber};
use connect4_relay::Witness;
use connect4_relay::witness::LogError;
use connect4_server::{Error, WitnessFolder, WitnessLog};
use connect4_testing::socket::Socket;
use serde_json::json;
use tempfile::TempDir;
use tokio::net::TcpStream;

use super::*;

const OTHER: Address = Address([0xcd; 20]);

/// A host whose log is in this folder, and which counts another witness; one without a connection to its chain waits.
pub async fn start(
    chain: &Chained,
    log: WitnessLog,
    connection: Option<Connection>,
) -> Result<Host, Error> {
    let config = Config {
        witness: Some(log),
        witnesses: vec![OTHER],
        ..config(HostLimits::default())
    };
    Host::of(chain, config, connection).await
}

pub fn log(folder: WitnessFolder) -> WitnessLog {
    WitnessLog {
        folder,
        is_required: true,
        unusable: Arc::new(|text| panic!("{text}")),
    }
}

/// A log that need not be used, and what was said if it cannot be.
fn lenient(folder: WitnessFolder) -> (WitnessLog, Arc<Mutex<Vec<String>>>) {
    let said = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&said);
    let unusable = Arc::new(move |text| hears.lock().expect("no panic").push(text));
    let log = WitnessLog {
        is_required: false,
        unusable,
        ..log(folder)
    };
    (log, said)
}

pub async fn connected(chain: &Chained) -> Option<Connection> {
    let client = Client::connect(&chain.url()).await.expect("it answers");
    Some(Connection::to(client))
}

/// What hello says of witnesses: the own one, and all that count.
pub async fn told(host: &Host) -> (Value, Value) {
    let (_, answer) = host.get("/api/hello", NEIGHBOUR).await;
    let hello = body(&answer);
    (hello["witness"].clone(), hello["witnesses"].clone())
}

/// The first thing that is said in a room of a signed game.
async fn first(host: &Host, key: &str) -> FromWitness {
    let key = key.parse().expect("an address");
    let room = path(key, GameNumber([7; 32]));
    let stream = TcpStream::connect(host.addr).await.expect("it listens");
    let mut socket = Socket::over(stream, &room).await.expect("a socket");
    socket.next_of(read).await.expect("a message")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_is_the_witness_of_games_of_its_chain() {
    let chain = Chained::start().await;
    let folder = TempDir::new().expect("a folder");
    let client = Client::connect(&chain.url()).await.expect("it answers");
    let all = log(WitnessFolder::In(folder.path().to_owned()));
    let host = start(&chain, all.clone(), connected(&chain).await).await;
    let host = host.expect("it starts");
    let (key, counted) = told(&host).await;
    assert_eq!(counted, json!([key, OTHER.to_string()]));
    let key = key.as_str().expect("a key");
    match first(&host, key).await {
        FromWitness::Welcome {
            chain_id, genesis, ..
        } => {
            assert_eq!(Some(chain_id), client.chain_id());
            assert_eq!(genesis, client.genesis().0);
        }
        other => panic!("{other:?}"),
    }
    // Another one does not start, and one that may be none is none.
    let id = client.chain_id().expect("it has a number");
    let named = folder.path().join(format!("{id}-{:?}", client.genesis()));
    let second = start(&chain, all.clone(), connected(&chain).await).await;
    match second.err() {
        Some(Error::Witness {
            folder,
            error: LogError::InUse,
        }) => assert_eq!(folder, named),
        other => panic!("{other:?}"),
    }
    let (lenient, said) = lenient(all.folder.clone());
    let second = start(&chain, lenient, connected(&chain).await).await;
    let second = second.expect("it starts");
    assert_eq!(
        told(&second).await,
        (Value::Null, json!([OTHER.to_string()]))
    );
    let refused = FromWitness::Refused(Refusal::OtherWitness);
    assert_eq!(first(&second, key).await, refused);
    let said = said.lock().expect("no panic").clone();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains(&named.display().to_string()), "{said:?}");
    drop(second);

    // The key outlasts the host, and a log that is lost does not take it from those that count.
    let before = key.to_owned();
    host.stopped().await;
    let host = start_free(&chain, &all).await;
    assert_eq!(told(&host).await.0, before.as_str());
    host.stopped().await;
    std::fs::remove_file(named.join("log")).expect("a log");
    let host = start_free(&chain, &all).await;
    let (key, counted) = told(&host).await;
    assert_eq!(counted, json!([key, before, OTHER.to_string()]));
    assert_ne!(key, before.as_str());
}

/// A host that begins once nobody has the log any more.
async fn start_free(chain: &Chained, log: &WitnessLog) -> Host {
    loop {
        match start(chain, log.clone(), connected(chain).await).await {
            Ok(host) => return host,
            Err(Error::Witness {
                error: LogError::InUse,
                ..
            }) => tokio::task::yield_now().await,
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_whose_chain_is_away_becomes_a_witness_later() {
    let mut chain = Chained::start().await;
    chain.lose();
    let folder = TempDir::new().expect("a folder");
    let place = log(WitnessFolder::Of(folder.path().join("log")));
    let host = start(&chain, place, None).await.expect("it starts");
    assert_eq!(told(&host).await, (Value::Null, json!([OTHER.to_string()])));
    let refused = FromWitness::Refused(Refusal::ChainUnreachable);
    assert_eq!(first(&host, &OTHER.to_string()).await, refused);
    chain.find().await;
    let key = loop {
        if let (Value::String(key), _) = told(&host).await {
            break key;
        }
        tokio::task::yield_now().await;
    };
    assert!(matches!(
        first(&host, &key).await,
        FromWitness::Welcome { .. }
    ));
}

/// A log of another chain, as one that was copied: the host says so, and does not start. One that serves already, as its
/// chain was away when it started, goes on for all who need no witness.
#[tokio::test(flavor = "multi_thread")]
async fn a_host_with_a_log_of_another_chain_is_no_witness() {
    let mut chain = Chained::start().await;
    let folder = TempDir::new().expect("a folder");
    let other = Chain {
        id: 1,
        genesis: Native.keccak256(b"another chain"),
    };
    drop(Witness::open(folder.path(), other).expect("a log"));
    let place = log(WitnessFolder::Of(folder.path().to_owned()));
    let is_it = |error: &Error| {
        let is_other = |error: &LogError| matches!(error, LogError::OtherChain);
        matches!(error, Error::Witness { error, .. } if is_other(error))
    };
    let at_once = start(&chain, place.clone(), connected(&chain).await).await;
    assert!(at_once.err().as_ref().is_some_and(is_it));
    chain.lose();
    let (lenient, said) = lenient(place.folder);
    let required = WitnessLog {
        is_required: true,
        ..lenient
    };
    let host = start(&chain, required, None).await.expect("it starts");
    chain.find().await;
    while said.lock().expect("no panic").is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(told(&host).await, (Value::Null, json!([OTHER.to_string()])));
}
