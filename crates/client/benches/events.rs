//! How fast the contracts' events are read from a chain. Printed, not asserted: it differs between
//! machines.
//!
//! `cargo bench --package connect4-client`

use std::time::Instant;

use connect4_chain::{Chain, Options, rpc};
use connect4_client::{Client, Code, Contracts, Emitters, ReadBlocks, Signer};
use connect4_rules::{Bin, Shape};
use connect4_testing::contracts::{GAMES, VARIANTS};
use connect4_testing::served;

/// Blocks without events.
const EMPTY: u32 = 10_000;
/// Games of ten moves, each in a block of its own.
const GAMES_PLAYED: u32 = 100;
const CODE: Code = Code {
    games: GAMES,
    variants: VARIANTS,
    signed_records: None,
    stakes: None,
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
        let contract = Contracts::open(client, deployed.address, CODE).await;
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
    let (mut after, mut read) = (None, 0);
    loop {
        let emitters = Emitters {
            contracts: contract.emitters().to_vec(),
            signed_records: Vec::new(),
        };
        let blocks = client.blocks_after(&emitters, after, 512).await;
        let ReadBlocks::Read(blocks) = blocks.expect("read") else {
            panic!("the chain has no forks");
        };
        read += blocks
            .blocks
            .iter()
            .map(|block| block.events.len())
            .sum::<usize>();
        after = blocks.last;
        if after.is_none() {
            break;
        }
    }
    rate("many at once, as an index reads", began, height);
    assert_eq!(read, singly.len());
}
