//! Play on a runtime as Polkadot Hub has it: with a second version of transactions' extensions, the hash of its
//! metadata, and deposits that are given back otherwise.

use std::fs;

use connect4_network_tests::{Network, Options, Running, play_for_a_stake, program, remark, until};
use serde_json::Value;
use subxt_signer::sr25519::dev;
use tempfile::TempDir;

/// The development account that Ethereum's tools call Alith, and its secret.
const WALLET: &str = "0xf24FF3a9CF04c71Dbc94D0b566f7A27B94566cac";
const SECRET: &str = "ethereum:0x5fb92d6e98884f76de468fa3f6278f8807c48bebc13595d45af5bdc4da702133";

/// A chain with one validator and this runtime.
fn chain(runtime: &'static str) -> Network {
    Network::start(Options {
        runtime,
        validators: 1,
        endowed: vec![WALLET.to_owned()],
        ..Options::default()
    })
}

#[test]
fn all_is_played_with_the_first_version_of_the_extensions() {
    let network = chain("runtime-hub");
    let url = network.url(0);
    let folder = TempDir::new().expect("there is room");
    let secret = folder.path().join("secret");
    fs::write(&secret, SECRET).expect("there is room");
    let secret = secret.to_str().expect("a path of UTF-8");

    // A game of a Polkadot key against one of Ethereum, with what others send between their moves.
    program(&url, ["start", "--account", "alice", "--blue", WALLET]).ok();
    for turn in 0..7 {
        remark(network.rpc(0), &dev::charlie()).expect("it is sent");
        let drop = ["move", "--game", "0", ["4", "5"][turn % 2]];
        let signer = [["--account", "alice"], ["--secret-file", secret]][turn % 2];
        program(&url, drop.iter().chain(&signer)).ok();
    }
    let shown = &program(&url, ["show", "--game", "0", "--json"]).json()[0];
    assert_eq!(shown["winner"], "red");
    let replay = program(&url, ["replay", "--game", "0"]).ok();
    assert!(replay.contains("4545454"), "{replay}");
}

#[test]
fn a_stake_is_played_for_with_the_first_version_of_the_extensions() {
    play_for_a_stake(&chain("runtime-hub"), [0, 0]);
}

#[test]
fn a_block_with_transactions_of_all_formats_is_read_whole() {
    let network = chain("runtime-hub");
    let url = network.url(0);
    let folder = TempDir::new().expect("there is room");
    let secret = folder.path().join("secret");
    fs::write(&secret, SECRET).expect("there is room");
    let secret = secret.to_str().expect("a path of UTF-8");
    let host = network.host(0);

    // Sent at once, again and again, until one block has all three.
    let (block, hashes) = until("a block with all three", || {
        let mut of_alice = Running::program(&url, ["start", "--account", "alice", "--json"]);
        let mut of_ethereum = Running::program(&url, ["start", "--secret-file", secret, "--json"]);
        let general = remark(network.rpc(0), &dev::charlie())?;
        let place = |program: &mut Running| {
            assert!(program.wait().success(), "{}", program.said());
            let said: Value = serde_json::from_str(&program.said()).expect("JSON");
            (
                said["transaction"]["block"].clone(),
                said["transaction"]["hash"].clone(),
            )
        };
        let (first, second) = (place(&mut of_alice), place(&mut of_ethereum));
        let from = first.0.as_u64()?.saturating_sub(3);
        let found = host.get(&format!("/api/transactions/{general}?from={from}"))?;
        let is_one = first.0 == second.0 && first.0 == found["found"]["transaction"]["block"];
        is_one.then(|| (first.0, [first.1, second.1, general.into()]))
    });
    for hash in &hashes {
        let hash = hash.as_str().expect("a hash");
        let path = format!("/api/transactions/{hash}?from={block}");
        let found = host.get(&path).expect("the host answers");
        assert_eq!(found["found"]["transaction"]["block"], block, "{found}");
    }
}

/// The balance of a development account, in the smallest unit.
fn balance(url: &str, name: &str) -> i128 {
    let accounts = program(url, ["accounts", "--json"]).json();
    let found = accounts.iter().find(|account| account["name"] == name);
    let balance = found.and_then(|account| account["balance"].as_str()?.parse().ok());
    balance.expect("a balance")
}

/// What each of these accounts has more than before, without the fees that it has paid, when these commands were done
/// by the account before each: deposits are all that is left.
fn deposits<const N: usize>(
    url: &str,
    names: [&str; N],
    commands: &[(&str, &[&str])],
) -> [i128; N] {
    let before = names.map(|name| balance(url, name));
    let mut fees = [0; N];
    for (signer, command) in commands {
        let by = ["--account", signer, "--json"];
        let done = program(url, command.iter().chain(&by)).json();
        let fee = done[0]["transaction"]["fee"].as_str().expect("a fee");
        let at = names.iter().position(|name| name == signer);
        fees[at.expect("an account that is looked at")] += fee.parse::<i128>().expect("a number");
    }
    std::array::from_fn(|at| balance(url, names[at]) - before[at] + fees[at])
}

/// A game that alice starts with bob and frees when bob has given it up.
const STARTED: &[(&str, &[&str])] = &[
    ("alice", &["start", "--red", "alice", "--blue", "bob"]),
    ("bob", &["resign", "--game", "0"]),
    ("alice", &["free", "--game", "0"]),
];

/// Amounts are rounded by a few of the smallest unit.
fn is_nothing(amount: i128) -> bool {
    amount.abs() < 10
}

#[test]
fn a_deposit_comes_back_on_a_network() {
    let network = chain("runtime");
    let url = network.url(0);
    let [alice, bob] = deposits(&url, ["alice", "bob"], STARTED);
    assert!(is_nothing(alice) && bob == 0, "{alice} {bob}");
    let hello = network.host(0).get("/api/hello").expect("it answers");
    assert_eq!(hello["signing"]["returns_deposits"], true, "{hello}");
}

#[test]
fn a_deposit_comes_back_on_polkadot_hub() {
    let network = chain("runtime-hub");
    let url = network.url(0);
    // Alice has the other asset, and pays the deposit in it.
    let [alice, bob] = deposits(&url, ["alice", "bob"], &STARTED[..1]);
    assert_eq!((alice, bob), (0, 0));
    let [alice, bob] = deposits(&url, ["alice", "bob"], &STARTED[1..]);
    assert_eq!((alice, bob), (0, 0));
    let hello = network.host(0).get("/api/hello").expect("it answers");
    assert_eq!(hello["signing"]["returns_deposits"], false, "{hello}");
    let players = [
        "start",
        "--account",
        "bob",
        "--red",
        "bob",
        "--blue",
        "alice",
    ];
    let started = program(&url, players).ok();
    assert!(started.contains("deposit 0."), "{started}");
    program(&url, ["resign", "--game", "1", "--account", "bob"]).ok();
    let freed = program(&url, ["free", "--game", "1", "--account", "bob"]).ok();
    assert!(freed.contains("deposit back up to 0."), "{freed}");
}

#[test]
fn a_runtime_without_the_hash_of_its_metadata_is_told_and_not_given_way_to() {
    let network = Network::start(Options {
        runtime: "runtime-unhashed",
        validators: 1,
        deploy: &["--no-metadata-hash"],
        ..Options::default()
    });
    let refused = program(&network.url(0), ["start"]);
    assert!(!refused.status.success(), "{}", refused.out);
    assert!(
        refused.err.contains("--no-metadata-hash"),
        "{}",
        refused.err
    );
    let started = program(&network.url(0), ["start", "--no-metadata-hash"]).ok();
    assert!(started.contains("game 0"), "{started}");
}
