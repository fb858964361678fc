//! The ways by which a program finds an opponent at a relay: each of them plays each other one.

use crate::guests::{Machine, relay};
use crate::run::{Node, Running};

/// All ways at the terminal.
const WAYS: [&str; 3] = ["seek", "play --guest", "bot --level random --json"];
/// A game that programs and people play.
const TERMS: &str = "--pool 0 --pie-rule --bins 6 --capacity 4";

fn begins(running: &mut Running, way: &str) {
    running.line_with(match way.starts_with("bot") {
        true => "\"event\":\"bot_began\"",
        false => "you play",
    });
}

/// What others seek, once so many do.
fn sought(machine: &Machine, count: usize) -> Vec<String> {
    loop {
        let listed = machine.start("seek --list").end().expect(0).out;
        let offers: Vec<_> = listed
            .lines()
            .filter(|line| line.contains("0x"))
            .map(str::to_owned)
            .collect();
        if offers.len() == count {
            return offers;
        }
    }
}

#[test]
fn two_that_look_for_an_opponent_at_the_same_time_play_each_other() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let looks = Machine::at(&relay);
    for (at, first) in WAYS.iter().enumerate() {
        for second in &WAYS[at..] {
            let machines = [Machine::at(&relay), Machine::at(&relay)];
            let ways = [first, second];
            let mut both: Vec<_> = machines
                .iter()
                .zip(ways)
                .map(|(machine, way)| machine.start(&format!("{way} {TERMS}")))
                .collect();
            for (running, way) in both.iter_mut().zip(ways) {
                begins(running, way);
            }
            both.into_iter().for_each(Running::kill);
            // Bots seek the next one.
            sought(&looks, 0);
        }
    }
    relay.stop().expect(0);
}

#[test]
fn who_comes_plays_the_one_that_has_waited_longest() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let looks = Machine::at(&relay);
    for way in WAYS {
        let machines: [Machine<'_>; 3] = std::array::from_fn(|_| Machine::at(&relay));
        // Both want to begin, so that they do not play each other.
        let [mut oldest, newer] = [0, 1].map(|at| {
            let seek = machines[at].start(&format!("seek --turn first {TERMS}"));
            sought(&looks, at + 1);
            seek
        });
        let waiting = sought(&looks, 2);
        let mut comes = machines[2].start(&format!("{way} {TERMS}"));
        begins(&mut comes, way);
        oldest.line_with("you play red");
        assert!(sought(&looks, 1)[0] == waiting[1], "{way}");
        [oldest, newer, comes].into_iter().for_each(Running::kill);
        sought(&looks, 0);
    }
    relay.stop().expect(0);
}
