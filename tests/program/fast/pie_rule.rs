//! The pie rule in fast games that begin by a challenge.

use super::{A_LITTLE, GAME, TOKEN, play};
use crate::relay::Relay;
use crate::run::{Commands, Node, Running};

const TERMS: &str = "--bank 1h --first me --bins 6 --capacity 4 --pie-rule";

/// Plays the rest of the game after the swap: the player who had the first disc is blue now.
fn rest(blue: &mut Running, red: &mut Running) {
    play(red, blue, 1, &GAME[1..6]);
    red.line_with("add shape: 7, player: red");
    red.say(GAME[6]);
}

#[test]
fn player_two_takes_the_first_disc_over_and_wins_the_stakes() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("deploy");
    let refused = commands.run("challenge --pie-rule").expect(2);
    assert!(refused.err.contains("--fast"), "{}", refused.err);
    let [alice, bob] = ["alice", "bob"].map(|name| commands.balance(name));
    let relay = Relay::on(&node);
    let url = format!("--relay ws://{}", relay.addr);
    let mut one = commands.start(&format!(
        "challenge --fast --play --account alice --stake 100 {TERMS} {url}"
    ));
    one.line_with("connect4 accept --challenge 0 --play");
    let listed = commands.out("challenges");
    assert!(listed.contains("a fast game with the pie rule"), "{listed}");
    let mut two = commands.start(&format!(
        "accept --challenge 0 --play --account bob --max-stake 100 {url}"
    ));
    // Before the consent, and above the board.
    for _ in 0..2 {
        two.line_with("pie rule: the second move may be a swap");
    }
    one.line_with("pie rule: the second move may be a swap");
    one.line_with("add shape: 1, player: red");
    one.say("swap");
    one.line_with("a swap is the second move of a game with the pie rule");
    one.say(GAME[0]);
    two.line_with("type swap to take red's disc over");
    two.line_with("add shape: 2, player: blue");
    two.say("swap");
    for table in [&mut one, &mut two] {
        table.line_with("blue has taken the first disc over: the players' colours are exchanged");
    }
    // Bob is red from now on.
    rest(&mut one, &mut two);
    two.line_with("submitted the end of the game after 8 moves to the chain");
    let two = two.end().expect(0);
    assert!(two.out.contains("red was paid 200 DOT"), "{}", two.out);
    let one = one.end().expect(0);
    assert_eq!(one.out.lines().last(), Some("winner: red"));
    let won = commands.balance("bob") - bob;
    let lost = alice - commands.balance("alice");
    assert!((won - 100 * TOKEN).abs() < A_LITTLE, "{won}");
    assert!((lost - 100 * TOKEN).abs() < A_LITTLE, "{lost}");

    let shown = commands.json("show --game f0");
    assert_eq!(
        (&shown["winner"], &shown["swapped"]),
        (&"red".into(), &true.into())
    );
    let replayed = commands.out("replay --game f0");
    assert!(replayed.contains("6s151413"), "{replayed}");
    let record = commands.out("export f0");
    for text in ["6 s 1 5 1 4 1 3 0-1", "pie rule"] {
        assert!(record.contains(text), "{text}: {record}");
    }
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), &record).expect("it can be written");
    commands.out(&format!("verify {}", file.path().display()));
    let standings = commands.out("standings");
    let bob_first = standings.find("bob") < standings.find("alice");
    assert!(bob_first, "{standings}");
    relay.stop().expect(0);
}

/// Without a relay each move is on the chain, the swap too.
#[test]
fn player_two_swaps_on_the_chain() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out(&format!("challenge --fast --to bob --stake 1 {TERMS}"));
    commands.out("accept --challenge 0 --yes");
    commands.out("move --game f0 --account alice 6");
    let mut two = commands.start("play --game f0 --seat blue");
    two.line_with("type swap to take red's disc over");
    two.say("swap");
    // Alice, who is blue now, is to move.
    two.line_with("time left: red");
    two.line_with("colours are exchanged");
    commands.out("move --game f0 --account alice 1");
    two.line_with("blue into bin 0");
    let watched = commands.out("replay --game f0");
    assert!(watched.contains("takes the first disc over"), "{watched}");
    two.say("resign");
    drop(two);
    let game = commands.json("show --game f0");
    assert_eq!(game["swapped"], true);
}

/// By single commands, in fast games and in variants.
#[test]
fn the_move_command_swaps_where_the_pie_rule_lets_it() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    let refused = |line: &str, why: &str| {
        let refused = commands.run(line).expect(3);
        assert!(refused.err.contains(why), "{line}: {}", refused.err);
    };
    let no_swap = "game f0: a swap is the second move of a game with the pie rule";
    commands.out(&format!("challenge --fast --to bob --stake 1 {TERMS}"));
    commands.out("accept --challenge 0 --yes");
    refused("move --game f0 --account alice swap", no_swap);
    commands.out("move --game f0 --account alice 6");
    refused("move --game f0 --account alice swap", "not your turn");
    let swapped = commands.out("move --game f0 --account bob swap");
    let took = "blue has taken the first disc over: the players' colours are exchanged";
    assert!(swapped.contains(took), "{swapped}");
    refused("move --game f0 --account alice s", no_swap);
    let game = commands.json("show --game f0");
    assert_eq!(
        (&game["swapped"], &game["turns"]),
        (&true.into(), &2.into())
    );
    commands.out("move --game f0 --account alice 1");
    assert!(commands.out("replay --game f0").contains("6s1"));
    // Without the rule.
    let plain = TERMS.trim_end_matches(" --pie-rule");
    commands.out(&format!("challenge --fast --to bob {plain}"));
    commands.out("accept --challenge 1 --yes");
    commands.out("move --game f1 --account alice 6");
    let no_rule = no_swap.replace("f0", "f1");
    refused("move --game f1 --account bob swap", &no_rule);

    commands.out("start --pie-rule --red alice --blue bob");
    let only_first = "only the second player's first move can be a swap";
    refused("move --game v0 --account alice swap", only_first);
    commands.out("move --game v0 --account alice 4");
    let swapped = commands.out("move --game v0 --account bob swap");
    assert!(swapped.contains("swaps the colours"), "{swapped}");
    refused("move --game v0 --account alice s", only_first);
    commands.out("start --pop-out --red alice --blue bob");
    commands.out("move --game v1 --account alice 4");
    refused("move --game v1 --account bob swap", "game v1: ");
    let classic = "start --red alice --blue bob";
    commands.out(classic);
    let refused = commands.run("move --game 0 swap").expect(2);
    assert!(
        refused.err.contains("only moves are drops"),
        "{}",
        refused.err
    );
}
