//! Games by signed terms, put on the chain by a player.

use std::fs;
use std::path::PathBuf;

use connect4_chain::Options;
use connect4_client::{Client, Code, Contracts, Signer};
use connect4_protocol::{End, VERSION};
use connect4_record::{Record, Step};
use connect4_rules::variant::Move;
use connect4_rules::{Bin, ByPlayer, Player};
use connect4_testing::Account::{Alice, Bob, Ferdie};
use connect4_testing::contracts::{FAST, GAMES, MATCHES, RECORDS, VARIANTS};
use connect4_testing::fast::{TermsPlay, Wallet};
use connect4_testing::{games, impostor, served};
use serde_json::Value;

use crate::fast::play;
use crate::guests::{BOARD, GAME, Machine, begun, relay, win};
use crate::relay::Relay;
use crate::run::{Commands, Ended, Node, Running, run};

/// Two guests play a game; returns the first's machine.
pub fn played<'a>(relay: &'a Relay) -> Machine<'a> {
    let [first, second] = [Machine::at(relay), Machine::at(relay)];
    let [mut red, mut blue] = begun(&first, &second, BOARD);
    win(&mut red, &mut blue, 0);
    for guest in [red, blue] {
        guest.end().expect(0);
    }
    first
}

pub fn record(node: &Node, machine: &Machine<'_>, line: &str) -> Ended {
    record_by(&node.url, machine, line)
}

/// The same by the node at this URL.
pub fn record_by(url: &str, machine: &Machine<'_>, line: &str) -> Ended {
    let folder = machine.folder.path().to_str().expect("text");
    let arguments = ["record", "--url", url];
    let arguments: Vec<&str> = arguments
        .into_iter()
        .chain(line.split_whitespace())
        .collect();
    let mut command = crate::run::connect4(&arguments);
    command.env("CONNECT4_DATA", folder);
    crate::run::run_command(command, "")
}

fn file(machine: &Machine<'_>) -> PathBuf {
    let folder = machine.folder.path().join("guest/played");
    let mut files = fs::read_dir(folder).expect("a folder");
    files.next().expect("a game").expect("a file").path()
}

#[test]
fn a_guest_s_game_is_put_on_the_chain_by_any_account() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let machine = played(&relay);
    let file = file(&machine);
    let bytes = fs::read(&file).expect("read");
    // Nothing is sent unless that is said.
    let asked = record(&node, &machine, "").expect(2);
    assert!(asked.err.contains("--max-fee"), "{}", asked.err);
    let dear = record(&node, &machine, "--max-fee 0.000001").expect(3);
    assert!(dear.err.contains("more than"), "{}", dear.err);
    let dry = record(&node, &machine, "--dry-run --json").expect(0).json();
    let [cost] = &dry[..] else {
        panic!("{dry:?}");
    };
    assert_eq!(
        (&cost["event"], &cost["games"]),
        (&"record_cost".into(), &1.into())
    );
    let lines = record(&node, &machine, "--account bob --max-fee 1 --json")
        .expect(0)
        .json();
    let recorded = lines.last().expect("a line");
    assert_eq!(recorded["event"], "recorded");
    let number = file
        .file_stem()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    assert_eq!(recorded["games"], Value::from(vec![number.clone()]));
    // Whoever has the chain sees the game, and it has a place in the ratings of its own.
    let replayed = run(&["replay", "--game", &number, "--url", &node.url], "").expect(0);
    assert!(replayed.out.contains("won by a line"), "{}", replayed.out);
    assert!(replayed.out.contains("bins from 1"), "{}", replayed.out);
    let unknown = format!("0x{}", "1".repeat(64));
    let unknown = run(&["replay", "--game", &unknown, "--url", &node.url], "").expect(1);
    assert!(
        unknown.err.contains("nobody has recorded"),
        "{}",
        unknown.err
    );
    let standings = run(&["standings", "--url", &node.url], "").expect(0);
    let own = "games by signed terms, which have ratings of their own:";
    assert!(standings.out.starts_with(own), "{}", standings.out);
    let standings = run(&["standings", "--json", "--url", &node.url], "").expect(0);
    let lines = standings.json();
    let signed = lines.iter().filter(|line| line["games"] == "signed");
    assert_eq!(signed.count(), 2, "{}", standings.out);
    // It is not sent again, whatever is named.
    let nothing = record(&node, &machine, "--yes").expect(0);
    assert!(nothing.out.contains("no game to record"), "{}", nothing.out);
    let again = record(&node, &machine, &format!("{number} --yes")).expect(3);
    assert!(again.err.contains("already"), "{}", again.err);
    let copy = machine.folder.path().join("copy.game");
    fs::write(&copy, &bytes).expect("written");
    let again = record(&node, &machine, &format!("{} --yes", copy.display())).expect(0);
    assert!(again.out.contains("on the chain already"), "{}", again.out);
    relay.stop().expect(0);
}

#[test]
fn a_silent_opponent_loses_on_the_chain() {
    let node = Node::start(&["--tmp", "--dev-rpc", "--block-time", "1"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    let [mut red, mut blue] = begun(&first, &second, &format!("--bank 5m {BOARD}"));
    play(&mut red, &mut blue, 0, &GAME[..2]);
    red.line_with("add shape: 3, player: red");
    red.say(GAME[2]);
    blue.line_with("add shape: 4, player: blue");
    blue.kill();
    red.say("press");
    red.line_with("connect4 dispute");
    red.kill();
    let mut red = dispute(&node, &first);
    red.line_with("the game is f0 on the chain");
    red.line_with("you play red");
    red.say("press");
    red.line_with("sent to the chain what the dispute needs");
    node.ask("dev_advanceClock", "[301]");
    red.line_with("winner: red");
    red.end().expect(0);
    let shown = run(&["show", "--game", "f0", "--url", &node.url], "").expect(0);
    assert!(shown.out.contains("winner: red"), "{}", shown.out);
    // Without a game there is nothing to dispute.
    let nothing = dispute(&node, &first).end().expect(3);
    assert!(nothing.err.contains("no game goes on"), "{}", nothing.err);
    relay.stop().expect(0);
}

/// Takes a guest's game to the chain.
fn dispute(node: &Node, machine: &Machine<'_>) -> Running {
    dispute_of(node, machine, &[])
}

fn dispute_of(node: &Node, machine: &Machine<'_>, more: &[&str]) -> Running {
    let arguments = ["dispute", "--url", &node.url, "--account", "bob"];
    let mut command = crate::run::connect4(&[&arguments, more].concat());
    command.env("CONNECT4_DATA", machine.folder.path());
    Running::start(command)
}

/// Two guests in a game with a clock, which red has taken to the chain after these moves, as blue has gone.
fn disputed<'a>(node: &Node, relay: &'a Relay, moves: &[u8]) -> ([Machine<'a>; 2], Running) {
    let machines = [Machine::at(relay), Machine::at(relay)];
    let [first, second] = &machines;
    let [mut red, mut blue] = begun(first, second, &format!("--bank 5m {BOARD}"));
    play(&mut red, &mut blue, 0, moves);
    blue.kill();
    red.kill();
    let mut red = dispute(node, first);
    red.line_with("the game is f0 on the chain");
    red.line_with("you play red");
    (machines, red)
}

#[test]
fn a_disputed_game_that_ends_in_the_room_ends_on_the_chain() {
    let node = Node::start(&["--tmp", "--dev-rpc", "--block-time", "1"]);
    let relay = relay(&node);
    let ([first, second], mut red) = disputed(&node, &relay, &GAME[..3]);
    red.say("press");
    red.line_with("sent to the chain what the dispute needs");
    let mut blue = second.start("seek --resume");
    blue.line_with("add shape: 4, player: blue");
    blue.say(GAME[3]);
    red.line_with("add shape: 5, player: red");
    red.say("resign");
    red.line_with("f0 is over on the chain");
    for guest in [red, blue] {
        let ended = guest.end().expect(0);
        assert!(ended.out.contains("winner: blue"), "{}", ended.out);
    }
    let commands = Commands { node: &node };
    let shown = commands.out("show --game f0");
    assert!(shown.contains("winner: blue"), "{shown}");
    let early = commands.run("free --game f0").expect(3);
    assert!(early.err.contains("a day after"), "{}", early.err);
    node.ask("dev_advanceClock", "[86400]");
    commands.out("free --game f0");
    // There is nothing to be added to what the chain has.
    let nothing = record(&node, &first, "--yes").expect(0);
    assert!(nothing.out.contains("no game to record"), "{}", nothing.out);
    relay.stop().expect(0);
}

#[test]
fn an_end_that_a_program_without_the_dispute_saw_is_brought_by_the_next_dispute() {
    let node = Node::start(&["--tmp", "--block-time", "1"]);
    let relay = relay(&node);
    let ([first, second], red) = disputed(&node, &relay, &GAME[..3]);
    red.kill();
    let mut red = first.start("seek --resume");
    let mut blue = second.start("seek --resume");
    blue.line_with("add shape: 4, player: blue");
    blue.say(GAME[3]);
    red.line_with("add shape: 5, player: red");
    red.say("resign");
    for guest in [red, blue] {
        let ended = guest.end().expect(0);
        assert!(ended.out.contains("winner: blue"), "{}", ended.out);
    }
    // Another game ends later.
    let [mut red, mut blue] = begun(&first, &second, BOARD);
    play(&mut red, &mut blue, 0, &GAME[..1]);
    blue.line_with("add shape: 2, player: blue");
    blue.say("resign");
    for guest in [red, blue] {
        guest.end().expect(0);
    }
    let commands = Commands { node: &node };
    let shown = commands.out("show --game f0");
    assert!(shown.contains("red to move"), "{shown}");
    let unknown = format!("0x{}", "1".repeat(64));
    let other = dispute_of(&node, &first, &["--game", &unknown])
        .end()
        .expect(3);
    assert!(other.err.contains("does not go on here"), "{}", other.err);
    let ended = dispute(&node, &first).end().expect(0);
    for text in ["f0 is over on the chain", "winner: blue"] {
        assert!(ended.out.contains(text), "{text}: {}", ended.out);
    }
    let shown = commands.out("show --game f0");
    assert!(shown.contains("winner: blue"), "{shown}");
    for machine in [&first, &second] {
        let nothing = dispute(&node, machine).end().expect(3);
        assert!(nothing.err.contains("no game goes on"), "{}", nothing.err);
    }
    relay.stop().expect(0);
}

#[test]
fn a_line_that_a_silent_opponent_could_contest_is_waited_for() {
    let node = Node::start(&["--tmp", "--dev-rpc", "--block-time", "1"]);
    let relay = relay(&node);
    let (_machines, mut red) = disputed(&node, &relay, &GAME[..6]);
    red.line_with("add shape: 7, player: red");
    red.say(GAME[6]);
    red.line_with("sent to the chain what the dispute needs");
    node.ask("dev_advanceClock", "[301]");
    red.line_with("f0 is over on the chain");
    red.line_with("winner: red");
    red.end().expect(0);
    let shown = Commands { node: &node }.out("show --game f0");
    assert!(shown.contains("winner: red"), "{shown}");
    relay.stop().expect(0);
}

#[test]
fn a_bad_game_is_found_before_anything_is_sent() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let machine = played(&relay);
    let good = file(&machine);
    let bytes = fs::read(&good).expect("read");
    let folder = machine.folder.path();
    let write = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut changed = bytes.clone();
        change(&mut changed);
        let path = folder.join(name);
        fs::write(&path, changed).expect("written");
        path.display().to_string()
    };
    let forged = write("forged.game", &|bytes| {
        let at = bytes.len() - 20;
        bytes[at] ^= 1;
    });
    let elsewhere = write("elsewhere.game", &|bytes| bytes[8] ^= 1);
    let short = write("short.game", &|bytes| bytes.truncate(40));
    let missing = folder.join("missing.game").display().to_string();
    let line = format!(
        "{} {forged} {elsewhere} {short} {missing} --yes --json",
        good.display()
    );
    let ended = record(&node, &machine, &line).expect(3);
    assert!(ended.err.contains("4 games"), "{}", ended.err);
    let lines = ended.json();
    let of = |event: &str| lines.iter().filter(|line| line["event"] == event).count();
    assert_eq!(
        (of("not_recorded"), of("recorded")),
        (4, 1),
        "{}",
        ended.out
    );
    for (name, why) in [
        ("forged", "signature"),
        ("elsewhere", "another"),
        ("short", "damaged"),
        ("missing", ""),
    ] {
        let line = lines.iter().find(|line| {
            line["game"]
                .as_str()
                .is_some_and(|game| game.contains(name))
        });
        let line = line.expect("it is said").to_string();
        assert!(why == "another" || line.contains(why), "{line}");
    }
    let on_chain = run(&["record", "f0", "--url", &node.url, "--yes"], "");
    assert_ne!(on_chain.status.code(), Some(0));
    relay.stop().expect(0);
}

/// A game that nobody has signed, told by other code at an address at which the code of the records was in the end.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_was_made_up_on_the_chain_is_not_proven() {
    let (chain, _server, url) = served::open(Options::default()).await;
    let client = Client::connect(&url).await.expect("it answers");
    let code = Code {
        games: GAMES,
        matches: MATCHES,
        fast: FAST,
        variants: VARIANTS,
        records: Some(RECORDS),
        version: VERSION,
    };
    let alice = Signer::development("alice").expect("an account");
    let deployed = client.deploy(&alice, code).await.expect("deployed");
    let contract = Contracts::open(&client, deployed.address, code).await;
    let domain = contract.expect("it is there").domain().expect("known");
    let wallets = ByPlayer {
        one: Wallet::Substrate(Alice),
        two: Wallet::Substrate(Bob),
    };
    let now = client.time().await.expect("a time");
    let made_up = TermsPlay::new(domain, now, 1, wallets);
    let bins: Vec<u8> = games::bins(games::SHORT).collect();
    let event = impostor::recorded(&made_up, &bins, End::Line, Player::One);
    let record = Record {
        genesis: Some(client.genesis().0),
        steps: bins
            .iter()
            .map(|bin| Step::Move(Move::Drop(Bin::new(*bin))))
            .collect(),
        end: Some(End::Line),
        winner: Some(0),
        ..Record::of_terms(&made_up.terms, made_up.number(), &domain).expect("terms")
    };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("made-up.game");
    fs::write(&file, record.to_string()).expect("written");
    let file = file.to_str().expect("text").to_owned();
    tokio::task::spawn_blocking(move || {
        let _ = impostor::forge(&chain, Ferdie, vec![event]);
        let verified = run(&["verify", &file, "--url", &url], "");
        assert!(
            verified.err.contains("the game is not proven"),
            "{verified:?}"
        );
        let number = made_up.number().to_string();
        let replayed = run(&["replay", "--game", &number, "--url", &url], "").expect(1);
        assert!(replayed.err.contains("nobody has recorded"), "{replayed:?}");
    })
    .await
    .expect("no panic");
}
