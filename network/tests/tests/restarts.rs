//! A node that restarts while programs are connected to it.

use connect4_network_tests::{Network, Options, Running, program};

#[test]
fn programs_wait_through_a_restart_of_their_node() {
    let mut network = Network::start(Options::default());
    let url = network.url(1);
    let mut red = Running::program(&url, ["play", "--seat", "red"]);
    red.wait_for("add shape: 1", 1);
    let mut blue = Running::program(&network.url(2), ["play", "--game", "0", "--seat", "blue"]);
    let mut watcher = Running::program(&url, ["watch", "--game", "0"]);
    let mut server = Running::program(&url, ["serve", "--addr", "127.0.0.1", "--port", "0"]);
    server.wait_for("http://", 1);
    red.type_line("0");
    watcher.wait_for("red into bin 1, row 1", 1);
    blue.wait_for("red into bin 0, row 0", 1);

    // While red waits for blue.
    network.stop(1);
    blue.type_line("1");
    blue.wait_for("blue into bin 1, row 0", 1);
    network.run(1);
    red.wait_for("blue into bin 1, row 0", 1);
    watcher.wait_for("blue into bin 2, row 1", 1);

    // While red thinks.
    red.wait_for("add shape: 3", 1);
    network.restart(1);
    red.type_line("0");
    red.wait_for("red into bin 0, row 1", 1);
    watcher.wait_for("red into bin 0, row 1", 1);
    blue.wait_for("red into bin 0, row 1", 1);

    // While red sends.
    blue.type_line("1");
    red.wait_for("add shape: 5", 1);
    network.stop(1);
    red.type_line("0");
    network.run(1);
    blue.wait_for("red into bin 0, row 2", 1);
    watcher.wait_for("red into bin 0, row 2", 1);
    blue.type_line("1");
    red.wait_for("blue into bin 1, row 2", 1);
    red.type_line("0");
    assert!(red.wait().success());
    assert!(blue.wait().success());
    assert!(watcher.wait().success());
    assert!(server.runs(), "{}", server.said());
    let shown = program(&url, ["show", "--game", "0", "--json"]).json();
    assert_eq!(shown[0]["winner"], "red");
}
