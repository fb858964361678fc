//! Fast games: two programs, a relay and a chain; each of them killed.

mod malicious;
mod pie_rule;
mod recorder;

use std::collections::HashMap;
use std::thread;

use connect4_client::{Offer, Signer};
use connect4_protocol::fast::{FIRST, Kind, Moves};
use connect4_rules::{Player, Shape};
use connect4_testing::dice::Dice;
use connect4_testing::fast::{brings, session_key};
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::fast_events::contract;
use crate::relay::Relay;
use crate::run::{Commands, Node, Running, connect4};
use recorder::Recorder;

/// One token, in its smallest unit.
const TOKEN: i128 = 10_000_000_000;
/// More than the fees and deposits of a few transactions together.
const A_LITTLE: i128 = TOKEN / 5;
/// Red, who moves first, completes a line in the bottom row.
const GAME: [u8; 7] = [5, 0, 4, 0, 3, 0, 2];

/// Starts a game between alice, who is red, and bob on the classroom board.
fn agree(commands: &Commands<'_>, terms: &str) {
    commands.out(&format!(
        "challenge --fast --to bob --first me --bins 6 --capacity 4 {terms}"
    ));
    let accepted = commands.out("accept --challenge 0 --yes");
    assert!(
        accepted.contains("accepted challenge 0: game f0"),
        "{accepted}"
    );
    assert!(accepted.contains("connect4 play --game f0"), "{accepted}");
}

fn sit(commands: &Commands<'_>, seat: &str, relay: &str) -> Running {
    commands.start(&format!("play --game f0 --seat {seat} {relay}"))
}

/// Both players, at this relay.
fn sit_both(commands: &Commands<'_>, relay: &Relay) -> (Running, Running) {
    let url = format!("--relay ws://{}", relay.addr);
    (sit(commands, "red", &url), sit(commands, "blue", &url))
}

/// Plays these bins from a turn on, each of which the other program shows.
pub fn play(red: &mut Running, blue: &mut Running, from: usize, bins: &[u8]) {
    for (turn, bin) in bins
        .iter()
        .enumerate()
        .map(|(turn, bin)| (turn + from, bin))
    {
        let (mover, other, colour) = match turn % 2 {
            0 => (&mut *red, &mut *blue, "red"),
            _ => (&mut *blue, &mut *red, "blue"),
        };
        mover.line_with(&format!("add shape: {}, player: {colour}", turn + 1));
        mover.say(bin);
        for table in [mover, other] {
            table.line_with(&format!("{colour} into bin {bin}"));
        }
    }
}

#[test]
fn a_staked_game_needs_the_chain_at_its_start_and_its_end_only() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("deploy");
    let [alice, bob] = ["alice", "bob"].map(|name| commands.balance(name));
    let relay = Relay::on(&node);
    let terms = "--stake 100 --bank 1h --first me --bins 6 --capacity 4";
    let url = format!("--relay ws://{}", relay.addr);
    let mut red = commands.start(&format!(
        "challenge --fast --play --account alice {terms} --relay ws://{}",
        relay.addr
    ));
    red.line_with("connect4 accept --challenge 0 --play");
    let mut blue = commands.start(&format!(
        "accept --challenge 0 --play --account bob --max-stake 100 {url}"
    ));
    blue.line_with("accepted challenge 0: game f0");
    play(&mut red, &mut blue, 0, &GAME[..6]);
    red.line_with("add shape: 7, player: red");
    red.say(GAME[6]);
    red.line_with("submitted the end of the game after 7 moves to the chain");
    let red = red.end().expect(0);
    for text in [
        "signed by both: 6 moves; on the chain: 0\n",
        "winner: red\n",
        "red was paid 200 DOT",
    ] {
        assert!(red.out.contains(text), "{text}: {}", red.out);
    }
    let blue = blue.end().expect(0);
    assert_eq!(blue.out.lines().last(), Some("winner: red"));
    let won = commands.balance("alice") - alice;
    let lost = bob - commands.balance("bob");
    assert!((won - 100 * TOKEN).abs() < A_LITTLE, "{won}");
    assert!((lost - 100 * TOKEN).abs() < A_LITTLE, "{lost}");
    relay.stop().expect(0);
}

#[test]
fn machines_are_told_what_is_signed() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--bank 1h");
    let relay = Relay::on(&node);
    let url = format!("--relay ws://{}", relay.addr);
    let mut red = sit(&commands, "red", &format!("{url} --json"));
    let mut blue = sit(&commands, "blue", &url);
    for (turn, bin) in GAME.into_iter().enumerate() {
        if turn % 2 == 0 {
            red.say(bin);
        } else {
            blue.say(bin);
        }
    }
    blue.end().expect(0);
    let lines = red.end().expect(0).json();
    let of = |event: &str| -> Vec<&Value> {
        lines.iter().filter(|line| line["event"] == event).collect()
    };
    assert_eq!(of("dropped").len(), 7);
    assert!(
        of("dropped")
            .iter()
            .all(|line| line["transaction"].is_null())
    );
    let signed: Vec<u64> = of("fast")
        .iter()
        .filter_map(|line| line["signed"].as_u64())
        .collect();
    assert!(signed.is_sorted() && signed.contains(&7), "{signed:?}");
    assert_eq!(of("ended")[0]["winner"], "red");
    relay.stop().expect(0);
}

#[test]
fn an_opponent_who_is_killed_for_good_loses_on_the_clock() {
    let node = Node::start(&["--tmp", "--dev-rpc"]);
    let commands = Commands { node: &node };
    agree(&commands, "--stake 1 --bank 10m");
    let relay = Relay::on(&node);
    let (mut red, mut blue) = sit_both(&commands, &relay);
    play(&mut red, &mut blue, 0, &GAME[..3]);
    blue.kill();
    red.say("press");
    red.line_with("time left: red 10:00 min, blue");
    red.line_with("started blue's clock on the chain");
    node.ask("dev_advanceClock", "[700]");
    node.ask("dev_seal", "[]");
    red.line_with("time has run out; the end was submitted to the chain");
    let red = red.end().expect(0);
    assert!(
        red.out.contains("winner: red on time\n") || red.out.contains("winner: red"),
        "{}",
        red.out
    );
    assert!(red.out.contains("red was paid 2 DOT"), "{}", red.out);
    let game = commands.json("show --game f0");
    assert_eq!(game["end"], "timeout");
    assert_eq!(game["turns"], 3);
    relay.stop().expect(0);
}

#[test]
fn when_the_relay_is_killed_the_game_is_finished_on_the_chain() {
    let node = Node::start(&["--tmp", "--dev-rpc"]);
    let commands = Commands { node: &node };
    agree(&commands, "--stake 1 --bank 10m");
    let relay = Relay::on(&node);
    let (mut red, mut blue) = sit_both(&commands, &relay);
    play(&mut red, &mut blue, 0, &GAME[..2]);
    relay.stop().expect(0);
    red.line_with("add shape: 3, player: red");
    red.say(GAME[2]);
    red.line_with("signed by both: 3 moves; on the chain: 0");
    red.line_with("red into bin 4");
    red.say("press");
    for table in [&mut red, &mut blue] {
        table.line_with("time left: red 10:00 min, blue");
    }
    play(&mut red, &mut blue, 3, &GAME[3..]);
    // Nobody can tell red that blue agrees to the line.
    node.ask("dev_advanceClock", "[700]");
    node.ask("dev_seal", "[]");
    red.line_with("nobody has contested the line in time; the end was submitted to the chain");
    let red = red.end().expect(0);
    assert!(red.out.contains("red was paid 2 DOT"), "{}", red.out);
    assert_eq!(blue.end().expect(0).out.lines().last(), Some("winner: red"));
}

#[test]
fn a_stale_position_is_answered_without_being_asked() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--bank 1h");
    let recorder = Recorder::start();
    let url = format!("--relay {}", recorder.url());
    let (mut red, mut blue) = (sit(&commands, "red", &url), sit(&commands, "blue", &url));
    play(&mut red, &mut blue, 0, &GAME[..4]);
    // A cheat moves on the chain, in a position that the players have left.
    red.kill();
    commands.out("move --game f0 2 --account alice");
    blue.line_with(
        "submitted the 4 moves that both players have signed, as a clock ran on the chain",
    );
    red = sit(&commands, "red", &url);
    play(&mut red, &mut blue, 4, &GAME[4..]);
    assert_eq!(red.end().expect(0).out.lines().last(), Some("winner: red"));
    assert_eq!(blue.end().expect(0).out.lines().last(), Some("winner: red"));
}

#[test]
fn a_guard_answers_for_who_is_away() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--bank 1h");
    let recorder = Recorder::start();
    let url = format!("--relay {}", recorder.url());
    let mut guard = commands.start(&format!("guard --for bob --account charlie {url}"));
    guard.line_with("guarding game f0");
    let (mut red, mut blue) = (sit(&commands, "red", &url), sit(&commands, "blue", &url));
    play(&mut red, &mut blue, 0, &GAME[..4]);
    guard.line_with("game f0: both players have signed 4 moves");
    red.kill();
    blue.kill();
    commands.out("move --game f0 2 --account alice");
    guard.line_with("game f0: submitted the 4 moves that both players have signed");
    assert_eq!(commands.json("show --game f0")["turns"], 4);
    guard.stop("TERM").expect(0);
}

#[test]
fn a_draw_is_agreed_on_and_a_game_is_given_up_by_signatures() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--bank 1h");
    let relay = Relay::on(&node);
    let (mut red, mut blue) = sit_both(&commands, &relay);
    play(&mut red, &mut blue, 0, &GAME[..2]);
    red.line_with("add shape: 3, player: red");
    red.say("draw");
    red.line_with("offer a draw after your move");
    blue.say("draw");
    blue.line_with("your offer of a draw stands");
    red.line_with("blue offers a draw");
    red.say("accept");
    for mut table in [red, blue] {
        table.line_with("a tie by agreement");
        table.end().expect(0);
    }
    let game = commands.json("show --game f0");
    assert_eq!(
        (&game["end"], &game["turns"]),
        (&"agreement".into(), &2.into())
    );
    relay.stop().expect(0);
}

#[test]
fn a_draw_that_the_opponent_keeps_to_itself_is_told_to_the_chain() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--stake 1 --bank 10m");
    let relay = Relay::on(&node);
    let (mut red, mut blue) = sit_both(&commands, &relay);
    play(&mut red, &mut blue, 0, &GAME[..2]);
    blue.say("draw");
    red.line_with("blue offers a draw");
    // The player who has made the last move never tells it.
    blue.kill();
    red.say("accept");
    red.line_with("submitted the end of the game after 2 moves to the chain");
    let red = red.end().expect(0);
    assert!(red.out.contains("red was paid 1 DOT"), "{}", red.out);
    assert_eq!(commands.json("show --game f0")["end"], "agreement");
    relay.stop().expect(0);
}

#[test]
fn who_leaves_a_game_for_a_stake_is_told_what_is_at_risk() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--stake 1 --bank 10m");
    let relay = Relay::on(&node);
    let (mut red, mut blue) = sit_both(&commands, &relay);
    play(&mut red, &mut blue, 0, &GAME[..1]);
    let red = red.stop("INT");
    for text in [
        "resume it by",
        "your stake of 1 DOT is at risk",
        "connect4 guard",
    ] {
        assert!(red.err.contains(text), "{text}: {}", red.err);
    }
    drop(blue);
    relay.stop().expect(0);
}

#[test]
fn an_opponent_who_thinks_is_told_of_its_clock_and_answers() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--bank 1h");
    let relay = Relay::on(&node);
    let (mut red, mut blue) = sit_both(&commands, &relay);
    play(&mut red, &mut blue, 0, &GAME[..3]);
    red.say("press");
    red.line_with("started blue's clock on the chain");
    blue.line_with("answer before the chain's clock runs out: ");
    blue.line_with("red has started your clock on the chain");
    blue.say(GAME[3]);
    // The answer stops the clock, and the game goes on off the chain.
    red.line_with("signed by both: 4 moves; on the chain: all");
    red.line_with("no clock runs");
    play(&mut red, &mut blue, 4, &GAME[4..]);
    red.end().expect(0);
    blue.end().expect(0);
    relay.stop().expect(0);
}

/// Red signs a seventh move, and then makes another one on the chain, by which it wins.
#[test]
fn a_line_that_can_be_contested_is_told_with_whose_it_is_and_until_when() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--bank 10m");
    let recorder = Recorder::start();
    let url = format!("--relay {}", recorder.url());
    let (mut red, mut blue) = (sit(&commands, "red", &url), sit(&commands, "blue", &url));
    play(&mut red, &mut blue, 0, &GAME[..6]);
    play(&mut red, &mut blue, 6, &[1]);
    red.kill();
    let sent = recorder.sent();
    let sixth = sent.iter().find(|sent| sent.moves.turns() == 6);
    Runtime::new().unwrap().block_on(async {
        let contract = contract(&node).await;
        let eve = Signer::development("eve").unwrap();
        let sixth = sixth.expect("blue has sent it");
        contract.send(&eve, brings(FIRST, *sixth)).await.unwrap();
    });
    commands.out("move --game f0 3 --account alice");
    let told = blue.line_with("contest red's line on the chain: make another move within ");
    assert!(told.contains(" 9:5") || told.contains(" 10:00"), "{told}");
    blue.say(1);
    blue.line_with("submitted the ");
    let game = commands.json("show --game f0");
    assert_eq!((&game["turns"], &game["end"]), (&8.into(), &Value::Null));
    blue.kill();
}

/// A player who has paid all that it had as a stake plays on although its move does not get to the chain.
#[test]
fn a_program_whose_transactions_fail_says_so_and_goes_on() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--bank 5m --account eve");
    // Of all that it has but the least that is asked for, so that no transaction more can be paid.
    for kept in (10..).map(|kept| kept * TOKEN / 500) {
        let stake = commands.balance("eve") - kept;
        let stake = format!("{}.{:010}", stake / TOKEN, stake % TOKEN);
        let made = commands.run(&format!(
            "challenge --to bob --bank 5m --account eve --stake {stake}"
        ));
        if made.status.success() {
            break;
        }
    }
    let mut red = sit(&commands, "red", "--no-relay");
    red.line_with("add shape: 1, player: red");
    red.say(3);
    let said = red.line_with("the move is signed, but not on the chain");
    assert!(said.contains("cannot pay"), "{said}");
    red.say("press");
    let said = red.line_with("not done: ");
    assert!(said.contains("cannot pay"), "{said}");
    red.say("draw");
    red.line_with("your offer of a draw stands");
    red.kill();
}

/// More games than a guard looks at at once were started since.
#[test]
fn a_guard_finds_every_game_of_its_accounts() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--bank 1h");
    Runtime::new().unwrap().block_on(async {
        let contract = contract(&node).await;
        let [eve, ferdie] = ["eve", "ferdie"].map(|name| Signer::development(name).unwrap());
        for number in 1..=60 {
            let (mine, theirs) = (session_key(number), session_key(number + 1_000));
            let offer = Offer {
                opponent: None,
                challenger_first: true,
                shape: Shape::CLASSROOM.into(),
                clock: None,
                stake: 0,
                key: Some(mine.address()),
                pie_rule: false,
                expires_in: None,
            };
            let made = contract.challenge(&eve, offer).await.unwrap().value;
            let key = Some(theirs.address());
            contract.accept(&ferdie, made, key).await.unwrap();
        }
    });
    // On a machine without his key.
    let folder = TempDir::new().unwrap();
    let line = format!(
        "guard --for bob --account charlie --no-relay --url {}",
        node.url
    );
    let arguments: Vec<&str> = line.split(' ').collect();
    let mut guard = connect4(&arguments);
    guard.env("XDG_DATA_HOME", folder.path());
    let mut guard = Running::start(guard);
    guard.line_with("guarding game f0");
    guard.stop("TERM").expect(0);
}

#[test]
fn the_rematch_of_a_fast_game_is_one_too() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--bank 1h --stake 1");
    let relay = Relay::on(&node);
    let url = format!("--relay ws://{} --series", relay.addr);
    let (mut red, mut blue) = (sit(&commands, "red", &url), sit(&commands, "blue", &url));
    play(&mut red, &mut blue, 0, &GAME);
    red.line_with("red was paid 2 DOT");
    red.say("yes");
    red.line_with("alice wants a rematch");
    blue.say("yes");
    // The loser begins.
    blue.line_with("game f1 on");
    blue.line_with("you play red");
    red.line_with("game f1 on");
    red.line_with("you play blue");
    play(&mut blue, &mut red, 0, &GAME[..2]);
    blue.line_with("add shape: 3, player: red");
    blue.say("resign");
    red.line_with("blue was paid 2 DOT");
    for mut table in [red, blue] {
        table.say("no");
        table.end().expect(0);
    }

    // The same by single commands.
    commands.out("rematch --game f1 --account alice");
    commands.out("rematch --game f1 --accept --account bob");
    assert_eq!(commands.json("show --game f2")["turns"], 0);
    relay.stop().expect(0);
}

#[test]
fn a_second_program_for_the_same_seat_is_refused() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--bank 1h");
    let mut red = sit(&commands, "red", "--no-relay");
    red.line_with("add shape: 1");
    let second = commands
        .run("play --game f0 --seat red --no-relay")
        .expect(1);
    assert!(
        second.err.contains("another program plays this game"),
        "{}",
        second.err
    );
}

/// Each program is killed again and again, wherever it is, and told other moves when it is started
/// again.
#[test]
fn programs_that_are_killed_again_and_again_sign_one_move_a_turn() {
    const KILLED: u64 = 12;
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--bank 1h");
    let recorder = Recorder::start();
    let url = format!("--relay {}", recorder.url());
    let test = thread::current().name().map(str::to_owned);
    thread::scope(|scope| {
        for (seat, seed) in [("red", 1), ("blue", 2)] {
            let (node, url) = (&node.url, &url);
            // By the name of the test the programs have its folder.
            let named = thread::Builder::new().name(test.clone().expect("a test has a name"));
            let playing = move || {
                let mut dice = Dice(seed);
                for life in 0..=KILLED {
                    let line = format!("play --game f0 --seat {seat} {url} --url {node}");
                    let arguments: Vec<&str> = line.split(' ').collect();
                    let mut program = Running::start(connect4(&arguments));
                    // Answers that are full bins, or after the end, are refused.
                    for _ in 0..60 {
                        program.say(dice.below(6));
                    }
                    let is_last = life == KILLED;
                    let mut lines = if is_last { u64::MAX } else { dice.below(45) };
                    while lines > 0 {
                        if program.next_line().is_none() {
                            return;
                        }
                        lines -= 1;
                    }
                    program.kill();
                }
            };
            named.spawn_scoped(scope, playing).expect("a thread");
        }
    });
    let game = commands.json("show --game f0");
    assert_ne!(game["end"], Value::Null, "{game}");
    let mut signed = HashMap::new();
    let sent = recorder.sent();
    for evidence in &sent {
        for player in Player::ALL {
            let Some(statement) = evidence.statement_of(player, FIRST) else {
                continue;
            };
            if statement.kind != Kind::Position {
                continue;
            }
            let moves = Moves::from_bins(statement.moves).expect("few moves");
            let turn = (player.to_string(), moves.turns());
            let before = *signed.entry(turn).or_insert(moves);
            assert_eq!(before, moves, "{player} has signed two moves for one turn");
        }
    }
    assert!(signed.len() >= 7, "{sent:?}");
}
