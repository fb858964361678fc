//! Signed games as text: exported, verified, and refused when anything in them is changed.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::run::{Commands, Ended, Node, Running, connect4, run, run_command};

/// A relay that is a witness, on a free port.
struct Witness {
    running: Running,
    url: String,
    key: String,
    _log: TempDir,
}

impl Witness {
    fn on(node: &Node) -> Self {
        let log = folder();
        let arguments = ["relay", "--listen", "127.0.0.1:0", "--url", &node.url];
        let arguments = [&arguments[..], &["--witness-log", text(&log)]].concat();
        let mut running = Running::start(connect4(&arguments));
        let line = running.line_with("Relay at ws://127.0.0.1:");
        let url = line.strip_prefix("Relay at ").expect("a URL").to_owned();
        let said = running.error_with("It is the witness ");
        let (_, key) = said.split_once("witness ").expect("a key");
        let key = key.split_whitespace().next().expect("a key").to_owned();
        Self {
            running,
            url,
            key,
            _log: log,
        }
    }

    /// Starts a program of the person with this folder, at this relay.
    fn start(&self, folder: &TempDir, command: &str) -> Running {
        let arguments = command.split_whitespace();
        let place = ["--relay", &self.url, "--data", text(folder)];
        Running::start(connect4(&arguments.chain(place).collect::<Vec<_>>()))
    }

    /// A game on the classroom board without a clock between the people with these folders, who make these moves in turn,
    /// in bins from 1, and the first of whom resigns then if the game goes on.
    fn played(&self, folders: [&TempDir; 2], bins: &[u8]) {
        self.played_by(folders, bins, "--clock none");
    }

    /// The same by this clock.
    fn played_by(&self, folders: [&TempDir; 2], bins: &[u8], clock: &str) {
        let terms = format!("--bins 6 --capacity 4 {clock}");
        let mut red = self.start(folders[0], &format!("seek --turn first {terms}"));
        red.line_with("you are the guest 0x");
        let blue = self.start(folders[1], &format!("play --guest {terms}"));
        let mut players = [red, blue];
        for (turn, bin) in bins.iter().enumerate() {
            let mover = &mut players[turn % 2];
            mover.line_with(&format!("add shape: {}", turn + 1));
            mover.say(bin);
        }
        if bins != LINE {
            let turn = bins.len();
            let mover = &mut players[turn % 2];
            mover.line_with(&format!("add shape: {}", turn + 1));
            mover.say("resign");
        }
        for player in players {
            let ended = player.end().expect(0);
            assert!(ended.out.contains("winner: "), "{}", ended.out);
        }
    }
}

/// Red wins by the last of these, from 1 at the left.
const LINE: [u8; 7] = [6, 1, 5, 1, 4, 1, 3];

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

fn text(folder: &TempDir) -> &str {
    folder.path().to_str().expect("text")
}

/// What a command prints on the machine with this folder; no chain is there, unless it is named.
fn on(folder: &TempDir, line: &str) -> Ended {
    let arguments: Vec<&str> = line.split_whitespace().collect();
    let mut command = connect4(&arguments);
    command.env("CONNECT4_DATA", folder.path());
    run_command(command, "")
}

fn write(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).expect("written");
    path.display().to_string()
}

/// The one line of a command.
fn only(ended: &Ended) -> Value {
    let lines = ended.json();
    let [line] = &lines[..] else {
        panic!("{}", ended.out);
    };
    line.clone()
}

/// The line of a text with this tag.
fn tag<'a>(text: &'a str, name: &str) -> &'a str {
    let start = format!("[{name} ");
    let mut lines = text.lines();
    lines.find(|line| line.starts_with(&start)).expect("a tag")
}

/// The text with another last digit in the value of a tag.
fn changed(exported: &str, name: &str) -> String {
    let line = tag(exported, name);
    let at = line.rfind(|character: char| character.is_ascii_digit());
    let at = at.expect("a digit");
    let digit = if line[at..].starts_with('1') {
        "2"
    } else {
        "1"
    };
    let other = format!("{}{digit}{}", &line[..at], &line[at + 1..]);
    exported.replacen(line, &other, 1)
}

/// The only file in which a machine keeps a game of its guest.
fn kept(folder: &TempDir) -> String {
    let files = fs::read_dir(folder.path().join("guest/signed")).expect("games");
    let files = files.map(|file| file.expect("a file").path());
    let is_game = |path: &std::path::PathBuf| path.extension() == Some("game".as_ref());
    let files: Vec<_> = files.filter(is_game).collect();
    let [file] = &files[..] else {
        panic!("{files:?}");
    };
    file.display().to_string()
}

/// A signed game that has ended, of no chain that runs here.
fn of_another_chain() -> String {
    let vectors = include_str!("../../crates/record/vectors.json");
    let vectors: Value = serde_json::from_str(vectors).expect("JSON");
    let vectors = vectors["records"].as_array().expect("records");
    let is_ended = |vector: &&Value| vector["proof"] == "ended";
    let ended = vectors.iter().find(is_ended).expect("a signed game");
    ended["text"].as_str().expect("text").to_owned()
}

#[test]
fn a_signed_game_is_proven_by_its_text_alone() {
    let node = Node::start(&["--tmp"]);
    let witness = Witness::on(&node);
    let [first, second] = [folder(), folder()];
    witness.played([&first, &second], &LINE);
    let exported = on(&first, "export").expect(0).out;
    assert!(
        exported.starts_with("[Connect4 \"2\"]\n[Game \"0x"),
        "{exported}"
    );
    assert!(exported.contains("\n6 1 5 1 4 1 3 1-0\n"), "{exported}");
    assert_eq!(
        tag(&exported, "Witness"),
        format!("[Witness \"{}\"]", witness.key)
    );
    // Both players have the same.
    assert_eq!(on(&second, "export").expect(0).out, exported);
    // Anybody can check it, without a chain.
    let file = write(&first, "game.txt", &exported);
    let verified = run(&["verify", &file], "").expect(0).out;
    for part in [
        ": 1-0 by a line\n",
        &format!(
            "  witness: {}, has signed how and when it ended\n",
            witness.key
        ),
        "  signed: Game, Chain, Genesis, Player1, Player2, Terms, ",
        "  signed by the witness: End, EndedAt\n",
    ] {
        assert!(verified.contains(part), "{part}: {verified}");
    }
    assert!(verified.ends_with("  proven\n"), "{verified}");
    let line = only(&run(&["verify", "-", "--json"], &exported).expect(0));
    assert_eq!(line["keys"], line["players"], "guests are their own keys");
    assert_eq!(line["witness"], *witness.key);
    assert_eq!(line["witnessed"], json!(["End", "EndedAt"]));
    assert_eq!(line["unproven"], json!([]));
    assert_eq!(line["proven"], true);
    // So is the file in which the program keeps the game, and its moves can be looked at.
    let of_kept = only(&run(&["verify", &kept(&first), "--json"], "").expect(0));
    assert_eq!(
        (&of_kept["game"], &of_kept["proven"]),
        (&line["game"], &true.into())
    );
    let reviewed = run(&["review", &file], "").expect(0);
    assert_eq!(reviewed.out.lines().count(), 8, "{}", reviewed.out);
    let number = line["game"].as_str().expect("a number");
    let again = first.path().join("again.txt");
    on(
        &first,
        &format!("export {number} --output {}", again.display()),
    )
    .expect(0);
    assert_eq!(
        fs::read_to_string(&again).expect("written") + "\n",
        exported
    );
    // Another value of anything that is signed is refused.
    for (name, why) in [
        (
            "Signature1",
            "what is signed does not show this end: player red has not signed it",
        ),
        ("Signature2", "player blue has not signed it"),
        (
            "WitnessSignature",
            "the end is not signed by the witness of the terms",
        ),
        (
            "EndedAt",
            "the end is not signed by the witness of the terms",
        ),
        ("Nonce", "but its terms give 0x"),
        ("Genesis", "but its terms give 0x"),
    ] {
        let other = write(&first, "other.txt", &changed(&exported, name));
        let refused = run(&["verify", &other], "").expect(3);
        assert!(
            refused.out.contains("  not proven: ") && refused.out.contains(why),
            "{name}: {}",
            refused.out
        );
    }
    let other_moves = exported.replacen("6 1 5", "6 2 5", 1);
    let other = write(&first, "other.txt", &other_moves);
    let refused = run(&["verify", &other], "").expect(3);
    let why = "player red has not signed it";
    assert!(refused.out.contains(why), "{}", refused.out);
    // What nobody has signed is named.
    let rome = exported.replacen("[End ", "[Venue \"Rome\"]\n[End ", 1);
    let rome = write(&first, "rome.txt", &rome);
    let verified = run(&["verify", &rome], "").expect(0).out;
    let venue = "  only said by the file, and not proven: Venue\n";
    assert!(verified.contains(venue), "{verified}");
    // It is of one chain.
    let other = write(&first, "other.txt", &of_another_chain());
    run(&["verify", &other], "").expect(0);
    let elsewhere = run(&["verify", &other, "--url", &node.url], "").expect(3);
    assert!(
        elsewhere.out.contains("it is of another chain"),
        "{}",
        elsewhere.out
    );
    let here = run(&["verify", &file, "--url", &node.url], "").expect(0);
    assert!(here.out.ends_with("  proven\n"), "{}", here.out);
    witness.running.stop("TERM").expect(0);
}

#[test]
fn all_games_of_a_machine_are_exported_and_a_bad_one_costs_no_other() {
    let node = Node::start(&["--tmp"]);
    let witness = Witness::on(&node);
    // The bots of a machine, which play each other: one game.
    let machine = folder();
    let bots = ["random", "easy"].map(|level| {
        let bot = format!("bot --level {level} --name {level} --count 1 --pool 0");
        witness.start(&machine, &format!("{bot} --pie-rule --bins 6 --capacity 4"))
    });
    for bot in bots {
        bot.end().expect(0);
    }
    let output = machine.path().join("bots.txt");
    let of_bots = on(&machine, &format!("export --output {}", output.display()));
    let of_bots = of_bots.expect(0).out;
    assert!(of_bots.starts_with("wrote 1 game to "), "{of_bots}");
    // The game of its guest.
    let stranger = folder();
    witness.played([&machine, &stranger], &[1, 2]);
    let exported = on(&machine, "export").expect(0).out;
    assert_eq!(
        exported.matches("[Connect4 \"2\"]").count(),
        2,
        "{exported}"
    );
    assert!(exported.contains("\n1 2 0-1\n"), "{exported}");
    let file = write(&machine, "two.txt", &exported);
    let verified = run(&["verify", &file], "").expect(0).out;
    assert_eq!(verified.matches("\n  proven\n").count(), 2, "{verified}");
    assert!(verified.contains(": 0-1 by resignation\n"), "{verified}");
    // Of a text with a game that can't be read, and of a machine with a file that can't.
    let one_bad = exported.replacen("\n1 2 0-1\n", "\n1 2 1-0-0\n", 1);
    let one_bad = write(&machine, "one-bad.txt", &one_bad);
    let verified = run(&["verify", &one_bad], "").expect(3);
    assert_eq!(
        verified.out.matches("\n  proven\n").count(),
        1,
        "{}",
        verified.out
    );
    let why = "\"1-0-0\" is no result of a game of 2 players\n";
    assert!(verified.err.contains(why), "{}", verified.err);
    let of_guest = kept(&machine);
    let mut bytes = fs::read(&of_guest).expect("a file");
    bytes[40] ^= 1;
    fs::write(&of_guest, bytes).expect("written");
    let others = on(&machine, "export").expect(3);
    assert_eq!(others.out.matches("[Connect4 \"2\"]").count(), 1);
    assert!(!others.out.contains("\n1 2 0-1\n"), "{}", others.out);
    let name = Path::new(&of_guest)
        .file_name()
        .and_then(|name| name.to_str());
    assert!(others.err.contains(name.expect("text")), "{}", others.err);
    witness.running.stop("TERM").expect(0);
}

#[test]
fn the_time_that_was_left_after_each_move_stands_behind_it() {
    let node = Node::start(&["--tmp"]);
    let witness = Witness::on(&node);
    let [first, second] = [folder(), folder()];
    witness.played_by([&first, &second], &LINE, "--clock 5+2");
    let exported = on(&first, "export").expect(0).out;
    let (_, moves) = exported.split_once("\n\n").expect("moves");
    // A receipt that is followed by a later one may not come.
    let (mut bins, mut clocks) = (Vec::new(), 0);
    let mut words = moves.split_whitespace();
    while let Some(word) = words.next() {
        if word != "{[%clk" {
            bins.push(word);
            continue;
        }
        clocks += 1;
        // Nobody has taken a minute.
        let left = words.next().expect("a time");
        let is_left = left.starts_with("0:04:") || left.starts_with("0:05:0");
        assert!(is_left && left.ends_with("]}"), "{moves}");
    }
    let made = LINE.map(|bin| bin.to_string());
    assert_eq!(
        bins,
        [made.as_slice(), &["1-0".to_owned()]].concat(),
        "{moves}"
    );
    assert!(clocks > 0, "{moves}");
    let file = write(&first, "game.txt", &exported);
    let verified = run(&["verify", &file], "").expect(0).out;
    assert!(verified.ends_with("  proven\n"), "{verified}");
    witness.running.stop("TERM").expect(0);
}

#[test]
fn a_review_says_what_each_move_took() {
    let folder = folder();
    let text = "[Connect4 \"1\"]\n[Terms \"5x4, line 3\"]\n[Clock \"180 s + 2 s a move\"]\n\n\
        1 {[%clk 0:03:00.000]} 2 {[%clk 0:03:00.000]} 1 {[%clk 0:02:21.500]} 2 3 {[%clk 0:02:20.000]} *\n";
    let file = write(&folder, "timed.txt", text);
    let reviewed = run(&["review", &file], "").expect(0).out;
    let took = reviewed.lines().skip(1);
    let took = took.map(|line| line.split_once(", after ").map(|(_, took)| took));
    let took: Vec<_> = took.collect();
    // A first move costs nothing of the bank, and of the fourth it is not known what was left.
    assert_eq!(took, [None, None, Some("40.5 s"), None, Some("3.5 s")]);
    let lines = run(&["review", &file, "--json"], "").expect(0).json();
    let spent: Vec<_> = lines.iter().map(|line| line["spent"].clone()).collect();
    assert!(spent.contains(&json!(40_500)), "{spent:?}");
}

/// What `record` says on the machine with this folder, an object for each line.
fn recorded(node: &Node, folder: &TempDir, line: &str, code: i32) -> Vec<Value> {
    let url = &node.url;
    let ended = on(folder, &format!("record {line} --url {url} --json"));
    ended.expect(code).json()
}

fn events(lines: &[Value]) -> Vec<&str> {
    let events = lines.iter().map(|line| line["event"].as_str());
    events.map(|event| event.expect("an event")).collect()
}

#[test]
fn the_ends_of_a_file_s_signed_games_are_recorded_and_a_bad_one_is_named() {
    let node = Node::start(&["--tmp"]);
    let witness = Witness::on(&node);
    let machine = folder();
    for _ in 0..3 {
        witness.played([&machine, &folder()], &[1, 2]);
    }
    let exported = on(&machine, "export").expect(0).out;
    let file = write(&machine, "three.txt", &exported);
    // There is nowhere to record them.
    let url = &node.url;
    let nowhere = on(&machine, &format!("record {file} --url {url} --yes"));
    assert_ne!(nowhere.status.code(), Some(0));
    Commands { node: &node }.out("deploy");
    // By one signature of the witness on all ends it costs less, and one that signs none is named.
    let fee = |line: &str| {
        let lines = recorded(&node, &machine, &format!("{file} --dry-run {line}"), 0);
        let cost = lines.last().expect("a line");
        assert_eq!(
            (&cost["games"], &cost["transactions"]),
            (&3.into(), &1.into())
        );
        let fee = cost["fee"].as_str().expect("an amount");
        (fee.parse::<u128>().expect("a number"), lines.len())
    };
    let (alone, _) = fee("");
    let (listed, lines) = fee(&format!("--relay {}", witness.url));
    assert!(listed < alone && lines == 1, "{listed} {alone}");
    let elsewhere = format!("record {file} --url {url} --dry-run --relay ws://127.0.0.1:1");
    let elsewhere = on(&machine, &elsewhere).expect(0);
    let why = "no relay has signed all of their ends at once: ws://127.0.0.1:1";
    let said = [elsewhere.out, elsewhere.err].concat();
    assert!(said.contains(why), "{said}");
    // Of a file with a game that is none, the others are recorded by one transaction, whoever pays.
    let one_bad = exported.replacen("\n1 2 0-1\n", "\n1 2 1-0-0\n", 1);
    let one_bad = write(&machine, "one-bad.txt", &one_bad);
    let stranger = folder();
    let pays = format!(
        "{one_bad} --account bob --max-fee 1 --relay {}",
        witness.url
    );
    let lines = recorded(&node, &stranger, &pays, 3);
    assert_eq!(
        events(&lines),
        ["not_recorded", "record_cost", "recorded"],
        "{lines:?}"
    );
    let why = lines[0]["why"].as_str().expect("a reason");
    assert!(why.contains("is no result of a game of 2 players"), "{why}");
    let games = lines[2]["games"].as_array().expect("numbers");
    assert_eq!(games.len(), 2);
    // Who has them still learns that from the chain, and records what is left.
    let lines = recorded(&node, &machine, "--max-fee 1", 0);
    assert_eq!(
        events(&lines),
        ["not_recorded", "not_recorded", "record_cost", "recorded"],
        "{lines:?}"
    );
    for line in &lines[..2] {
        assert!(games.contains(&line["game"]), "{line}");
        assert_eq!(line["why"], "it is on the chain already");
    }
    // Nothing is sent twice, whatever is named, and by itself the program does not look again.
    let again = on(&machine, &format!("record --url {url} --yes")).expect(0);
    let nothing = "there is no game to record";
    assert!(again.out.contains(nothing), "{}", again.out);
    let again = recorded(&node, &machine, &format!("{file} --yes"), 0);
    assert_eq!(events(&again), ["not_recorded"; 3], "{again:?}");
    let kept = games[0].as_str().expect("a number");
    let again = recorded(&node, &machine, &format!("{kept} --yes"), 0);
    assert_eq!(events(&again), ["not_recorded"], "{again:?}");
    // A game of another chain is not recorded here.
    let other = write(&machine, "other.txt", &of_another_chain());
    let elsewhere = recorded(&node, &machine, &format!("{other} --yes"), 3);
    assert_eq!(events(&elsewhere)[0], "not_recorded", "{elsewhere:?}");
    assert_eq!(elsewhere[0]["why"], "it was signed for another chain");
    witness.running.stop("TERM").expect(0);
}
