//! The RPC of Ethereum: what other people's clients do not show.

mod blocks;
mod filters;
mod logs;
mod requests;

use std::time::Duration;

use connect4_chain::{Chain, Finality, Options, rpc};
use connect4_rules::Shape;
use connect4_testing::{contracts, message::data};
use jsonrpsee::{core::ClientError, ws_client::WsClient};
use pallet_revive::evm::GenericTransaction;
use serde_json::{Value, json};
use sp_core::H160;

use crate::common::{
    self,
    ethereum::{GAS, Wallet, get, receipt, send},
    served::serve_chain,
};

/// A chain that seals when the test says so, with this many blocks that are not final.
async fn lagging(blocks: u32) -> (Chain, rpc::Server, WsClient) {
    let options = Options {
        block_time: Some(Duration::from_secs(3600)),
        finality: Finality::Lag(blocks),
        ..Options::default()
    };
    serve_chain(options, with_dev()).await
}

fn with_dev() -> rpc::Options {
    rpc::Options {
        dev: true,
        ..rpc::Options::default()
    }
}

async fn seal(client: &WsClient) {
    get(client, "dev_seal", json!([])).await;
}

async fn block(client: &WsClient, which: Value) -> Value {
    get(client, "eth_getBlockByNumber", json!([which, false])).await
}

fn refusal(answer: Result<Value, ClientError>) -> (i32, String) {
    match answer {
        Err(ClientError::Call(error)) => (error.code(), error.message().to_owned()),
        other => panic!("no error answer: {other:?}"),
    }
}

/// The data of a call that starts a game between the wallets.
fn start(one: &Wallet, two: &Wallet) -> Vec<u8> {
    let shape = connect4_rules::ShapeSpec::from(Shape::STANDARD);
    data("start_game", (one.address(), two.address(), shape))
}

/// The transaction that deploys the contract of the games.
fn deployment(wallet: &Wallet, nonce: u32) -> Vec<u8> {
    let code = [contracts::GAMES, &data("new", ())[..]].concat();
    wallet.sign(GenericTransaction {
        input: code.into(),
        gas: Some((50 * GAS).into()),
        ..wallet.transaction(nonce)
    })
}

async fn deploy(client: &WsClient, wallet: &Wallet) -> H160 {
    let hash = send(client, &deployment(wallet, 0)).await;
    seal(client).await;
    let deployed = receipt(client, &hash).await;
    assert_eq!(deployed["status"], "0x1", "{deployed}");
    assert_eq!(deployed["to"], Value::Null);
    serde_json::from_value(deployed["contractAddress"].clone()).unwrap()
}
