//! A network that is cut in two halves, both of which go on with the same game.

use connect4_network_tests::{Network, Options, Running, program, until};
use serde_json::Value;

/// The bins of game 0 on a node.
fn board(network: &Network, node: usize) -> Value {
    program(&network.url(node), ["show", "--game", "0", "--json"]).json()[0]["board"].clone()
}

#[test]
fn after_a_split_the_longer_half_counts_and_play_goes_on_from_it() {
    let mut network = Network::start(Options::default());
    program(&network.url(0), ["start"]).ok();
    let mut watcher = Running::program(&network.url(2), ["watch"]);
    watcher.wait_for("red: alice", 1);
    let mut blue = Running::program(&network.url(2), ["play", "--game", "0", "--seat", "blue"]);
    blue.wait_for("waiting for red to move", 1);

    network.group(&[2, 3]);
    // Red moves on both sides, differently, and blue answers on its own.
    let red = |network: &Network, node: usize, bin| {
        let args = ["move", "--game", "0", "--account", "alice", bin];
        // A node that has just restarted may know a block before its pool does.
        until("red's move is taken", || {
            program(&network.url(node), args)
                .status
                .success()
                .then_some(())
        });
    };
    red(&network, 0, "4");
    red(&network, 2, "6");
    blue.wait_for("add shape: 2", 1);
    blue.type_line("5");
    blue.wait_for("blue into bin 5, row 1", 1);
    assert_ne!(board(&network, 0), board(&network, 2));

    // The first half gets longer, as the second one has a validator less for a while.
    network.stop(3);
    until("the first half is longer", || {
        (network.rpc(0).best()? > network.rpc(2).best()? + 3).then_some(())
    });
    let ahead = until("a best block", || network.rpc(0).best());
    network.run(3);
    network.group(&[0, 1, 2, 3]);
    until("all have one chain", || {
        let number = network.rpc(0).last()?;
        let hashes = [0, 1, 2, 3].map(|node| network.rpc(node).hash(number));
        (number > ahead
            && hashes
                .iter()
                .all(|hash| hash.is_some() && *hash == hashes[0]))
        .then_some(())
    });
    for node in 0..4 {
        assert_eq!(board(&network, node)[3][0], "red");
        assert_eq!(board(&network, node)[5].as_array().map(Vec::len), Some(0));
    }

    // Who follows what is final never saw the moves that do not count.
    watcher.wait_for("red into bin 4, row 1", 1);
    assert!(!watcher.said().contains("bin 6"), "{}", watcher.said());
    // Blue is told, with a board that may have red's disc already, and answers what counts.
    blue.wait_for("Undone: the last 2 discs", 1);
    blue.type_line("4");
    blue.wait_for("blue into bin 4, row 0", 1);
    watcher.wait_for("blue into bin 5, row 1", 1);
    let said = blue.said();
    let at = said.find("blue into bin 5, row 1").unwrap_or_default();
    println!(
        "blue, from the move that does not count on:\n{}",
        &said[at..]
    );
}
