//! How fast the contracts' events are read from a chain, and how large the index becomes. Printed,
//! not asserted: it differs between machines.
//!
//! `cargo bench --package connect4-client`

use std::time::Instant;

use connect4_chain::{Chain, Options, rpc};
use connect4_client::{Client, Code, Contract, Index, Signer};
use connect4_rules::{Bin, Shape};
use connect4_testing::contracts::{FAST, GAMES, MATCHES, VARIANTS};
use connect4_testing::served;

/// Blocks without events.
const EMPTY: u32 = 10_000;
/// Games of ten moves, each in a block of its own.
const GAMES_PLAYED: u32 = 100;
const CODE: Code = Code {
    games: GAMES,
    matches: MATCHES,
    fast: FAST,
    variants: VARIANTS,
    version: connect4_protocol::VERSION,
};

#[tokio::main]
async fn main() {
    let chain = Chain::open(Options::default()).expect("a chain in memory");
    let (_server, url) = served::serve(chain.clone(), rpc::Options::default()).await;
    let client = Client::connect(&url).await.expect("it answers");
    let account = |name| Signer::development(name).expect("a development account");
    let (alice, bob) = (account("alice"), account("bob"));
    let deployed = client.deploy(&alice, CODE).await.expect("deployed");
    let open = async |client: &Client| {
        let contract = Contract::open(client, deployed.address, CODE).await;
        contract.expect("the contract")
    };
    let contract = open(&client).await;
    for _ in 0..GAMES_PLAYED {
        let started = contract
            .start_game(
                &alice,
                alice.address(),
                bob.address(),
                Shape::STANDARD.into(),
            )
            .await
            .expect("started");
        for turn in 0..10 {
            let signer = [&alice, &bob][turn % 2];
            let bin = Bin::new(u8::try_from(turn / 4 * 2).unwrap_or(0));
            contract
                .drop_disc(signer, started.value, bin)
                .await
                .expect("dropped");
        }
    }
    for _ in 0..EMPTY {
        chain.seal().expect("sealed");
    }

    let height = client.height().await.expect("a height");
    let rate = |what: &str, began: Instant, blocks: u32| {
        let seconds = began.elapsed().as_secs_f64();
        println!("{what}: {:.0} blocks a second", f64::from(blocks) / seconds);
    };
    let began = Instant::now();
    let singly = contract.events(0..=height).await.expect("read");
    rate("block by block", began, height);
    let began = Instant::now();
    let past = contract.past(0, &|_| {}).await.expect("read");
    rate("without an index", began, height);
    assert_eq!(past.events, singly);

    let folder = tempfile::tempdir().expect("a folder");
    let index = Index::in_folder(folder.path().into(), |notice| println!("{notice}"));
    let indexed = open(&client.with_index(index)).await;
    let began = Instant::now();
    indexed.past(0, &|_| {}).await.expect("read");
    rate("into a new index", began, height);
    let began = Instant::now();
    let again = indexed.past(0, &|_| {}).await.expect("read");
    rate("from the index", began, height);
    assert_eq!(again.events, singly);
    let size: u64 = std::fs::read_dir(folder.path())
        .expect("the folder")
        .filter_map(|file| Some(file.ok()?.metadata().ok()?.len()))
        .sum();
    println!(
        "index of {} moves in {height} blocks: {} kB",
        GAMES_PLAYED * 10,
        size / 1000
    );
}
