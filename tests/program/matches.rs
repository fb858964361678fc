//! Challenges, stakes, clocks, draws and rematches, by commands.

use serde_json::{Value, json};

use crate::run::{Commands, Node};

/// One token, in its smallest unit.
const TOKEN: i128 = 10_000_000_000;

/// More than the fees and deposits of a few transactions together.
const A_LITTLE: i128 = TOKEN / 5;

#[test]
fn two_people_play_a_match_for_a_stake() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    let [alice, bob] = ["alice", "bob"].map(|name| {
        commands.out("deploy --account ferdie");
        commands.balance(name)
    });
    let terms = "--stake 100 --bank 1h --increment 10s --first me --bins 6 --capacity 4";
    let reach = "--deployer ferdie";
    let mut red = commands.start(&format!("challenge --play --account alice {terms} {reach}"));
    let made = red.line_with("challenges anyone");
    assert!(
        made.contains(
            "6x4, line 4; the challenger begins; 1:00 h for all moves and 10 s more with \
                       each; stake 100 DOT each"
        ),
        "{made}"
    );
    red.line_with("connect4 accept --challenge 0 --play");
    let listed = commands.out(&format!("challenges {reach}"));
    assert!(listed.contains("    0  alice"), "{listed}");
    let mut blue = commands.start(&format!(
        "accept --challenge 0 --play --account bob --max-stake 100 {reach}"
    ));
    blue.line_with("accepted challenge 0: game 0");
    blue.line_with("stake: 100 DOT each");
    let mut watch = commands.start(&format!("watch --game 0 {reach}"));
    watch.line_with("red to move");
    for (turn, bin) in [5, 0, 4, 0, 3, 0, 2].into_iter().enumerate() {
        let (mover, waiting, colour) = if turn % 2 == 0 {
            (&mut red, &mut blue, "red")
        } else {
            (&mut blue, &mut red, "blue")
        };
        mover.line_with(&format!("add shape: {}", turn + 1));
        mover.say(bin);
        for table in [mover, waiting] {
            table.line_with(&format!("{colour} into bin {bin}"));
        }
        watch.line_with(&format!("{colour} into bin {}", bin + 1));
    }
    let red = red.end().expect(0);
    assert!(red.out.contains("winner: red\n"), "{}", red.out);
    assert!(red.out.contains("red was paid 200 DOT"), "{}", red.out);
    let blue = blue.end().expect(0);
    assert_eq!(blue.out.lines().last(), Some("winner: red"));
    assert!(
        watch
            .end()
            .expect(0)
            .out
            .contains("game 0 ended, winner: red")
    );

    let won = commands.balance("alice") - alice;
    let lost = bob - commands.balance("bob");
    assert!((won - 100 * TOKEN).abs() < A_LITTLE, "{won}");
    assert!((lost - 100 * TOKEN).abs() < A_LITTLE, "{lost}");
    let game = commands.json(&format!("show {reach}"));
    assert_eq!(game["end"], "line");
    assert_eq!(game["match"]["settled"], true);
    assert_eq!(game["match"]["stake"], (100 * TOKEN).to_string());
    let nothing = commands
        .run(&format!("withdraw --account bob {reach}"))
        .expect(3);
    assert!(nothing.err.contains("nothing is owed"), "{}", nothing.err);
}

#[test]
fn who_accepts_sees_all_terms_and_agrees_to_the_stake() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    let made = commands.out("challenge --to bob --first them --stake 1.5 --bank 5m --increment 2s");
    let notes = "  note: the player who begins can force a win on this board, whatever the \
                 opponent plays\n  note: the opponent may be a program that plays better than any \
                 person\n";
    assert!(made.contains(notes), "{made}");
    let before = commands.balance("bob");

    // Nobody is there to ask.
    let unasked = commands.run("accept --challenge 0").expect(2);
    let alice = "alice (0x9621dde636de098b43efb0fa9b61facfe328f99d)";
    let bob = "bob (0x41dccbd49b26c50d34355ed86ff0fa9e489d1e01)";
    let terms = format!(
        "challenge 0, for {bob}:\n  opponent: {alice}\n  board: 7x6, line 4\n  begins: bob\n  \
         clock: 5:00 min for all moves and 2 s more with each\n  \
         stake: 1.5 DOT each, the winner gets 3 DOT\n{notes}"
    );
    assert_eq!(unasked.out, terms);
    assert!(unasked.err.contains("--max-stake"), "{}", unasked.err);
    let more = commands
        .run("accept --challenge 0 --max-stake 1.4")
        .expect(3);
    assert!(
        more.err
            .contains("the stake is 1.5 DOT, more than the 1.4 DOT"),
        "{}",
        more.err
    );
    let no_amount = commands
        .run("accept --challenge 0 --max-stake much")
        .expect(2);
    assert!(no_amount.err.contains("not an amount"), "{}", no_amount.err);
    assert_eq!(commands.balance("bob"), before, "nothing was paid");

    let listed = commands.json("challenges");
    assert_eq!(listed["prize"], (3 * TOKEN).to_string());
    assert_eq!(listed["warnings"].as_array().unwrap().len(), 2);
    let mut watch = commands.start("accept --challenge 0 --max-stake 1.5 --play");
    watch.line_with("accepted challenge 0: game 0");
    watch.line_with("stake: 1.5 DOT each, the winner gets 3 DOT");
    watch.line_with("at stake: 1.5 DOT each, the winner gets 3 DOT");
    let mut watching = commands.start("watch --game 0");
    watching.line_with("clock: 5:00 min for all moves and 2 s more with each");
    watching.line_with("stake: 1.5 DOT each, the winner gets 3 DOT");

    // For nothing there is nothing to agree to.
    commands.out("challenge --to bob --bank 1s");
    let free = commands.out("accept --challenge 1");
    assert!(
        free.contains("  stake: none\naccepted challenge 1"),
        "{free}"
    );
}

#[test]
fn who_is_asked_for_a_rematch_is_told_what_it_costs() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("challenge --to bob --first me --stake 2 --bank 1h --bins 6 --capacity 4");
    commands.out("accept --challenge 0 --yes");
    let mut both = commands.start("play --game 0 --series");
    for bin in [5, 0, 4, 0, 3, 0, 2] {
        both.say(bin);
    }
    both.line_with("red was paid 4 DOT");
    both.say("no");
    both.line_with("rematch for 2 DOT each, in which the loser begins? [y/N] no");
    both.end().expect(0);
}

#[test]
fn a_declined_or_cancelled_challenge_returns_its_stake() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("deploy");
    let before = commands.balance("charlie");
    for number in 0..2 {
        let made = commands.json("challenge --account charlie --to dave --stake 50 --bank 5m");
        assert_eq!(made["challenge"], number);
        assert_eq!(made["terms"]["stake"], (50 * TOKEN).to_string());
        assert_eq!(made["terms"]["clock"]["bank"], 300);
    }
    assert!(before - commands.balance("charlie") > 100 * TOKEN);
    let listed = commands.out("challenges");
    assert_eq!(listed.lines().count(), 2, "{listed}");

    // Nobody else may accept, decline or cancel it.
    for (line, why) in [
        ("accept --challenge 0 --account eve --yes", "somebody else"),
        ("decline --challenge 0 --account eve", "somebody else"),
        ("cancel --challenge 0 --account eve", "only they can cancel"),
        (
            "accept --challenge 0 --account charlie --yes",
            "two different accounts",
        ),
        ("accept --challenge 7 --account eve", "no open challenge 7"),
    ] {
        let refused = commands.run(line).expect(3);
        assert!(refused.err.contains(why), "{line}: {}", refused.err);
    }

    let declined = commands.out("decline --challenge 0");
    assert!(declined.contains("declined challenge 0"), "{declined}");
    // Cancelling pays the canceller all credit: the stake of the declined challenge, too.
    let cancelled = commands.out("cancel --challenge 1");
    assert!(
        cancelled.contains("charlie was paid 100 DOT"),
        "{cancelled}"
    );
    let lost = before - commands.balance("charlie");
    assert!(lost < A_LITTLE, "{lost}");
    assert_eq!(commands.out("challenges"), "no open challenges\n");
}

#[test]
fn games_end_by_agreement_and_resignation_with_a_rematch_between() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    let game = |number: u32| commands.json(&format!("show --game {number}"));
    commands.out("challenge --to bob --first me --stake 1 --bank 1h");
    let mut watch = commands.start("watch");
    watch.line_with("following the contract");
    commands.out("accept --challenge 0 --max-stake 1");
    watch.line_with("game 0 started: 7x6, line 4; red: alice");
    watch.line_with("challenge 0 was accepted; 1:00 h for all moves; stake 1 DOT each");
    commands.out("move --game 0 4");

    // An offer lapses when the opponent moves.
    commands.out("draw --game 0 --account alice");
    watch.line_with("game 0: red offers a draw");
    assert_eq!(game(0)["match"]["draw_offer"], "red");
    let again = commands.run("draw --game 0 --account alice").expect(3);
    assert!(
        again.err.contains("your offer stands already"),
        "{}",
        again.err
    );
    commands.out("move --game 0 4");
    assert_eq!(game(0)["match"]["draw_offer"], Value::Null);
    let late = commands
        .run("draw --accept --game 0 --account bob")
        .expect(3);
    assert!(late.err.contains("it lapsed with a move"), "{}", late.err);

    // Red's offer is declined; blue's is accepted.
    commands.out("draw --game 0 --account alice");
    commands.out("draw --decline --game 0 --account bob");
    watch.line_with("game 0: blue declines the draw");
    commands.out("draw --game 0 --account bob");
    let agreed = commands.out("draw --accept --game 0 --account alice");
    assert!(
        agreed.contains("game 0 ended: a tie by agreement"),
        "{agreed}"
    );
    watch.line_with("game 0 ended: a tie by agreement");
    assert_eq!(game(0)["end"], "agreement");
    for (name, owed) in [
        ("alice", "alice was paid 1 DOT"),
        ("bob", "bob was paid 1 DOT"),
    ] {
        let paid = commands.out(&format!("withdraw --account {name}"));
        assert!(paid.contains(owed), "{paid}");
    }

    // After a draw, the player who moved second moves first.
    commands.out("rematch --game 0 --account bob");
    watch.line_with("game 0: blue offers a rematch");
    let next = commands.out("rematch --accept --game 0 --account alice");
    assert!(
        next.contains("started game 1, the rematch of game 0"),
        "{next}"
    );
    let [before, after] = [game(0), game(1)];
    assert_eq!(
        after["players"][0]["account"],
        before["players"][1]["account"]
    );
    assert_eq!(after["match"]["previous"], "0");
    assert_eq!(before["match"]["next"], "1");
    assert_eq!(after["match"]["score"]["draws"], 1);
    let once = commands.run("rematch --game 0 --account bob").expect(3);
    assert!(once.err.contains("was started already"), "{}", once.err);

    // Only a player resigns; a timeout is claimed only after the deadline.
    let stranger = commands.run("resign --game 1 --account eve").expect(3);
    assert!(stranger.err.contains("does not play"), "{}", stranger.err);
    let early = commands.run("claim --game 1").expect(3);
    assert!(early.err.contains("still has time"), "{}", early.err);
    let resigned = commands.out("resign --game 1 --account bob");
    assert!(
        resigned.contains("winner: blue by resignation"),
        "{resigned}"
    );
    assert_eq!(game(1)["match"]["score"]["blue"], 1);
    commands.out("rematch --game 1 --account alice");
    commands.out("rematch --decline --game 1 --account bob");
    assert_eq!(game(1)["match"]["rematch_offer"], Value::Null);

    // After the payment the storage is freed; events still show the game.
    let paid = commands.json("withdraw --account alice");
    assert_eq!(
        paid["amount"],
        (3 * TOKEN).to_string(),
        "the pot, and the stake of the declined offer"
    );
    let freed = commands.out("free --game 1");
    assert!(freed.contains("deposit back"), "{freed}");
    watch.line_with("game 1: its storage was freed by alice");
    let gone = commands.run("show --game 1").expect(3);
    assert!(gone.err.contains("its storage was freed"), "{}", gone.err);
    assert!(
        commands
            .out("list")
            .contains("    1  ended, its storage freed")
    );
    let replayed = commands.out("replay --game 0 --pause 0");
    assert!(
        replayed.ends_with("a tie by agreement\nmoves, bins from 1: 44\n"),
        "{replayed}"
    );
    let replayed = commands.out("replay --game 1 --pause 0");
    assert!(
        replayed.contains("winner: blue by resignation"),
        "{replayed}"
    );

    // Resigning before both have moved is a loss for the player and a win for nobody.
    let standings = commands.run("standings --json").expect(0).json();
    let row =
        |row: &Value| ["wins", "draws", "losses", "rating"].map(|name| row[name].as_f64().unwrap());
    assert_eq!(row(&standings[0]), [0.0, 0.0, 0.0, 1500.0]);
    assert_eq!(row(&standings[1]), [0.0, 0.0, 1.0, 1484.0]);
    let unrated = ["unrated", "other_board", "frequent", "short", "aborted"];
    let unrated = unrated.map(|name| standings[2][name].clone());
    assert_eq!(
        unrated,
        [json!("classic"), json!(0), json!(0), json!(2), json!(0)]
    );
    watch.stop("INT").expect(130);
}

#[test]
fn who_starts_or_accepts_a_game_without_a_clock_is_told_what_that_means() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    let said = "no clock: if a player stops for ever, only resigning ends the game and frees its \
                deposit\n";
    let tells = |line: &str| commands.out(line).contains(said);
    assert!(tells("start"));
    assert!(tells("challenge --to bob"));
    assert!(tells("accept --challenge 0 --account bob"));
    assert!(!tells("challenge --to bob --bank 10m"));
    assert!(!tells("accept --challenge 1 --account bob"));
}

#[test]
fn a_game_without_two_moves_is_aborted_on_timeout() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("challenge --to bob --first me --bank 1s");
    // Bob's program waits, and sees without a new block that the deadline has passed.
    let blue = commands
        .start("accept --challenge 0 --play")
        .end()
        .expect(0);
    assert!(
        blue.out
            .contains("aborted: time ran out before both had moved"),
        "{}",
        blue.out
    );
    for line in ["move --game 0 1", "move --game 0 1 --account alice"] {
        let late = commands.run(line).expect(3);
        assert!(late.err.contains("the game has ended"), "{}", late.err);
    }
    assert_eq!(
        commands.out("standings"),
        "no finished games yet\nnot rated: 1 game without a result\n"
    );
}

#[test]
fn who_never_begins_locks_no_stake_for_longer_than_a_day() {
    let node = Node::start(&["--tmp", "--dev-rpc"]);
    let commands = Commands { node: &node };
    commands.out("challenge --to bob --first them --stake 5 --bank 30d");
    let terms = commands.out("accept --challenge 0 --max-stake 5");
    let limit = "first move of each: within 1 d 0 h";
    assert!(terms.contains(limit), "{terms}");
    let day = 24 * 60 * 60;
    node.ask("dev_advanceClock", &format!("[{}]", day - 60));
    node.ask("dev_seal", "[]");
    let early = commands.run("claim --game 0").expect(3);
    assert!(early.err.contains("still has time"), "{}", early.err);
    node.ask("dev_advanceClock", "[120]");
    node.ask("dev_seal", "[]");
    commands.out("claim --game 0");
    for player in ["alice", "bob"] {
        let paid = commands.out(&format!("withdraw --account {player}"));
        assert!(paid.contains(&format!("{player} was paid 5 DOT")), "{paid}");
    }
}

#[test]
fn a_challenge_can_be_accepted_for_a_day_unless_it_says_otherwise() {
    let node = Node::start(&["--tmp", "--dev-rpc"]);
    let commands = Commands { node: &node };
    commands.out("challenge --stake 5 --bank 1h");
    commands.out("challenge --expires 2d");
    commands.out("challenge --expires never");
    node.ask("dev_advanceClock", &format!("[{}]", 25 * 60 * 60));
    node.ask("dev_seal", "[]");
    let late = commands
        .run("accept --challenge 0 --account bob --yes")
        .expect(3);
    assert!(late.err.contains("is over"), "{}", late.err);
    commands.out("accept --challenge 1 --account bob");
    commands.out("accept --challenge 2 --account bob");
    // Its maker gets the stake back.
    let paid = commands.out("cancel --challenge 0");
    assert!(paid.contains("alice was paid 5 DOT"), "{paid}");
    let never = commands.run("challenge --expires 0").expect(2);
    assert!(never.err.contains("cannot be accepted"), "{}", never.err);
}
