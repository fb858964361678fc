//! A wallet of Ethereum, by Parity's eth-rpc, against the program.

use std::path::PathBuf;

use connect4_network_tests::{Network, Options, Running, node_tests, program};

/// The development account that Ethereum's tools call Alith, and its secret.
const WALLET: &str = "0xf24FF3a9CF04c71Dbc94D0b566f7A27B94566cac";
const SECRET: &str = "0x5fb92d6e98884f76de468fa3f6278f8807c48bebc13595d45af5bdc4da702133";

#[test]
#[ignore = "scripts/test-ethereum builds and installs what it needs"]
fn a_wallet_of_ethereum_plays_for_a_stake_against_the_program() {
    let network = Network::start(Options {
        validators: 2,
        endowed: vec![WALLET.to_owned()],
        ..Options::default()
    });
    let deployed = &program(&network.url(0), ["deploy", "--json"]).json()[0];
    let address = |name| deployed[name].as_str().expect("an address").to_owned();
    let eth_rpc = network.eth_rpc(1);

    let mut alice = Running::program(
        &network.url(0),
        ["challenge", "--account", "alice", "--to", WALLET, "--play"]
            .into_iter()
            .chain(["--first", "me", "--stake", "1", "--bank", "10m"]),
    );
    alice.wait_for("made challenge 0", 1);
    // Typed ahead: each is read when it is red's turn.
    for bin in [0, 0, 0, 2] {
        alice.type_line(&bin.to_string());
    }
    let artifacts = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../artifacts");
    let mut wallet = Running::start(
        "the wallet",
        node_tests("ETHEREUM_TESTS", "match.test.mjs")
            .env("ETH_RPC", eth_rpc.url())
            .env("ARTIFACTS", artifacts)
            .env("MATCHES", address("contract"))
            .env("GAMES", address("games"))
            .env("WALLET_SECRET", SECRET)
            .env("CHALLENGE", "0"),
    );
    assert!(wallet.wait().success(), "{}", wallet.said());
    assert!(alice.wait().success());
    assert!(alice.said().contains("winner: blue"), "{}", alice.said());

    let shown = &program(&network.url(0), ["show", "--game", "0", "--json"]).json()[0];
    assert_eq!(shown["winner"], "blue");
    assert_eq!(shown["match"]["settled"], true);
}
