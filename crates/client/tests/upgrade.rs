//! The client on a chain whose runtime is upgraded under it.

use connect4_chain::{Chain, Finality, Options, Retracted, rpc};
use connect4_client::{Client, Contracts, Event, GameId};
use connect4_protocol::End;
use connect4_rules::Bin;
use connect4_testing::served;

use crate::common::{CODE, account, deployed, start};

/// A chain with a lag so long that no block of a test becomes final.
async fn chain() -> (Chain, rpc::Server, String) {
    served::open(Options {
        finality: Finality::Lag(1_000),
        ..Options::default()
    })
    .await
}

async fn upgrade(chain: &Chain) {
    let chain = chain.clone();
    let upgraded = tokio::task::spawn_blocking(move || chain.upgrade());
    upgraded.await.unwrap().unwrap();
}

/// Drops a disc into each of these bins, by alice and bob in turn.
async fn play(contract: &Contracts, game: GameId, first: usize, bins: &[u8]) {
    let players = [account("alice"), account("bob")];
    for (turn, bin) in (first..).zip(bins) {
        let player = &players[turn % 2];
        let dropped = contract.drop_disc(player, game, Bin::new(*bin)).await;
        dropped.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_while_the_chain_is_upgraded() {
    let (chain, _server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let old = start(&contract, &alice, bob.address()).await;
    play(&contract, old, 0, &[5, 0, 4, 0, 3, 0, 2]).await;
    let game = start(&contract, &alice, bob.address()).await;
    play(&contract, game, 0, &[5, 0, 4]).await;

    // The block of the upgrade is not final, and will not be.
    upgrade(&chain).await;
    play(&contract, game, 1, &[0, 3, 0, 2]).await;
    let again = start(&contract, &bob, alice.address()).await;
    assert_eq!(again, GameId::Classic(2));

    // Whoever comes later reads blocks of both versions, and so does whoever was there.
    let late = Client::connect(&url).await.unwrap();
    let late = Contracts::open(&late, contract.address(), CODE)
        .await
        .unwrap();
    for contract in [&contract, &late] {
        for game in [old, game] {
            let history = contract.history(game, 0).await.unwrap();
            assert_eq!(history.len(), 9, "its start, seven discs, its end");
            let last = history.last().unwrap();
            assert!(
                matches!(&last.event, Event::GameEnded(ended) if ended.end == End::Line),
                "{last:?}"
            );
            let of = contract.client().transactions(&history).await.unwrap();
            assert!(of.iter().all(|transaction| transaction.fee > 0));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upgrade_that_is_taken_back_is_taken_back_by_the_client() {
    let (chain, _server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let game = start(&contract, &alice, bob.address()).await;
    upgrade(&chain).await;
    play(&contract, game, 0, &[5, 0]).await;

    let branching = chain.clone();
    let replaced = move || branching.reorganise(4, Retracted::Drop).unwrap();
    tokio::task::spawn_blocking(replaced).await.unwrap();
    play(&contract, game, 0, &[5, 0, 4, 0, 3, 0, 2]).await;
    let history = contract.history(game, 0).await.unwrap();
    assert_eq!(history.len(), 9);
}
