//! Blocks with their receipts and logs, on branches, without states, and after an upgrade.

use std::time::Duration;

use connect4_chain::Options;
use jsonrpsee::core::{client::SubscriptionClientT, params::ArrayParams};
use pallet_revive::evm::{Block, GenericTransaction};
use serde_json::{Value, json};
use sp_core::{H160, U256};

use crate::rpc_ethereum::{
    block,
    common::{
        ethereum::{PRICE, TOKEN, Wallet, get, hex_of, receipt, send},
        served::{ask, code, next, serve_chain, subscribe},
    },
    contracts, data, deploy, lagging, refusal, seal, start, with_dev,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_deploys_a_contract_and_calls_it() {
    let (chain, _server, client) = lagging(0).await;
    let (one, two) = (
        Wallet::funded(&chain, 1).await,
        Wallet::funded(&chain, 2).await,
    );
    let contract = deploy(&client, &one).await;
    let found = get(&client, "eth_getCode", json!([contract, "latest"])).await;
    assert_eq!(found, hex_of(contracts::GAMES));

    let call = json!({ "to": contract, "data": hex_of(&data("game_count", ())) });
    let count = get(&client, "eth_call", json!([call.clone(), "latest"])).await;
    assert_eq!(count, "0x0000000000", "Ok of a number");

    // Two transactions in one block.
    let calling = |wallet: &Wallet, nonce| {
        wallet.sign(GenericTransaction {
            to: Some(contract),
            input: start(&one, &two).into(),
            ..wallet.transaction(nonce)
        })
    };
    let first = send(&client, &calling(&one, 1)).await;
    let second = send(&client, &calling(&two, 0)).await;
    seal(&client).await;
    let (first, second) = (
        receipt(&client, &first).await,
        receipt(&client, &second).await,
    );
    let mined = block(&client, json!("latest")).await;
    let mut used = U256::zero();
    for (place, receipt) in [&first, &second].into_iter().enumerate() {
        let place = json!(U256::from(place));
        assert_eq!(receipt["status"], "0x1");
        assert_eq!(receipt["blockHash"], mined["hash"]);
        assert_eq!(receipt["transactionIndex"], place);
        assert_eq!(receipt["logs"][0]["logIndex"], place);
        assert_eq!(receipt["logs"][0]["address"], json!(contract));
        assert_eq!(receipt["contractAddress"], Value::Null);
        assert_eq!(receipt["effectiveGasPrice"], json!(U256::from(PRICE)));
        let gas: U256 = serde_json::from_value(receipt["gasUsed"].clone()).unwrap();
        used += gas;
        assert_eq!(receipt["cumulativeGasUsed"], json!(used));
    }
    assert_eq!(mined["gasUsed"], json!(used));
    let hash = mined["hash"].clone();
    assert_eq!(
        get(&client, "eth_getBlockReceipts", json!([hash])).await,
        json!([first, second])
    );
    for (method, which) in [
        ("eth_getTransactionByBlockHashAndIndex", &hash),
        ("eth_getTransactionByBlockNumberAndIndex", &mined["number"]),
    ] {
        let found = get(&client, method, json!([which, "0x1"])).await;
        assert_eq!(found["hash"], second["transactionHash"]);
        assert_eq!(found["gasPrice"], json!(U256::from(PRICE)));
        assert_eq!(
            get(&client, method, json!([which, "0x2"])).await,
            Value::Null
        );
    }
    for (method, which) in [
        ("eth_getBlockTransactionCountByHash", &hash),
        ("eth_getBlockTransactionCountByNumber", &mined["number"]),
    ] {
        assert_eq!(get(&client, method, json!([which])).await, "0x2");
    }

    // At the block before there were no games.
    let parent = json!({ "blockHash": mined["parentHash"] });
    assert_eq!(
        get(&client, "eth_call", json!([call.clone(), parent])).await,
        count
    );
    let now = get(&client, "eth_call", json!([call, "pending"])).await;
    assert_eq!(now, "0x0002000000");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_has_the_hash_of_its_header() {
    let (chain, _server, client) = lagging(0).await;
    let wallet = Wallet::funded(&chain, 1).await;
    send(&client, &wallet.pay(0, H160::repeat_byte(7), TOKEN)).await;
    seal(&client).await;
    let mut child: Option<Block> = None;
    for number in (0..=chain.best().1.number).rev() {
        let shown = block(&client, json!(U256::from(number))).await;
        let read: Block = serde_json::from_value(shown).unwrap();
        assert_eq!(read.hash, read.header_hash());
        if let Some(child) = child {
            assert_eq!(child.parent_hash, read.hash);
        }
        child = Some(read);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_follows_the_best_branch() {
    let (chain, _server, client) = lagging(9).await;
    let wallet = Wallet::funded(&chain, 1).await;
    let hash = send(&client, &wallet.pay(0, H160::repeat_byte(7), TOKEN)).await;
    let show = || get(&client, "eth_getTransactionByHash", json!([hash]));
    let waiting = show().await;
    assert_eq!(waiting["blockHash"], Value::Null);
    assert_eq!(waiting["from"], json!(wallet.address()));
    assert_eq!(receipt(&client, &hash).await, Value::Null);

    seal(&client).await;
    let retracted = receipt(&client, &hash).await;
    assert_eq!(show().await["blockHash"], retracted["blockHash"]);
    let mined = block(&client, json!("latest")).await;

    // Its block is replaced by two others, and it waits again.
    get(&client, "dev_reorganise", json!([1, "requeue"])).await;
    assert_eq!(receipt(&client, &hash).await, Value::Null);
    assert_eq!(show().await, waiting);
    let by_hash = json!([mined["hash"], false]);
    assert_eq!(
        get(&client, "eth_getBlockByHash", by_hash.clone()).await,
        Value::Null,
        "it is not on the best branch"
    );

    seal(&client).await;
    let again = receipt(&client, &hash).await;
    assert_eq!(again["blockNumber"], "0x5");
    assert_ne!(again["blockHash"], retracted["blockHash"]);

    // And once more, now without it.
    get(&client, "dev_reorganise", json!([1, "drop"])).await;
    assert_eq!(receipt(&client, &hash).await, Value::Null);
    assert_eq!(show().await, Value::Null);
    let nonce = json!([wallet.address(), "pending"]);
    assert_eq!(get(&client, "eth_getTransactionCount", nonce).await, "0x0");
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_are_found_by_tags_numbers_and_hashes() {
    let (chain, _server, client) = lagging(2).await;
    for _ in 0..600 {
        chain.seal().unwrap();
    }
    let best = chain.best().1.number;
    for (tag, number) in [
        ("latest", best),
        ("pending", best),
        ("safe", best - 2),
        ("finalized", best - 2),
        ("earliest", 0),
    ] {
        let found = block(&client, json!(tag)).await;
        assert_eq!(found["number"], json!(U256::from(number)), "{tag}");
        let by_hash = get(&client, "eth_getBlockByHash", json!([found["hash"]])).await;
        assert_eq!(by_hash, found, "{tag}");
    }
    for missing in [json!(U256::from(best + 1)), json!("0xffffffffffffffff")] {
        assert_eq!(block(&client, missing.clone()).await, Value::Null);
        let balance = json!([H160::zero(), missing]);
        assert_eq!(code(ask(&client, "eth_getBalance", balance).await), -32001);
    }
    let unknown = json!([format!("0x{}", "12".repeat(32)), true]);
    for method in ["eth_getBlockByHash", "eth_getTransactionByHash"] {
        assert_eq!(get(&client, method, unknown.clone()).await, Value::Null);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn receipts_outlast_states() {
    let options = Options {
        block_time: Some(Duration::from_secs(3600)),
        keep_states: Some(1),
        ..Options::default()
    };
    let (chain, _server, client) = serve_chain(options, with_dev()).await;
    let wallet = Wallet::funded(&chain, 1).await;
    let hash = send(&client, &wallet.pay(0, H160::repeat_byte(7), TOKEN)).await;
    seal(&client).await;
    let fresh = receipt(&client, &hash).await;
    seal(&client).await;
    assert_eq!(receipt(&client, &hash).await, fresh);
    let then = json!([wallet.address(), fresh["blockNumber"]]);
    let (code, why) = refusal(ask(&client, "eth_getBalance", then).await);
    assert_eq!(code, -32000);
    assert!(why.contains("State already discarded"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upgrade_of_the_runtime_changes_nothing_for_a_wallet() {
    let (chain, _server, client) = lagging(0).await;
    let wallet = Wallet::funded(&chain, 1).await;
    let contract = deploy(&client, &wallet).await;
    let mut receipts = Vec::new();
    for nonce in 1..4 {
        let call = wallet.sign(GenericTransaction {
            to: Some(contract),
            input: start(&wallet, &Wallet::empty(2)).into(),
            ..wallet.transaction(nonce)
        });
        let hash = send(&client, &call).await;
        if nonce == 2 {
            // The transaction is in the block with which the old version ends.
            get(&client, "dev_upgrade", json!([])).await;
        } else {
            seal(&client).await;
        }
        receipts.push((hash.clone(), receipt(&client, &hash).await));
    }
    for (hash, then) in receipts {
        assert_eq!(then["status"], "0x1");
        assert_eq!(then["logs"][0]["address"], json!(contract));
        assert_eq!(receipt(&client, &hash).await, then);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn subscribers_are_told_of_all_blocks_of_a_new_branch() {
    let (chain, _server, client) = lagging(9).await;
    let wallet = Wallet::funded(&chain, 1).await;
    let contract = deploy(&client, &wallet).await;
    let mut heads = subscribe(
        &client,
        "eth_subscribe",
        json!(["newHeads"]),
        "eth_unsubscribe",
    )
    .await;
    let of_contract = json!(["logs", { "address": contract }]);
    let mut logs = subscribe(&client, "eth_subscribe", of_contract, "eth_unsubscribe").await;
    let call = wallet.sign(GenericTransaction {
        to: Some(contract),
        input: start(&wallet, &Wallet::empty(2)).into(),
        ..wallet.transaction(1)
    });
    let hash = send(&client, &call).await;
    seal(&client).await;
    let number = |number: u32| json!(U256::from(number));
    let retracted = next(&mut heads).await;
    assert_eq!(retracted["number"], number(4));
    assert_eq!(retracted["transactions"], Value::Null);
    let started = next(&mut logs).await;
    assert_eq!(started["blockHash"], retracted["hash"]);
    assert_eq!(started["removed"], false);

    get(&client, "dev_reorganise", json!([1, "requeue"])).await;
    let (first, second) = (next(&mut heads).await, next(&mut heads).await);
    assert_eq!(
        (&first["number"], &second["number"]),
        (&number(4), &number(5))
    );
    assert_eq!(first["parentHash"], retracted["parentHash"]);
    assert_eq!(second["parentHash"], first["hash"]);
    let mut removed = started.clone();
    removed["removed"] = json!(true);
    assert_eq!(next(&mut logs).await, removed);

    seal(&client).await;
    assert_eq!(next(&mut heads).await["number"], number(6));
    let again = next(&mut logs).await;
    assert_eq!(again["blockNumber"], number(6));
    assert_eq!(again["transactionHash"], hash);

    for topic in [
        json!(["syncing"]),
        json!([]),
        json!(["logs", { "topics": 7 }]),
    ] {
        let mut params = ArrayParams::new();
        for param in topic.as_array().unwrap() {
            params.insert(param).unwrap();
        }
        let refused = SubscriptionClientT::subscribe::<Value, _>(
            &client,
            "eth_subscribe",
            params,
            "eth_unsubscribe",
        );
        let refused = refused.await.map(|_| Value::Null);
        assert_eq!(code(refused), -32602, "{topic}");
    }
}
