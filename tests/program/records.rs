//! Games by signed terms, put on the chain by a player.

use std::fs;
use std::path::PathBuf;

use connect4_chain::Options;
use connect4_client::fast::{GamesByTerms, Keyring};
use connect4_client::{Client, Contracts, Signer};
use connect4_protocol::End;
use connect4_protocol::fast::{Ending, GameNumber, GameTerms, Party, PlayedGame};
use connect4_record::{Record, Step};
use connect4_rules::variant::Move;
use connect4_rules::{Bin, ByPlayer, Player, Shape};
use connect4_testing::Account::{Alice, Bob, Ferdie};
use connect4_testing::fast::{TermsPlay, Wallet};
use connect4_testing::{games, impostor, served};
use connect4_wire::words::now;
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::guests::{Machine, relay};
use crate::relay::Relay;
use crate::run::{CODE, Ended, Node, contract, run};

/// A game of two guests on the classroom board by signed terms alone, as earlier versions played it; the first guest is
/// that of the machine, in whose folder it is kept by what is given. Returns its number.
pub fn earlier(
    node: &Node,
    machine: &Machine<'_>,
    keep: impl FnOnce(GamesByTerms, &TermsPlay),
) -> GameNumber {
    machine.start("seek --list").end().expect(0);
    let keyring = Keyring::in_folder(machine.folder.path().join("guest"));
    let key = keyring.addresses().expect("read")[0];
    let key = keyring.key(key).expect("its key");
    let runtime = Runtime::new().expect("a runtime");
    let domain = runtime.block_on(async { contract(node, CODE).await.domain() });
    let mut play = TermsPlay::guests(domain.expect("fast games"), now(), 1);
    play.keys.one = key;
    play.terms = GameTerms {
        players: play.keys.clone().map(|key| Party::Guest(key.address())),
        shape: Shape::CLASSROOM.into(),
        pie_rule: false,
        pool: 0,
        clock: None,
        ..play.terms
    };
    keep(keyring.games_by_terms(), &play);
    play.number()
}

/// The bins of such a game, which player one wins, counted from 0.
pub const BINS: [u8; 7] = [5, 0, 4, 0, 3, 0, 2];
/// How it ended.
pub const ENDING: Ending = Ending::Resignation(Player::Two);

/// A machine with a game that was played so, by seven moves.
pub fn played<'a>(node: &Node, relay: &'a Relay) -> Machine<'a> {
    let machine = Machine::at(relay);
    earlier(node, &machine, |games, play| {
        let played = PlayedGame {
            terms: play.terms,
            sessions: play.sessions,
            evidence: play.evidence(&BINS, Some(ENDING)),
        };
        let kept = games.keep_played(play.number(), play.domain, &played);
        kept.expect("kept").expect("it is valid");
    });
    machine
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
    let machine = played(&node, &relay);
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
fn a_bad_game_is_found_before_anything_is_sent() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let machine = played(&node, &relay);
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
    let alice = Signer::development("alice").expect("an account");
    let deployed = client.deploy(&alice, CODE).await.expect("deployed");
    let contract = Contracts::open(&client, deployed.address, CODE).await;
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
