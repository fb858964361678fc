//! A match for a stake, between two programs on two nodes of a network.

use connect4_network_tests::{Network, Options, Running, program};

#[test]
fn two_programs_on_two_nodes_play_for_a_stake() {
    let network = Network::start(Options::default());
    let [of_alice, of_bob] = [1, 2].map(|node| network.url(node));
    let terms = ["--first", "me", "--stake", "1", "--bank", "10m"];
    let challenge = ["challenge", "--account", "alice", "--to", "bob", "--play"];
    let mut alice = Running::program(&of_alice, challenge.into_iter().chain(terms));
    alice.wait_for("made challenge 0", 1);
    let accept = [
        "accept",
        "--account",
        "bob",
        "--challenge",
        "0",
        "--play",
        "--yes",
    ];
    let mut bob = Running::program(&of_bob, accept);
    for _ in 0..3 {
        alice.type_line("0");
        bob.type_line("1");
    }
    alice.type_line("0");
    assert!(alice.wait().success());
    assert!(bob.wait().success());
    for player in [&alice, &bob] {
        assert!(player.said().contains("winner: red"), "{}", player.said());
    }
    assert!(
        alice.said().contains("red was paid 2 DOT"),
        "{}",
        alice.said()
    );

    // The other nodes know it, and it becomes final.
    network.wait_for_finality(3);
    let shown = &program(&network.url(3), ["show", "--game", "0", "--json"]).json()[0];
    assert_eq!(shown["winner"], "red");
    assert_eq!(shown["match"]["settled"], true);
}
