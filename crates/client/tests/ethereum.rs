//! Accounts with a key of Ethereum: the same chain, the same contracts, transactions of another kind.

use connect4_chain::{Options, rpc};
use connect4_client::{Action, Address, Client, Contracts, Error, Named, Signer, fallback_account};
use connect4_protocol::Error as Refusal;
use connect4_protocol::Game;
use connect4_rules::{Bin, Shape};
use connect4_testing::served;

use crate::common::{SECRET, account, chain, deployed, pay, start, stored};

const ADDRESS: &str = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

/// The connection to a chain, and the account of Ethereum with so many tokens of alice's.
async fn world(tokens: u128) -> (rpc::Server, Client, Signer) {
    let (chain, server, url) = served::open(Options::default()).await;
    let signer = Signer::from_secret(SECRET).unwrap();
    pay(chain, &signer, tokens).await;
    let client = Client::connect(&url).await.unwrap();
    (server, client, signer)
}

#[tokio::test]
async fn an_account_of_ethereum_plays_a_game() {
    let (_server, client, wallet) = world(100).await;
    let contract = deployed(&client).await;
    let alice = account("alice");
    let address: Address = ADDRESS.parse().unwrap();
    assert_eq!(wallet.address(), address);
    // The account that stands for the address, as Parity's eth-rpc has it: no mapping is needed.
    assert_eq!(wallet.account(), fallback_account(address));
    assert_eq!(wallet.named(), Named::Address(address));
    assert!(client.is_mapped(&wallet.account()).await.unwrap());

    let balance = async || client.balance(&wallet.account()).await.unwrap();
    let before = balance().await;
    let shape = Shape::CLASSROOM.into();
    let started = contract.start_game(&wallet, alice.address(), address, shape);
    let started = started.await.unwrap();
    assert_eq!(started.mapped, None);
    let game = started.value;
    assert_eq!(stored::<Game>(&contract, game).await.player_two(), address);
    let mut paid = started.transaction.fee;
    // The hash is that which a wallet shows, here and to whoever looks the transaction up.
    let sent = started.transaction;
    let found = client.transaction(sent.block, sent.block_hash, sent.index);
    assert_eq!(found.await.unwrap(), sent);

    for bin in [0, 1, 0, 1, 0, 2, 1] {
        let seen = contract.see_game::<Game>(game).await.unwrap().unwrap();
        let ours = seen.account_of(seen.to_move().unwrap()) == address;
        let mover = if ours { &wallet } else { &alice };
        let based_on = contract.based_on(game, &seen);
        let dropped = based_on.drop_disc(mover, game, Bin::new(bin)).await;
        let dropped = dropped.unwrap();
        assert_eq!(dropped.value.dropped.player, mover.address());
        assert!(dropped.transaction.fee > 0);
        if ours {
            paid += dropped.transaction.fee;
        }
    }
    // What the contract refuses costs nothing.
    let meanwhile = balance().await;
    let full = contract.drop_disc(&wallet, game, Bin::new(9)).await;
    assert_eq!(full.unwrap_err().refusal(), Some(Refusal::NoSuchBin));
    assert_eq!(balance().await, meanwhile);

    let resigned = contract.perform(&alice, game, Action::Resign).await;
    let ended = resigned.unwrap().value.ended().cloned();
    assert_eq!(ended.unwrap().winner, Some(address));
    let freed = contract.perform(&wallet, game, Action::Free).await;
    let freed = freed.unwrap();
    // The deposit comes back, but for what the pallet rounds off.
    let kept = started.deposit + freed.deposit;
    assert!(kept.abs() <= 1, "{kept}");
    paid += freed.transaction.fee;
    let cost = i128::try_from(paid).unwrap() + kept;
    assert_eq!(i128::try_from(before - balance().await).unwrap(), cost);
}

#[tokio::test]
async fn an_account_of_ethereum_deploys_and_starts_games() {
    let (_server, client, wallet) = world(1_000).await;
    let deployment = client.deploy(&wallet, crate::common::CODE).await.unwrap();
    let contract = Contracts::open(&client, deployment.address, crate::common::CODE);
    let contract = contract.await.unwrap();
    let game = start(&contract, &wallet, account("bob").address()).await;
    let dropped = contract.drop_disc(&wallet, game, Bin::new(3)).await;
    assert_eq!(dropped.unwrap().value.dropped.row, 0);
}

#[tokio::test]
async fn without_funds_nothing_is_sent() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let poor = Signer::from_secret("ethereum:0x01").unwrap_err();
    assert!(poor.to_string().contains("not a secret key"));
    let poor = Signer::from_secret(SECRET).unwrap();
    let shape = Shape::CLASSROOM.into();
    let started = contract
        .start_game(&poor, poor.address(), account("bob").address(), shape)
        .await;
    assert!(matches!(started, Err(Error::NoFunds { .. })), "{started:?}");
}
