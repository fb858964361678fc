//! A wallet of Ethereum, by Parity's eth-rpc, against the program.

use std::path::PathBuf;

use connect4_network_tests::{Network, Options, Running, node_tests, program};

/// The development account that Ethereum's tools call Alith, and its secret.
const WALLET: &str = "0xf24FF3a9CF04c71Dbc94D0b566f7A27B94566cac";
const SECRET: &str = "0x5fb92d6e98884f76de468fa3f6278f8807c48bebc13595d45af5bdc4da702133";

#[test]
#[ignore = "scripts/test-ethereum builds and installs what it needs"]
fn a_wallet_of_ethereum_plays_against_the_program() {
    let network = Network::start(Options {
        validators: 2,
        endowed: vec![WALLET.to_owned()],
        ..Options::default()
    });
    let url = network.url(0);
    let deployed = &program(&url, ["deploy", "--json"]).json()[0];
    let games = deployed["contract"].as_str().expect("an address");
    let eth_rpc = network.eth_rpc(1);

    let start = ["start", "--account", "alice", "--blue", WALLET, "--json"];
    let started = &program(&url, start).json()[0];
    let alice = started["red"].as_str();
    let mut red = Running::program(&url, ["play", "--game", "0", "--seat", "red"]);
    // Typed ahead: each is read when it is red's turn.
    for bin in [0, 0, 0, 2] {
        red.type_line(&bin.to_string());
    }
    let artifacts = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../artifacts");
    let mut wallet = Running::start(
        "the wallet",
        node_tests("ETHEREUM_TESTS", "game.test.mjs")
            .env("ETH_RPC", eth_rpc.url())
            .env("ARTIFACTS", artifacts)
            .env("GAMES", games)
            .env("WALLET_SECRET", SECRET)
            .env("OPPONENT", alice.expect("an address")),
    );
    assert!(wallet.wait().success(), "{}", wallet.said());
    assert!(red.wait().success());
    assert!(red.said().contains("winner: blue"), "{}", red.said());

    let shown = &program(&url, ["show", "--game", "0", "--json"]).json()[0];
    assert_eq!(shown["winner"], "blue");
    let freed = program(&url, ["show", "--game", "1"]);
    assert!(freed.err.contains("its storage was freed"), "{}", freed.err);
}
