//! A runtime upgrade in mid-game.

use connect4_network_tests::{Network, Options, Running, program, runtime, until};

fn upgrade(network: &Network, name: &str, version: u64) {
    let file = runtime(name);
    network
        .admin(0, ["upgrade", file.to_str().expect("a path of UTF-8")])
        .ok();
    until("the new runtime", || {
        let now = network
            .rpc(0)
            .ask("state_getRuntimeVersion", serde_json::json!([]))?;
        (now["specVersion"] == version).then_some(())
    });
}

#[test]
fn programs_play_on_through_runtime_upgrades() {
    let network = Network::start(Options::default());
    let mut red = Running::program(&network.url(1), ["play", "--seat", "red"]);
    red.wait_for("add shape: 1", 1);
    let mut blue = Running::program(&network.url(2), ["play", "--game", "0", "--seat", "blue"]);
    let mut watcher = Running::program(&network.url(3), ["watch", "--game", "0"]);
    red.type_line("0");
    blue.wait_for("red into bin 0, row 0", 1);

    upgrade(&network, "runtime-upgrade", 5);
    blue.type_line("1");
    blue.wait_for("blue into bin 1, row 0", 1);
    red.type_line("0");
    red.wait_for("red into bin 0, row 1", 1);
    watcher.wait_for("red into bin 0, row 1", 1);
    blue.wait_for("red into bin 0, row 1", 1);

    // Calls and events of contracts have another first byte from now on.
    upgrade(&network, "runtime-moved", 6);
    blue.type_line("1");
    blue.wait_for("blue into bin 1, row 1", 1);
    watcher.wait_for("blue into bin 1, row 1", 1);
    red.wait_for("blue into bin 1, row 1", 1);
    red.type_line("0");
    blue.wait_for("red into bin 0, row 2", 1);
    blue.type_line("1");
    red.wait_for("blue into bin 1, row 2", 1);
    red.type_line("0");
    assert!(red.wait().success());
    assert!(blue.wait().success());
    assert!(watcher.wait().success());

    // The whole game can be read again, across both upgrades.
    let replay = program(&network.url(0), ["replay", "--game", "0"]).ok();
    assert!(replay.contains("1212121"), "{replay}");
}
