//! A local chain in memory, and the contract on it.

use connect4_chain::{Chain, Options, rpc};
use connect4_client::{Address, Client, Code, Contracts, GameId, Offer, Signer, Stored};
use connect4_protocol::ClockSpec;
use connect4_rules::Shape;
use connect4_testing::contracts::{GAMES, MATCHES, VARIANTS};
use connect4_testing::served;
use tokio::task::JoinHandle;

pub const CODE: Code = Code {
    games: GAMES,
    matches: MATCHES,
    variants: VARIANTS,
    signed_records: None,
    stakes: None,
    version: connect4_protocol::VERSION,
};

/// A chain in memory, served.
pub async fn chain() -> (rpc::Server, String) {
    serve(Chain::open(Options::default()).unwrap()).await
}

/// Serves a chain as long as the server lives; returns its URL.
pub async fn serve(chain: Chain) -> (rpc::Server, String) {
    served::serve(chain, rpc::Options::default()).await
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

/// Makes blocks, some at most, until a task has finished, which waits for blocks on top of one that is there already.
/// Without transactions a chain makes none.
pub async fn with_blocks<T>(chain: &Chain, client: &Client, mut task: JoinHandle<T>) -> T {
    const MOST: u32 = 8;
    let last = chain.best().1.number + MOST;
    let mut heads = client.heads().await.unwrap();
    loop {
        tokio::select! {
            done = &mut task => return done.unwrap(),
            _ = heads.next() => if chain.best().1.number < last {
                chain.seal().unwrap();
            }
        }
    }
}

/// An offer to anyone, on the classroom board and with a clock, for so many tokens.
pub fn offer(client: &Client, tokens: u128) -> Offer {
    Offer {
        opponent: None,
        challenger_first: true,
        shape: Shape::CLASSROOM.into(),
        clock: Some(ClockSpec {
            bank: 600,
            increment: 5,
        }),
        stake: tokens * 10_u128.pow(client.token().decimals),
        expires_in: None,
    }
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
