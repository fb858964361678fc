//! A node that keeps few states, which is what most do.

use connect4_network_tests::{Network, Options, program};

#[test]
fn a_game_goes_on_after_the_states_of_its_beginning_are_gone() {
    let network = Network::start(Options {
        validators: 1,
        slot: 500,
        flags: ["--state-pruning", "16"].map(str::to_owned).to_vec(),
        ..Options::default()
    });
    let url = network.url(0);
    let play = |account, bin| {
        let args = ["move", "--game", "0", "--account", account, bin];
        program(&url, args).ok();
    };
    program(&url, ["start"]).ok();
    play("alice", "1");
    network.wait_for_blocks(0, 40);
    play("bob", "2");
    let shown = program(&url, ["show", "--game", "0", "--json"]).json();
    assert_eq!(shown[0]["turns"], 2);

    // What needs the events of old blocks says that they are gone.
    let replay = program(&url, ["replay", "--game", "0"]);
    assert!(!replay.status.success());
    assert!(replay.err.contains("out of reach"), "{}", replay.err);
}
