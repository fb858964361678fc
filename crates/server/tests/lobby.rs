//! What the lobby tells: open challenges with the games that they lead to, and what accounts are owed.

use connect4_client::{Action, GameId, Signer};
use serde_json::{Value, json};

use crate::served::{Served, drop_in, owed, refused};

#[tokio::test(flavor = "multi_thread")]
async fn a_winner_is_told_and_paid_although_nothing_of_the_game_is_left() {
    let served = Served::start().await;
    let host = &served.host;
    let account = |name: &str| {
        let accounts = host.hello["accounts"].as_array().unwrap();
        let found = accounts.iter().find(|account| account["name"] == name);
        found.unwrap()["address"].clone()
    };
    let (alice, bob) = (account("alice"), account("bob"));
    let challenge = json!({
        "account": alice,
        "opponent": bob,
        "first": "me",
        "shape": { "bins": 6, "capacity": 4, "line": 4 },
        "clock": { "bank": 600, "increment": 0 },
        "stake": "1.5",
    });
    host.done("/api/challenges", challenge).await;
    let stake = "15000000000";
    let accept = json!({ "act": "accept", "account": bob, "stake": stake });
    let accepted = host.done("/api/challenges/0", accept).await;
    assert_eq!(accepted["game"], "0");
    let resign = json!({ "act": "resign", "account": bob });
    host.done("/api/games/0/act", resign).await;
    // Bob has accepted, and so pays the deposit of the game and may free it.
    let signer = Signer::development("bob").unwrap();
    let contract = served.contract().await;
    contract
        .perform(&signer, GameId::Classic(0), Action::Free)
        .await
        .unwrap();

    let both = "30000000000";
    let mut lobby = host.watch(None).await;
    let is_owed = |told: &Value| told["owed"].as_array().is_some_and(|owed| !owed.is_empty());
    let told = lobby.seen(is_owed).await;
    assert_eq!(
        told["owed"],
        json!([{ "account": alice, "amount": both, "games": [] }])
    );
    let mut game = host.watch(Some("0")).await;
    let seen = game.seen(|told| told["freed"] == true).await;
    assert_eq!(owed(&seen), [both, "0"]);

    // With her key alone, and with no other.
    let withdraw = json!({ "account": alice, "games": ["0"] });
    let answer = served.browser("bob").await;
    let answer = answer.post("/api/withdraw", withdraw.clone()).await;
    refused(answer, 403, "key", "no key to play with that account");
    let hers = served.browser("alice").await;
    hers.done("/api/withdraw", withdraw.clone()).await;
    lobby.seen(|told| told["owed"] == json!([])).await;
    let seen = game.seen(|told| told["type"] == "game").await;
    assert_eq!(owed(&seen), ["0", "0"]);
    refused(
        hers.post("/api/withdraw", withdraw).await,
        409,
        "refused",
        "nothing is owed",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_counts_games_that_wait_to_be_settled() {
    let served = Served::start().await;
    let host = &served.host;
    let challenge = json!({
        "account": "alice",
        "opponent": "bob",
        "first": "me",
        "shape": { "bins": 6, "capacity": 4, "line": 4 },
        "clock": { "bank": 600, "increment": 0 },
        "stake": "1",
    });
    host.done("/api/challenges", challenge).await;
    let accept = json!({ "act": "accept", "account": "bob", "stake": "10000000000" });
    host.done("/api/challenges/0", accept).await;
    for bin in [0, 1, 0, 1, 0, 1, 0] {
        host.done("/api/games/0/move", drop_in(bin)).await;
    }
    let mut lobby = host.watch(None).await;
    let is_owed = |told: &Value| told["owed"].as_array().is_some_and(|owed| !owed.is_empty());
    let told = lobby.seen(is_owed).await;
    assert_eq!(told["owed"][0]["amount"], "20000000000");
    assert_eq!(told["owed"][0]["games"], json!(["0"]));
    let withdraw = json!({ "account": "alice", "games": ["0"] });
    host.done("/api/withdraw", withdraw).await;
    lobby.seen(|told| told["owed"] == json!([])).await;
}

fn open_to_all() -> Value {
    json!({
        "account": "alice",
        "opponent": null,
        "first": "me",
        "shape": { "bins": 6, "capacity": 4, "line": 4 },
        "clock": null,
        "stake": null,
    })
}

fn is_lobby(told: &Value) -> bool {
    told["type"] == "games"
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_in_the_list_until_its_game_is() {
    let served = Served::start().await;
    let host = &served.host;
    let mut lobby = host.watch(None).await;
    let playing = async {
        for number in 0..8 {
            host.done("/api/challenges", open_to_all()).await;
            let accept = json!({ "act": "accept", "account": "bob", "stake": null });
            let accepted = host
                .done(&format!("/api/challenges/{number}"), accept)
                .await;
            assert_eq!(accepted["game"], number.to_string());
        }
    };
    let watching = async {
        let count = |told: &Value, list: &str| told[list].as_array().map_or(0, Vec::len);
        let (mut before, mut games) = (0, 0);
        while games < 8 {
            let told = lobby.seen(is_lobby).await;
            games = count(&told, "games");
            let now = count(&told, "challenges") + games;
            assert!(now >= before, "a challenge is gone without a game: {told}");
            before = now;
        }
    };
    tokio::join!(playing, watching);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newest_challenges_are_listed_and_it_is_told_that_there_are_others() {
    let served = Served::start().await;
    let host = &served.host;
    let mut lobby = host.watch(None).await;
    for number in 0_usize..21 {
        host.done("/api/challenges", open_to_all()).await;
        let told = lobby
            .seen(|told| is_lobby(told) && told["challenges"][0]["challenge"] == number)
            .await;
        let listed = told["challenges"].as_array().unwrap();
        assert_eq!(listed.len(), (number + 1).min(20));
        let older = (number == 20).then_some(0);
        assert_eq!(told["older_challenges"], json!(older));
    }
    let page = host.get("/api/challenges?from=20").await.1;
    assert_eq!(page["challenges"].as_array().unwrap().len(), 20);
    assert_eq!(page["older_challenges"], 0);
    let page = host.get("/api/challenges?from=0").await.1;
    assert_eq!(page["challenges"][0]["challenge"], 0);
    assert_eq!(page["older_challenges"], Value::Null);
    refused(
        host.get("/api/challenges?from=all").await,
        400,
        "input",
        "invalid digit",
    );
}
