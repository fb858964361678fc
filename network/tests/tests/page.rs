//! The page of a public host on a network, in a real browser, with wallets of both kinds. What the browsers do is in
//! `tests/browser/network.mjs`.

use connect4_network_tests::{EthRpc, Network, Options, metadata_hash, node_tests};

/// A chain with one validator and this runtime.
fn chain(runtime: &'static str) -> Network {
    Network::start(Options {
        runtime,
        validators: 1,
        slot: 1_000,
        ..Options::default()
    })
}

/// Plays on the page of a host of a chain with this runtime.
fn play(network: &Network, runtime: &str, eth_rpc: Option<&EthRpc>) {
    let mut tests = node_tests("BROWSER_TESTS", "network.mjs");
    tests
        .env("NODE", network.url(0))
        .env("RUNTIME", runtime)
        .env("METADATA_HASH", metadata_hash(runtime));
    if let Some(eth_rpc) = eth_rpc {
        tests.env("ETH_RPC", eth_rpc.url());
    }
    // It ends by itself: each of its tests has a limit.
    let played = tests.status().expect("Node.js is there");
    assert!(played.success(), "{runtime}: {played}");
}

#[test]
fn wallets_of_polkadot_play_on_the_page_of_a_host() {
    for runtime in ["runtime", "runtime-hub"] {
        play(&chain(runtime), runtime, None);
    }
}

#[test]
#[ignore = "scripts/test-ethereum builds what it needs"]
fn a_wallet_of_ethereum_plays_on_the_page_of_a_host() {
    for runtime in ["runtime", "runtime-hub"] {
        let network = chain(runtime);
        let eth_rpc = network.eth_rpc(0);
        play(&network, runtime, Some(&eth_rpc));
    }
}
