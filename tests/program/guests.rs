//! Guests at a relay: signed games in the room of its witness, without a chain of the players' own.

use std::time::Duration;

use connect4_protocol::signed::GameNumber;
use tempfile::TempDir;

use crate::relay::Relay;
use crate::run::{Ended, Node, Running, connect4};

/// Red, who moves first, completes a line in the bottom row of the classroom board. Bins count from 1.
const GAME: [u8; 7] = [6, 1, 5, 1, 4, 1, 3];

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

    pub fn url(&self) -> String {
        self.relay.url()
    }

    pub fn start(&self, command: &str) -> Running {
        let url = self.url();
        let data = self.folder.path().to_str().expect("text");
        let arguments = command.split_whitespace();
        let arguments = arguments.chain(["--relay", &url, "--data", data]);
        Running::start(connect4(&arguments.collect::<Vec<_>>()))
    }

    /// What `guest` says with these options.
    fn guest(&self, options: &str) -> Ended {
        let data = self.folder.path().to_str().expect("text");
        let arguments = ["guest", "--data", data].into_iter();
        let arguments = arguments.chain(options.split_whitespace());
        Running::start(connect4(&arguments.collect::<Vec<_>>())).end()
    }
}

/// A relay of a chain with the contracts, which is a witness.
pub fn relay(node: &Node) -> Relay {
    let commands = crate::run::Commands { node };
    commands.out("deploy");
    Relay::witness(node)
}

fn ended(red: Running, blue: Running) -> [Ended; 2] {
    [red, blue].map(|guest| {
        let ended = guest.end().expect(0);
        assert!(ended.out.contains("winner: red\n"), "{}", ended.out);
        ended
    })
}

/// Two guests in a game of these terms. Red moves first.
pub fn begun(first: &Machine, second: &Machine, terms: &str) -> [Running; 2] {
    let mut red = first.start(&format!("seek --turn first {terms}"));
    red.line_with("you are the guest 0x");
    [red, second.start(&format!("play --guest {terms}"))]
}

/// Plays the rest of the game, whose last move red wins by.
pub fn win(red: &mut Running, blue: &mut Running, from: usize) {
    play(red, blue, from, &GAME[from..6]);
    red.line_with("add shape: 7, player: red");
    red.say(GAME[6]);
}

/// The first game that is sought, once there is one.
pub fn sought(machine: &Machine) -> String {
    loop {
        let mut list = machine.start("seek --list");
        let line = list.line_with("");
        if line != "nobody seeks a game" {
            return line;
        }
    }
}

pub const BOARD: &str = "--bins 6 --capacity 4";

/// Plays these bins from a turn on, each of which the other program shows.
fn play(red: &mut Running, blue: &mut Running, from: usize, bins: &[u8]) {
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
fn two_guests_play_a_game_and_need_a_relay_alone() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    let mut red = first.start(&format!("seek --turn first {BOARD}"));
    red.line_with("you are the guest 0x");
    let listed = sought(&second);
    let said = "6x4, line 4, clock 3+2, you move second";
    assert!(listed.contains(said), "{listed}");
    let mut blue = second.start(&format!("play --guest {BOARD}"));
    win(&mut red, &mut blue, 0);
    ended(red, blue);
    relay.stop().expect(0);
}

#[test]
fn the_time_for_which_the_relay_stood_still_is_nobodys() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    let [mut red, mut blue] = begun(&first, &second, &format!("--clock 8s+0 {BOARD}"));
    play(&mut red, &mut blue, 0, &GAME[..3]);
    // Blue has eight seconds. What the pause has cost is known once the relay has looked at its clocks again.
    relay.pause(Duration::from_secs(10));
    std::thread::sleep(Duration::from_secs(1));
    win(&mut red, &mut blue, 3);
    ended(red, blue);
    relay.stop().expect(0);
}

#[test]
fn a_friend_joins_by_a_link_and_both_want_a_rematch() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    let mut red = first.start(&format!("seek --invite --turn first --series {BOARD}"));
    let link = red.line_with("#offer=");
    let mut blue = second.start(&format!("seek --join {} --series", link.trim()));
    blue.line_with("a game on 6x4, line 4, you move second, against 0x");
    win(&mut red, &mut blue, 0);
    for guest in [&mut red, &mut blue] {
        guest.line_with("winner: red");
        guest.say("yes");
    }
    // The seats are exchanged.
    win(&mut blue, &mut red, 0);
    for guest in [&mut red, &mut blue] {
        guest.line_with("winner: red");
        guest.say("no");
    }
    for guest in [red, blue] {
        guest.end().expect(0);
    }
    relay.stop().expect(0);
}

#[test]
fn a_guest_whose_program_was_killed_resumes_the_game() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    let [mut red, mut blue] = begun(&first, &second, BOARD);
    play(&mut red, &mut blue, 0, &GAME[..3]);
    red.kill();
    let mut red = first.start("seek --resume");
    red.line_with("you play red");
    // Nobody else signs by its key meanwhile.
    let other = first.guest("--phrase").expect(3);
    assert!(other.err.contains("end it first"), "{}", other.err);
    // Interrupted, it says how to resume: at this relay, and in this folder.
    let stopped = red.stop("INT").expect(130);
    let (url, data) = (first.url(), first.folder.path().display());
    let command = format!("\n  connect4 seek --resume --relay {url} --data '{data}'\n");
    assert!(stopped.err.contains(&command), "{}", stopped.err);
    let mut red = first.start("seek --resume");
    red.line_with("you play red");
    win(&mut red, &mut blue, 3);
    ended(red, blue);
    let nothing = first.start("seek --resume").end().expect(3);
    assert!(nothing.err.contains("no game goes on"), "{}", nothing.err);
    relay.stop().expect(0);
}

#[test]
fn a_relay_that_is_not_there_is_named() {
    let folder = TempDir::new().expect("a folder");
    let data = folder.path().to_str().expect("text");
    // Nobody listens at a port that was just free.
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    let url = format!("ws://{}", port.expect("a port"));
    let ended = crate::run::run(&["seek", "--relay", &url, "--data", data], "").expect(1);
    let said = format!("the relay {url} is not reachable: ");
    assert!(ended.err.contains(&said), "{}", ended.err);
}

#[test]
fn a_relay_that_is_no_witness_says_so() {
    let node = Node::start(&["--tmp"]);
    let relay = Relay::on(&node);
    let refused = Machine::at(&relay).start("seek").end().expect(1);
    let said = "the relay is no witness of games: name another one";
    assert!(refused.err.contains(said), "{}", refused.err);
    relay.stop().expect(0);
}

#[test]
fn a_draw_between_guests_is_signed_by_both() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    let [mut red, mut blue] = begun(&first, &second, BOARD);
    play(&mut red, &mut blue, 0, &GAME[..3]);
    red.say("draw");
    blue.line_with("offers a draw: accept, decline, or play on");
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

#[test]
fn a_guest_is_carried_by_its_phrase_and_forgotten() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    let nobody = first.guest("").expect(3);
    assert!(nobody.err.contains("no guest here yet"), "{}", nobody.err);
    first.start("seek --list").end().expect(0);
    let account = first.guest("").expect(0).out;
    let phrase = first.guest("--phrase").expect(0).out;
    assert_eq!(phrase.split_whitespace().count(), 12);

    let file = second.folder.path().join("phrase");
    std::fs::write(&file, phrase.to_uppercase()).expect("a file");
    let restore = format!("--restore {}", file.display());
    assert_eq!(second.guest(&restore).expect(0).out, account);
    assert_eq!(second.guest("").expect(0).out, account);
    let again = second.guest(&restore).expect(0);
    assert!(again.out.contains("is here already"), "{}", again.out);
    std::fs::write(&file, "legal winner thank year").expect("a file");
    let bad = second.guest(&restore).expect(2);
    assert!(bad.err.contains("this one has 4"), "{}", bad.err);
    assert!(!bad.err.contains("winner"), "{}", bad.err);

    // Its own link on the other machine.
    let mut inviting = first.start("seek --invite");
    let link = inviting.line_with("#offer=");
    let own = second.start(&format!("seek --join {}", link.trim()));
    let own = own.end().expect(3);
    assert!(own.err.contains("this is your own invite"), "{}", own.err);
    inviting.kill();

    // Both machines play for the same account at once, each by a key of its own.
    let third = Machine::at(&relay);
    for machine in [&first, &second] {
        let mut red = machine.start(&format!("seek --turn first {BOARD}"));
        let you = red.line_with("you are the guest 0x");
        assert!(
            you.ends_with(account.trim_start_matches("guest ").trim()),
            "{you}"
        );
        let mut blue = third.start(&format!("play --guest {BOARD}"));
        win(&mut red, &mut blue, 0);
        ended(red, blue);
    }

    let asked = first.guest("--forget").expect(3);
    assert!(asked.err.contains("without its phrase"), "{}", asked.err);
    assert_eq!(first.guest("").expect(0).out, account);
    first.guest("--forget --yes").expect(0);
    first.guest("").expect(3);
    relay.stop().expect(0);
}

#[test]
fn an_account_plays_by_a_session_key() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    // The first account of the development nodes of Hardhat and Foundry.
    let file = first.folder.path().join("secret");
    let words = "test test test test test test test test test test test junk";
    std::fs::write(&file, format!("ethereum:{words}")).expect("a file");
    let secret = file.display();
    let mut red = first.start(&format!("seek --turn first --secret-file {secret} {BOARD}"));
    red.line_with("you are 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266");
    let listed = sought(&second);
    assert!(listed.contains("0xf39f"), "{listed}");
    let number = listed.split_whitespace().next().expect("a number");
    let mut blue = second.start(&format!("seek --account bob --answer {number}"));
    blue.line_with("you are bob");
    win(&mut red, &mut blue, 0);
    ended(red, blue);
    relay.stop().expect(0);
}

#[test]
fn the_second_player_swaps_by_the_pie_rule() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    let terms = format!("--pie-rule --clock 5+5 --pool 7 {BOARD}");
    let long = first.start("seek --clock 31d").end().expect(2);
    assert!(long.err.contains("at most 30 days"), "{}", long.err);
    let mut one = first.start(&format!("seek --turn first {terms}"));
    one.line_with("you are the guest 0x");
    let listed = sought(&second);
    let said = "6x4, line 4, pie rule, clock 5+5, pool 7, you move second";
    assert!(listed.contains(said), "{listed}");
    let mut two = second.start(&format!("play --guest {terms}"));
    for guest in [&mut one, &mut two] {
        guest.line_with("pie rule: the second move may be a swap");
        guest.line_with("pool: 7");
    }
    one.line_with("add shape: 1, player: red");
    one.say("swap");
    one.line_with("a swap is the second move of a game with the pie rule");
    one.say(GAME[0]);
    two.line_with("type swap");
    two.line_with("add shape: 2, player: blue");
    two.say("swap");
    for guest in [&mut one, &mut two] {
        guest.line_with("colours are exchanged");
    }
    // The first player is blue now, and wins for red, who is the second player.
    for (turn, typed) in GAME.into_iter().enumerate().skip(1) {
        let (mover, colour) = match turn % 2 {
            1 => (&mut one, "blue"),
            _ => (&mut two, "red"),
        };
        mover.line_with(&format!("add shape: {}, player: {colour}", turn + 1));
        mover.say(typed);
    }
    ended(one, two);
    relay.stop().expect(0);
}

/// Such a game counts for nothing, and nobody has won it.
#[test]
fn a_game_that_is_resigned_before_both_have_moved_is_void() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let guests = [Machine::at(&relay), Machine::at(&relay)];
    let [mut red, mut blue] = begun(&guests[0], &guests[1], BOARD);
    red.line_with("add shape: 1, player: red");
    blue.line_with("waiting for a move of red");
    red.say("resign");
    for guest in [red, blue] {
        let ended = guest.end().expect(3);
        assert!(ended.err.contains("the game is void"), "{}", ended.err);
    }
    relay.stop().expect(0);
}

/// What version 0.2 kept of a guest of this machine, in whose game three moves were made: made by the program of commit
/// 52654ae.
const OF_VERSION_0_2: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/program/version-0.2/guest"
);

/// Its phrase, as that program showed it.
const PHRASE: &str =
    "powder surge liquid garden pioneer property twist lab shoulder couch deposit dumb";

/// A machine on which that program was used.
fn of_version_0_2(relay: &Relay) -> Machine<'_> {
    let machine = Machine::at(relay);
    for folder in ["", "open", "played"] {
        let to = machine.folder.path().join("guest").join(folder);
        std::fs::create_dir_all(&to).expect("a folder");
        let from = std::path::Path::new(OF_VERSION_0_2).join(folder);
        for entry in std::fs::read_dir(from).expect("the folder of the test") {
            let entry = entry.expect("an entry");
            if entry.file_type().expect("a type").is_file() {
                std::fs::copy(entry.path(), to.join(entry.file_name())).expect("copied");
            }
        }
    }
    machine
}

/// It was played without a witness, and none goes on with it.
#[test]
fn the_guest_of_version_0_2_stays_and_its_open_game_is_written_as_text() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let first = of_version_0_2(&relay);
    let phrase = first.guest("--phrase").expect(0);
    assert!(phrase.out.contains(PHRASE), "{}", phrase.out);

    let number = "0xf998d5928498aed709c3182c692325c36360793c8f702015995b6236a4ad3d9c";
    let file = first
        .folder
        .path()
        .join(format!("guest/open/{number}.terms"));
    let resumed = first.start("seek --resume").end().expect(3);
    let said = format!(
        "no game goes on but {number} ({}), which an earlier version",
        file.display()
    );
    assert!(resumed.err.contains(&said), "{}", resumed.err);
    let data = first.folder.path().to_str().expect("text");
    let text = connect4(&["export", number, "--data", data]);
    let text = Running::start(text).end().expect(0).out;
    let guest = "0xe2c70c23060ced57a759a629feb3538e4ec03fc0";
    for line in [
        &format!("[Game \"{number}\"]"),
        &format!("[Player1 \"{guest}\"]"),
        "6 1 5 *",
    ] {
        assert!(text.lines().any(|of| of == line), "{text}");
    }
    let written = first.folder.path().join("open.txt");
    std::fs::write(&written, &text).expect("written");
    let verified = connect4(&["verify", written.to_str().expect("text")]);
    let verified = Running::start(verified).end();
    assert!(
        verified
            .out
            .contains("no signature of a kind that is checked"),
        "{}{}",
        verified.out,
        verified.err
    );

    // The guest plays on with the same account.
    let second = Machine::at(&relay);
    let [red, mut blue] = begun(&first, &second, BOARD);
    blue.line_with(guest);
    drop((red, blue));
    relay.stop().expect(0);
}

/// What is in its file is damaged, or it is another one's.
#[test]
fn a_damaged_game_of_version_0_2_is_named() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let machine = of_version_0_2(&relay);
    let number = GameNumber([0xab; 32]);
    let file = machine
        .folder
        .path()
        .join(format!("guest/open/{number}.terms"));
    std::fs::write(&file, "whatever is in it").expect("written");
    let data = machine.folder.path().to_str().expect("text");
    let refused = connect4(&["export", &number.to_string(), "--data", data]);
    let refused = Running::start(refused).end().expect(1);
    assert!(
        refused
            .err
            .contains(&format!("{} is damaged", file.display())),
        "{}",
        refused.err
    );
    relay.stop().expect(0);
}
