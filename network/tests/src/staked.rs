//! A signed game with a stake, between two programs.

use tempfile::TempDir;

use crate::{
    network::Network,
    program::{Running, program},
};

/// Alice and bob play for a stake of one token each, whose programs use these nodes. Alice wins, and is paid.
///
/// # Panics
///
/// If that does not come to its end.
#[track_caller]
pub fn play_for_a_stake(network: &Network, nodes: [usize; 2]) {
    let host = network.host(nodes[0]);
    let relay = host.relay();
    let folders = [(); 2].map(|()| TempDir::new().expect("there is room"));
    let seek = |player: usize, options: &[&str]| {
        let account = ["--account", ["alice", "bob"][player]];
        let place = ["--relay", &relay];
        let options = [&["seek"], options, &account, &place].concat();
        Running::program_in(folders[player].path(), &network.url(nodes[player]), options)
    };
    let mut alice = seek(0, &["--offer", "--turn", "first", "--stake", "1"]);
    alice.wait_for("waiting for an opponent who pays 1 DOT", 1);
    let said = alice.said();
    let mut lines = said.lines();
    let offer = lines.find(|line| line.contains("connect4-offer:"));
    let offer = offer.expect("an offer").trim();
    let mut bob = seek(1, &["--take", offer, "--yes"]);
    for turn in 0..7 {
        let (player, bin, colour) = match turn % 2 {
            0 => (&mut alice, "1", "red"),
            _ => (&mut bob, "2", "blue"),
        };
        player.wait_for(&format!("add shape: {}, player: {colour}", turn + 1), 1);
        player.type_line(bin);
    }
    for player in [&mut alice, &mut bob] {
        assert!(player.wait().success(), "{}", player.said());
        assert!(player.said().contains("winner: red"), "{}", player.said());
    }
    let owed = "you are owed 2 DOT";
    assert!(alice.said().contains(owed), "{}", alice.said());
    let paid = program(&network.url(nodes[1]), ["withdraw", "--account", "alice"]).ok();
    assert!(paid.contains("was paid 2 DOT"), "{paid}");
}
