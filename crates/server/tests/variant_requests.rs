//! Requests about variants that are refused, each in words; and lines of moves, on no chain.

use serde_json::{Value, json};

use crate::served::{NAMES, Served, act, all_terms, people, play, play_all, refused, start, terms};

#[tokio::test(flavor = "multi_thread")]
async fn each_refused_move_says_why() {
    let served = Served::start().await;
    let host = &served.host;
    let plain = start(host, terms(2, None), &["alice", "bob"]).await;
    for text in ["p1", "t1.1", "r1", "f1.2", "s"] {
        let answer = play(host, &plain, text).await;
        refused(
            answer,
            409,
            "refused",
            "this game is played without such moves",
        );
    }
    let game = start(host, all_terms(2), &["alice", "bob"]).await;
    refused(
        play(host, &game, "r1").await,
        409,
        "refused",
        "the row has no disc",
    );
    play_all(host, &game, &["1", "2", "1", "1", "2", "1", "1", "1"]).await;
    for (text, words) in [
        ("1", "the bin is full"),
        ("8", "there is no such bin"),
        ("p8", "there is no such bin"),
        ("r7", "there is no such row"),
        ("t1.9", "there is no such row"),
        (
            "p2",
            "the disc at the bottom of the bin is not the mover's own",
        ),
        (
            "p3",
            "the disc at the bottom of the bin is not the mover's own",
        ),
        ("t3.1", "the cell has no disc"),
        ("t1.1", "the disc is the mover's own"),
        ("f2.3", "a disc floats only above the top of its bin"),
    ] {
        refused(play(host, &game, text).await, 409, "refused", words);
    }
    play_all(host, &game, &["t2.1"]).await;
    play_all(host, &game, &["3"]).await;
    refused(
        play(host, &game, "t1.3").await,
        409,
        "refused",
        "this power is used up",
    );
    let seen = host.see(&game).await;
    assert_eq!(seen["refusals"]["take"], "this power is used up");
    assert_eq!(seen["refusals"]["drop"][0], "the bin is full");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_make_no_sense_are_refused_in_words() {
    let served = Served::start().await;
    let host = &served.host;
    let started = json!({
        "kind": "variant",
        "terms": terms(3, None),
        "seats": people(&NAMES[..3]),
    });
    let guest = served.browser("bob").await;
    let guests = guest.post("/api/games", started.clone()).await;
    refused(guests, 403, "key", "to start a game, open the link");
    let table = json!({ "terms": terms(3, None), "account": "bob", "players": [] });
    let guests = guest.post("/api/tables", table.clone()).await;
    refused(guests, 403, "key", "to open a table, open the link");

    for (change, value, words) in [
        (
            "/terms/players",
            json!(300),
            "invalid value: integer `300`, expected u8",
        ),
        (
            "/terms/players",
            json!(-1),
            "invalid value: integer `-1`, expected u8",
        ),
        ("/terms/players", json!(5), "a game needs 2 to 4 players"),
        (
            "/terms/pie_rule",
            json!(true),
            "the pie rule is for two players",
        ),
        (
            "/terms/powers/take",
            json!(10),
            "a power can be used at most 9 times",
        ),
        ("/terms/shape/bins", json!(99), ""),
        ("/terms/limit", json!(4_294_967_296_u64), "expected u32"),
        ("/seats/1/account", json!("nobody"), "nobody"),
        ("/seats/1/level", json!("divine"), "divine"),
    ] {
        let mut body = started.clone();
        *body.pointer_mut(change).unwrap() = value;
        refused(host.post("/api/games", body).await, 400, "input", words);
    }
    for (seats, words) in [
        (people(&NAMES[..2]), "name as many accounts"),
        (people(&NAMES), "name as many accounts"),
        (people(&["alice", "bob", "alice"]), "two different accounts"),
    ] {
        let body = json!({ "kind": "variant", "terms": terms(3, None), "seats": seats });
        refused(host.post("/api/games", body).await, 409, "refused", words);
    }
    let mut short = table.clone();
    short["terms"]["limit"] = json!(9);
    let words = "the time for a move is out of bounds: from 10 seconds to 30 days";
    refused(host.post("/api/tables", short).await, 409, "refused", words);

    let game = start(host, terms(3, None), &NAMES[..3]).await;
    let path = format!("/api/games/{game}/move");
    for (body, words) in [
        ("", "EOF while parsing"),
        ("{", "EOF while parsing"),
        ("[]", "invalid"),
        (r#"{"move":{"kind":"jump"}}"#, "unknown variant `jump`"),
        (r#"{"move":{"kind":"take","bin":1}}"#, "missing field `row`"),
        (r#"{"move":{"kind":"drop","bin":256}}"#, "expected u8"),
        (
            r#"{"move":{"kind":"drop","bin":0},"turns":-1}"#,
            "expected u8",
        ),
    ] {
        refused(host.post_text(&path, body).await, 400, "input", words);
    }
    let (status, _) = host.post_text(&path, &"x".repeat(5000)).await;
    assert_ne!(status, 200, "a body that is too long");
    for id in ["v", "v-1", "v99999999999", "x0"] {
        let answer = play(host, id, "1").await;
        refused(answer, 400, "input", "games are called 0, 1 and so on");
    }
    refused(
        play(host, "v7", "1").await,
        404,
        "gone",
        "game v7 is not on this chain",
    );
    refused(
        act(host, &game, "sing", "alice").await,
        400,
        "input",
        "`sing` is no action",
    );
    refused(
        act(host, &game, "join", "alice").await,
        409,
        "refused",
        "has started already",
    );
    refused(
        act(host, &game, "leave", "eve").await,
        409,
        "refused",
        "does not play this game",
    );
    refused(
        act(host, &game, "remove_late", "alice").await,
        409,
        "refused",
        "no time limit",
    );
    refused(
        act(host, &game, "free", "alice").await,
        409,
        "refused",
        "the game is not over",
    );

    for (game, words) in [
        ("v1", "there is no game v1: the only one is game v0"),
        ("v99999999999", "games are not numbered that high"),
        ("99999999999", "games are not numbered that high"),
        ("vx", "there is no game `vx`: expected the number of a game"),
    ] {
        let seen = host.see(game).await;
        assert_eq!(seen["type"], "missing");
        let error = seen["error"].as_str().unwrap();
        assert!(error.contains(words), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_as_text_lead_to_a_position() {
    let served = Served::start().await;
    let base = "/api/line?bins=7&capacity=6&line=4";
    let line = async |query: &str| served.host.get(&format!("{base}{query}")).await;
    let all = "&players=3&pop_out=true&take=1&clear=1&float=1&moves=";
    let (status, seen) = line(&format!("{all}4%204t4.1f3.5p4r5")).await;
    assert_eq!(status, 200, "{seen}");
    assert_eq!(seen["game"], Value::Null);
    assert_eq!(seen["notation"], "44t4.1f3.5p4r5");
    assert_eq!(seen["standing"], "red to move");
    let mut terms = all_terms(3);
    terms["shape"]["line"] = json!(4);
    assert_eq!(seen["terms"], terms);
    assert_eq!(seen["board"], json!([[], [], [], [], [], [], []]));
    let kinds: Vec<_> = seen["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| &at["kind"])
        .collect();
    assert_eq!(kinds, ["drop", "drop", "take", "float", "pop", "clear"]);
    let floats = &seen["moves"][3];
    assert_eq!(
        (&floats["player"], &floats["bin"], &floats["row"]),
        (&json!("red"), &json!(2), &json!(4))
    );
    assert_eq!(
        seen["players"][0]["powers"],
        json!({ "take": 1, "clear": 1, "float": 0 })
    );

    let (_, swapped) = line("&pie_rule=true&moves=4s").await;
    assert_eq!(
        (&swapped["swapped"], &swapped["to_move"]),
        (&json!(true), &json!("blue"))
    );
    let (_, won) = line("&moves=1212121").await;
    assert_eq!(
        (&won["winner"], &won["end"]),
        (&json!("red"), &json!("line"))
    );
    assert_eq!(
        won["refusals"]["drop"],
        json!(vec!["the game has ended"; 7])
    );
    let (_, won) = line("&pie_rule=true&moves=1212121").await;
    assert_eq!(won["refusals"]["swap"], "the game has ended");

    for (query, words) in [
        (
            "&pie_rule=true&moves=44x",
            "move 3, at character 3: not a move",
        ),
        (
            "&pie_rule=true&moves=12p1",
            "move 3, at character 3: this game is played without such moves",
        ),
        (
            "&pie_rule=true&moves=1111111",
            "move 7, at character 7: the bin is full",
        ),
        (
            "&pie_rule=true&moves=12121211",
            "move 8, at character 8: the game has ended",
        ),
        // Without any such terms it is a line of a classic game.
        ("&moves=44x", "move 3, 'x': there is no such bin"),
        ("&moves=12121211", "move 8, '1': the game has ended"),
        (
            "&pie_rule=true&players=3&moves=",
            "the pie rule is for two players",
        ),
        (
            "&players=256&moves=",
            "`players` is a number from 0 to 255, and not `256`",
        ),
        ("&take=-1&moves=", "`take` is a number"),
        (
            "&pop_out=1&moves=",
            "`pop_out` is `true` or `false`, and not `1`",
        ),
        ("", "the address of a line has its board and moves"),
    ] {
        refused(line(query).await, 400, "input", words);
    }
    let (_, answer) = served.host.get("/api/line?bins=&moves=44").await;
    let error = answer["error"].as_str().unwrap();
    assert!(
        error.starts_with("the address of a line has its board"),
        "{error}"
    );
}
