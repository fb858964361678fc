//! A node that lies about its chain: the program signs nothing for it that was not agreed to.

use connect4_testing::counting::Counting;
use connect4_testing::metadata;
use tokio::runtime::Runtime;

use crate::guests::{Machine, relay};
use crate::records::{BINS, ENDING, earlier, played, record_by};
use crate::run::{Commands, Node, run};
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
    let relay = relay(&node);
    let commands = Commands { node: &node };
    commands.out("challenge --stake 1 --bank 5m");
    commands.out("start");
    let machine = played(&node, &relay);
    let liar = Liar::before(&node);
    let url = liar.counting.url();
    let before = commands.balance("bob");

    let lied_to = |line: &str| {
        let arguments: Vec<&str> = line.split(' ').chain(["--url", &url]).collect();
        run(&arguments, "")
    };
    for line in [
        "accept --challenge 0 --account bob --yes",
        "challenge --stake 1 --bank 5m --account bob",
        "start --account charlie",
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
    let recorded = record_by(&url, &machine, "--account bob --max-fee 0.02").expect(1);
    assert!(
        recorded.err.contains("nothing was signed"),
        "{}",
        recorded.err
    );
    let state = machine.folder.path().to_str().expect("text");
    let other = Machine::at(&relay);
    let mut shown = None;
    earlier(&node, &other, |_, play| {
        let relay = Shown::start(play.domain);
        relay.show(play.recorded(&BINS, Some(ENDING)), [1, 2]);
        shown = Some(relay);
    });
    let of_relay = shown.expect("it shows the game").url;
    let sponsored = lied_to(&format!(
        "sponsor --once --budget 0.1DOT/day --reserve 1 --min-moves 2 --account bob --relay {of_relay} --state {state}"
    ));
    let said = sponsored.out + &sponsored.err;
    assert!(said.contains("nothing was signed"), "{said}");

    assert_eq!(liar.counting.submissions(), 0, "nothing was sent");
    assert_eq!(commands.balance("bob"), before);
    relay.stop().expect(0);
}
