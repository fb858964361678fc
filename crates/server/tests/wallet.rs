//! The program as the wallet of its owner's page: what it signs, for whom, and what it does not.

use connect4_client::Signer;
use connect4_protocol::message::{DropDisc, StartGame};
use connect4_protocol::signed::{AccountSignature, Domain, Native, Session};
use connect4_rules::Shape;
use connect4_testing::keys::session_key;
use connect4_wire::words::now;
use serde_json::{Value, json};

use crate::served::{Answer, Browser, Served, input, refused};

fn hex(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}

fn account(name: &str) -> Signer {
    Signer::development(name).expect("a development account")
}

/// What the program prepares for alice.
async fn prepared(host: &Browser, data: String) -> Value {
    let asked = json!({
        "account": account("alice").account().to_string(),
        "contract": "games",
        "data": data,
        "payment": "0",
    });
    host.done("/api/prepare", asked).await["unsigned"].clone()
}

async fn sign(browser: &Browser, payload: &Value) -> Answer {
    browser
        .post("/api/sign", json!({ "payload": payload }))
        .await
}

/// Signs what was prepared, passes it on, and waits for its block.
async fn sent(host: &Browser, unsigned: &Value) -> Value {
    let (status, signed) = sign(host, &unsigned["payload"]).await;
    assert_eq!(status, 200, "{signed}");
    let asked = json!({
        "head": unsigned["head"],
        "tail": unsigned["tail"],
        "signature": signed["signature"],
    });
    let passed = host.done("/api/submit", asked).await;
    let hash = passed["hash"].as_str().expect("a hash");
    let from = passed["after"].as_u64().expect("a block") + 1;
    loop {
        let path = format!("/api/transactions/{hash}?from={from}");
        let (_, searched) = host.get(&path).await;
        if !searched["found"].is_null() {
            return searched["found"].clone();
        }
        tokio::task::yield_now().await;
    }
}

/// A server whose contracts are there.
async fn served() -> Served {
    let served = Served::start().await;
    let body = json!({
        "kind": "classic",
        "terms": {
            "shape": { "bins": 7, "capacity": 6, "line": 4 },
            "players": 2,
            "pop_out": false,
            "pie_rule": false,
            "powers": { "take": 0, "clear": 0, "float": 0 },
            "limit": null,
        },
        "seats": [{ "account": "alice", "level": null }, { "account": "bob", "level": null }],
    });
    served.host.done("/api/games", body).await;
    served
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_signs_what_it_has_prepared_and_nothing_else() {
    let served = served().await;
    let host = &served.host;
    assert_eq!(host.hello["public"], false);
    let (status, hello) = host.get("/api/hello").await;
    assert_eq!(status, 200);
    assert!(hello["signing"]["games"].is_string(), "{hello}");

    let start = StartGame {
        player_one: account("alice").address(),
        player_two: account("bob").address(),
        shape: Shape::STANDARD.into(),
    };
    let unsigned = prepared(host, input(&start)).await;
    let landed = sent(host, &unsigned).await;
    assert_eq!(landed["failure"], Value::Null, "{landed}");
    assert_eq!(landed["events"][0]["event"], "started", "{landed}");

    let unsigned = prepared(host, input(&DropDisc { game: 1, bin: 3 })).await;
    let payload = &unsigned["payload"];
    let with = |name: &str, value: Value| {
        let mut other = payload.clone();
        other[name] = value;
        other
    };
    let method = payload["method"].as_str().expect("a call");
    // The call's pallet and number, and the contract behind them.
    let contract = hello["signing"]["games"].as_str().expect("an address");
    let to = format!("0x{}", "e0".repeat(20));
    let elsewhere = method.replace(&contract.to_lowercase()[2..], &to[2..]);
    assert_ne!(elsewhere, method);
    let alice = account("alice").account();
    let other = session_key(1).address();
    // All that alice has, to somebody else: `Balances.transfer_all`.
    let transfer = hex(&[&[5, 4, 0][..], &[0xe0; 32], &[0]].concat());
    for (what, lie) in [
        ("another contract", with("method", json!(elsewhere))),
        ("a transfer", with("method", json!(transfer))),
        (
            "another pallet",
            with("method", json!(method.replacen("0x", "0x05", 1))),
        ),
        (
            "more behind it",
            with("method", json!(format!("{method}00"))),
        ),
        ("another chain", with("genesisHash", json!(hex(&[7; 32])))),
        ("another runtime", with("specVersion", json!("0x00000063"))),
        ("a longer time", with("era", json!("0x00"))),
        (
            "other extensions",
            with("signedExtensions", json!(["CheckNonce"])),
        ),
        ("other metadata", with("metadataHash", json!(hex(&[7; 32])))),
    ] {
        let (status, answer) = sign(host, &lie).await;
        let words = "it is no call of the contracts of games and stakes by this account";
        assert!(
            status >= 400
                && answer["error"]
                    .as_str()
                    .is_some_and(|text| text.contains(words)),
            "{what}: {status} {answer}"
        );
    }
    let named = with("address", json!(hex(&other.0)));
    refused(sign(host, &named).await, 400, "input", "");
    let (status, answer) = sign(host, &with("nonce", json!("seven"))).await;
    assert_eq!(
        (status, &answer["kind"]),
        (400, &json!("input")),
        "{answer}"
    );
    // It is signed as it is.
    assert_eq!(payload["address"], json!(alice.to_string()));
    assert_eq!(sign(host, payload).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_but_the_owner_has_it_sign() {
    let served = served().await;
    let unsigned = prepared(&served.host, input(&DropDisc { game: 0, bin: 3 })).await;
    let key = json!({
        "account": account("alice").address(),
        "key": session_key(1).address(),
        "until": now() + 60,
    });
    let words = "an invitation is for a seat alone";
    // Who is invited to alice's own seat makes moves with her account, and takes nothing from it.
    for seat in ["alice", "bob"] {
        let browser = served.browser(seat).await;
        refused(
            sign(&browser, &unsigned["payload"]).await,
            403,
            "key",
            words,
        );
        refused(
            browser.post("/api/sessions", key.clone()).await,
            403,
            "key",
            words,
        );
    }
    let none = served.visitor().await;
    refused(sign(&none, &unsigned["payload"]).await, 403, "key", words);
    // An account that is none of the program's.
    let mut other = key.clone();
    other["account"] = json!(session_key(9).address());
    refused(
        served.host.post("/api/sessions", other).await,
        403,
        "key",
        "this browser has no key to play with that account",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn it_names_a_key_that_plays_for_its_account() {
    let served = served().await;
    let chain = served.client().await.signing_chain().expect("a number");
    let (alice, key) = (account("alice"), session_key(1).address());
    let until = now() + 86_400;
    let asked = |until: u64| json!({ "account": alice.address(), "key": key, "until": until });
    let named = served.host.done("/api/sessions", asked(until)).await;
    assert_eq!(named["sr25519"][0], json!(alice.account().to_string()));
    let signature = hex::decode(&named["sr25519"][1].as_str().expect("a signature")[2..]);
    let signature = AccountSignature::Sr25519 {
        public_key: alice.account().0,
        signature: signature.expect("digits").try_into().expect("64 bytes"),
    };
    let account = alice.address();
    let session = Session {
        account,
        key,
        until,
    };
    let digest = session.digest(&Domain::without_stake(chain), &Native);
    assert_eq!(signature.signer(&digest, &Native), Some(account));
    let late = served
        .host
        .post("/api/sessions", asked(now() + 30 * 86_400))
        .await;
    refused(late, 400, "input", "a key is named for a week at most");
}
