//! What the index tells of accounts and games, to anybody.

use connect4_client::{Action, Address, Contracts, GameId, Signer, name_of};
use connect4_protocol::ClockSpec;
use connect4_protocol::signed::message::Record;
use connect4_protocol::signed::{Group, Moves, RecordedEnd, Terms};
use connect4_rules::{Bin, Player, Shape};
use connect4_testing::signed::SignedPlay;
use serde_json::{Value, json};

use crate::served::{Served, game, play_all, refused, seated, start, terms};

/// Starts a game between alice and bob, and makes these moves.
async fn play(contract: &Contracts, people: &[Signer; 2], moves: &str) -> GameId {
    let [one, two] = people;
    let shape = Shape::STANDARD.into();
    let started = contract.start_game(one, one.address(), two.address(), shape);
    let game = started.await.unwrap().value;
    for (turn, bin) in connect4_testing::games::bins(moves).enumerate() {
        let dropped = contract.drop_disc(&people[turn % 2], game, Bin::new(bin));
        dropped.await.unwrap();
    }
    game
}

/// Asks until the index has what happened up to the best block of the chain.
async fn told(served: &Served, path: &str) -> Value {
    let best = served.chain.best().1.number;
    loop {
        let (status, answer) = served.host.get(path).await;
        assert_ne!(status, 400, "{path}: {answer}");
        if status == 200 && answer["index"]["block"] == best {
            return answer;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn anybody_reads_what_accounts_have_played() {
    let served = Served::start_indexed().await;
    let host = &served.host;
    assert_eq!(host.hello["index"], true);
    // Before the first game nobody has played.
    for (path, list) in [
        ("/api/now", "games"),
        ("/api/standings", "rows"),
        ("/api/history", "games"),
        ("/api/search?q=alice", "accounts"),
    ] {
        let (status, answer) = host.get(path).await;
        assert_eq!(status, 200, "{path}: {answer}");
        let found = answer[list].as_array().expect("a list");
        assert!(
            found.iter().all(|one| one["games"] == 0),
            "{path}: {answer}"
        );
    }
    let contract = served.deploy().await;
    let people = ["alice", "bob"].map(|name| Signer::development(name).unwrap());
    let [alice, bob] = people.each_ref().map(|signer| signer.address().to_string());
    play(&contract, &people, "4343434").await;
    let resigned = play(&contract, &people, "1234567").await;
    let resign = contract.perform(&people[0], resigned, Action::Resign).await;
    resign.unwrap();
    play(&contract, &people, "44").await;
    // The terms of the classic game, in the contract of the variants, where it is rated.
    let mut rated = terms(2, None);
    rated["shape"]["line"] = json!(4);
    let variant = start(host, rated, &["alice", "bob"]).await;
    play_all(host, &variant, &["4", "3", "4", "3", "4", "3", "4"]).await;

    let profile = told(&served, "/api/accounts/alice").await;
    assert_eq!(
        profile["account"],
        json!({ "address": alice, "name": "alice" })
    );
    assert_eq!(profile["games"], 4);
    assert_eq!(profile["index"]["behind"], 0);
    assert_eq!(profile["index"]["missing"], json!([]));
    assert_eq!(profile["standings"].as_array().unwrap().len(), 1);
    let standing = &profile["standings"][0];
    assert_eq!(
        (&standing["league"], &standing["wins"], &standing["losses"]),
        (&json!("two"), &json!(1), &json!(0))
    );
    assert_eq!(
        (&standing["rated"], &standing["rating"]),
        (&json!(1), &json!(1516.0))
    );
    assert_eq!(profile["points"], json!([]));
    let open = &profile["open"][0];
    assert_eq!((&open["game"], &open["to_move"]), (&json!("2"), &json!(0)));
    assert!(
        open["position"]
            .as_str()
            .unwrap()
            .ends_with("...b.../...r...")
    );
    assert_eq!(open["last"], json!({ "bin": 3, "row": 1 }));
    let results = |kind: &str, losses: u32| {
        json!({
            "kind": kind,
            "shape": { "bins": 7, "capacity": 6, "line": 4 },
            "seat": 0,
            "results": { "wins": 1, "draws": 0, "losses": losses },
        })
    };
    assert_eq!(
        profile["results"],
        json!([results("classic", 1), results("variant", 0)])
    );
    // The same account by its address.
    let by_address = told(&served, &format!("/api/accounts/{alice}")).await;
    assert_eq!(by_address, profile);

    let against = told(&served, "/api/accounts/bob/against/alice").await;
    let results = json!({ "wins": 1, "draws": 0, "losses": 2 });
    assert_eq!(against["series"]["results"], results);
    assert_eq!(against["games"].as_array().unwrap().len(), 4);

    let standings = told(&served, "/api/standings?league=two").await;
    assert_eq!(standings["accounts"], 2);
    assert_eq!(standings["rows"][0]["rank"], 1);
    assert_eq!(
        told(&served, "/api/standings?league=two&before=1").await["rows"][0]["rank"],
        2
    );
    for path in ["/api/standings", "/api/standings?league=more"] {
        assert_eq!(told(&served, path).await["rows"], json!([]), "{path}");
    }

    let won = told(
        &served,
        "/api/history?account=alice&kind=classic&result=won",
    )
    .await;
    assert_eq!(won["games"].as_array().unwrap().len(), 1);
    assert_eq!(won["games"][0]["how"], "by a line");
    let all = told(&served, "/api/history?kind=classic&board=7x6,%20line%204").await;
    assert_eq!(all["games"].as_array().unwrap().len(), 3);
    assert_eq!(all["next"], Value::Null);
    let behind = told(&served, "/api/history?before=0-4-1").await;
    assert_eq!(behind["games"], json!([]));

    let now = told(&served, "/api/now").await;
    assert_eq!(now["games"].as_array().unwrap().len(), 1);

    let found = told(&served, "/api/search?q=2").await;
    assert_eq!(found["game"]["game"], "2");
    let found = told(&served, &format!("/api/search?q={}", &bob[..7])).await;
    let accounts = json!([{ "account": { "address": bob, "name": "bob" }, "games": 4 }]);
    assert_eq!(found["accounts"], accounts);
    assert_eq!(
        told(&served, "/api/search?q=bo").await["accounts"],
        accounts
    );
    assert_eq!(
        told(&served, "/api/search?q=zzz").await["accounts"],
        json!([])
    );

    for (path, words) in [
        ("/api/accounts/nobody", ""),
        ("/api/standings?league=all", "two, more, witnessed"),
        ("/api/history?kind=chess", "classic, variant, signed"),
        ("/api/history?result=lucky", "won, drawn, lost"),
        ("/api/history?board=big", ""),
        ("/api/history?before=x", "page before"),
    ] {
        refused(host.get(path).await, 400, "input", words);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_an_index_says_so() {
    let served = Served::start().await;
    assert_eq!(served.host.hello["index"], false);
    for path in [
        "/api/now",
        "/api/standings",
        "/api/accounts/alice",
        "/api/search?q=1",
    ] {
        refused(served.host.get(path).await, 404, "other", "no index");
    }
}

/// Two guests in a room of the host's witness are under way before the chain knows of them.
#[tokio::test(flavor = "multi_thread")]
async fn signed_games_are_live_in_the_rooms_of_the_host() {
    let served = Served::start_indexed_now().await;
    let contract = served.deploy().await;
    told(&served, "/api/now").await;
    let witness = served.host.hello["witness"].as_str().expect("a witness");
    let chain = contract.client().signing_chain().unwrap();
    let play = game(chain, witness.parse().unwrap(), 1);
    let mut seats = seated(served.host.addr(), &play).await;
    let in_room = loop {
        let now = told(&served, "/api/now").await;
        if let Some(game) = now["in_rooms"].get(0) {
            break game.clone();
        }
    };
    assert_eq!(in_room["game"], play.number.to_string());
    let one = play.keys.one.address().to_string();
    assert_eq!(in_room["players"][0]["address"], one);
    assert_eq!(in_room["pool"], 2);
    let empty = ["......."; 6].join("/");
    assert_eq!(
        (&in_room["position"], &in_room["last"]),
        (&json!(empty), &Value::Null)
    );

    // The second player has the red disc after the swap.
    let bins = [3, Moves::SWAP, 2];
    for moves in 1..=bins.len() {
        let mover = &mut seats[(moves - 1) % 2];
        mover.say(play.made(&bins[..moves])).await;
        mover.receipt(&bins[..moves]).await;
    }
    let moved = loop {
        let now = told(&served, "/api/now").await;
        if now["in_rooms"][0]["plies"] == 3 {
            break now["in_rooms"][0].clone();
        }
    };
    let dots = ["......."; 5].join("/");
    assert_eq!(moved["position"], format!("{dots}/..br..."));
    assert_eq!(moved["last"], json!({ "bin": 2, "row": 0 }));
    assert_eq!(
        (&moved["swapped"], &moved["to_move"]),
        (&json!(true), &json!(1))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn signed_games_are_in_profiles_once_they_are_recorded() {
    let served = Served::start_indexed_now().await;
    let contract = served.deploy().await;
    told(&served, "/api/now").await;
    let witness: Address = served.host.hello["witness"]
        .as_str()
        .expect("a witness")
        .parse()
        .unwrap();
    let chain = contract.client().signing_chain().unwrap();
    let untimed = game(chain, witness, 1);
    let terms = Terms {
        clock: Some(ClockSpec::USUAL),
        ..untimed.signed.terms
    };
    let play = SignedPlay::on(chain, terms, untimed.keys);
    let mut seats = seated(served.host.addr(), &play).await;
    let bins: Vec<u8> = connect4_testing::games::bins("4343434").collect();
    for moves in 1..=bins.len() {
        let mover = &mut seats[(moves - 1) % 2];
        mover.say(play.made(&bins[..moves])).await;
        if moves < bins.len() {
            mover.receipt(&bins[..moves]).await;
        }
    }
    let ended = seats[0].end().await;
    let finished = ended.finished(&play.signed).expect("it has ended");
    let record = Record {
        group: Group {
            genesis: chain.genesis,
            witness: Some(witness),
            event: None,
            list: None,
        },
        games: vec![RecordedEnd::of(&finished, false).unwrap()],
    };
    let alice = Signer::development("alice").unwrap();
    contract.send(&alice, record).await.unwrap();
    let number = play.number;
    let found = told(&served, &format!("/api/search?q={number}")).await;
    let recorded = &found["game"];
    assert_eq!(
        (&recorded["kind"], &recorded["how"]),
        (&json!("signed"), &json!("by a line"))
    );
    assert_eq!(
        (&recorded["winner"], &recorded["moves"]),
        (&json!(0), &json!("4343434"))
    );
    assert_eq!(recorded["signed"]["recorded_by"]["name"], "alice");
    assert_eq!(recorded["signed"]["uncounted"], Value::Null);
    let one = play.keys.one.address().to_string();
    // The index has it before the host says whose games are rated.
    let profile = loop {
        let profile = told(&served, &format!("/api/accounts/{one}")).await;
        if profile["standings"][0] != Value::Null {
            break profile;
        }
    };
    assert_eq!(profile["standings"][0]["league"], "witnessed-pie");
    assert_eq!(profile["points"][0]["rating"], 1516.0);
    let page = told(&served, "/api/standings?league=witnessed-pie").await;
    assert_eq!(
        (&page["accounts"], &page["witnessed"], &page["witnesses"]),
        (&json!(2), &json!([2]), &json!([witness]))
    );
    assert_eq!(told(&served, "/api/standings").await["accounts"], 0);
    let signed = told(&served, "/api/history?kind=signed").await;
    assert_eq!(signed["games"].as_array().unwrap().len(), 1);
    let (status, picture) = served
        .host
        .get(&format!("/game/{number}/picture.svg"))
        .await;
    let picture = picture.as_str().unwrap_or_default();
    let [one, two] = Player::ALL.map(|player| name_of(play.keys.get(player).address()));
    assert_eq!(status, 200);
    for words in [
        format!("<title>{one} vs {two}:"),
        format!(">{one} won</text>"),
    ] {
        assert!(picture.contains(&words), "{words}: {picture}");
    }
}
