//! Validators that end and come back, others that begin.

use connect4_network_tests::{Network, Options, Running, program, until};

/// Makes a move, and says in which block it is.
#[track_caller]
fn play(network: &Network, node: usize, account: &str, bin: &str) -> u64 {
    let args = ["move", "--game", "0", "--account", account, bin, "--json"];
    let moved = program(&network.url(node), args).json();
    moved[0]["transaction"]["block"].as_u64().expect("a block")
}

#[test]
fn play_goes_on_with_half_of_the_validators_and_is_final_when_they_are_back() {
    let mut network = Network::start(Options::default());
    let mut watcher = Running::program(&network.url(0), ["watch", "--json"]);
    program(&network.url(0), ["start"]).ok();
    play(&network, 0, "alice", "1");

    // Three of four are enough for finality.
    network.kill(3);
    play(&network, 1, "bob", "2");
    network.wait_for_finality(0);

    // Two are not.
    network.kill(2);
    network.wait_for_blocks(0, 2);
    let last = network.rpc(0).last();
    let moved = play(&network, 0, "alice", "1");
    play(&network, 1, "bob", "2");
    network.wait_for_blocks(0, 6);
    assert_eq!(network.rpc(0).last(), last);
    assert!(last < Some(moved));

    // Back, they know what was played without them, and the rest is played on their nodes.
    network.run(2);
    network.run(3);
    network.wait_for_finality(2);
    network.wait_for_finality(3);
    play(&network, 2, "alice", "1");
    play(&network, 3, "bob", "2");
    play(&network, 2, "alice", "1");
    for node in 0..4 {
        until("every node knows the end", || {
            let shown = program(&network.url(node), ["show", "--game", "0", "--json"]).json();
            (shown[0]["winner"] == "red").then_some(())
        });
    }

    // Who watched saw each move once.
    watcher.wait_for("\"ended\"", 1);
    assert_eq!(
        watcher.said().matches("\"dropped\"").count(),
        7,
        "{}",
        watcher.said()
    );
}

#[test]
fn a_new_validator_takes_the_place_of_another() {
    let mut network = Network::start(Options {
        validators: 3,
        others: 1,
        slot: 1_000,
        ..Options::default()
    });
    let alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY";
    let bob = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty";
    let charlie = "5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y";
    let dave = "5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy";

    // Without keys it could not make blocks, and nobody but the holder of the sudo key decides.
    let named = ["validators", alice, bob, dave];
    let refused = network.admin(0, named);
    assert!(!refused.status.success(), "{}", refused.out);
    network.admin(3, ["join"]).ok();
    let refused = network.admin(3, named);
    assert!(!refused.status.success(), "{}", refused.out);
    network.admin(0, named).ok();
    let status = until("the new validators begin", || {
        let status = network.admin(0, ["status"]).ok();
        (status.contains(dave) && !status.contains(charlie)).then_some(status)
    });
    assert!(status.contains(alice) && status.contains(bob), "{status}");

    // All three are needed now, and the one that left is not, as soon as that is final.
    network.wait_for_finality(0);
    network.stop(2);
    network.wait_for_blocks(0, 3);
    network.wait_for_finality(0);
    network.stop(3);
    network.wait_for_blocks(0, 6);
    let rpc = network.rpc(0);
    assert!(rpc.best() > rpc.last().map(|last| last + 4));
}
