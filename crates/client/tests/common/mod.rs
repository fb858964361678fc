//! A local chain in memory, and the contract on it.

use connect4_chain::runtime::{self, RuntimeCall, currency::UNITS};
use connect4_chain::{Chain, Options, rpc};
use connect4_client::{Address, Client, Code, Contracts, GameId, Signer, Stored};
use connect4_rules::Shape;
use connect4_testing::contracts::{GAMES, VARIANTS};
use connect4_testing::people::Account;
use connect4_testing::served;

pub const CODE: Code = Code {
    games: GAMES,
    variants: VARIANTS,
    signed_records: None,
    stakes: None,
};

/// A chain in memory, served.
pub async fn chain() -> (rpc::Server, String) {
    serve(Chain::open(Options::default()).unwrap()).await
}

/// Serves a chain as long as the server lives; returns its URL.
pub async fn serve(chain: Chain) -> (rpc::Server, String) {
    served::serve(chain, rpc::Options::default()).await
}

/// The first account of the development nodes of Hardhat and Foundry, whose secret is public.
pub const SECRET: &str =
    "ethereum:0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

/// Gives an account so many tokens of alice's.
pub async fn pay(chain: Chain, to: &Signer, tokens: u128) {
    let call = RuntimeCall::Balances(pallet_balances::Call::transfer_keep_alive {
        dest: runtime::AccountId::new(to.account().0).into(),
        value: tokens * UNITS,
    });
    let paid = tokio::task::spawn_blocking(move || chain.submit(&Account::Alice.pair(), call));
    paid.await.unwrap().unwrap();
}

pub fn account(name: &str) -> Signer {
    Signer::development(name).unwrap()
}

/// The contract, deployed by alice.
pub async fn deployed(client: &Client) -> Contracts {
    let deployment = client.deploy(&account("alice"), CODE).await.unwrap();
    let opened = Contracts::open(client, deployment.address, CODE).await;
    opened.unwrap()
}

/// Starts a game on the classroom board, and returns its number.
pub async fn start(contract: &Contracts, one: &Signer, two: Address) -> GameId {
    let shape = Shape::CLASSROOM.into();
    let receipt = contract.start_game(one, one.address(), two, shape).await;
    receipt.unwrap().value
}

/// A game that has to be stored.
pub async fn stored<G: Stored>(contracts: &Contracts, game: GameId) -> G {
    contracts.game(game).await.unwrap().unwrap()
}
