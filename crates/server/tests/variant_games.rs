//! Games of variants over HTTP and live sockets, as browsers play them: on a chain in memory, with the
//! built contract.

use serde_json::{Value, json};

use crate::served::{
    NAMES, Served, act, all_terms, moved, people, play, play_all, refused, start, terms,
};

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
    let first = watching.seen(|told| told["type"] == "game").await;
    assert_eq!(first["terms"], all_terms(4));
    assert_eq!(first["standing"], "red to move");
    assert_eq!(first["targets"]["drop"], json!([0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(first["targets"]["float"].as_array().unwrap().len(), 35);
    assert_eq!(first["targets"]["take"], json!([]));
    assert_eq!(
        first["refusals"]["take"],
        "no disc of another player is on the board"
    );
    assert_eq!(first["refusals"]["float"], Value::Null);

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
        let path = format!("/api/games/{game}/move");
        let body = json!({ "move": moved(text), "turns": turn });
        browsers[turn % 4].done(&path, body.clone()).await;
        let seen = watching.seen(|told| told["turns"] == turn + 1).await;
        for (field, value) in moved(text).as_object().unwrap() {
            assert_eq!(&seen["moves"][turn][field], value, "{text}");
        }
        // Another page that shows the board before this move sends the same one.
        let late = browsers[(turn + 1) % 4].post(&path, body).await;
        refused(
            late,
            409,
            "refused",
            if turn < 11 { "not the one you saw" } else { "" },
        );
        match turn {
            2 => {
                assert_eq!(
                    seen["moves"][2]["removed"],
                    json!([{ "colour": "red", "bin": 0, "row": 0 }])
                );
                assert_eq!(seen["moves"][2]["fallen"], json!([{ "bin": 0, "row": 1 }]));
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
                assert_eq!(seen["refusals"]["clear"], Value::Null);
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
    assert_eq!(over["refusals"]["drop"][0], "the game has ended");
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
        "players",
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
    let seats: Vec<_> = seen["players"].as_array().unwrap().iter().collect();
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
    let (status, picture) = served.host.get(&format!("/game/{game}/picture.svg")).await;
    let picture = picture.as_str().unwrap_or_default();
    assert_eq!(status, 200);
    assert!(
        picture.contains("<title>bob vs alice: alice to move</title>"),
        "{picture}"
    );
    // A server with accounts of its own is in nobody's page.
    assert_eq!(served.host.get(&format!("/embed/game/{game}")).await.0, 404);
    // Alice plays blue now.
    refused(play(&bob, &game, "4").await, 403, "key", "blue is alice");
    play_all(&alice, &game, &["4"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn computers_play_all_seats_but_one() {
    let served = Served::start().await;
    let host = &served.host;
    let mut seats = people(&NAMES);
    for seat in [1, 2, 3] {
        seats[seat]["level"] = json!("random");
    }
    let body = json!({ "kind": "variant", "terms": all_terms(4), "seats": seats });
    let game = host.done("/api/games", body).await;
    let game = game["game"].as_str().unwrap();
    let mut watching = host.watch(Some(game)).await;
    let seen = watching.seen(|told| told["type"] == "game").await;
    assert_eq!(seen["players"][0]["computer"], Value::Null);
    assert_eq!(
        seen["players"][1]["computer"],
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
    let path = format!("/api/games/{game}/computer");
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
async fn a_chain_that_was_away_is_followed_again_and_another_one_has_other_games() {
    let mut served = Served::start().await;
    let game = start(&served.host, terms(3, None), &NAMES[..3]).await;
    play_all(&served.host, &game, &["1", "2"]).await;
    let mut watching = served.host.watch(Some(&game)).await;
    let before = watching.seen(|told| told["turns"] == 2).await;

    served.lose_chain();
    let away = watching.seen(|told| told["up"] == false).await;
    assert!(away["why"].is_string(), "{away}");
    let answer = play(&served.host, &game, "3").await;
    refused(answer, 503, "chain", "The chain is unreachable");

    served.find_chain().await;
    watching.seen(|told| told["up"] == true).await;
    play_all(&served.host, &game, &["3"]).await;
    let after = watching.seen(|told| told["turns"] == 3).await;
    assert_eq!(after["notation"], "123");
    assert_eq!(after["moves"][0], before["moves"][0]);
    assert_eq!(after["moves"][1], before["moves"][1]);

    served.lose_chain();
    served.replace_chain();
    served.find_chain().await;
    let missing = watching.seen(|told| told["type"] == "missing").await;
    assert_eq!(
        missing["error"],
        "there is no game v0: no game of its kind has been started on this chain yet"
    );
    let again = start(&served.host, terms(2, None), &NAMES[..2]).await;
    assert_eq!(again, game, "numbers begin anew");
    let seen = watching.seen(|told| told["type"] == "game").await;
    assert_eq!(seen["moves"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn computers_play_on_after_the_server_was_started_again() {
    let mut served = Served::start().await;
    let mut seats = people(&NAMES[..3]);
    seats[1]["level"] = json!("random");
    seats[2]["level"] = json!("easy");
    let body = json!({ "kind": "variant", "terms": terms(3, None), "seats": seats });
    let game = served.host.done("/api/games", body).await;
    let game = game["game"].as_str().unwrap();
    served.restart().await;
    let mut watching = served.host.watch(Some(game)).await;
    let seen = watching
        .seen(|told| told["players"][2]["computer"]["level"] == "easy")
        .await;
    assert_eq!(seen["players"][1]["computer"]["level"], "random");
    assert_eq!(seen["players"][0]["computer"], Value::Null);
    play_all(&served.host, game, &["4"]).await;
    let seen = watching
        .seen(|told| told["turns"].as_u64() >= Some(3))
        .await;
    assert_eq!(seen["moves"][1]["player"], "blue");
    assert_eq!(seen["moves"][2]["player"], "green");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_in_which_nobody_moves_for_a_month_is_abandoned() {
    let served = Served::start().await;
    let game = start(&served.host, terms(2, None), &NAMES[..2]).await;
    play_all(&served.host, &game, &["4"]).await;
    let month = std::time::Duration::from_secs(30 * 24 * 60 * 60);
    served.chain.advance_clock(month);
    let early = act(&served.host, &game, "free", "alice").await;
    refused(early, 409, "refused", "the game is not over");
    served
        .chain
        .advance_clock(std::time::Duration::from_secs(60));
    let freed = act(&served.host, &game, "free", "alice").await;
    assert_eq!(freed.0, 200, "{}", freed.1);
    let seen = served.host.see(&game).await;
    assert_eq!(seen["freed"], true);
    assert_eq!(seen["end"], "abandoned");
    assert_eq!(seen["standing"], "abandoned");
    assert_eq!(seen["winner"], Value::Null);
    assert_eq!(seen["payer"], Value::Null, "its events do not tell");
    assert_eq!(seen["notation"], "4");
    assert_eq!(seen["targets"]["drop"][0], Value::Null);
}
