//! Plain games over HTTP and live sockets: started between two accounts, played, given up, and freed.

use serde_json::{Value, json};

use crate::served::{Browser, Served, act, play, play_all, refused};

/// Starts a game of alice, who begins, and bob, for whom a computer of this level plays if one is given.
async fn start(host: &Browser, level: Option<&str>) -> String {
    let body = json!({
        "kind": "classic",
        "terms": {
            "shape": { "bins": 6, "capacity": 4, "line": 4 },
            "players": 2,
            "pop_out": false,
            "pie_rule": false,
            "powers": { "take": 0, "clear": 0, "float": 0 },
            "limit": null,
        },
        "seats": [
            { "account": "alice", "level": null },
            { "account": "bob", "level": level },
        ],
    });
    let started = host.done("/api/games", body).await;
    started["game"].as_str().expect("a number").to_owned()
}

/// What the lobby lists of a game.
fn listed<'a>(told: &'a Value, game: &str) -> Option<&'a Value> {
    let mut games = told["games"].as_array()?.iter();
    games.find(|listed| listed["game"] == game)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_given_up_and_freed() {
    let served = Served::start().await;
    let host = &served.host;
    let mut lobby = host.watch(None).await;
    let game = start(host, None).await;
    assert_eq!(game, "0");
    let told = lobby.seen(|told| told["counts"]["classic"] == 1).await;
    let entry = listed(&told, &game).expect("it is listed");
    assert_eq!(
        (&entry["standing"], &entry["to_move"]),
        (&json!("red to move"), &json!("red"))
    );
    assert_eq!(entry["position"], "....../....../....../......");

    let (alice, bob) = (served.browser("alice").await, served.browser("bob").await);
    let words = "this browser has no key to play with that account";
    refused(play(&bob, &game, "1").await, 403, "key", words);
    assert_eq!(play(&alice, &game, "1").await.0, 200);
    assert_eq!(play(&bob, &game, "2").await.0, 200);
    let words = "this game is played without such moves";
    refused(play(&alice, &game, "p1").await, 409, "refused", words);
    // A page that shows the board before the last move.
    let seen = json!({ "move": { "kind": "drop", "bin": 0 }, "turns": 1 });
    let answer = alice.post(&format!("/api/games/{game}/move"), seen).await;
    refused(answer, 409, "refused", "not the one you saw");

    let mut watching = host.watch(Some(&game)).await;
    let seen = watching.seen(|told| told["turns"] == 2).await;
    assert_eq!(seen["deadline"], Value::Null);
    assert_eq!(seen["moves"].as_array().map(Vec::len), Some(2));
    for name in ["offer_draw", "claim_timeout", "offer_rematch", "join"] {
        let words = format!("`{name}` is no action of a player");
        refused(
            act(&alice, &game, name, "alice").await,
            400,
            "input",
            &words,
        );
    }
    let words = "the game is not over";
    refused(
        act(host, &game, "free", "alice").await,
        409,
        "refused",
        words,
    );
    let words = "does not play this game";
    refused(
        act(host, &game, "resign", "charlie").await,
        409,
        "refused",
        words,
    );
    refused(
        act(&bob, &game, "resign", "alice").await,
        403,
        "key",
        "the account that does this is alice",
    );
    assert_eq!(act(&bob, &game, "resign", "bob").await.0, 200);
    let seen = watching.seen(|told| told["over"] == true).await;
    assert_eq!(
        (&seen["end"], &seen["winner"]),
        (&json!("resignation"), &json!("red"))
    );
    let over = |told: &Value| listed(told, &game).is_some_and(|entry| entry["over"] == true);
    lobby.seen(over).await;

    // Alice has started it, and gets the deposit back.
    let words = "did not pay the deposit";
    refused(act(&bob, &game, "free", "bob").await, 409, "refused", words);
    assert_eq!(act(&alice, &game, "free", "alice").await.0, 200);
    let seen = watching.seen(|told| told["freed"] == true).await;
    assert_eq!(seen["moves"].as_array().map(Vec::len), Some(2));
    // The events do not tell who had paid for it.
    assert_eq!(seen["payer"], Value::Null);
    let mut another = host.watch(None).await;
    let told = another.seen(|told| told["type"] == "games").await;
    assert!(listed(&told, &game).is_some(), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_computer_plays_a_seat() {
    let served = Served::start().await;
    let host = &served.host;
    let game = start(host, Some("easy")).await;
    let mut watching = host.watch(Some(&game)).await;
    play_all(host, &game, &["3"]).await;
    let seen = watching.seen(|told| told["turns"] == 2).await;
    assert_eq!(seen["players"][1]["computer"]["level"], "easy");
    let body = json!({ "seat": "blue", "level": null });
    host.done(&format!("/api/games/{game}/computer"), body)
        .await;
    watching
        .seen(|told| told["players"][1]["computer"] == Value::Null)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_has_no_limit_and_no_other_rules() {
    let served = Served::start().await;
    let host = &served.host;
    for (field, value) in [("limit", json!(60)), ("pop_out", json!(true))] {
        let mut terms = crate::served::terms(2, None);
        terms[field] = value;
        let seats = crate::served::people(&["alice", "bob"]);
        let body = json!({ "kind": "classic", "terms": terms, "seats": seats });
        let answer = host.post("/api/games", body).await;
        refused(answer, 400, "input", "no limit: start a variant");
    }
}
