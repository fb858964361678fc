//! Finality that lags, retracted blocks and states that are not kept, from a client's side.

use std::time::Duration;

use connect4_chain::{Chain, Finality, Options, Retracted, rpc, runtime::Runtime};
use jsonrpsee::{core::client::Subscription, ws_client::WsClient};
use serde_json::{Value, json};
use sp_keyring::Sr25519Keyring::Alice;

use crate::common::served::{
    ask, code, follow, follower, next, serve, serve_chain, subscribe, transfer,
};

/// A served chain that seals when the test says so, with this many blocks that are not final.
async fn lagging(blocks: u32) -> (Chain, rpc::Server, WsClient) {
    serve_chain(lag(blocks), with_dev()).await
}

fn lag(blocks: u32) -> Options {
    Options {
        // During a test blocks are made by `dev_seal` alone.
        block_time: Some(Duration::from_secs(3600)),
        finality: Finality::Lag(blocks),
        ..Options::default()
    }
}

fn with_dev() -> rpc::Options {
    rpc::Options {
        dev: true,
        ..rpc::Options::default()
    }
}

async fn seal(client: &WsClient) -> Value {
    ask(client, "dev_seal", json!([])).await.unwrap()
}

async fn reorganise(client: &WsClient, depth: u32, back: &str) -> Value {
    let replaced = ask(client, "dev_reorganise", json!([depth, back])).await;
    replaced.unwrap()
}

async fn submit(client: &WsClient, chain: &Chain) -> Subscription<Value> {
    let (method, params) = (
        "author_submitAndWatchExtrinsic",
        json!([transfer(chain, 0)]),
    );
    subscribe(client, method, params, "author_unwatchExtrinsic").await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_methods_for_development_exist_only_if_they_are_asked_for() {
    let (_chain, _server, client) = serve(rpc::Options::default()).await;
    for method in ["dev_seal", "dev_stallFinality", "dev_reorganise"] {
        assert_eq!(code(ask(&client, method, json!([])).await), -32601);
    }
    let (chain, _server, client) = lagging(2).await;
    let methods = ask(&client, "rpc_methods", json!([])).await.unwrap();
    assert!(methods.to_string().contains("dev_reorganise"));

    assert_eq!(seal(&client).await, json!(chain.best().0));
    let now = || async {
        let key = pallet_timestamp::Now::<Runtime>::hashed_key();
        let key = json!([format!("0x{}", hex::encode(key))]);
        let time = ask(&client, "state_getStorage", key).await.unwrap();
        let time = hex::decode(&time.as_str().unwrap()[2..]).unwrap();
        u64::from_le_bytes(time.try_into().unwrap())
    };
    let before = now().await;
    let moved = ask(&client, "dev_advanceClock", json!([3600])).await;
    assert_eq!(moved.unwrap(), Value::Null);
    seal(&client).await;
    assert!(now().await >= before + 3_600_000);

    for params in [
        json!([9, "drop"]),
        json!([1, "burn"]),
        json!([1]),
        json!(["one", "drop"]),
    ] {
        let refused = ask(&client, "dev_reorganise", params.clone()).await;
        assert_eq!(code(refused), -32602, "{params}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn final_blocks_lag_behind_and_stall() {
    let (_chain, _server, client) = lagging(1).await;
    let heads = (
        "chain_subscribeFinalizedHeads",
        "chain_unsubscribeFinalizedHeads",
    );
    let mut heads = subscribe(&client, heads.0, json!([]), heads.1).await;
    assert_eq!(next(&mut heads).await["number"], "0x0");
    let second = seal(&client).await;
    assert_eq!(next(&mut heads).await["number"], "0x1");
    ask(&client, "dev_stallFinality", json!([])).await.unwrap();
    for _ in 0..5 {
        seal(&client).await;
    }
    let height = ask(&client, "archive_v1_finalizedHeight", json!([])).await;
    assert_eq!(height.unwrap(), json!(1));
    ask(&client, "dev_resumeFinality", json!([])).await.unwrap();
    // As on a Substrate node the headers in between are left out.
    assert_eq!(next(&mut heads).await["number"], "0x6");
    let head = ask(&client, "chain_getFinalizedHead", json!([])).await;
    let height = ask(&client, "archive_v1_hashByHeight", json!([6])).await;
    assert_eq!(json!([head.unwrap()]), height.unwrap());
    let height = ask(&client, "archive_v1_hashByHeight", json!([2])).await;
    assert_eq!(height.unwrap(), json!([second]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_watcher_of_a_transaction_is_told_that_its_block_is_retracted() {
    let (chain, _server, client) = lagging(1).await;
    let mut updates = submit(&client, &chain).await;
    assert_eq!(next(&mut updates).await, "ready");
    let first = seal(&client).await;
    assert_eq!(next(&mut updates).await, json!({ "inBlock": first }));
    reorganise(&client, 1, "requeue").await;
    assert_eq!(next(&mut updates).await, json!({ "retracted": first }));
    assert_eq!(next(&mut updates).await, "ready");
    let second = seal(&client).await;
    assert_eq!(next(&mut updates).await, json!({ "inBlock": second }));
    seal(&client).await;
    assert_eq!(next(&mut updates).await, json!({ "finalized": second }));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newer_watch_tells_the_same_in_its_own_words() {
    let (chain, _server, client) = lagging(1).await;
    let mut updates = subscribe(
        &client,
        "transactionWatch_v1_submitAndWatch",
        json!([transfer(&chain, 0)]),
        "transactionWatch_v1_unwatch",
    )
    .await;
    assert_eq!(next(&mut updates).await, json!({ "event": "validated" }));
    let block = json!({ "hash": seal(&client).await, "index": 1 });
    let included = |block: &Value| json!({ "event": "bestChainBlockIncluded", "block": block });
    assert_eq!(next(&mut updates).await, included(&block));
    reorganise(&client, 1, "drop").await;
    assert_eq!(next(&mut updates).await, included(&Value::Null));
    assert_eq!(next(&mut updates).await["event"], "dropped");
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_are_told_on_a_branch_as_a_substrate_node_tells_them() {
    let (chain, _server, client) = lagging(5).await;
    seal(&client).await;
    let best = ("chain_subscribeNewHeads", "chain_unsubscribeNewHeads");
    let mut best = subscribe(&client, best.0, json!([]), best.1).await;
    let all = ("chain_subscribeAllHeads", "chain_unsubscribeAllHeads");
    let mut all = subscribe(&client, all.0, json!([]), all.1).await;
    assert_eq!(next(&mut best).await["number"], "0x2");
    assert_eq!(next(&mut all).await["number"], "0x2");

    reorganise(&client, 1, "drop").await;
    assert_eq!(next(&mut best).await["number"], "0x3", "the branch's last");
    let first = next(&mut all).await;
    assert_eq!(first["number"], "0x2", "the branch's first");
    assert_eq!(next(&mut all).await["number"], "0x3");

    let at_two = ask(&client, "chain_getBlockHash", json!([2]))
        .await
        .unwrap();
    let both = ask(&client, "archive_v1_hashByHeight", json!([2])).await;
    let both = both.unwrap();
    assert_eq!(both[0], at_two);
    assert_eq!(both.as_array().unwrap().len(), 2);
    let old = both[1].clone();
    let header = ask(&client, "chain_getHeader", json!([old])).await.unwrap();
    assert_eq!(header["number"], "0x2");
    assert_eq!(header["parentHash"], first["parentHash"]);
    let block = ask(&client, "chain_getBlock", json!([old])).await.unwrap();
    assert!(block["block"]["extrinsics"].is_array());
    let version = ask(&client, "state_getRuntimeVersion", json!([old])).await;
    assert!(
        version.is_ok(),
        "the state of a retracted block can be read"
    );
    let key = json!(["0x3a636f6465"]);
    let range = ask(&client, "state_queryStorage", json!([key, old])).await;
    assert_eq!(code(range), 4001, "it is not an ancestor of the best block");
    drop(chain);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_is_told_about_branches_and_what_becomes_of_them() {
    let (chain, _server, client) = lagging(2).await;
    let second = seal(&client).await;
    let third = seal(&client).await;
    let first = json!(chain.finalized().0);

    // Someone who comes now is told the final blocks, then those on top of them.
    let mut events = follow(&client).await;
    let initialized = next(&mut events).await;
    let finals = initialized["finalizedBlockHashes"].as_array().unwrap();
    assert_eq!(finals, &[json!(chain.genesis_hash()), first.clone()]);
    for (block, parent) in [(&second, &first), (&third, &second)] {
        let new = next(&mut events).await;
        assert_eq!(new["event"], "newBlock");
        assert_eq!(
            (&new["blockHash"], &new["parentBlockHash"]),
            (block, parent)
        );
    }
    let best = json!({ "event": "bestBlockChanged", "bestBlockHash": third });
    assert_eq!(next(&mut events).await, best);

    let tip = reorganise(&client, 1, "drop").await;
    let new = next(&mut events).await;
    assert_eq!(
        new["parentBlockHash"], second,
        "a sibling, not yet the best"
    );
    let sibling = new["blockHash"].clone();
    let new = next(&mut events).await;
    assert_eq!(
        (&new["blockHash"], &new["parentBlockHash"]),
        (&tip, &sibling)
    );
    let best = json!({ "event": "bestBlockChanged", "bestBlockHash": tip });
    assert_eq!(next(&mut events).await, best);
    let finalized = json!({
        "event": "finalized",
        "finalizedBlockHashes": [second],
        "prunedBlockHashes": [],
    });
    assert_eq!(next(&mut events).await, finalized);
    seal(&client).await;
    assert_eq!(next(&mut events).await["event"], "newBlock");
    assert_eq!(next(&mut events).await["event"], "bestBlockChanged");
    let finalized = json!({
        "event": "finalized",
        "finalizedBlockHashes": [sibling],
        "prunedBlockHashes": [third],
    });
    assert_eq!(next(&mut events).await, finalized);

    // The pruned block stays pinned.
    let id = follower(&events);
    let header = ask(&client, "chainHead_v1_header", json!([id, third])).await;
    assert!(header.unwrap().is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_can_begin_to_follow_when_finality_lies_too_far_behind() {
    let (chain, _server, client) = lagging(0).await;
    chain.stall_finality().unwrap();
    for _ in 0..128 {
        chain.seal().unwrap();
    }
    let mut events = follow(&client).await;
    assert_eq!(next(&mut events).await["event"], "initialized");
    chain.seal().unwrap();
    let mut events = follow(&client).await;
    assert_eq!(next(&mut events).await["event"], "stop");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_for_a_state_that_is_not_kept_are_refused_as_by_a_substrate_node() {
    let options = Options {
        keep_states: Some(2),
        ..lag(0)
    };
    let (chain, _server, client) = serve_chain(options, with_dev()).await;
    let mut events = follow(&client).await;
    assert_eq!(next(&mut events).await["event"], "initialized");
    let old = json!(chain.best().0);
    for _ in 0..4 {
        seal(&client).await;
    }
    let words = format!(
        "Client error: UnknownBlock: State already discarded for {}",
        old.as_str().unwrap()
    );
    let range = json!([["0x3a636f6465"], old]);
    for (method, params) in [
        ("state_getStorage", json!(["0x3a636f6465", old])),
        ("state_getMetadata", json!([old])),
        ("state_getRuntimeVersion", json!([old])),
        ("state_call", json!(["Core_version", "0x", old])),
        ("state_getKeysPaged", json!(["0x", 1, null, old])),
        ("state_queryStorage", range),
        ("state_getReadProof", json!([["0x3a636f6465"], old])),
    ] {
        let refused = ask(&client, method, params).await.unwrap_err();
        let refused = refused.to_string();
        assert!(refused.contains(&words), "{method}: {refused}");
    }
    for method in ["chain_getHeader", "chain_getBlock"] {
        let found = ask(&client, method, json!([old])).await.unwrap();
        assert!(found.is_object(), "{method}");
    }

    // A follower can read what it has pinned, but who comes later is not told about it.
    let id = follower(&events);
    let called = json!([id, old, "Core_version", "0x"]);
    let started = ask(&client, "chainHead_v1_call", called).await.unwrap();
    loop {
        let event = next(&mut events).await;
        if event["operationId"] == started["operationId"] {
            assert_eq!(event["event"], "operationCallDone");
            break;
        }
    }
    let mut late = follow(&client).await;
    let initialized = next(&mut late).await;
    let told = initialized["finalizedBlockHashes"].as_array().unwrap();
    assert_eq!(told.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn values_are_told_by_the_blocks_that_are_the_best() {
    let (chain, _server, client) = lagging(3).await;
    let key = frame_system::Account::<Runtime>::hashed_key_for(Alice.to_account_id());
    let key = format!("0x{}", hex::encode(key));
    let unsubscribe = "state_unsubscribeStorage";
    let keys = json!([[key]]);
    let mut values = subscribe(&client, "state_subscribeStorage", keys, unsubscribe).await;
    let before = next(&mut values).await;
    let mut updates = submit(&client, &chain).await;
    assert_eq!(next(&mut updates).await, "ready");
    let first = seal(&client).await;
    let changed = next(&mut values).await;
    assert_eq!(changed["block"], first);
    assert_ne!(changed["changes"], before["changes"]);

    chain.reorganise(1, Retracted::Requeue).unwrap();
    let value = ask(&client, "state_getStorage", json!([key])).await;
    assert_eq!(value.unwrap(), before["changes"][0][1], "nothing is paid");
    // As on a Substrate node, that is not told: the branch's blocks have not written the value.
    let second = seal(&client).await;
    let again = next(&mut values).await;
    assert_eq!(again["block"], second);
    assert_eq!(again["changes"], changed["changes"]);
}
