//! Signed games whose offers and answers are lines of text, in the room of a witness.

use tempfile::TempDir;

use crate::relay::Relay;
use crate::run::{Commands, Node, Running, connect4, run};

/// Starts a program of the person with this folder.
fn start(folder: &TempDir, arguments: &[&str]) -> Running {
    let data = folder.path().to_str().expect("text");
    Running::start(connect4(&[arguments, &["--data", data]].concat()))
}

/// Two people who have agreed on a game on the classroom board. The first one moves first.
fn begun(relay: &Relay, folders: &[TempDir; 2]) -> [Running; 2] {
    let [first, second] = folders;
    let url = relay.url();
    let offering = ["seek", "--offer", "--turn", "first"];
    let board = ["--bins", "6", "--capacity", "4", "--relay", &url];
    let mut red = start(first, &[&offering[..], &board].concat());
    let offer = red.line_with("connect4-offer:");
    let mut blue = start(second, &["seek", "--yes", "--take", offer.trim()]);
    blue.line_with("a game on 6x4, line 4, you move second, against 0x");
    let answer = blue.line_with("connect4-answer:");
    red.say("hello");
    red.line_with("this is no answer");
    red.say(answer.trim());
    [red, blue]
}

/// What a player is asked in this turn, from 0.
fn asked(turn: usize) -> String {
    let colour = ["red", "blue"][turn % 2];
    format!("add shape: {}, player: {colour}", turn + 1)
}

/// Makes these moves in turn, in bins from 1.
fn play(players: &mut [Running; 2], from: usize, bins: &[u8]) {
    for (turn, bin) in (from..).zip(bins) {
        let mover = &mut players[turn % 2];
        mover.line_with(&asked(turn));
        mover.say(bin);
    }
}

#[test]
fn two_people_play_by_lines_of_text_and_type_bins_from_one() {
    let node = Node::start(&["--tmp"]);
    let relay = Relay::witness(&node);
    let folders = [(); 2].map(|()| TempDir::new().expect("a folder"));
    let mut players = begun(&relay, &folders);
    let red = &mut players[0];
    red.line_with(&asked(0));
    red.say(0);
    red.line_with("bins count from 1 here");
    red.say(1);
    // Blue may have come after the move.
    play(&mut players, 1, &[2, 1]);
    players[0].has_line_with("blue into bin 2, row 1");
    // The program of one player is ended, and goes on from its record.
    let [red, mut blue] = players;
    blue.line_with(&asked(3));
    let stopped = blue.stop("INT").expect(130);
    let (_, resumed_by) = stopped
        .err
        .split_once("\n  connect4 ")
        .expect("it says how");
    let resumed_by: Vec<&str> = resumed_by
        .lines()
        .next()
        .expect("a line")
        .split(' ')
        .collect();
    assert_eq!(resumed_by[..3], ["seek", "--resume", "--relay"]);
    assert_eq!(resumed_by[3], relay.url());
    let blue = start(&folders[1], &["seek", "--resume", "--relay", &relay.url()]);
    let mut players = [red, blue];
    play(&mut players, 3, &[2, 1, 2, 1]);
    for player in players {
        let ended = player.end().expect(0);
        assert!(ended.out.contains("winner: red"), "{}", ended.out);
    }
    relay.stop().expect(0);
}

#[test]
fn a_resignation_ends_the_game_by_the_word_of_the_witness() {
    let node = Node::start(&["--tmp"]);
    let relay = Relay::witness(&node);
    let folders = [(); 2].map(|()| TempDir::new().expect("a folder"));
    let mut players = begun(&relay, &folders);
    play(&mut players, 0, &[1, 2]);
    players[0].line_with(&asked(2));
    players[0].say("resign");
    for player in players {
        let ended = player.end().expect(0);
        assert!(ended.out.contains("winner: blue"), "{}", ended.out);
    }
    relay.stop().expect(0);
}

/// From the room to the standings: the relay shows the game to a sponsor, signs for its end, and the chain tells it to the
/// index.
#[test]
fn a_game_that_a_witness_has_ended_is_recorded_and_counts() {
    let node = Node::start(&["--tmp"]);
    Commands { node: &node }.out("deploy");
    let relay = Relay::witness(&node);
    let folders = [(); 2].map(|()| TempDir::new().expect("a folder"));
    let mut players = begun(&relay, &folders);
    play(&mut players, 0, &[1, 2, 1, 2, 1, 2, 1]);
    for player in players {
        player.end().expect(0);
    }
    let state = TempDir::new().expect("a folder");
    let folder = state.path().to_str().expect("text");
    let paying = [
        "record",
        "--follow",
        "--account",
        "bob",
        "--budget",
        "10/day",
        "--once",
    ];
    let chain = ["--url", &node.url, "--json"];
    let url = relay.url();
    let of = ["--relay", &url, "--state", folder];
    let sponsored = run(&[&paying[..], &of, &chain].concat(), "").expect(0);
    let lines = sponsored.json();
    let recorded = lines.iter().find(|line| line["event"] == "recorded");
    let games = recorded.expect("it is recorded")["games"].clone();
    assert_eq!(games.as_array().expect("a list").len(), 1);
    let standings = |keys: &[&str]| {
        let asked = [&["standings", "--no-index"], keys, &chain].concat();
        let lines = run(&asked, "").expect(0).json();
        let of_witness = lines.iter().filter(|line| line["games"] == "witnessed");
        let counts = of_witness.filter_map(|line| line["wins"].as_u64());
        counts.collect::<Vec<u64>>()
    };
    assert_eq!(standings(&["--witness", relay.key()]), [1, 0]);
    // Of nobody whose games count.
    assert_eq!(standings(&[]), Vec::<u64>::new());
    relay.stop().expect(0);
}
