//! Guests at a relay: games by signed terms, without a chain of the players' own.

use tempfile::TempDir;

use crate::fast::play;
use crate::relay::Relay;
use crate::run::{Ended, Node, Running, connect4};

/// Red, who moves first, completes a line in the bottom row of the classroom board.
pub const GAME: [u8; 7] = [5, 0, 4, 0, 3, 0, 2];

/// A machine of a guest, who has a folder, and knows a relay.
pub struct Machine<'a> {
    pub folder: TempDir,
    relay: &'a Relay,
}

impl<'a> Machine<'a> {
    pub fn at(relay: &'a Relay) -> Self {
        let folder = TempDir::new().expect("a folder");
        Self { folder, relay }
    }

    pub fn start(&self, command: &str) -> Running {
        let url = format!("ws://{}", self.relay.addr);
        let data = self.folder.path().to_str().expect("text");
        let arguments = command.split_whitespace();
        let arguments = arguments.chain(["--relay", &url, "--data", data]);
        Running::start(connect4(&arguments.collect::<Vec<_>>()))
    }

    /// What the guest has kept of games that were played.
    fn played(&self) -> usize {
        let folder = self.folder.path().join("guest/played");
        std::fs::read_dir(folder).map_or(0, Iterator::count)
    }
}

/// A relay of a chain with the contracts.
pub fn relay(node: &Node) -> Relay {
    let commands = crate::run::Commands { node };
    commands.out("deploy");
    Relay::on(node)
}

fn ended(red: Running, blue: Running) -> [Ended; 2] {
    [red, blue].map(|guest| {
        let ended = guest.end().expect(0);
        assert!(ended.out.contains("winner: red\n"), "{}", ended.out);
        ended
    })
}

pub const BOARD: &str = "--bins 6 --capacity 4";

#[test]
fn two_guests_play_a_game_and_need_a_relay_alone() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    let mut red = first.start(&format!("seek --turn first {BOARD}"));
    red.line_with("you are the guest 0x");
    let listed = loop {
        let mut list = second.start("seek --list");
        let line = list.line_with("");
        if line != "nobody seeks a game" {
            break line;
        }
    };
    assert!(listed.contains("6x4, line 4, you move second"), "{listed}");
    let mut blue = second.start(&format!("play --guest {BOARD}"));
    play(&mut red, &mut blue, 0, &GAME[..6]);
    red.line_with("add shape: 7, player: red");
    red.say(GAME[6]);
    ended(red, blue);
    assert_eq!((first.played(), second.played()), (1, 1));
    relay.stop().expect(0);
}

#[test]
fn a_friend_joins_by_a_code_and_both_want_a_rematch() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    let mut red = first.start(&format!("seek --invite --turn first --series {BOARD}"));
    let line = red.line_with("--join");
    let (_, code) = line.split_once("--join ").expect("a code");
    let mut blue = second.start(&format!("seek --join {code} --series"));
    play(&mut red, &mut blue, 0, &GAME[..6]);
    red.line_with("add shape: 7, player: red");
    red.say(GAME[6]);
    for guest in [&mut red, &mut blue] {
        guest.line_with("winner: red");
        guest.line_with("what both have signed is in");
        guest.say("yes");
    }
    // The seats are exchanged.
    play(&mut blue, &mut red, 0, &GAME[..6]);
    blue.line_with("add shape: 7, player: red");
    blue.say(GAME[6]);
    for guest in [&mut red, &mut blue] {
        guest.line_with("winner: red");
        guest.line_with("what both have signed is in");
        guest.say("no");
    }
    for guest in [red, blue] {
        guest.end().expect(0);
    }
    assert_eq!((first.played(), second.played()), (2, 2));
    relay.stop().expect(0);
}

#[test]
fn a_guest_whose_program_was_killed_resumes_the_game() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    let mut red = first.start(&format!("seek --turn first {BOARD}"));
    red.line_with("you are the guest 0x");
    let mut blue = second.start(&format!("play --guest {BOARD}"));
    play(&mut red, &mut blue, 0, &GAME[..3]);
    red.kill();
    let mut red = first.start("seek --resume");
    red.line_with("you play red");
    play(&mut red, &mut blue, 3, &GAME[3..6]);
    red.line_with("add shape: 7, player: red");
    red.say(GAME[6]);
    ended(red, blue);
    let nothing = first.start("seek --resume").end().expect(3);
    assert!(nothing.err.contains("no game goes on"), "{}", nothing.err);
    relay.stop().expect(0);
}

#[test]
fn a_draw_between_guests_is_signed_by_the_offerer_last() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    let mut red = first.start(&format!("seek --turn first {BOARD}"));
    red.line_with("you are the guest 0x");
    let mut blue = second.start(&format!("play --guest {BOARD}"));
    play(&mut red, &mut blue, 0, &GAME[..3]);
    red.say("draw");
    blue.line_with("red offers a draw");
    blue.say("accept");
    for guest in [red, blue] {
        let ended = guest.end().expect(0);
        assert!(
            ended.out.contains("\na tie by agreement\n"),
            "{}",
            ended.out
        );
    }
    relay.stop().expect(0);
}
