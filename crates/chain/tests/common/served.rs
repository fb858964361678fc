//! A chain that serves its RPC, and requests to it.

use codec::Encode;
use connect4_chain::{
    Chain, Options, dev,
    rpc::{self, Server},
    runtime::currency::UNITS,
};
use jsonrpsee::{
    core::{
        ClientError,
        client::{ClientT, Subscription, SubscriptionClientT, SubscriptionKind},
    },
    rpc_params,
    types::SubscriptionId,
    ws_client::{WsClient, WsClientBuilder},
};
use serde_json::Value;
use sp_keyring::Sr25519Keyring::{Alice, Bob};

use super::pay;

/// A chain in memory, served to a client.
pub async fn serve(options: rpc::Options) -> (Chain, Server, WsClient) {
    serve_chain(Options::default(), options).await
}

pub async fn serve_chain(chain: Options, options: rpc::Options) -> (Chain, Server, WsClient) {
    let chain = Chain::open(chain).unwrap();
    let (server, url) = connect4_testing::served::serve(chain.clone(), options).await;
    let client = WsClientBuilder::default().build(url).await.unwrap();
    (chain, server, client)
}

pub async fn ask(client: &WsClient, method: &str, params: Value) -> Result<Value, ClientError> {
    let mut array = jsonrpsee::core::params::ArrayParams::new();
    for param in params.as_array().unwrap() {
        array.insert(param).unwrap();
    }
    client.request(method, array).await
}

pub fn code(answer: Result<Value, ClientError>) -> i32 {
    match answer {
        Err(ClientError::Call(error)) => error.code(),
        other => panic!("no error answer: {other:?}"),
    }
}

/// A transfer by alice, in hex.
pub fn transfer(chain: &Chain, nonce: u32) -> String {
    let call = pay(Bob, UNITS);
    let signed = dev::sign(&Alice.pair(), call, nonce, 0, chain.genesis_hash());
    format!("0x{}", hex::encode(signed.encode()))
}

/// The id of a subscription, by which requests name the follower.
pub fn follower(events: &Subscription<Value>) -> String {
    match events.kind() {
        SubscriptionKind::Subscription(SubscriptionId::Str(id)) => id.to_string(),
        // polkadot-api takes text only.
        other => panic!("{other:?}: not a subscription with an id in text"),
    }
}

/// A follower of the head, which is told about the runtime.
pub async fn follow(client: &WsClient) -> Subscription<Value> {
    let unfollow = "chainHead_v1_unfollow";
    let events = client.subscribe("chainHead_v1_follow", rpc_params![true], unfollow);
    events.await.unwrap()
}

pub async fn subscribe(
    client: &WsClient,
    method: &'static str,
    params: Value,
    unsubscribe: &'static str,
) -> Subscription<Value> {
    let mut array = jsonrpsee::core::params::ArrayParams::new();
    for param in params.as_array().unwrap() {
        array.insert(param).unwrap();
    }
    client.subscribe(method, array, unsubscribe).await.unwrap()
}

pub async fn next(of: &mut Subscription<Value>) -> Value {
    of.next().await.unwrap().unwrap()
}
