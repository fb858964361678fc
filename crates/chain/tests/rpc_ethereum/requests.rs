//! Requests: transactions that are sent, calls that are tried, and what is refused.

use jsonrpsee::core::ClientError;
use pallet_revive::evm::GenericTransaction;
use serde_json::{Value, json};
use sp_core::{H160, U256};

use crate::rpc_ethereum::{
    common::{
        ethereum::{PRICE, TOKEN, Wallet, get, hex_of, send},
        served::{ask, code},
    },
    data, deploy, lagging, refusal, seal, start,
};

#[tokio::test(flavor = "multi_thread")]
async fn transactions_in_the_pool_count_for_the_next_nonce() {
    let (chain, _server, client) = lagging(0).await;
    let wallet = Wallet::funded(&chain, 1).await;
    let count = |block: &str| {
        let params = json!([wallet.address(), block]);
        get(&client, "eth_getTransactionCount", params)
    };
    for nonce in [0, 1, 3] {
        send(&client, &wallet.pay(nonce, H160::repeat_byte(7), TOKEN)).await;
    }
    assert_eq!(count("latest").await, "0x0");
    assert_eq!(
        count("pending").await,
        "0x2",
        "the one with nonce 2 is missing"
    );
    seal(&client).await;
    assert_eq!(count("latest").await, "0x2");
    send(&client, &wallet.pay(2, H160::repeat_byte(7), TOKEN)).await;
    assert_eq!(count("pending").await, "0x4");
    // One far above the next, which those that wait count for, would wait for ever.
    let far = |nonce| {
        let payment = wallet.pay(nonce, H160::repeat_byte(7), TOKEN);
        ask(&client, "eth_sendRawTransaction", json!([hex_of(&payment)]))
    };
    let (code, why) = refusal(far(40).await);
    assert_eq!(code, -32000);
    assert!(
        why.starts_with("nonce too high: next nonce 4, tx nonce 40"),
        "{why}"
    );
    assert!(
        far(36).await.is_ok(),
        "many can be sent at once, out of order"
    );
    seal(&client).await;
    assert_eq!(count("latest").await, "0x4");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_the_chain_does_not_take_is_refused_with_the_reason() {
    let (chain, _server, client) = lagging(0).await;
    let (wallet, empty) = (Wallet::funded(&chain, 1).await, Wallet::empty(2));
    let to = Some(H160::repeat_byte(7));
    let paying = |nonce| GenericTransaction {
        to,
        ..wallet.transaction(nonce)
    };
    let first = wallet.pay(0, H160::repeat_byte(7), TOKEN);
    send(&client, &first).await;
    let mut forged = wallet.pay(1, H160::repeat_byte(7), TOKEN);
    // The signature ends with `s`, which is below the order of the curve.
    let end = forged.len();
    forged[end - 32..].fill(0xff);
    let long = wallet.sign(GenericTransaction {
        input: vec![1; 1 << 20].into(),
        ..paying(1)
    });
    let gas_price = Some(PRICE.into());
    let legacy = |chain_id: Option<u64>| {
        wallet.sign(GenericTransaction {
            chain_id: chain_id.map(Into::into),
            r#type: Some(0.into()),
            gas_price,
            ..paying(1)
        })
    };
    let typed = |kind: u8| {
        wallet.sign(GenericTransaction {
            r#type: Some(kind.into()),
            ..paying(1)
        })
    };
    for (transaction, reason) in [
        (vec![], "not a transaction"),
        (vec![2, 0xc0], "not a transaction"),
        (vec![0xff; 100], "not a transaction"),
        (typed(3), "transaction type not supported"),
        (typed(4), "transaction type not supported"),
        (vec![0x7f], "transaction type not supported"),
        (legacy(None), "only replay-protected (EIP-155) transactions"),
        (legacy(Some(1)), "invalid chain id: have 1 want 420420420"),
        (forged, "invalid sender"),
        (first, "already known"),
        (
            wallet.pay(0, H160::repeat_byte(8), TOKEN),
            "replacement transaction underpriced",
        ),
        (
            empty.pay(0, H160::repeat_byte(7), 1),
            "insufficient funds for gas * price + value",
        ),
        (
            wallet.pay(1, H160::repeat_byte(7), 999 * TOKEN),
            "insufficient funds for gas * price + value",
        ),
        (
            wallet.sign(GenericTransaction {
                max_fee_per_gas: Some((PRICE - 1).into()),
                ..paying(1)
            }),
            "max fee per gas less than block base fee",
        ),
        (
            wallet.sign(GenericTransaction {
                gas: Some(21_000.into()),
                ..paying(1)
            }),
            "intrinsic gas too low",
        ),
        (
            wallet.sign(GenericTransaction {
                nonce: Some(U256::MAX),
                ..paying(1)
            }),
            "",
        ),
        (long, ""),
    ] {
        let raw = json!([hex_of(&transaction)]);
        let (code, why) = refusal(ask(&client, "eth_sendRawTransaction", raw).await);
        assert_eq!(code, -32000, "{why}");
        assert!(why.contains(reason), "{why:?} does not tell {reason:?}");
    }
    seal(&client).await;
    let late = json!([hex_of(&wallet.pay(0, H160::repeat_byte(7), 5))]);
    let (_, why) = refusal(ask(&client, "eth_sendRawTransaction", late).await);
    assert_eq!(why, "nonce too low: next nonce 1, tx nonce 0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_tried_as_clients_ask_for_it() {
    let (chain, _server, client) = lagging(0).await;
    let (one, two) = (
        Wallet::funded(&chain, 1).await,
        Wallet::funded(&chain, 2).await,
    );
    let contract = deploy(&client, &one).await;
    let starting = |fields: Value| {
        let mut call = json!({
            "from": two.address(), "to": contract, "data": hex_of(&start(&one, &two)),
        });
        for (name, value) in fields.as_object().unwrap() {
            call[name] = value.clone();
        }
        call
    };
    let estimate = |fields: Value| {
        let params = json!([starting(fields)]);
        let client = &client;
        async move { ask(client, "eth_estimateGas", params).await }
    };
    let gas = estimate(json!({})).await.unwrap();
    // A price of 0 stands for none, and the limit of a block for no limit.
    for fields in [
        json!({ "gasPrice": "0x0" }),
        json!({ "maxFeePerGas": "0x0", "maxPriorityFeePerGas": "0x0" }),
        json!({ "gas": "0xffffffffffffffff" }),
        json!({ "gas": gas }),
        json!({ "input": hex_of(&start(&one, &two)) }),
    ] {
        assert_eq!(estimate(fields.clone()).await.unwrap(), gas, "{fields}");
    }
    // An older type is encoded in fewer bytes.
    let legacy = json!({ "type": "0x0", "gasPrice": U256::from(PRICE) });
    let number = |hex: Value| serde_json::from_value::<U256>(hex).unwrap();
    assert!(number(estimate(legacy).await.unwrap()) < number(gas.clone()));
    let (code, why) = refusal(estimate(json!({ "gas": "0x1" })).await);
    assert_eq!(code, -32000);
    assert!(
        why.starts_with("gas required exceeds allowance (1)"),
        "{why}"
    );
    let (code, why) = refusal(estimate(json!({ "value": "0xffffffffffffffffffff" })).await);
    assert_eq!(code, -32000);
    assert!(why.contains("insufficient funds"), "{why}");
    let two_inputs = estimate(json!({ "input": "0x00" })).await;
    assert_eq!(
        refusal(two_inputs).0,
        -32602,
        "it is not clear which is meant"
    );

    // What a contract refuses has what it returned as data.
    let drop = json!({ "to": contract, "data": hex_of(&data("drop_disc", (0u32, 0u8))) });
    let Err(ClientError::Call(refused)) = ask(&client, "eth_call", json!([drop])).await else {
        panic!("there is no game");
    };
    assert_eq!(
        (refused.code(), refused.message()),
        (3, "execution reverted")
    );
    // Ok for ink!, then the error NoSuchGame.
    assert_eq!(refused.data().unwrap().get(), "\"0x000100\"");

    let overrides = json!([drop, "latest", { "0x00": {} }]);
    assert_eq!(refusal(ask(&client, "eth_call", overrides).await).0, -32602);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_make_no_sense_get_errors() {
    let (_chain, _server, client) = lagging(0).await;
    let zero = json!(H160::zero());
    for (method, params, expected) in [
        ("eth_getBalance", json!([]), -32602),
        ("eth_getBalance", json!(["0x12"]), -32602),
        ("eth_getBalance", json!([zero, "newest"]), -32602),
        ("eth_getBalance", json!([zero, "0xzz"]), -32602),
        (
            "eth_getBalance",
            json!([zero, { "blockHash": "0x12" }]),
            -32602,
        ),
        ("eth_getBlockByNumber", json!([]), -32602),
        ("eth_getBlockByHash", json!(["latest"]), -32602),
        ("eth_getTransactionReceipt", json!(["0x12"]), -32602),
        ("eth_sendRawTransaction", json!(["nonsense"]), -32602),
        ("eth_sendRawTransaction", json!([]), -32602),
        ("eth_call", json!([]), -32602),
        ("eth_call", json!([{ "to": "somebody" }]), -32602),
        ("eth_feeHistory", json!(["0x1"]), -32602),
        ("eth_feeHistory", json!(["0x1", "latest", [50, 20]]), -32602),
        ("eth_feeHistory", json!(["0x1", "latest", [25, 25]]), -32602),
        (
            "eth_feeHistory",
            json!(["0x1", "latest", [0, 0, 100]]),
            -32602,
        ),
        ("eth_feeHistory", json!(["0x1", "latest", [101]]), -32602),
        ("eth_feeHistory", json!(["0x1", "0x99"]), -32001),
        (
            "eth_getLogs",
            json!([{ "fromBlock": "0x2", "toBlock": "0x1" }]),
            -32602,
        ),
        (
            "eth_getLogs",
            json!([{ "topics": [[], [], [], [], []] }]),
            -32602,
        ),
        (
            "eth_getLogs",
            json!([{ "address": vec![&zero; 1001] }]),
            -32005,
        ),
        (
            "eth_getLogs",
            json!([{ "blockHash": format!("0x{}", "12".repeat(32)) }]),
            -32001,
        ),
        ("eth_sendTransaction", json!([{}]), -32601),
        ("eth_sign", json!([zero, "0x00"]), -32601),
    ] {
        let answer = ask(&client, method, params.clone()).await;
        assert_eq!(code(answer), expected, "{method} {params}");
    }
    // Of more blocks than there are, all are told.
    let history = get(&client, "eth_feeHistory", json!([u64::MAX, "latest"])).await;
    assert_eq!(history["oldestBlock"], "0x0");
    assert_eq!(history["baseFeePerGas"].as_array().unwrap().len(), 3);
    let none = get(&client, "eth_feeHistory", json!([0, "latest"])).await;
    assert_eq!(none["gasUsedRatio"], json!([]));
}

/// py-substrate-interface knows types by paths of one module and a name.
#[tokio::test(flavor = "multi_thread")]
async fn types_of_the_runtime_have_paths_of_one_module_and_a_name() {
    let (_chain, _server, client) = lagging(0).await;
    let metadata = get(&client, "state_getMetadata", json!([])).await;
    let metadata = metadata
        .as_str()
        .unwrap()
        .trim_start_matches("0x")
        .to_owned();
    // A path in SCALE: the number of its segments, then each with its length.
    let path = |segments: &[&str]| {
        let mut bytes = vec![(segments.len() as u8) << 2];
        for segment in segments {
            bytes.push((segment.len() as u8) << 2);
            bytes.extend_from_slice(segment.as_bytes());
        }
        hex::encode(bytes)
    };
    for name in ["RuntimeEvent", "RuntimeCall"] {
        assert!(
            metadata.contains(&path(&["connect4_runtime", name])),
            "{name}"
        );
        let long = ["connect4_chain", "runtime", "first", name];
        assert!(!metadata.contains(&path(&long)), "{name}");
    }
}
