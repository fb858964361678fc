//! A local chain in memory, and the contract on it.

use connect4_chain::{Chain, Options, rpc};
use connect4_client::{Address, Client, Code, Contract, Signer};
use connect4_rules::Shape;

pub const CODE: Code = Code {
    games: include_bytes!("../../../../artifacts/connect4.polkavm"),
    matches: include_bytes!("../../../../artifacts/connect4_matches.polkavm"),
};

/// A chain in memory, served.
pub async fn chain() -> (rpc::Server, String) {
    serve(Chain::open(Options::default()).unwrap()).await
}

/// Serves a chain as long as the server lives; returns its URL.
pub async fn serve(chain: Chain) -> (rpc::Server, String) {
    let options = rpc::Options {
        addr: ([127, 0, 0, 1], 0).into(),
        ..rpc::Options::default()
    };
    let server = rpc::serve(chain, options).await.unwrap();
    let url = format!("ws://{}", server.local_addr());
    (server, url)
}

pub fn account(name: &str) -> Signer {
    Signer::development(name).unwrap()
}

/// The contract, deployed by alice.
pub async fn deployed(client: &Client) -> Contract {
    let deployment = client.deploy(&account("alice"), CODE).await.unwrap();
    Contract::open(client, deployment.address, CODE)
        .await
        .unwrap()
}

/// Starts a game on the classroom board, and returns its number.
pub async fn start(contract: &Contract, one: &Signer, two: Address) -> u32 {
    let shape = Shape::CLASSROOM.into();
    let receipt = contract.start_game(one, one.address(), two, shape).await;
    receipt.unwrap().value
}
