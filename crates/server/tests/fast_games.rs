//! Fast games on the page as the chain knows them.

mod served;

use connect4_client::{Action, Contract, Offer, Signer};
use connect4_protocol::fast::FIRST;
use connect4_rules::{Bin, Shape};
use connect4_testing::fast::FastPlay;
use serde_json::{Value, json};

use served::{Served, refused};

fn account(name: &str) -> Signer {
    Signer::development(name).unwrap()
}

/// Starts a fast game between Alice, who is red, and Bob.
async fn start(contract: &Contract) -> FastPlay {
    let mut play = FastPlay::new(FIRST + contract.fast_game_count().await.unwrap());
    let offer = Offer {
        opponent: None,
        challenger_first: true,
        shape: Shape::CLASSROOM.into(),
        clock: None,
        stake: 0,
        key: Some(play.keys.one.address()),
        expires_in: None,
    };
    let made = contract.challenge(&account("alice"), offer).await.unwrap();
    let key = Some(play.keys.two.address());
    let accepted = contract.accept(&account("bob"), made.value, key).await;
    assert_eq!(accepted.unwrap().value, play.number);
    play.domain = contract.domain().unwrap();
    play
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fast_game_is_listed_and_shown_with_its_moves() {
    let served = Served::start().await;
    let host = &served.host;
    // The first game deploys the contracts.
    let start_first = json!({
        "red": "alice",
        "blue": "bob",
        "shape": { "bins": 6, "capacity": 4, "line": 4 },
        "computer": null,
    });
    assert_eq!(host.done("/api/games", start_first).await["game"], 0);
    let contract = served.contract().await;
    let play = start(&contract).await;
    let mut lobby = host.watch(None).await;
    let told = lobby.seen(|told| told["fast_count"] == 1).await;
    assert_eq!(told["count"], 1);
    let games: Vec<_> = told["games"].as_array().unwrap().iter().collect();
    let numbers: Vec<_> = games.iter().map(|game| game["game"].clone()).collect();
    assert_eq!(numbers, [json!("f0"), json!(0)]);

    let mut game = host.watch(Some("f0")).await;
    let seen = game.seen(|told| told["type"] == "game").await;
    assert_eq!((&seen["game"], &seen["turns"]), (&json!("f0"), &json!(0)));
    // A move on the chain, by the page, and then signed ones that take its place.
    let drop = json!({ "bin": 5, "board": seen["board"] });
    host.done("/api/games/f0/drop", drop).await;
    let moves = |told: &Value| told["moves"].as_array().map_or(0, Vec::len);
    game.seen(|told| moves(told) == 1).await;
    let evidence = play.evidence(&[0, 1, 0, 1], None);
    let bob = account("bob");
    let brought = contract.advance(&bob, play.number, false, &evidence);
    let sent = brought.await.unwrap().transaction;
    let seen = game.seen(|told| moves(told) == 4).await;
    let places: Vec<_> = seen["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| {
            (
                at["player"].as_str().unwrap(),
                at["bin"].as_u64(),
                at["row"].as_u64(),
            )
        })
        .collect();
    let [zero, one] = [Some(0), Some(1)];
    assert_eq!(
        places,
        [
            ("red", zero, zero),
            ("blue", one, zero),
            ("red", zero, one),
            ("blue", one, one)
        ]
    );
    assert_eq!(seen["moves"][0]["transaction"]["block"], sent.block);

    // One more on the chain: the others keep their transactions.
    let alice = account("alice");
    let dropped = contract.drop_disc(&alice, play.number, Bin::new(2)).await;
    let dropped = dropped.unwrap().transaction;
    let seen = game.seen(|told| moves(told) == 5).await;
    assert_eq!(seen["moves"][3]["transaction"]["block"], sent.block);
    assert_eq!(seen["moves"][4]["transaction"]["block"], dropped.block);
    let resigned = contract.perform(&alice, play.number, Action::Resign).await;
    resigned.unwrap();
    game.seen(|told| told["winner"] == "blue").await;

    let missing = host.see("f1").await;
    assert_eq!(
        missing["error"],
        "there is no game f1: the only one is game f0"
    );
    let nothing = host.post("/api/games/v0/drop", json!({ "bin": 0 })).await;
    refused(nothing, 400, "input", "there is no game `v0`");
}
