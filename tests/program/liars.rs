//! A node that lies about its chain: the program signs nothing for it that was not agreed to.

use connect4_testing::counting::Counting;
use connect4_testing::metadata;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::records::{chain_of, finished, record_by, text};
use crate::relay::Relay;
use crate::run::{Commands, Node, Running, connect4, run};
use crate::sponsor::Shown;

/// A node before an honest one. It reports metadata by which a call of a contract is the transfer of all that the
/// account has.
struct Liar {
    counting: Counting,
    _runtime: Runtime,
}

impl Liar {
    fn before(node: &Node) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let chain = node.url.trim_start_matches("ws://").to_owned();
        let counting = runtime.block_on(Counting::before(chain));
        metadata::lie_without_events(&counting, metadata::transfer_all);
        Self {
            counting,
            _runtime: runtime,
        }
    }
}

#[test]
fn a_call_that_a_node_makes_a_transfer_is_not_signed_by_any_command() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("deploy");
    commands.out("start");
    let chain = chain_of(&node);
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("some.game");
    std::fs::write(&file, text(chain, 1)).expect("written");
    let liar = Liar::before(&node);
    let url = liar.counting.url();
    let before = commands.balance("bob");

    let lied_to = |line: &str| {
        let arguments: Vec<&str> = line.split(' ').chain(["--url", &url]).collect();
        run(&arguments, "")
    };
    for line in [
        "start --account charlie",
        "table --players 3 --account charlie",
        "move --game 0 4",
        "resign --game 0 --account bob",
        "deploy --account charlie --deployer charlie",
    ] {
        let refused = lied_to(line).expect(1);
        assert!(
            refused.err.contains("nothing was signed"),
            "{line}: {}",
            refused.err
        );
        assert!(
            refused.err.contains("Use another node"),
            "{line}: {}",
            refused.err
        );
    }
    // What is paid for within a limit or a budget.
    let pays = format!("{} --account bob --max-fee 0.02", file.display());
    let recorded = record_by(&url, folder.path(), &pays).expect(1);
    assert!(
        recorded.err.contains("nothing was signed"),
        "{}",
        recorded.err
    );
    let state = folder.path().display();
    let relay = Shown::start(chain);
    relay.show(finished(chain, 2), [1, 2]);
    let of_relay = &relay.url;
    let sponsored = lied_to(&format!(
        "record --follow --once --budget 0.1DOT/day --reserve 1 --min-moves 2 --account bob --relay {of_relay} --state {state}"
    ));
    let said = sponsored.out + &sponsored.err;
    assert!(said.contains("nothing was signed"), "{said}");

    assert_eq!(liar.counting.submissions(), 0, "nothing was sent");
    assert_eq!(commands.balance("bob"), before);
}

#[test]
fn no_stake_is_paid_through_a_node_that_lies() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("deploy");
    let relay = Relay::witness(&node);
    let folders = [(); 2].map(|()| TempDir::new().expect("a folder"));
    let seek = |player: usize, options: &[&str], url: &str| {
        let name = ["alice", "bob"][player];
        let place = ["--account", name, "--relay", &relay.url(), "--url", url];
        let mut command = connect4(&[&["seek"], options, &place].concat());
        command.env("XDG_DATA_HOME", folders[player].path());
        Running::start(command)
    };
    let offering = ["--offer", "--turn", "first", "--stake", "1"];
    let mut red = seek(0, &offering, &node.url);
    let offer = red.line_with("connect4-offer:");
    red.line_with("waiting for an opponent who pays 1 DOT");

    let liar = Liar::before(&node);
    let before = commands.balance("bob");
    let taking = ["--take", offer.trim(), "--yes"];
    let mut blue = seek(1, &taking, &liar.counting.url());
    blue.line_with("nothing was signed");
    assert_eq!(liar.counting.submissions(), 0, "nothing was sent");
    assert_eq!(commands.balance("bob"), before);
    blue.kill();
    red.kill();
    relay.stop().expect(0);
}
