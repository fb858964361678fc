//! Offers that both players make at once: in one block the second one meets the first, and accepts
//! it, although its dry run saw an offer.

use std::time::Duration;

use connect4_chain::{Chain, Options};
use connect4_client::{Action, Client, Contracts, Error, GameId, Performed, Signer};
use connect4_protocol::message::Withdraw;
use connect4_protocol::{End, Game};
use connect4_rules::Player;
use tokio::task::JoinHandle;

use crate::common::{account, deployed, offer, serve, stored};

/// Waits for tasks that send a transaction each, and makes a block once all of these wait for one.
async fn in_one_block<T>(chain: &Chain, tasks: Vec<JoinHandle<T>>) -> Vec<T> {
    while chain.pending().len() < tasks.len() && !tasks.iter().any(JoinHandle::is_finished) {
        tokio::task::yield_now().await;
    }
    chain.seal().unwrap();
    let mut done = Vec::new();
    for task in tasks {
        done.push(task.await.unwrap());
    }
    done
}

/// What a task comes to that sends transactions one after the other.
async fn sealed<T>(chain: &Chain, mut task: JoinHandle<T>) -> T {
    loop {
        tokio::select! {
            biased;
            done = &mut task => return done.unwrap(),
            () = tokio::task::yield_now() => if !chain.pending().is_empty() {
                chain.seal().unwrap();
            }
        }
    }
}

/// Has each of two players perform an action, both in the same block.
async fn at_once(
    chain: &Chain,
    contract: &Contracts,
    game: GameId,
    action: Action,
) -> [Performed; 2] {
    let tasks = ["alice", "bob"].map(|name| {
        let contract = contract.clone();
        let perform = async move { contract.perform(&account(name), game, action).await };
        tokio::spawn(perform)
    });
    let done = in_one_block(chain, tasks.into()).await;
    let [one, two] = done.try_into().expect("two");
    let [one, two] = [one, two].map(|done: Result<_, Error>| done.unwrap());
    assert_eq!(one.transaction.block, two.transaction.block, "at once");
    let (first, second) = match one.transaction.index < two.transaction.index {
        true => (one, two),
        false => (two, one),
    };
    [first.value, second.value]
}

#[tokio::test(flavor = "multi_thread")]
async fn offers_that_both_make_at_once_are_an_agreement() {
    // Blocks are made by the test alone.
    let node = Chain::open(Options {
        block_time: Some(Duration::from_secs(60 * 60)),
        ..Options::default()
    });
    let node = node.unwrap();
    let (_server, url) = serve(node.clone()).await;
    let client = Client::connect(&url).await.unwrap();
    let preparing = client.clone();
    let prepare = async move {
        let contract = deployed(&preparing).await;
        let [alice, bob] = ["alice", "bob"].map(account);
        let challenge = contract.challenge(&alice, offer(&preparing, 2)).await;
        let accepted = contract.accept(&bob, challenge.unwrap().value).await;
        (contract, accepted.unwrap().value)
    };
    let (contract, game) = sealed(&node, tokio::spawn(prepare)).await;
    let stake = contract.match_of(game).await.unwrap().stake;
    assert_eq!(
        client.token().in_smallest_unit(stake),
        offer(&client, 2).stake
    );

    let [offered, agreed] = at_once(&node, &contract, game, Action::OfferDraw).await;
    assert_eq!(offered.ended(), None);
    assert_eq!(agreed.ended().unwrap().end, End::Agreement);
    let drawn = stored::<Game>(&contract, game).await;
    assert_eq!(drawn.end(), Some(End::Agreement));
    let credit = async |player: Player| {
        let account = drawn.account_of(player);
        contract.credit_of(account).await.unwrap()
    };
    for player in Player::ALL {
        assert_eq!(credit(player).await, stake, "a draw gives the stakes back");
    }

    let [offered, agreed] = at_once(&node, &contract, game, Action::OfferRematch).await;
    assert_eq!(offered.rematch(), None);
    let next = agreed.rematch().unwrap();
    let of_match = contract.match_of(next).await.unwrap();
    assert_eq!(of_match.pot(), 2 * stake, "both have paid");
    assert_eq!(of_match.previous, Some(game.number()));
    for player in Player::ALL {
        assert_eq!(credit(player).await, stake, "as before");
    }

    // Nothing is lost: all of it can be paid out.
    let signers: [Signer; 2] = ["alice", "bob"].map(account);
    let ending = contract.clone();
    let end = async move {
        let mut paid = 0;
        ending
            .perform(&signers[0], next, Action::Resign)
            .await
            .unwrap();
        for signer in &signers {
            paid += ending
                .send(
                    signer,
                    Withdraw {
                        games: vec![next.number()],
                    },
                )
                .await
                .unwrap()
                .value;
        }
        paid
    };
    assert_eq!(sealed(&node, tokio::spawn(end)).await, 4 * stake);
}
