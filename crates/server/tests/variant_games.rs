//! Variants over HTTP and live sockets, as browsers use them: on a chain in memory, with the built
//! contract.

mod served;

use serde_json::{Value, json};

use served::{Answer, Browser, Served, all_terms, moved, people, terms};

const NAMES: [&str; 4] = ["alice", "bob", "charlie", "dave"];

/// Checks that a request was refused, with this status, kind and words.
#[track_caller]
fn refused((status, body): Answer, expected: u16, kind: &str, words: &str) {
    assert_eq!(status, expected, "{body}");
    assert_eq!(body["kind"], kind, "{body}");
    let error = body["error"].as_str().unwrap_or_default();
    assert!(error.contains(words), "{words:?} is not in {error:?}");
}

/// Starts a game between people of the host, and returns its number.
async fn start(host: &Browser, terms: Value, names: &[&str]) -> String {
    let body = json!({ "terms": terms, "seats": people(names) });
    let started = host.done("/api/variants", body).await;
    started["game"].as_str().expect("a number").to_owned()
}

async fn play(browser: &Browser, game: &str, text: &str) -> Answer {
    let path = format!("/api/variants/{game}/move");
    browser.post(&path, json!({ "move": moved(text) })).await
}

/// Makes moves that all have to be taken, with the keys of one browser.
async fn play_all(browser: &Browser, game: &str, moves: &[&str]) {
    for text in moves {
        let (status, body) = play(browser, game, text).await;
        assert_eq!(status, 200, "{text}: {body}");
    }
}

async fn act(browser: &Browser, game: &str, act: &str, account: &str) -> Answer {
    let path = format!("/api/variants/{game}/act");
    browser
        .post(&path, json!({ "act": act, "account": account }))
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn four_browsers_play_a_game_to_a_win_that_is_seen_again_when_it_was_freed() {
    let served = Served::start().await;
    let game = start(&served.host, all_terms(4), &NAMES).await;
    assert_eq!(game, "v0");
    let mut browsers = Vec::new();
    for name in NAMES {
        browsers.push(served.browser(name).await);
    }
    let mut watching = served.host.watch(Some(&game)).await;
    let first = watching.seen(|told| told["type"] == "variant").await;
    assert_eq!(
        first["terms_words"],
        "7x6, line 3, 4 players, pop out, 1 take, 1 clear, 1 float"
    );
    assert_eq!(first["standing"], "red to move");
    assert_eq!(first["targets"]["drop"], json!([0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(first["targets"]["float"].as_array().unwrap().len(), 35);
    assert_eq!(first["targets"]["take"], json!([]));
    assert_eq!(
        first["obstacles"]["take"],
        "no disc of another player is on the board"
    );
    assert_eq!(first["obstacles"]["float"], Value::Null);

    let moves = [
        "1", "1", "t1.1", "f2.3", "3", "p1", "r1", "2", "1", "5", "6", "2",
    ];
    for (turn, text) in moves.into_iter().enumerate() {
        let other = play(&browsers[(turn + 1) % 4], &game, text).await;
        refused(
            other,
            403,
            "key",
            "this browser has no key to play with that account",
        );
        let path = format!("/api/variants/{game}/move");
        let body = json!({ "move": moved(text), "turns": turn });
        browsers[turn % 4].done(&path, body.clone()).await;
        let seen = watching.seen(|told| told["turns"] == turn + 1).await;
        assert_eq!(seen["moves"][turn]["text"], text);
        // Another page that shows the board before this move sends the same one.
        let late = browsers[(turn + 1) % 4].post(&path, body).await;
        refused(
            late,
            409,
            "refused",
            if turn < 11 { "gone on meanwhile" } else { "" },
        );
        match turn {
            2 => {
                let change = json!({
                    "added": [],
                    "removed": [{ "colour": "red", "bin": 0, "row": 0 }],
                    "fallen": [{
                        "colour": "blue",
                        "from": { "bin": 0, "row": 1 },
                        "to": { "bin": 0, "row": 0 },
                    }],
                });
                assert_eq!(seen["moves"][2]["change"], change);
                assert_eq!(
                    seen["players"][2]["powers"],
                    json!({ "take": 0, "clear": 1, "float": 1 })
                );
                assert_eq!(seen["moves"][2]["powers"][2]["take"], 0);
            }
            3 => {
                assert_eq!(seen["board"][1], json!([null, null, "yellow"]), "it floats");
                assert_eq!(seen["targets"]["drop"][1], 3, "above it");
                assert_eq!(
                    seen["targets"]["take"],
                    json!([
                        { "bin": 0, "row": 0 },
                        { "bin": 1, "row": 2 },
                    ])
                );
            }
            6 => {
                assert_eq!(
                    seen["board"],
                    json!([[], [null, null, "yellow"], [], [], [], [], []])
                );
                assert_eq!(seen["obstacles"]["clear"], Value::Null);
            }
            _ => {}
        }
    }
    let over = served.host.see(&game).await;
    assert_eq!(over["end"], "line");
    assert_eq!(over["winner"], "yellow");
    assert_eq!(over["standing"], "winner: yellow");
    assert_eq!(over["winning_cells"].as_array().unwrap().len(), 3);
    assert_eq!(over["notation"], "11t1.1f2.33p1r121562");
    assert_eq!(over["obstacles"]["drop"][0], "the game has ended");
    refused(
        play(&served.host, &game, "1").await,
        409,
        "refused",
        "the game has ended",
    );

    refused(
        act(&browsers[1], &game, "free", "bob").await,
        409,
        "refused",
        "",
    );
    let (status, body) = act(&browsers[0], &game, "free", "alice").await;
    assert_eq!(status, 200, "{body}");
    let freed = watching.seen(|told| told["freed"] == true).await;
    for field in [
        "board",
        "moves",
        "winner",
        "end",
        "winning_cells",
        "seats",
        "notation",
    ] {
        assert_eq!(freed[field], over[field], "{field}");
    }
    refused(
        play(&served.host, &game, "1").await,
        404,
        "gone",
        "game v0 is not on this chain",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_player_swaps_colours_and_a_page_that_is_opened_then_shows_it() {
    let served = Served::start().await;
    let mut terms = terms(2, None);
    terms["pie_rule"] = json!(true);
    let game = start(&served.host, terms, &["alice", "bob"]).await;
    let (alice, bob) = (served.browser("alice").await, served.browser("bob").await);
    refused(
        play(&alice, &game, "s").await,
        409,
        "refused",
        "only the second player's first move can be a swap",
    );
    play_all(&alice, &game, &["4"]).await;
    assert_eq!(served.host.see(&game).await["targets"]["swap"], true);
    play_all(&bob, &game, &["s"]).await;
    let seen = alice.see(&game).await;
    let seats: Vec<_> = seen["seats"].as_array().unwrap().iter().collect();
    assert_eq!(
        (&seats[0]["colour"], &seats[0]["name"]),
        (&json!("red"), &json!("bob"))
    );
    assert_eq!(
        (&seats[1]["colour"], &seats[1]["name"]),
        (&json!("blue"), &json!("alice"))
    );
    assert_eq!(seen["swapped"], true);
    assert_eq!(seen["to_move"], "blue");
    assert_eq!(seen["moves"][1]["kind"], "swap");
    assert_eq!(seen["moves"][1]["player"], "blue");
    assert_eq!(seen["targets"]["swap"], false);
    // Alice plays blue now.
    refused(play(&bob, &game, "4").await, 403, "key", "blue is alice");
    play_all(&alice, &game, &["4"]).await;
}

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
    assert_eq!(seen["obstacles"]["take"], "this power is used up");
    assert_eq!(seen["obstacles"]["drop"][0], "the bin is full");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_make_no_sense_are_refused_in_words() {
    let served = Served::start().await;
    let host = &served.host;
    let started = json!({ "terms": terms(3, None), "seats": people(&NAMES[..3]) });
    let guest = served.browser("bob").await;
    let guests = guest.post("/api/variants", started.clone()).await;
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
        refused(host.post("/api/variants", body).await, 400, "input", words);
    }
    for (seats, words) in [
        (people(&NAMES[..2]), "name as many accounts"),
        (people(&NAMES), "name as many accounts"),
        (people(&["alice", "bob", "alice"]), "two different accounts"),
    ] {
        let body = json!({ "terms": terms(3, None), "seats": seats });
        refused(
            host.post("/api/variants", body).await,
            409,
            "refused",
            words,
        );
    }
    let mut short = table.clone();
    short["terms"]["limit"] = json!(9);
    let words = "the time for a move is out of bounds: from 10 seconds to 30 days";
    refused(host.post("/api/tables", short).await, 409, "refused", words);

    let game = start(host, terms(3, None), &NAMES[..3]).await;
    let path = format!("/api/variants/{game}/move");
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
    for id in ["0", "v", "v-1", "v99999999999", "x0"] {
        let answer = play(host, id, "1").await;
        refused(answer, 400, "input", "they are called v0, v1 and so on");
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
async fn a_table_fills_up_and_who_is_late_is_removed() {
    let served = Served::start().await;
    let host = &served.host;
    let mut lobby = host.watch(None).await;
    let body = json!({ "terms": terms(3, Some(60)), "account": "alice", "players": [] });
    let table = host.done("/api/tables", body).await;
    let game = table["game"].as_str().unwrap();
    let listed = lobby.seen(|told| told["tables"][0]["game"] == game).await;
    assert_eq!(listed["variants"], json!([]), "it is a table");
    assert_eq!(
        listed["tables"][0]["standing"],
        "waits for players, 1 of 3 are there"
    );

    let (bob, charlie) = (served.browser("bob").await, served.browser("charlie").await);
    refused(
        play(host, game, "1").await,
        409,
        "refused",
        "the game has not started",
    );
    refused(
        act(&bob, game, "join", "charlie").await,
        403,
        "key",
        "this browser has no key",
    );
    assert_eq!(act(&bob, game, "join", "bob").await.0, 200);
    refused(
        act(&bob, game, "join", "bob").await,
        409,
        "refused",
        "has joined already",
    );
    assert_eq!(act(&bob, game, "leave", "bob").await.0, 200);
    let mut watching = host.watch(Some(game)).await;
    let seen = watching
        .seen(|told| told["seats"][1]["joined"] == false)
        .await;
    assert_eq!(
        seen["seats"][1]["account"],
        Value::Null,
        "anyone may take it"
    );
    assert_eq!(seen["started"], false);
    assert_eq!(seen["to_move"], Value::Null);
    assert_eq!(
        seen["obstacles"]["drop"][0],
        "the game has not started: it waits for players"
    );
    assert_eq!(act(&charlie, game, "join", "charlie").await.0, 200);
    assert_eq!(act(&bob, game, "join", "bob").await.0, 200);
    let seen = watching.seen(|told| told["started"] == true).await;
    assert_eq!(seen["seats"][1]["name"], "charlie");
    assert_eq!(seen["terms"]["limit"], 60);
    assert!(seen["deadline"].is_u64());

    // Anyone may remove alice, when her time is over.
    refused(
        act(&bob, game, "remove_late", "bob").await,
        409,
        "refused",
        "still has time",
    );
    served
        .chain
        .advance_clock(std::time::Duration::from_secs(61));
    refused(play(host, game, "1").await, 409, "refused", "");
    assert_eq!(act(&bob, game, "remove_late", "bob").await.0, 200);
    let seen = watching
        .seen(|told| told["departures"][0]["player"] == "red")
        .await;
    assert_eq!(seen["departures"][0]["late"], true);
    assert_eq!(seen["departures"][0]["turns"], 0);
    assert_eq!(seen["players"][0]["left"], true);
    assert_eq!(seen["to_move"], "blue");
    // Charlie leaves, and Bob is the last one.
    assert_eq!(act(&charlie, game, "leave", "charlie").await.0, 200);
    let seen = watching.seen(|told| told["over"] == true).await;
    assert_eq!(seen["end"], "last left");
    assert_eq!(seen["winner"], "green");
    assert_eq!(seen["standing"], "winner: green as the last player left");
    refused(
        act(&charlie, game, "leave", "charlie").await,
        409,
        "refused",
        "the game has ended",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_for_named_players_takes_no_others_and_closes_with_its_opener() {
    let served = Served::start().await;
    let host = &served.host;
    let body = json!({
        "terms": terms(3, None),
        "account": "bob",
        "players": ["alice", "bob", "charlie"],
    });
    let table = host.done("/api/tables", body.clone()).await;
    let game = table["game"].as_str().unwrap();
    refused(
        act(host, game, "join", "dave").await,
        409,
        "refused",
        "for other players",
    );
    let seen = host.see(game).await;
    assert_eq!(seen["named"], true);
    assert_eq!(seen["seats"][0]["name"], "alice");
    assert_eq!(seen["seats"][0]["joined"], false);
    assert_eq!(seen["seats"][1]["joined"], true, "the opener");
    let mut watching = host.watch(Some(game)).await;
    assert_eq!(act(host, game, "leave", "bob").await.0, 200);
    let closed = watching.seen(|told| told["type"] == "missing").await;
    assert_eq!(
        closed["error"],
        "the table of game v0 was closed before the game started"
    );
    let lobby = host
        .watch(None)
        .await
        .seen(|told| told["variant_count"] == 1)
        .await;
    assert_eq!(lobby["tables"], json!([]));
    assert_eq!(lobby["variants"][0]["freed"], true);

    let mut others = body;
    others["account"] = json!("dave");
    let words = "who opens a table is one of them";
    refused(
        host.post("/api/tables", others).await,
        409,
        "refused",
        words,
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_against_time_is_joined_by_all_accounts_of_the_host() {
    let served = Served::start().await;
    let host = &served.host;
    let game = start(host, terms(4, Some(30)), &NAMES).await;
    let seen = host.see(&game).await;
    assert_eq!(seen["started"], true);
    assert_eq!(seen["terms"]["limit"], 30);
    assert_eq!(
        seen["left"].as_u64().unwrap(),
        seen["left"].as_u64().unwrap()
    );
    // An account that the server does not sign for has to join by itself.
    let stranger = "0x00000000000000000000000000000000000000aa";
    let game = start(host, terms(3, Some(30)), &["alice", stranger, "bob"]).await;
    let seen = host.see(&game).await;
    assert_eq!(seen["started"], false);
    let joined: Vec<_> = seen["seats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|seat| &seat["joined"])
        .collect();
    assert_eq!(joined, [true, false, true]);
}

#[tokio::test(flavor = "multi_thread")]
async fn computers_play_all_seats_but_one() {
    let served = Served::start().await;
    let host = &served.host;
    let mut seats = people(&NAMES);
    for seat in [1, 2, 3] {
        seats[seat]["level"] = json!("random");
    }
    let body = json!({ "terms": all_terms(4), "seats": seats });
    let game = host.done("/api/variants", body).await;
    let game = game["game"].as_str().unwrap();
    let mut watching = host.watch(Some(game)).await;
    let seen = watching.seen(|told| told["type"] == "variant").await;
    assert_eq!(seen["computers"][0], Value::Null);
    assert_eq!(
        seen["computers"][1],
        json!({ "level": "random", "error": null })
    );
    play_all(host, game, &["4"]).await;
    let seen = watching
        .seen(|told| told["turns"].as_u64() >= Some(4) || told["over"] == true)
        .await;
    let movers: Vec<_> = seen["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| &at["player"])
        .collect();
    assert_eq!(movers[..4], ["red", "blue", "green", "yellow"]);

    // The last seat is taken over by a computer, too, and the game plays itself.
    let path = format!("/api/variants/{game}/computer");
    let wrong = host
        .post(&path, json!({ "seat": "purple", "level": "random" }))
        .await;
    refused(wrong, 400, "input", "purple");
    host.done(&path, json!({ "seat": "red", "level": "random" }))
        .await;
    let seen = watching.seen(|told| told["over"] == true).await;
    assert!(seen["end"].is_string());
    let over = host
        .post(&path, json!({ "seat": "red", "level": "random" }))
        .await;
    refused(over, 409, "refused", "the game has ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_computer_joins_a_table() {
    let served = Served::start().await;
    let host = &served.host;
    let mut terms = terms(2, None);
    terms["pie_rule"] = json!(true);
    let body = json!({ "terms": terms, "account": "alice", "players": [] });
    let table = host.done("/api/tables", body).await;
    let game = table["game"].as_str().unwrap();
    let path = format!("/api/variants/{game}/act");
    host.done(
        &path,
        json!({ "act": "join", "account": "bob", "level": "easy" }),
    )
    .await;
    let mut watching = host.watch(Some(game)).await;
    let seen = watching.seen(|told| told["started"] == true).await;
    assert_eq!(
        seen["computers"],
        json!([null, { "level": "easy", "error": null }])
    );
    play_all(host, game, &["4"]).await;
    // It drops, or swaps and then plays red: either way it keeps its seat.
    let seen = watching
        .seen(|told| told["turns"].as_u64() >= Some(2))
        .await;
    let seat = usize::from(seen["swapped"] == false);
    assert_eq!(seen["seats"][seat]["name"], "bob");
    assert_eq!(seen["computers"][seat]["level"], "easy");
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_as_text_lead_to_a_position() {
    let served = Served::start().await;
    let base = "/api/variants/line?bins=7&capacity=6&line=4";
    let line = async |query: &str| served.host.get(&format!("{base}{query}")).await;
    let all = "&players=3&pop_out=true&take=1&clear=1&float=1&moves=";
    let (status, seen) = line(&format!("{all}4%204t4.1f3.5p4r5")).await;
    assert_eq!(status, 200, "{seen}");
    assert_eq!(seen["game"], Value::Null);
    assert_eq!(seen["notation"], "44t4.1f3.5p4r5");
    assert_eq!(seen["standing"], "red to move");
    assert_eq!(
        seen["terms_words"],
        "7x6, line 4, 3 players, pop out, 1 take, 1 clear, 1 float"
    );
    assert_eq!(seen["board"], json!([[], [], [], [], [], [], []]));
    let kinds: Vec<_> = seen["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| &at["kind"])
        .collect();
    assert_eq!(kinds, ["drop", "drop", "take", "float", "pop", "clear"]);
    assert_eq!(
        seen["moves"][3]["change"]["added"],
        json!([{ "colour": "red", "bin": 2, "row": 4 }])
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
    assert_eq!(won["obstacles"]["swap"], "the game has ended");

    for (query, words) in [
        ("&moves=44x", "move 3, at character 3: not a move"),
        (
            "&moves=12p1",
            "move 3, at character 3: this game is played without such moves",
        ),
        ("&moves=1111111", "move 7, at character 7: the bin is full"),
        (
            "&moves=12121211",
            "move 8, at character 8: the game has ended",
        ),
        (
            "&pie_rule=true&players=3&moves=",
            "the pie rule is for two players",
        ),
        ("&players=256&moves=", "players"),
        ("&take=-1&moves=", "take"),
        ("", "missing field `moves`"),
    ] {
        refused(line(query).await, 400, "input", words);
    }
}
