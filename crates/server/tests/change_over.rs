//! A server whose contracts are replaced by those of the next version while games run.

mod served;

use connect4_client::{Action, Contracts, GameId, Offer, Signer};
use connect4_protocol::{Address, ClockSpec, Game};
use connect4_rules::{Bin, Player, Shape};
use connect4_testing::contracts::earlier;
use serde_json::{Value, json};

use served::{Browser, Served, Watching, both_lookup, classic, drop_in, earlier_lookup, refused};

/// Where the earlier version is served.
const EARLIER: &str = "/earlier/3";

/// What each player stakes, in the token's smallest unit: more than all fees of the test.
const STAKE: u128 = 100_000_000_000_000;

fn account(name: &str) -> Signer {
    Signer::development(name).unwrap()
}

/// A game for a stake between alice, who begins, and bob.
async fn staked(contract: &Contracts) -> GameId {
    let offer = Offer {
        opponent: Some(account("bob").address()),
        challenger_first: true,
        shape: Shape::STANDARD.into(),
        clock: Some(ClockSpec {
            bank: 86_400,
            increment: 60,
        }),
        stake: STAKE,
        key: None,
        pie_rule: false,
        expires_in: None,
    };
    let made = contract.challenge(&account("alice"), offer).await.unwrap();
    let accepted = contract.accept(&account("bob"), made.value, None).await;
    accepted.unwrap().value
}

/// Drops discs from the page of the host, the first one at this turn.
async fn drop_all(host: &Browser, path: &str, game: GameId, turn: usize, bins: &[u8]) {
    let query = format!("{path}/api/live?game={game}");
    let mut watching = Watching::open(host.addr(), &query).await;
    for (turn, bin) in (turn..).zip(bins) {
        let is_turn = |told: &Value| {
            told["moves"]
                .as_array()
                .is_some_and(|all| all.len() == turn)
        };
        let seen = watching.seen(is_turn).await;
        let mut body = drop_in(*bin);
        body["board"] = seen["board"].clone();
        host.done(&format!("{path}/api/games/{game}/move"), body)
            .await;
    }
}

/// What the index says once it has all blocks.
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
async fn games_of_the_earlier_contracts_are_played_to_their_end_and_paid() {
    let mut served = Served::start_indexed_with(earlier_lookup()).await;
    let client = served.client().await;
    let alice = account("alice");
    let (old, _) = earlier_lookup().deploy(&client, &alice).await.unwrap();
    assert_eq!(old.version(), Some(earlier::VERSION));
    let game = staked(&old).await;
    for (turn, bin) in [3, 4, 3, 4].into_iter().enumerate() {
        let player = account(["alice", "bob"][turn % 2]);
        old.drop_disc(&player, game, Bin::new(bin)).await.unwrap();
    }
    // One that has ended before counts afterwards, too.
    let before = staked(&old).await;
    let resigned = old.perform(&account("bob"), before, Action::Resign).await;
    resigned.unwrap();

    served.restart_with(both_lookup()).await;
    let host = &served.host;
    assert_eq!(
        host.hello["contracts"],
        json!({
            "version": null,
            "is_earlier": false,
            "earlier": [{ "version": earlier::VERSION, "contract": old.address().to_string() }],
        })
    );
    // The next version is deployed with its first game, which has the number of the one that runs.
    let start = classic(7, 6, Value::Null);
    let started = host.done("/api/games", start.clone()).await;
    assert_eq!(started["game"], game.to_string());
    let (_, hello) = host.get("/api/hello").await;
    assert_eq!(
        hello["contracts"]["version"],
        connect4_protocol::VERSION,
        "{hello}"
    );
    let new: Address = hello["chain"]["contract"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert_ne!(new, old.address());

    // The earlier ones have pages of their own, where nothing begins.
    let (_, hello) = host.get(&format!("{EARLIER}/api/hello")).await;
    assert_eq!(hello["chain"]["contract"], old.address().to_string());
    assert_eq!(
        hello["contracts"],
        json!({ "version": earlier::VERSION, "is_earlier": true, "earlier": [] })
    );
    let begun = host.post(&format!("{EARLIER}/api/games"), start).await;
    refused(begun, 409, "refused", "are played to their end here");
    let challenge = json!({
        "account": "alice",
        "opponent": "bob",
        "first": "me",
        "shape": { "bins": 7, "capacity": 6, "line": 4 },
        "clock": null,
        "stake": null,
    });
    let made = host
        .post(&format!("{EARLIER}/api/challenges"), challenge)
        .await;
    refused(made, 409, "refused", "are played to their end here");

    // A page that was open before is not shown another game of the same number.
    let open = format!("/api/live?game={game}&contract={}", old.address());
    let mut watching = Watching::open(host.addr(), &open).await;
    let seen = watching.seen(|told| told["type"] != "chain").await;
    assert_eq!(seen["type"], "missing", "{seen}");

    // The game goes on to its end, and its stakes are paid.
    drop_all(host, EARLIER, game, 4, &[3, 4, 3]).await;
    let over = old.game::<Game>(game).await.unwrap().unwrap();
    assert_eq!(over.winner(), Some(Player::One));
    let had = client.balance(&alice.account()).await.unwrap();
    let withdraw = json!({ "account": "alice", "games": [game.to_string(), before.to_string()] });
    host.done(&format!("{EARLIER}/api/withdraw"), withdraw)
        .await;
    let has = client.balance(&alice.account()).await.unwrap();
    assert!(has > had + 4 * STAKE - STAKE / 10, "{had} to {has}");

    // Both versions are in one index, and count for one rating.
    drop_all(host, "", game, 0, &[3, 4, 3, 4, 3, 4, 3]).await;
    let profile = told(&served, "/api/accounts/alice").await;
    assert_eq!(profile["games"], 3, "{profile}");
    let numbers: Vec<_> = profile["last"]
        .as_array()
        .unwrap()
        .iter()
        .map(|played| (played["game"].clone(), played["earlier"].clone()))
        .collect();
    let (old_version, text) = (json!(earlier::VERSION), |game: GameId| {
        json!(game.to_string())
    });
    assert_eq!(
        numbers,
        [
            (text(game), Value::Null),
            (text(before), old_version.clone()),
            (text(game), old_version)
        ]
    );
    // A game that was resigned without a move is no win.
    let standing = &profile["standings"][0];
    assert_eq!(
        (&standing["wins"], &standing["losses"]),
        (&json!(2), &json!(0))
    );
    let points = profile["points"].as_array().unwrap();
    assert!(points.len() >= 2, "{profile}");
    // The same from below the path of the earlier ones.
    let (_, below) = served
        .host
        .get(&format!("{EARLIER}/api/history?account=alice"))
        .await;
    assert_eq!(below["games"].as_array().map(Vec::len), Some(3), "{below}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_earlier_contracts_there_is_nothing_to_change_over_from() {
    let mut served = Served::start().await;
    served.deploy().await;
    served.restart_with(both_lookup()).await;
    let (_, hello) = served.host.get("/api/hello").await;
    assert_eq!(hello["contracts"]["earlier"], json!([]), "{hello}");
    let (_, hello) = served.host.get(&format!("{EARLIER}/api/hello")).await;
    assert_eq!(hello["chain"]["contract"], Value::Null, "{hello}");
}
