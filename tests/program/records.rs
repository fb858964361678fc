//! Signed games that have ended, put on the chain by a player.

use std::fs;
use std::path::Path;

use connect4_client::Client;
use connect4_protocol::ClockSpec;
use connect4_protocol::signed::{Chain, Ending, Finished, GameNumber, Native, SessionKey};
use connect4_record::Record;
use connect4_testing::games;
use connect4_testing::keys::session_key;
use connect4_testing::signed::SignedPlay;
use connect4_wire::words::now;
use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Commands, Ended, Node, run};

/// Key of the witness of games that no relay has seen.
pub fn witness() -> SessionKey {
    session_key(900)
}

/// The chain of a node, as games on it are signed.
pub fn chain_of(node: &Node) -> Chain {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let client = runtime.block_on(Client::connect(&node.url));
    let chain = client.expect("it answers").signing_chain();
    chain.expect("a chain")
}

/// A game of two guests of its own on the standard board, which player one wins by a line.
pub fn finished(chain: Chain, number: u64) -> Finished {
    let clock = Some(ClockSpec {
        bank: 300,
        increment: 5,
    });
    let play = SignedPlay::new(number, witness().address(), clock, now());
    let play = SignedPlay::on(chain, play.signed.terms, play.keys);
    let bins: Vec<u8> = games::bins(games::SHORT).collect();
    play.finished(&bins, Ending::Board, &witness(), 1000 * now())
}

/// Such a game as text.
pub fn text(chain: Chain, number: u64) -> String {
    let record = Record::of_finished(&finished(chain, number), chain, &Native);
    record.expect("a game").to_string()
}

pub fn record(node: &Node, folder: &Path, line: &str) -> Ended {
    record_by(&node.url, folder, line)
}

/// The same by the node at this URL.
pub fn record_by(url: &str, folder: &Path, line: &str) -> Ended {
    let arguments = ["record", "--url", url];
    let arguments: Vec<&str> = arguments
        .into_iter()
        .chain(line.split_whitespace())
        .collect();
    let mut command = crate::run::connect4(&arguments);
    command.env("CONNECT4_DATA", folder);
    crate::run::run_command(command, "")
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(&path, bytes).expect("written");
    path.display().to_string()
}

#[test]
fn a_game_is_put_on_the_chain_by_any_account() {
    let node = Node::start(&["--tmp"]);
    Commands { node: &node }.out("deploy");
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let game = text(chain_of(&node), 1);
    let file = write(folder, "some.game", &game);
    // Nothing is sent unless that is said.
    let asked = record(&node, folder, &file).expect(2);
    assert!(asked.err.contains("--max-fee"), "{}", asked.err);
    let dear = record(&node, folder, &format!("{file} --max-fee 0.000001")).expect(3);
    assert!(dear.err.contains("more than"), "{}", dear.err);
    let dry = format!("{file} --dry-run --json");
    let dry = record(&node, folder, &dry).expect(0).json();
    let [cost] = &dry[..] else {
        panic!("{dry:?}");
    };
    assert_eq!(
        (&cost["event"], &cost["games"]),
        (&"record_cost".into(), &1.into())
    );
    let pays = format!("{file} --account bob --max-fee 1 --json");
    let lines = record(&node, folder, &pays).expect(0).json();
    let recorded = lines.last().expect("a line");
    assert_eq!(recorded["event"], "recorded");
    let (_, number) = game.split_once("[Game \"").expect("its number");
    let (number, _) = number.split_once('"').expect("its end");
    assert_eq!(recorded["games"], Value::from(vec![number]));
    // It is not sent again, whatever is named.
    let copy = write(folder, "copy.game", &game);
    for again in [file, copy] {
        let again = record(&node, folder, &format!("{again} --yes")).expect(0);
        assert!(again.out.contains("on the chain already"), "{}", again.out);
    }
}

#[test]
fn a_bad_game_is_found_before_anything_is_sent() {
    let node = Node::start(&["--tmp"]);
    Commands { node: &node }.out("deploy");
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let chain = chain_of(&node);
    let game = text(chain, 1);
    let good = write(folder, "good.txt", &game);
    let (before, after) = game.split_once("[Signature1 \"0x").expect("a signature");
    let forged = format!("{before}[Signature1 \"0x{}{}", "0".repeat(8), &after[8..]);
    let forged = write(folder, "forged.txt", forged);
    let elsewhere = Chain {
        genesis: [7; 32],
        ..chain
    };
    let elsewhere = write(folder, "elsewhere.txt", text(elsewhere, 1));
    let no_game = write(folder, "short.game", b"c4game\0\x02and no more");
    let missing = folder.join("missing.game").display().to_string();
    let line = format!("{good} {forged} {elsewhere} {no_game} {missing} --yes --json");
    let ended = record(&node, folder, &line).expect(3);
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
        ("forged", "has not signed it"),
        ("elsewhere", "it was signed for another chain"),
        ("short", "is of an earlier version"),
        ("missing", ""),
    ] {
        let line = lines.iter().find(|line| {
            line["game"]
                .as_str()
                .is_some_and(|game| game.contains(name))
        });
        let line = line.expect("it is said").to_string();
        assert!(line.contains(why), "{line}");
    }
    let of_chain = run(&["record", "0", "--url", &node.url, "--yes"], "");
    assert_ne!(of_chain.status.code(), Some(0));
}

/// Nothing checks what was signed of them any more.
#[test]
fn games_of_an_earlier_version_are_named_and_not_recorded() {
    let node = Node::start(&["--tmp"]);
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let number = |byte| GameNumber([byte; 32]);
    let file = |folder_of: &str, byte| {
        let name = format!("guest/{folder_of}/{}.game", number(byte));
        write(folder, &name, "whatever is in it")
    };
    let played = file("played", 1);
    file("recorded", 2);
    let all = record(&node, folder, "--yes").expect(0);
    let named = format!(
        "game {} is of an earlier version of this program, whose signatures are not checked any more; its file is {played}",
        number(1)
    );
    assert!(all.out.contains(&named), "{}", all.out);
    assert!(!all.out.contains(&number(2).to_string()), "{}", all.out);
    assert!(all.out.contains("no game to record"), "{}", all.out);
    for byte in [1, 2] {
        for command in ["record", "export"] {
            let number = number(byte).to_string();
            let mut command = crate::run::connect4(&[command, &number, "--url", &node.url]);
            command.env("CONNECT4_DATA", folder);
            let refused = crate::run::run_command(command, "").expect(3);
            let why = "is of an earlier version of this program";
            assert!(refused.err.contains(why), "{}", refused.err);
        }
    }
}
