//! A whole game by single commands with `--json`, watched and replayed.

use serde_json::Value;

use crate::board::picture_from_one;
use crate::run::{Node, Running, connect4, run};

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
    // `show` prints the same as `list`, the match state, and what the players are owed.
    let mut shown = shown[0].clone();
    let fields = shown.as_object_mut().unwrap();
    let match_state = fields.remove("match").unwrap();
    assert_eq!(match_state["score"]["red"], 1);
    for player in fields["players"].as_array_mut().unwrap() {
        assert_eq!(player["owed"].take(), "0");
    }
    assert_eq!(listed[1], shown);
    let accounts = json(&["accounts"]).expect(0).json();
    assert_eq!(accounts[0]["name"], "alice");
    assert_eq!(accounts[0]["mapped"], true);
}
