//! A game with a stake, between two programs on two nodes of a network.

use connect4_network_tests::{Network, Options, play_for_a_stake};

#[test]
fn two_programs_on_two_nodes_play_for_a_stake() {
    let network = Network::start(Options::default());
    play_for_a_stake(&network, [1, 2]);
}
