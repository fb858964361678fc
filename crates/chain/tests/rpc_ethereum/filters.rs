//! Filters: what is new since the client asked the last time.

use jsonrpsee::ws_client::WsClient;
use pallet_revive::evm::GenericTransaction;
use serde_json::{Value, json};
use sp_core::{H160, U256};

use super::{block, deploy, lagging, refusal, seal, start};
use crate::common::{
    ethereum::{TOKEN, Wallet, get, send},
    served::ask,
};

async fn changes(client: &WsClient, filter: &Value) -> Vec<Value> {
    let found = get(client, "eth_getFilterChanges", json!([filter])).await;
    found.as_array().expect("a list").clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_has_what_is_new_since_it_was_asked() {
    let (chain, _server, client) = lagging(8).await;
    let wallet = Wallet::funded(&chain, 1).await;
    let contract = deploy(&client, &wallet).await;
    let start = |nonce| {
        wallet.sign(GenericTransaction {
            to: Some(contract),
            input: start(&wallet, &Wallet::empty(2)).into(),
            ..wallet.transaction(nonce)
        })
    };
    send(&client, &start(1)).await;
    seal(&client).await;
    let blocks = get(&client, "eth_newBlockFilter", json!([])).await;
    let of_contract = json!([{ "address": contract, "topics": [] }]);
    let logs = get(&client, "eth_newFilter", of_contract).await;
    let others = json!([{ "address": H160::repeat_byte(7) }]);
    let others = get(&client, "eth_newFilter", others).await;
    let waiting = get(&client, "eth_newPendingTransactionFilter", json!([])).await;
    for filter in [&blocks, &logs, &others, &waiting] {
        assert_eq!(
            changes(&client, filter).await,
            Vec::<Value>::new(),
            "{filter}"
        );
    }

    let hash = send(&client, &start(2)).await;
    assert_eq!(
        changes(&client, &waiting).await,
        std::slice::from_ref(&hash)
    );
    seal(&client).await;
    // One that no look has seen waiting is told, too.
    let payment = send(&client, &wallet.pay(3, H160::repeat_byte(7), TOKEN)).await;
    seal(&client).await;
    assert_eq!(changes(&client, &waiting).await, [payment]);
    let best = block(&client, json!("latest")).await;
    let parent = block(&client, json!("0x5")).await;
    assert_eq!(best["parentHash"], parent["hash"]);
    let told = changes(&client, &blocks).await;
    assert_eq!(told, [parent["hash"].clone(), best["hash"].clone()]);
    let told = changes(&client, &logs).await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(
        (&told[0]["transactionHash"], &told[0]["removed"]),
        (&hash, &false.into())
    );
    // Those before it, too, where it looks from the first block on.
    let all = json!([{ "fromBlock": "0x0", "address": contract }]);
    let all = get(&client, "eth_newFilter", all).await;
    let found = get(&client, "eth_getFilterLogs", json!([all])).await;
    assert_eq!(found.as_array().map(Vec::len), Some(2));
    for filter in [&blocks, &logs, &others, &waiting, &all] {
        assert_eq!(
            changes(&client, filter).await,
            Vec::<Value>::new(),
            "{filter}"
        );
    }

    // Of a retracted block: its logs as removed, then what the new branch has.
    get(&client, "dev_reorganise", json!([2, "requeue"])).await;
    let told = changes(&client, &logs).await;
    let removed: Vec<_> = told.iter().map(|log| log["removed"].clone()).collect();
    assert_eq!(removed[0], true, "{told:?}");
    seal(&client).await;
    let again = [&told[1..], &changes(&client, &logs).await].concat();
    assert_eq!(again.len(), 1, "{again:?}");
    assert_eq!(
        (&again[0]["transactionHash"], &again[0]["removed"]),
        (&hash, &false.into())
    );
    let told = changes(&client, &blocks).await;
    let best = block(&client, json!("latest")).await;
    assert_eq!(told.last(), Some(&best["hash"]));
    let count = U256::from(told.len());
    assert_eq!(
        json!(count + U256::from(4)),
        best["number"],
        "from the first block that differs"
    );

    assert_eq!(
        get(&client, "eth_uninstallFilter", json!([logs])).await,
        true
    );
    assert_eq!(
        get(&client, "eth_uninstallFilter", json!([logs])).await,
        false
    );
    let gone = ask(&client, "eth_getFilterChanges", json!([logs])).await;
    assert_eq!(refusal(gone), (-32000, "filter not found".into()));
    let none = ask(&client, "eth_getFilterLogs", json!([blocks])).await;
    assert_eq!(refusal(none), (-32000, "filter not found".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_has_logs_of_the_blocks_that_it_names() {
    let (chain, _server, client) = lagging(0).await;
    let wallet = Wallet::funded(&chain, 1).await;
    let contract = deploy(&client, &wallet).await;
    let named = json!([{ "address": contract, "fromBlock": "0x4", "toBlock": "0x4" }]);
    let named = get(&client, "eth_newFilter", named).await;
    let mut found = Vec::new();
    for nonce in 1..4 {
        let call = wallet.sign(GenericTransaction {
            to: Some(contract),
            input: start(&wallet, &Wallet::empty(2)).into(),
            ..wallet.transaction(nonce)
        });
        send(&client, &call).await;
        seal(&client).await;
        found.extend(changes(&client, &named).await);
    }
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["blockNumber"], "0x4");
    for refused in [
        json!({ "blockHash": format!("0x{}", "12".repeat(32)) }),
        json!({ "toBlock": "earliest" }),
        json!({ "fromBlock": "0x2", "toBlock": "0x1" }),
        json!({ "topics": [[], [], [], [], []] }),
    ] {
        let answer = ask(&client, "eth_newFilter", json!([refused])).await;
        assert_eq!(refusal(answer).0, -32602, "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_filter_more_takes_the_place_of_the_one_not_asked_for_longest() {
    let (_chain, _server, client) = lagging(0).await;
    let mut filters = Vec::new();
    for _ in 0..256 {
        filters.push(get(&client, "eth_newBlockFilter", json!([])).await);
    }
    assert_eq!(changes(&client, &filters[0]).await, Vec::<Value>::new());
    get(&client, "eth_newBlockFilter", json!([])).await;
    let gone = ask(&client, "eth_getFilterChanges", json!([filters[1]])).await;
    assert_eq!(refusal(gone), (-32000, "filter not found".into()));
    for filter in [&filters[0], &filters[2]] {
        assert_eq!(changes(&client, filter).await, Vec::<Value>::new());
    }
}
