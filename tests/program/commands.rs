//! Games by single commands: watched and replayed, with `--json`; given up and freed.

use serde_json::Value;

use crate::board::picture_from_one;
use crate::run::{Commands, Node, Running, connect4, run};

#[test]
fn a_game_is_played_watched_and_replayed_by_commands() {
    let node = Node::start(&["--tmp"]);
    let url = node.url.as_str();
    let json = |arguments: &[&str]| run(&[arguments, &["--json", "--url", url]].concat(), "");

    let deployed = json(&["deploy"]).expect(0).json();
    let contract = deployed[0]["contract"].as_str().unwrap().to_owned();
    assert!(
        deployed[0]["transaction"]["fee"]
            .as_str()
            .unwrap()
            .parse::<u128>()
            .unwrap()
            > 0
    );
    let again = json(&["deploy"]).expect(0).json();
    assert_eq!(again[0]["contract"], contract.as_str());
    assert_eq!(again[0]["transaction"], Value::Null);

    let start = [
        "start",
        "--bins",
        "6",
        "--capacity",
        "4",
        "--red",
        "charlie",
        "--blue",
        "//Dave",
    ];
    // A first game, so that the commands have to tell two games apart.
    assert_eq!(json(&start).expect(0).json()[0]["game"], "0");
    let started = json(&start).expect(0).json();
    assert_eq!(started[0]["game"], "1");
    assert_eq!(
        started[0]["shape"],
        serde_json::json!({"bins": 6, "capacity": 4, "line": 4})
    );

    let mut watch = Running::start(connect4(&["watch", "--game", "1", "--json", "--url", url]));
    watch.line_with("\"turns\":0");
    let mut people = Running::start(connect4(&["watch", "--game", "1", "--url", url]));
    people.line_with("red to move");

    json(&["move", "--game", "0", "3"]).expect(0);
    let drops = [5, 0, 4, 0, 3, 0, 2];
    for (turn, bin) in drops.into_iter().enumerate() {
        let account = if turn % 2 == 0 { "charlie" } else { "dave" };
        let bin = (bin + 1).to_string();
        let dropped = json(&["move", "--game", "1", &bin, "--account", account])
            .expect(0)
            .json();
        assert_eq!(dropped[0]["game"]["turns"], turn + 1);
        assert!(dropped[0]["transaction"]["block"].as_u64().unwrap() > 0);
    }

    let shown = json(&["show", "--game", "1"]).expect(0).json();
    assert_eq!(shown[0]["winner"], "red");
    assert_eq!(shown[0]["over"], true);
    assert_eq!(shown[0]["to_move"], Value::Null);
    assert_eq!(shown[0]["contract"], contract.as_str());
    assert_eq!(
        shown[0]["board"],
        serde_json::json!([
            ["blue", "blue", "blue"],
            [],
            ["red"],
            ["red"],
            ["red"],
            ["red"]
        ])
    );
    let cells: Vec<Value> = [2, 3, 4, 5]
        .iter()
        .map(|bin| serde_json::json!({"bin": bin, "row": 0}))
        .collect();
    assert_eq!(shown[0]["winning_cells"], Value::Array(cells.clone()));

    let moves = |events: &[Value]| -> Vec<usize> {
        events
            .iter()
            .filter(|event| event["event"] == "dropped")
            .map(|event| event["bin"].as_u64().unwrap() as usize)
            .collect()
    };
    let watched = watch.end().expect(0).json();
    assert_eq!(moves(&watched), drops);
    let people = people.end().expect(0);
    assert!(
        people.out.contains("game 1 ended, winner: red"),
        "{}",
        people.out
    );

    let replayed = json(&["replay", "--game", "1"]).expect(0).json();
    assert_eq!(replayed[0]["event"], "started");
    assert_eq!(moves(&replayed), drops);
    let last = replayed.last().unwrap();
    assert_eq!(
        (&last["event"], &last["winner"]),
        (&"ended".into(), &"red".into())
    );
    assert_eq!(last["winning_cells"], Value::Array(cells));
    assert!(replayed.iter().all(|event| event["game"] == "1"));
    assert_eq!(watched[1..], replayed[1..]);

    let replay = run(&["replay", "--game", "1", "--url", url], "").expect(0);
    for taken in 0..drops.len() {
        assert!(
            replay
                .out
                .contains(&picture_from_one(6, 4, &drops[..taken], &[]))
        );
    }
    assert!(
        replay.out.contains("moves, bins from 1: 6151413\n"),
        "{}",
        replay.out
    );

    let folder = tempfile::tempdir().unwrap();
    for (name, start) in [
        ("won.svg", &b"<svg"[..]),
        ("won.png", b"\x89PNG"),
        ("won.gif", b"GIF89a"),
    ] {
        let file = folder.path().join(name);
        let file = file.to_str().unwrap();
        json(&["replay", "--game", "1", "--picture", file]).expect(0);
        let picture = std::fs::read(file).unwrap();
        assert!(picture.starts_with(start), "{name}");
        if let Ok(text) = String::from_utf8(picture) {
            assert!(
                text.contains("<title>charlie vs dave: winner: red</title>"),
                "{text}"
            );
        }
    }
    let other = run(&["replay", "--game", "1", "--picture", "won.jpg"], "").expect(2);
    assert!(
        other.err.contains("ends with .svg, .png or .gif"),
        "{}",
        other.err
    );

    let listed = json(&["list"]).expect(0).json();
    assert_eq!(listed.len(), 2);
    let newest = json(&["list", "--limit", "1"]).expect(0).json();
    assert_eq!(newest, [listed[1].clone()]);
    assert_eq!(listed[1], shown[0]);
    let accounts = json(&["accounts"]).expect(0).json();
    assert_eq!(accounts[0]["name"], "alice");
    assert_eq!(accounts[0]["mapped"], true);
}

#[test]
fn a_game_is_given_up_by_a_player_and_freed_by_its_payer() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    let started = commands.out("start");
    let no_clock = "no clock: if a player stops for ever, the game keeps its deposit until either \
                    resigns\n";
    assert!(started.contains(no_clock), "{started}");
    let mut watch = commands.start("watch");
    watch.line_with("following the contract");
    commands.out("move --game 0 4");
    let refused = |line: &str, why: &str| {
        let refused = commands.run(line).expect(3);
        assert!(refused.err.contains(why), "{line}: {}", refused.err);
    };
    refused("resign --game 0 --account eve", "does not play");
    refused("free --game 0", "the game is not over");
    let resigned = commands.out("resign --game 0 --account alice");
    let ended = "winner: blue by resignation";
    assert!(resigned.contains(ended), "{resigned}");
    watch.line_with(&format!("game 0 ended, {ended}"));
    refused("resign --game 0 --account bob", "the game has ended");
    refused("free --game 0 --account bob", "did not pay the deposit");

    // Its events still show it.
    let freed = commands.out("free --game 0");
    assert!(freed.contains("deposit back"), "{freed}");
    watch.line_with("game 0: its storage was freed by alice");
    watch.stop("INT").expect(130);
    refused("show --game 0", "its storage was freed");
    let listed = commands.out("list");
    assert_eq!(listed, "    0  ended, its storage freed\n");
    let replayed = commands.out("replay --game 0 --pause 0");
    assert!(replayed.contains(ended), "{replayed}");
    assert!(replayed.ends_with("moves, bins from 1: 4\n"), "{replayed}");
    // Plain games are unrated.
    assert_eq!(
        commands.out("standings"),
        "no variant and no signed game has ended yet\n"
    );
}
