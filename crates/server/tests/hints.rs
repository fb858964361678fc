//! Hints: in games against a computer and of lines on no chain, and not while two people play.

mod served;

use serde_json::{Value, json};

use served::{Browser, Served, classic, refused};

const BOARD: &str = "/api/hint?bins=7&capacity=6&line=4";

/// Starts a game on the standard board between Alice and Bob, with a computer at blue's seat or without.
async fn start(host: &Browser, level: Value) {
    host.done("/api/games", classic(7, 6, level)).await;
}

/// The hint for moves.
async fn hint(host: &Browser, query: &str) -> Value {
    let (status, hint) = host.get(&format!("{BOARD}&moves={query}")).await;
    assert_eq!(status, 200, "{query}: {hint}");
    hint
}

async fn refused_as_between_people(host: &Browser, query: &str) {
    let answer = host.get(&format!("{BOARD}&moves={query}")).await;
    refused(answer, 409, "refused", "no hints while two people play");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_has_hints_for_everybody() {
    let served = Served::start().await;
    let host = &served.host;
    let told = hint(host, "").await;
    assert_eq!(told["to_move"], "red");
    assert_eq!(told["best_bins"], json!([3]));
    assert_eq!(
        told["evaluation"],
        json!({ "value": 1.0, "words": "red wins in 21" })
    );
    assert_eq!(
        told["bins"][2],
        json!({ "bin": 2, "worth": "draw", "words": "a draw" })
    );
    assert_eq!(
        told["bins"][0],
        json!({ "bin": 0, "worth": { "loses_in": 20 }, "words": "loses in 20" })
    );
    assert_eq!(hint(host, "").await, told, "the same once more");

    // As red sees it, whoever is to move.
    let told = hint(host, "4").await;
    assert_eq!(told["to_move"], "blue");
    assert_eq!(told["evaluation"]["value"], 1.0);
    let told = hint(host, "444444").await;
    assert_eq!(told["bins"].as_array().unwrap().len(), 6, "a bin is full");
    let over = hint(host, "1212121").await;
    assert_eq!(
        over,
        json!({
            "to_move": null,
            "bins": [],
            "best_bins": [],
            "evaluation": { "value": 1.0, "words": "red has won" },
        })
    );

    for (query, words) in [
        ("8", "there is no such bin"),
        ("12121211", "the game has ended"),
        ("1&game=v0", "there are no hints in variants"),
    ] {
        let answer = host.get(&format!("{BOARD}&moves={query}")).await;
        refused(answer, 400, "input", words);
    }
    let small = "/api/hint?bins=6&capacity=4&line=4&moves=112233";
    let (_, told) = host.get(small).await;
    assert_eq!(told["best_bins"], json!([3]));
    assert_eq!(told["bins"][3]["words"], "wins");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_has_hints_if_a_computer_plays_or_it_is_over() {
    let served = Served::start().await;
    let host = &served.host;
    start(host, Value::Null).await;
    refused_as_between_people(host, "&game=0").await;
    let seat = |level: Value| json!({ "seat": "blue", "level": level });
    host.done("/api/games/0/computer", seat(json!("easy")))
        .await;
    assert_eq!(hint(host, "&game=0").await["best_bins"], json!([3]));
    host.done("/api/games/0/computer", seat(Value::Null)).await;
    refused_as_between_people(host, "&game=0").await;
    let resign = json!({ "act": "resign", "account": "bob" });
    host.done("/api/games/0/act", resign).await;
    hint(host, "&game=0").await;

    let answer = host.get(&format!("{BOARD}&moves=&game=7")).await;
    refused(answer, 404, "gone", "game 7 is not on this chain");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_for_a_stake_or_with_signed_moves_has_no_hints() {
    let served = Served::start().await;
    let host = &served.host;
    let accounts = host.hello["accounts"].as_array().unwrap();
    let account = |name: &str| {
        let found = accounts.iter().find(|account| account["name"] == name);
        found.unwrap()["address"].clone()
    };
    let (alice, bob) = (account("alice"), account("bob"));
    for (challenge, fast) in [false, true].into_iter().enumerate() {
        let terms = json!({
            "account": alice,
            "opponent": bob,
            "first": "me",
            "shape": { "bins": 7, "capacity": 6, "line": 4 },
            "clock": { "bank": 600, "increment": 0 },
            "stake": if fast { Value::Null } else { json!("1.5") },
            "fast": fast,
        });
        host.done("/api/challenges", terms).await;
        let stake = if fast { "0" } else { "15000000000" };
        let accept = json!({ "act": "accept", "account": bob, "stake": stake });
        host.done(&format!("/api/challenges/{challenge}"), accept)
            .await;
    }
    // A computer at a seat does not make it a game against a computer.
    let seat = json!({ "seat": "blue", "level": "easy" });
    host.done("/api/games/0/computer", seat).await;
    refused_as_between_people(host, "&game=0").await;
    refused_as_between_people(host, "&game=f0").await;
}
