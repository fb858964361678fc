//! Tables of variants over HTTP and live sockets: who joins, who leaves, who is late.

use serde_json::{Value, json};

use crate::served::{NAMES, Served, act, play, play_all, refused, start, terms};

/// The computers, in the order of play.
fn computers(seen: &Value) -> Vec<&Value> {
    let players = seen["players"].as_array().unwrap().iter();
    players.map(|player| &player["computer"]).collect()
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
    assert_eq!(listed["games"], json!([]), "it is a table");
    assert_eq!(
        listed["tables"][0]["standing"],
        "waits for players, 1 of 3 are there"
    );
    assert_eq!(listed["tables"][0]["position"], Value::Null);

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
        .seen(|told| told["players"][1]["joined"] == false)
        .await;
    assert_eq!(
        seen["players"][1]["account"],
        Value::Null,
        "anyone may take it"
    );
    assert_eq!(seen["started"], false);
    assert_eq!(seen["to_move"], Value::Null);
    assert_eq!(
        seen["refusals"]["drop"][0],
        "the game has not started: it waits for players"
    );
    assert_eq!(act(&charlie, game, "join", "charlie").await.0, 200);
    assert_eq!(act(&bob, game, "join", "bob").await.0, 200);
    let seen = watching.seen(|told| told["started"] == true).await;
    assert_eq!(seen["players"][1]["name"], "charlie");
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
    assert_eq!(seen["players"][0]["out"], true);
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
    assert_eq!(seen["players"][0]["name"], "alice");
    assert_eq!(seen["players"][0]["joined"], false);
    assert_eq!(seen["players"][1]["joined"], true, "the opener");
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
        .seen(|told| told["counts"]["variant"] == 1)
        .await;
    assert_eq!(lobby["tables"], json!([]));
    assert_eq!(lobby["games"][0]["freed"], true);

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
    assert!(seen["players"][0]["left"].is_u64(), "{seen}");
    assert_eq!(seen["players"][1]["left"], Value::Null, "not to move");
    // An account that the server does not sign for has to join by itself.
    let stranger = "0x00000000000000000000000000000000000000aa";
    let game = start(host, terms(3, Some(30)), &["alice", stranger, "bob"]).await;
    let seen = host.see(&game).await;
    assert_eq!(seen["started"], false);
    let joined: Vec<_> = seen["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|seat| &seat["joined"])
        .collect();
    assert_eq!(joined, [true, false, true]);
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
    let path = format!("/api/games/{game}/act");
    host.done(
        &path,
        json!({ "act": "join", "account": "bob", "level": "easy" }),
    )
    .await;
    let mut watching = host.watch(Some(game)).await;
    let seen = watching.seen(|told| told["started"] == true).await;
    assert_eq!(
        computers(&seen),
        [&Value::Null, &json!({ "level": "easy", "error": null })]
    );
    play_all(host, game, &["4"]).await;
    // It drops, or swaps and then plays red: either way it keeps its seat.
    let seen = watching
        .seen(|told| told["turns"].as_u64() >= Some(2))
        .await;
    let seat = usize::from(seen["swapped"] == false);
    assert_eq!(seen["players"][seat]["name"], "bob");
    assert_eq!(seen["players"][seat]["computer"]["level"], "easy");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_computer_leaves_its_seat_with_its_account() {
    let served = Served::start().await;
    let host = &served.host;
    let body = json!({ "terms": terms(3, None), "account": "alice", "players": [] });
    let table = host.done("/api/tables", body).await;
    let game = table["game"].as_str().unwrap();
    let path = format!("/api/games/{game}/act");
    let joins = json!({ "act": "join", "account": "bob", "level": "easy" });
    host.done(&path, joins).await;
    let mut watching = host.watch(Some(game)).await;
    watching
        .seen(|told| told["players"][1]["computer"]["level"] == "easy")
        .await;
    assert_eq!(act(host, game, "leave", "bob").await.0, 200);
    assert_eq!(act(host, game, "join", "charlie").await.0, 200);
    let seen = watching
        .seen(|told| told["players"][1]["name"] == "charlie")
        .await;
    assert_eq!(computers(&seen), [&Value::Null; 3]);
}
