//! The RPC from a client's side: responses, refusals, and that no request stops the chain.

use codec::{Decode, Encode};
use connect4_chain::{
    Chain,
    rpc::{self, Server},
    runtime::RuntimeCall,
};
use frame_support::weights::Weight;
use jsonrpsee::{
    core::{
        ClientError,
        client::{ClientT, Subscription, SubscriptionClientT},
    },
    http_client::HttpClientBuilder,
    rpc_params,
    ws_client::WsClientBuilder,
};
use serde_json::{Value, json};
use sp_keyring::Sr25519Keyring::Alice;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::common::served::{ask, code, follow, follower, serve, transfer};

const UNKNOWN: &str = "0x0101010101010101010101010101010101010101010101010101010101010101";

/// Sends any text over HTTP, and returns the whole response.
async fn post(server: &Server, body: &str) -> String {
    let mut stream = TcpStream::connect(server.local_addr()).await.unwrap();
    let request = format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// As [`post`], until a connection is free: the one of a client that went away is freed a moment
/// later.
async fn post_when_free(server: &Server, body: &str) -> String {
    loop {
        let answer = post(server, body).await;
        if !answer.starts_with("HTTP/1.1 429") {
            return answer;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_is_submitted_and_watched_into_a_final_block() {
    let (chain, _server, client) = serve(rpc::Options::default()).await;
    let mut heads: Subscription<Value> = client
        .subscribe(
            "chain_subscribeNewHeads",
            rpc_params![],
            "chain_unsubscribeNewHeads",
        )
        .await
        .unwrap();
    assert_eq!(heads.next().await.unwrap().unwrap()["number"], "0x1");
    let mut updates: Subscription<Value> = client
        .subscribe(
            "author_submitAndWatchExtrinsic",
            rpc_params![transfer(&chain, 0)],
            "author_unwatchExtrinsic",
        )
        .await
        .unwrap();
    assert_eq!(updates.next().await.unwrap().unwrap(), json!("ready"));
    let block = updates.next().await.unwrap().unwrap()["inBlock"].clone();
    assert_eq!(
        updates.next().await.unwrap().unwrap(),
        json!({ "finalized": block })
    );
    assert_eq!(heads.next().await.unwrap().unwrap()["number"], "0x2");

    let found = ask(&client, "chain_getBlock", json!([block]))
        .await
        .unwrap();
    assert_eq!(found["block"]["extrinsics"][1], json!(transfer_in(&chain)));
    assert_eq!(
        ask(&client, "chain_getFinalizedHead", json!([]))
            .await
            .unwrap(),
        block
    );
    assert_eq!(
        ask(&client, "chain_getBlockHash", json!(["0x2"]))
            .await
            .unwrap(),
        block
    );
    assert_eq!(
        ask(&client, "chain_getBlockHash", json!([[2, 9]]))
            .await
            .unwrap(),
        json!([block, null])
    );
    let nonce = ask(
        &client,
        "system_accountNextIndex",
        json!([Alice.to_account_id().to_string()]),
    )
    .await;
    assert_eq!(nonce.unwrap(), json!(1));
}

/// The last transaction of the best block, in hex.
fn transfer_in(chain: &Chain) -> String {
    let block = chain.block(&chain.best().0).unwrap().unwrap();
    format!(
        "0x{}",
        hex::encode(block.extrinsics.last().unwrap().encode())
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn http_and_websocket_share_a_port() {
    let (chain, server, _client) = serve(rpc::Options::default()).await;
    let http = HttpClientBuilder::default()
        .build(format!("http://{}", server.local_addr()))
        .unwrap();
    let genesis: Value = http
        .request("chain_getBlockHash", rpc_params![0])
        .await
        .unwrap();
    assert_eq!(genesis, json!(chain.genesis_hash()));
    let methods: Value = http.request("rpc_methods", rpc_params![]).await.unwrap();
    for method in ["state_call", "chainHead_v1_follow", "rpc_methods"] {
        assert!(
            methods["methods"]
                .as_array()
                .unwrap()
                .contains(&json!(method))
        );
    }
}

/// A browser asks first whether a page may, and then reads the answer only if it says so.
#[tokio::test(flavor = "multi_thread")]
async fn pages_of_all_origins_may_ask_over_http() {
    let (_chain, server, _client) = serve(rpc::Options::default()).await;
    let allowed = "access-control-allow-origin: *";
    let mut stream = TcpStream::connect(server.local_addr()).await.unwrap();
    let request = "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://page.example\r\n\
         Access-Control-Request-Method: POST\r\n\
         Access-Control-Request-Headers: content-type\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    for header in [allowed, "access-control-allow-headers: *"] {
        assert!(answer.contains(header), "{answer}");
    }
    let answer = post(
        &server,
        r#"{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}"#,
    )
    .await;
    assert!(answer.contains(allowed), "{answer}");
    assert!(answer.contains(r#""result":"0x190f1b44""#), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_transaction_gets_the_error_code_of_a_substrate_node() {
    let (chain, _server, client) = serve(rpc::Options::default()).await;
    let submit = |transaction: String| {
        let client = &client;
        async move { ask(client, "author_submitExtrinsic", json!([transaction])).await }
    };
    assert_eq!(code(submit("0x".into()).await), 1001, "no transaction");
    assert_eq!(
        code(submit("0xdeadbeef".into()).await),
        1001,
        "no transaction"
    );
    assert_eq!(code(submit("nonsense".into()).await), -32602, "no hex");

    let mut forged = transfer(&chain, 0);
    forged.pop();
    forged.push('9');
    assert_eq!(code(submit(forged).await), 1010, "bad signature");

    let first = transfer(&chain, 0);
    submit(first.clone()).await.unwrap();
    while chain.best().1.number < 2 {
        tokio::task::yield_now().await;
    }
    let stale = submit(first).await.unwrap_err();
    let ClientError::Call(stale) = stale else {
        panic!("{stale}")
    };
    assert_eq!(stale.code(), 1010);
    assert!(
        stale.data().unwrap().get().contains("outdated"),
        "{stale:?}"
    );

    // A transaction with a nonce too high is taken, but only once.
    let future = transfer(&chain, 5);
    submit(future.clone()).await.unwrap();
    assert_eq!(code(submit(future).await), 1013);
    assert_eq!(
        ask(&client, "author_pendingExtrinsics", json!([]))
            .await
            .unwrap()
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_requests_get_errors_and_do_not_stop_the_chain() {
    let (chain, server, client) = serve(rpc::Options::default()).await;
    for (method, params, expected) in [
        ("no_such_method", json!([]), -32601),
        ("state_getStorage", json!([]), -32602),
        ("state_getStorage", json!([7]), -32602),
        ("state_getStorage", json!(["0x00", UNKNOWN]), 4003),
        ("state_getStorage", json!(["0x00", "0x12"]), -32602),
        ("state_call", json!(["NoSuch_function", "0x"]), 4003),
        ("state_call", json!(["ReviveApi_call", "0x00"]), 4003),
        ("state_call", json!(["Core_initialize_block", "0x"]), 4003),
        ("state_getKeysPaged", json!(["0x", 1_000_000]), 4002),
        ("state_queryStorage", json!([["0x00"], UNKNOWN]), 4003),
        ("childstate_getStorage", json!(["0x00", "0x00"]), 4003),
        ("system_accountNextIndex", json!(["somebody"]), -32602),
        ("payment_queryInfo", json!(["0x1234"]), 4003),
        ("archive_v1_header", json!(["0x12"]), -32602),
        ("transaction_v1_broadcast", json!(["0x1234"]), -32602),
        ("transaction_v1_stop", json!(["nothing"]), -32602),
    ] {
        let answer = ask(&client, method, params.clone()).await;
        assert_eq!(code(answer), expected, "{method} {params}");
    }
    for (method, params) in [
        ("chain_getHeader", json!([UNKNOWN])),
        ("chain_getBlock", json!([UNKNOWN])),
        ("chain_getBlockHash", json!([4_000_000_000_u64])),
        ("chain_getBlockHash", json!(["0xffffffffffffffff"])),
        ("archive_v1_body", json!([UNKNOWN])),
        ("archive_v1_call", json!([UNKNOWN, "Core_version", "0x"])),
    ] {
        let answer = ask(&client, method, params.clone()).await.unwrap();
        assert_eq!(answer, Value::Null, "{method} {params}");
    }

    // A request that is not JSON.
    let answer = post(&server, "{nope").await;
    assert!(answer.contains("-32700"), "{answer}");

    let report = tokio::task::spawn_blocking(move || {
        let call = RuntimeCall::System(frame_system::Call::remark { remark: vec![] });
        chain.submit(&Alice.pair(), call).unwrap()
    });
    assert_eq!(
        report.await.unwrap().outcome,
        Ok(()),
        "the chain still works"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_beyond_the_limits_are_refused() {
    let options = rpc::Options {
        max_connections: 2,
        max_request_bytes: 1_000,
        max_batch: 3,
        ..rpc::Options::default()
    };
    let (_chain, server, client) = serve(options).await;
    let url = format!("ws://{}", server.local_addr());
    let second = WsClientBuilder::default().build(&url).await.unwrap();
    let third = WsClientBuilder::default().build(&url).await.unwrap_err();
    assert!(third.to_string().contains("429"), "{third}");

    drop(client);
    let large = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"state_getStorage","params":["0x{}"]}}"#,
        "00".repeat(1_000)
    );
    assert!(post_when_free(&server, &large).await.contains("-32007"));

    let call = r#"{"jsonrpc":"2.0","id":1,"method":"system_name"}"#;
    let batch = format!("[{}]", [call; 4].join(","));
    assert!(post_when_free(&server, &batch).await.contains("-32010"));
    assert_eq!(
        ask(&second, "system_name", json!([])).await.unwrap(),
        "connect4"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn state_can_be_read_at_any_block() {
    let (chain, _server, client) = serve(rpc::Options::default()).await;
    let key = frame_system::Account::<connect4_chain::runtime::Runtime>::hashed_key_for(
        Alice.to_account_id(),
    );
    let key = format!("0x{}", hex::encode(key));
    let before = chain.best().0;
    let value = ask(&client, "state_getStorage", json!([key]))
        .await
        .unwrap();
    let mut watched: Subscription<Value> = client
        .subscribe(
            "state_subscribeStorage",
            rpc_params![[&key]],
            "state_unsubscribeStorage",
        )
        .await
        .unwrap();
    assert_eq!(
        watched.next().await.unwrap().unwrap()["changes"][0][1],
        value
    );

    ask(
        &client,
        "author_submitExtrinsic",
        json!([transfer(&chain, 0)]),
    )
    .await
    .unwrap();
    let changed = watched.next().await.unwrap().unwrap();
    assert_ne!(changed["changes"][0][1], value);
    assert_eq!(changed["block"], json!(chain.best().0));
    assert_eq!(
        ask(&client, "state_getStorage", json!([key, before]))
            .await
            .unwrap(),
        value
    );
    let range = ask(&client, "state_queryStorage", json!([[key], before]))
        .await
        .unwrap();
    assert_eq!(
        range.as_array().unwrap().len(),
        2,
        "one entry for each of the two values"
    );
    let proof = ask(&client, "state_getReadProof", json!([[key]]))
        .await
        .unwrap();
    assert!(!proof["proof"].as_array().unwrap().is_empty());
    let keys = ask(&client, "state_getKeysPaged", json!([&key[..66], 3]))
        .await
        .unwrap();
    assert_eq!(keys.as_array().unwrap().len(), 3);

    let metadata = ask(&client, "state_getMetadata", json!([])).await.unwrap();
    assert!(
        metadata.as_str().unwrap().starts_with("0x6d657461"),
        "the metadata begins with \"meta\""
    );
    let version = ask(&client, "state_getRuntimeVersion", json!([]))
        .await
        .unwrap();
    assert_eq!(version["specName"], "connect4-local");
    let info = ask(&client, "payment_queryInfo", json!([transfer(&chain, 1)]))
        .await
        .unwrap();
    assert!(
        info["partialFee"]
            .as_str()
            .unwrap()
            .parse::<u128>()
            .unwrap()
            > 0
    );
}

/// There `weight_limit` has its earlier name `gas_limit`, and a dry run returns fewer fields.
#[tokio::test(flavor = "multi_thread")]
async fn the_encoding_of_an_earlier_pallet_revive_has_a_path_of_its_own() {
    let (_chain, server, client) = serve(rpc::Options::default()).await;
    let url = format!("ws://{}/cargo-contract", server.local_addr());
    let earlier = WsClientBuilder::default().build(url).await.unwrap();

    // A call to an address without a contract.
    let (from, to) = (Alice.to_account_id(), sp_core::H160::repeat_byte(7));
    let nothing: (Option<Weight>, Option<u128>, Vec<u8>) = (None, None, vec![]);
    let input = format!("0x{}", hex::encode((from, to, 0u128, nothing).encode()));
    let bytes = |answer: Value| hex::decode(&answer.as_str().unwrap()[2..]).unwrap();
    let dry_run = json!(["ReviveApi_call", input]);
    let now = bytes(ask(&client, "state_call", dry_run.clone()).await.unwrap());
    let then = bytes(ask(&earlier, "state_call", dry_run).await.unwrap());
    type Result = pallet_revive::ContractResult<pallet_revive::ExecReturnValue, u128>;
    let now = Result::decode(&mut &now[..]).unwrap();
    let told = (
        now.weight_consumed,
        now.weight_required,
        now.storage_deposit,
        now.result,
    );
    assert_eq!(then, told.encode());

    let contains = |metadata: &[u8], name: &str| {
        let name = name.encode();
        metadata.windows(name.len()).any(|window| window == name)
    };
    let versioned = json!(["Metadata_metadata_at_version", "0x0f000000"]);
    for (method, params) in [("state_getMetadata", json!([])), ("state_call", versioned)] {
        let now = bytes(ask(&client, method, params.clone()).await.unwrap());
        let then = bytes(ask(&earlier, method, params).await.unwrap());
        assert!(contains(&now, "weight_limit"));
        assert!(!contains(&then, "weight_limit") && contains(&then, "gas_limit"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_hash_of_the_runtimes_code_can_be_read() {
    let (_chain, _server, client) = serve(rpc::Options::default()).await;
    // The key is `:code` in hex.
    let hash = ask(&client, "state_getStorageHash", json!(["0x3a636f6465"])).await;
    assert!(hash.unwrap().is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_gets_the_recent_blocks_pinned_with_the_best_one_last() {
    let (chain, _server, client) = serve(rpc::Options::default()).await;
    let recent = |count: u32| {
        let last = chain.best().1.number;
        let numbers = last + 1 - count..=last;
        let hashes = numbers.map(|number| chain.hash_of(number).unwrap().unwrap());
        json!(hashes.collect::<Vec<_>>())
    };

    // A new chain has two blocks: the best one, and its parent.
    let mut events = follow(&client).await;
    let initialized = events.next().await.unwrap().unwrap();
    assert_eq!(initialized["event"], "initialized");
    assert_eq!(initialized["finalizedBlockHashes"], recent(2));
    let best = events.next().await.unwrap().unwrap();
    assert_eq!(best["event"], "bestBlockChanged");
    assert_eq!(best["bestBlockHash"], json!(chain.best().0));

    // Later there are as many as a Substrate node reports.
    let sealing = chain.clone();
    let seal = move || (0..20).for_each(|_| assert!(sealing.seal().is_ok()));
    tokio::task::spawn_blocking(seal).await.unwrap();
    let mut events = follow(&client).await;
    let id = follower(&events);
    let blocks = events.next().await.unwrap().unwrap()["finalizedBlockHashes"].clone();
    assert_eq!(blocks, recent(16));
    for block in blocks.as_array().unwrap() {
        let header = ask(&client, "chainHead_v1_header", json!([id, block])).await;
        assert!(header.unwrap().is_string(), "{block} is pinned");
    }
    let unpin = json!([id, blocks]);
    ask(&client, "chainHead_v1_unpin", unpin).await.unwrap();
    let header = ask(&client, "chainHead_v1_header", json!([id, blocks[0]])).await;
    assert_eq!(code(header), -32801, "no block is pinned any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_gets_new_blocks_and_can_read_them_until_it_unpins_them() {
    let (chain, _server, client) = serve(rpc::Options::default()).await;
    let mut events = follow(&client).await;
    let id = follower(&events);
    let initialized = events.next().await.unwrap().unwrap();
    let first = json!(chain.best().0);
    let told = initialized["finalizedBlockHashes"].as_array().unwrap();
    assert_eq!(told.last(), Some(&first));
    assert_eq!(
        initialized["finalizedBlockRuntime"]["spec"]["specName"],
        "connect4-local"
    );
    assert_eq!(
        events.next().await.unwrap().unwrap()["event"],
        "bestBlockChanged"
    );

    ask(
        &client,
        "author_submitExtrinsic",
        json!([transfer(&chain, 0)]),
    )
    .await
    .unwrap();
    let new = events.next().await.unwrap().unwrap();
    assert_eq!(
        (&new["event"], &new["parentBlockHash"]),
        (&json!("newBlock"), &first)
    );
    assert_eq!(
        events.next().await.unwrap().unwrap()["event"],
        "bestBlockChanged"
    );
    assert_eq!(events.next().await.unwrap().unwrap()["event"], "finalized");
    let block = new["blockHash"].clone();

    let header = ask(&client, "chainHead_v1_header", json!([id, block]))
        .await
        .unwrap();
    assert!(header.as_str().unwrap().starts_with("0x"));
    let started = ask(
        &client,
        "chainHead_v1_call",
        json!([id, block, "Core_version", "0x"]),
    )
    .await
    .unwrap();
    assert_eq!(started["result"], "started");
    let done = events.next().await.unwrap().unwrap();
    assert_eq!(done["event"], "operationCallDone");
    assert_eq!(done["operationId"], started["operationId"]);
    let output = hex::decode(&done["output"].as_str().unwrap()[2..]).unwrap();
    let version = sp_version::RuntimeVersion::decode(&mut &output[..]).unwrap();
    assert_eq!(version.spec_name, "connect4-local");

    ask(&client, "chainHead_v1_body", json!([id, block]))
        .await
        .unwrap();
    let body = events.next().await.unwrap().unwrap();
    assert_eq!(body["value"].as_array().unwrap().len(), 2);

    ask(&client, "chainHead_v1_unpin", json!([id, block]))
        .await
        .unwrap();
    assert_eq!(
        code(ask(&client, "chainHead_v1_body", json!([id, block])).await),
        -32801
    );
    assert_eq!(
        code(ask(&client, "chainHead_v1_unpin", json!([id, block])).await),
        -32801
    );
}
