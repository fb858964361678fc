//! Signed games with a stake: two programs, a relay, and a chain that holds what both have paid.

use std::fs;
use std::path::{Path, PathBuf};

use connect4_client::signed::GameOffer;
use connect4_protocol::Address;
use tempfile::TempDir;

use crate::relay::Relay;
use crate::run::{Commands, Ended, Node, Running, connect4};

/// A token, in its smallest unit.
const TOKEN: i128 = 10_000_000_000;
/// More than the fees and deposits of a game.
const A_LITTLE: i128 = TOKEN / 2;

/// Red, who moves first, completes a line in the first bin of the classroom board. Bins count from 1.
const GAME: [u8; 7] = [1, 2, 1, 2, 1, 2, 1];

/// A chain with the contracts, and a relay that is a witness as well.
struct World {
    node: Node,
    relay: Relay,
    folders: [TempDir; 2],
    had: [i128; 2],
}

const NAMES: [&str; 2] = ["alice", "bob"];

impl World {
    fn new() -> Self {
        let node = Node::start(&["--tmp", "--dev-rpc"]);
        let commands = Commands { node: &node };
        commands.out("deploy");
        let relay = Relay::witness(&node);
        let had = NAMES.map(|name| commands.balance(name));
        Self {
            folders: [(); 2].map(|()| TempDir::new().expect("a folder")),
            node,
            relay,
            had,
        }
    }

    const fn commands(&self) -> Commands<'_> {
        Commands { node: &self.node }
    }

    /// Starts `seek` for the account with this place in [`NAMES`], on a machine of its own.
    fn seek(&self, player: usize, options: &[&str]) -> Running {
        let relay = self.relay.url();
        let place = ["--relay", &relay, "--url", &self.node.url];
        let account = ["--account", NAMES[player]];
        let arguments = [&["seek"], options, &account, &place].concat();
        let mut command = connect4(&arguments);
        command.env("XDG_DATA_HOME", self.folders[player].path());
        Running::start(command)
    }

    /// A game that alice offers by a line, and bob has taken.
    fn begun(&self) -> [Running; 2] {
        let (mut red, offer) = self.offered();
        let mut blue = self.seek(1, &["--take", offer.trim(), "--stake", "100"]);
        blue.line_with("stake: 100 DOT of each, held by the contract 0x");
        blue.line_with("paid the stake of 100 DOT");
        red.line_with("paid the stake of 100 DOT");
        [red, blue]
    }

    fn offered(&self) -> (Running, String) {
        let terms = ["--stake", "100", "--bins", "6", "--capacity", "4"];
        let offering = [&["--offer", "--turn", "first"], &terms[..]].concat();
        let mut red = self.seek(0, &offering);
        let offer = red.line_with("connect4-offer:");
        red.line_with("waiting for an opponent who pays 100 DOT");
        (red, offer)
    }

    /// How much more each has than before, but for fees.
    fn gained(&self) -> [i128; 2] {
        let commands = self.commands();
        let has = NAMES.map(|name| commands.balance(name));
        [has[0] - self.had[0], has[1] - self.had[1]]
    }

    #[track_caller]
    fn expect_gains(&self, tokens: [i128; 2]) {
        let gained = self.gained();
        for (player, tokens) in tokens.into_iter().enumerate() {
            let difference = gained[player] - tokens * TOKEN;
            assert!(
                difference.abs() < A_LITTLE,
                "{}: {difference}",
                NAMES[player]
            );
        }
    }

    /// Has an account paid what it is owed.
    fn withdraw(&self, player: usize) -> String {
        let name = NAMES[player];
        self.commands().out(&format!("withdraw --account {name}"))
    }

    fn wait(&self, seconds: u32) {
        self.node.ask("dev_advanceClock", &format!("[{seconds}]"));
        self.node.ask("dev_seal", "[]");
    }
}

/// Makes these moves in turn, in bins from 1.
fn play(players: &mut [Running; 2], from: usize, bins: &[u8]) {
    for (turn, bin) in (from..).zip(bins) {
        let colour = ["red", "blue"][turn % 2];
        let mover = &mut players[turn % 2];
        mover.line_with(&format!("add shape: {}, player: {colour}", turn + 1));
        mover.say(bin);
    }
}

fn ended(player: Running, owed: Option<&str>) -> Ended {
    let ended = player.end().expect(0);
    assert!(ended.out.contains("winner: red"), "{}", ended.out);
    let says = owed.is_some_and(|owed| ended.out.contains(&format!("you are owed {owed}, ")));
    assert_eq!(says, owed.is_some(), "{}", ended.out);
    ended
}

#[test]
fn the_winner_of_a_whole_game_is_paid() {
    let world = World::new();
    let mut players = world.begun();
    for player in &mut players {
        // The payment is told before the table or after it.
        player.has_line_with("stake: 100 DOT of each, held by the contract 0x");
    }
    play(&mut players, 0, &GAME);
    let [red, blue] = players;
    ended(red, Some("200 DOT"));
    ended(blue, None);
    let paid = world.withdraw(0);
    assert!(paid.contains("was paid 200 DOT"), "{paid}");
    for name in NAMES {
        let nothing = world.commands().run(&format!("withdraw --account {name}"));
        let nothing = nothing.expect(3);
        assert!(nothing.err.contains("nothing"), "{}", nothing.err);
    }
    world.expect_gains([100, -100]);
    world.relay.stop().expect(0);
}

#[test]
fn an_opponent_who_is_gone_is_pressed_and_loses_the_stake() {
    let world = World::new();
    let mut players = world.begun();
    play(&mut players, 0, &GAME[..4]);
    let [mut red, blue] = players;
    red.line_with("add shape: 5, player: red");
    blue.kill();
    red.say(GAME[4]);
    red.line_with("waiting for a move of");
    red.say("press");
    red.line_with("started the opponent's clock");
    // Both see how it runs.
    let left = red.line_with("time left: red ");
    assert!(left.ends_with("(running)"), "{left}");
    world.wait(700);
    ended(red, Some("200 DOT"));
    world.withdraw(0);
    world.expect_gains([100, -100]);
    world.relay.stop().expect(0);
}

/// As where no relay passes moves on.
#[test]
fn a_game_is_played_by_transactions_to_its_end() {
    let world = World::new();
    let mut players = world.begun();
    for (turn, bin) in GAME.into_iter().enumerate() {
        let colour = ["red", "blue"][turn % 2];
        let mover = &mut players[turn % 2];
        mover.line_with(&format!("add shape: {}, player: {colour}", turn + 1));
        if turn > 0 {
            // The move before has no signature, on which another one could be.
            mover.say(bin);
            mover.line_with("chain 4 makes it in bin 4");
        }
        mover.say(format!("chain {bin}"));
    }
    let [mut red, blue] = players;
    // Nobody has signed the line: the loser has the clock's time to show that it was none.
    red.line_with("red into bin 1, row 4");
    world.wait(700);
    ended(red, Some("200 DOT"));
    ended(blue, None);
    world.relay.stop().expect(0);
}

#[test]
fn a_game_is_resumed_by_who_was_killed() {
    let world = World::new();
    let mut players = world.begun();
    play(&mut players, 0, &GAME[..3]);
    let [red, blue] = players;
    blue.kill();
    let blue = world.seek(1, &["--resume"]);
    let mut players = [red, blue];
    play(&mut players, 3, &GAME[3..]);
    let [red, blue] = players;
    ended(red, Some("200 DOT"));
    ended(blue, None);
    world.relay.stop().expect(0);
}

/// Nobody took an offer that was made since, and the game waited behind it while its clock could run.
#[test]
fn a_game_whose_stake_is_at_risk_is_resumed_before_a_later_offer() {
    let world = World::new();
    let mut players = world.begun();
    play(&mut players, 0, &GAME[..2]);
    let [red, blue] = players;
    red.kill();
    let (later, _) = world.offered();
    later.kill();
    let mut players = [world.seek(0, &["--resume"]), blue];
    play(&mut players, 2, &GAME[2..]);
    let [red, blue] = players;
    ended(red, Some("200 DOT"));
    ended(blue, None);
    world.relay.stop().expect(0);
}

#[test]
fn a_taker_whose_opponent_does_not_pay_has_the_stake_back() {
    let world = World::new();
    let (red, offer) = world.offered();
    red.kill();
    let mut blue = world.seek(1, &["--take", offer.trim(), "--yes"]);
    blue.line_with("you have paid 100 DOT; waiting for your opponent's payment");
    blue.say("refund");
    let blue = blue.end().expect(3);
    let said = "your stake of 100 DOT is being paid back";
    assert!(blue.out.contains(said), "{}", blue.out);
    assert!(blue.err.contains("no game is played"), "{}", blue.err);
    world.expect_gains([0, 0]);
    world.relay.stop().expect(0);
}

#[test]
fn nobody_pays_more_than_agreed_nor_elsewhere_nor_as_a_guest() {
    let world = World::new();
    let (red, offer) = world.offered();
    let offer = offer.trim();
    let less = world.seek(1, &["--take", offer, "--stake", "99"]);
    let less = less.end().expect(3);
    assert!(
        less.err.contains("the stake is 100 DOT, more than"),
        "{}",
        less.err
    );
    let silent = world.seek(1, &["--take", offer]).end().expect(2);
    assert!(
        silent.err.contains("by --stake, or to any stake by --yes"),
        "{}",
        silent.err
    );
    // What somebody could send who wants a payment for nothing.
    let honest: GameOffer = offer.parse().expect("an offer");
    let [mut elsewhere, mut old, mut other, mut either] = std::array::from_fn(|_| honest.clone());
    either.player = None;
    elsewhere.domain.chain.genesis = [7; 32];
    old.until = 5;
    other.domain.stakes = Some(Address([9; 20]));
    for (lie, why) in [
        (elsewhere, "the offer is for another chain"),
        (other, "the offer is for another contract"),
        (old, "the offer has ended"),
        (either, "the offer does not say who moves first"),
    ] {
        let refused = world.seek(1, &["--take", &lie.to_string(), "--yes"]);
        let refused = refused.end().expect(3);
        assert!(refused.err.contains(why), "{}", refused.err);
    }
    let relay = world.relay.url();
    let arguments = [
        "seek",
        "--take",
        offer,
        "--yes",
        "--relay",
        &relay,
        "--url",
        &world.node.url,
    ];
    let guest = Running::start(connect4(&arguments)).end().expect(2);
    assert!(guest.err.contains("is no place for money"), "{}", guest.err);
    drop(red);
    world.expect_gains([0, 0]);
    world.relay.stop().expect(0);
}

/// Both waited for somebody who takes their offer.
#[test]
fn two_who_seek_the_same_stake_in_the_lobby_meet_whichever_came_first() {
    let world = World::new();
    let sought = ["--stake", "100", "--bins", "6", "--capacity", "4"];
    let first = world.seek(0, &sought);
    let second = world.seek(1, &sought);
    let mut said = String::new();
    for mut player in [first, second] {
        // Who takes the other's offer is shown for what it pays before it does.
        loop {
            let line = player.line_with("");
            said.push_str(&format!("{line}\n"));
            if line.contains("paid the stake of 100 DOT") {
                break;
            }
        }
    }
    let shown = said.find("opponent's key: 0x").expect("one takes an offer");
    let paid = said[shown..].find("paid the stake").expect("it pays");
    assert!(said[shown..][..paid].contains("stake: 100 DOT of each, held by the contract 0x"));
}

#[test]
fn an_offer_in_the_lobby_is_answered_and_the_rematch_paid_from_what_is_owed() {
    let world = World::new();
    let terms = [
        "--stake",
        "100",
        "--bins",
        "6",
        "--capacity",
        "4",
        "--series",
    ];
    let mut red = world.seek(0, &[&["--turn", "first"], &terms[..]].concat());
    red.line_with("you are alice");
    let number = loop {
        let mut list = world.seek(1, &["--list"]);
        let line = list.line_with("");
        if line != "nobody seeks a game" {
            assert!(line.contains("for a stake"), "{line}");
            break line.split_whitespace().next().expect("a number").to_owned();
        }
    };
    let answer = ["--answer", &number, "--stake", "100", "--series"];
    let mut blue = world.seek(1, &answer);
    blue.line_with("stake: 100 DOT of each");
    let mut players = [red, blue];
    play(&mut players, 0, &GAME);
    for player in &mut players {
        player.line_with("winner: red");
        player.say("yes");
    }
    // The colours are exchanged.
    players.swap(0, 1);
    players[0].line_with("paid the stake of 100 DOT");
    players[1].line_with("paid the stake of 100 DOT, of which 100 DOT from what you were owed");
    play(&mut players, 0, &GAME);
    for player in &mut players {
        player.line_with("winner: red");
        player.say("no");
    }
    for player in players {
        player.end().expect(0);
    }
    // Each has won once.
    world.withdraw(0);
    world.withdraw(1);
    world.expect_gains([0, 0]);
    world.relay.stop().expect(0);
}

/// Both players leave after five moves. A copy of what red's program had kept after three is returned.
fn left(world: &World) -> TempDir {
    let mut players = world.begun();
    play(&mut players, 0, &GAME[..3]);
    players[1].line_with("add shape: 4, player: blue");
    let copy = TempDir::new().expect("a folder");
    let copied = std::process::Command::new("cp")
        .args(["-r", "connect4"])
        .arg(copy.path())
        .current_dir(world.folders[0].path())
        .status();
    assert!(copied.expect("it runs").success());
    players[1].say(GAME[3]);
    players[0].line_with("add shape: 5, player: red");
    players[0].say(GAME[4]);
    players[1].line_with("add shape: 6, player: blue");
    for player in players {
        player.kill();
    }
    copy
}

/// Red's program brings the position after three moves, which both have left.
fn press_what_is_left(world: &World, copy: &TempDir) {
    // It knows no relay, so that nobody tells it what was played since.
    let nowhere = [
        "seek",
        "--resume",
        "--account",
        "alice",
        "--relay",
        "ws://127.0.0.1:1",
    ];
    let mut old = connect4(&[&nowhere[..], &["--url", &world.node.url]].concat());
    old.env("XDG_DATA_HOME", copy.path());
    let mut old = Running::start(old);
    old.line_with("you play red");
    old.say("press");
    old.line_with("started the opponent's clock");
    old.kill();
}

#[test]
fn a_guard_answers_for_who_is_away_and_claims_what_is_due() {
    let world = World::new();
    let copy = left(&world);
    let relay = world.relay.url();
    let place = ["--relay", &relay, "--url", &world.node.url];
    let guarding = ["guard", "--for", "bob", "--account", "charlie"];
    let mut guard = connect4(&[&guarding[..], &place].concat());
    guard.env("XDG_DATA_HOME", world.folders[1].path());
    let mut guard = Running::start(guard);
    guard.line_with("guarding game 0x");
    press_what_is_left(&world, &copy);
    guard.line_with("submitted the 5 moves that both players have signed");
    guard.stop("TERM").expect(0);
    world.relay.stop().expect(0);
}

/// A page that is closed brings nothing: the program that served it knows no key of the game, and what it knows of the
/// moves it has heard in their room.
#[test]
fn a_program_answers_for_the_players_of_its_page() {
    let world = World::new();
    let folder = TempDir::new().expect("a folder");
    let relay = world.relay.url();
    let serving = ["serve", "--port", "0", "--no-index", "--relay", &relay];
    let mut serve = connect4(&[&serving[..], &["--url", &world.node.url]].concat());
    serve.env("XDG_DATA_HOME", folder.path());
    let mut serve = Running::start(serve);
    serve.line_with("Play at http://");
    let copy = left(&world);
    serve.error_with("guarding game 0x");
    // Of the fifth it has heard the signature of its mover, which is enough.
    serve.error_with("both players have signed 4 moves");
    press_what_is_left(&world, &copy);
    serve.error_with("submitted the 5 moves that both players have signed");
    serve.stop("TERM");
    world.relay.stop().expect(0);
}

/// Anybody plays as a development account: an owner with an account of its own would pay for what strangers begin.
#[test]
fn a_program_guards_the_accounts_of_its_owner_alone() {
    let world = World::new();
    let folder = TempDir::new().expect("a folder");
    let secret = folder.path().join("secret");
    fs::write(&secret, "//Charlie//own").expect("it is written");
    let (relay, secret) = (world.relay.url(), secret.display().to_string());
    let serving = ["serve", "--port", "0", "--no-index", "--relay", &relay];
    let own = ["--url", &world.node.url, "--secret-file", &secret];
    let mut serve = connect4(&[&serving[..], &own].concat());
    serve.env("XDG_DATA_HOME", folder.path());
    let mut serve = Running::start(serve);
    serve.line_with("Play at http://");
    let mut players = world.begun();
    play(&mut players, 0, &GAME);
    let [red, blue] = players;
    ended(red, Some("200 DOT"));
    ended(blue, None);
    // The chain has all of the game by now.
    let said = serve.stop("TERM");
    assert!(!said.err.contains("guarding"), "{}", said.err);
    world.relay.stop().expect(0);
}

/// The program ended when its disk was full, and left the stake to the opponent.
#[test]
fn a_player_whose_disk_is_full_stays_and_moves_when_it_is_not() {
    let world = World::new();
    let mut players = world.begun();
    play(&mut players, 0, &GAME[..2]);
    players[0].line_with("add shape: 3, player: red");
    let blocked: Vec<PathBuf> = records(world.folders[0].path());
    for path in &blocked {
        fs::create_dir(path).expect("a folder");
    }
    players[0].say(GAME[2]);
    players[0].line_with("Is a directory");
    players[0].line_with("add shape: 3, player: red");
    for path in &blocked {
        fs::remove_dir(path).expect("it is there");
    }
    players[0].say(GAME[2]);
    play(&mut players, 3, &GAME[3..]);
    let [red, blue] = players;
    ended(red, Some("200 DOT"));
    ended(blue, None);
    world.relay.stop().expect(0);
}

/// Beside each record of signed games in a folder, the file that takes its place.
fn records(folder: &Path) -> Vec<PathBuf> {
    let accounts = fs::read_dir(folder.join("connect4/accounts")).expect("a folder");
    let signed = accounts.flat_map(|account| {
        let signed = account.expect("it can be read").path().join("signed");
        fs::read_dir(signed).expect("a folder")
    });
    let paths = signed.map(|file| file.expect("it can be read").path());
    let records = paths.filter(|path| path.extension().is_some_and(|ends| ends == "game"));
    records.map(|path| path.with_extension("new")).collect()
}
