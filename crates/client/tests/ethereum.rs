//! Accounts with a key of Ethereum: the same chain, the same contracts, transactions of another kind.

use connect4_chain::runtime::{self, RuntimeCall, currency::UNITS};
use connect4_chain::{Chain, Finality, Options, rpc};
use connect4_client::{Action, Address, Client, Contracts, Error, Named, Signer, fallback_account};
use connect4_protocol::Error as Refusal;
use connect4_protocol::Game;
use connect4_protocol::message::Withdraw;
use connect4_rules::{Bin, Shape};
use connect4_testing::people::Account;
use connect4_testing::served;

use crate::common::{account, chain, deployed, offer, start, stored, with_blocks};

/// The first account of the development nodes of Hardhat and Foundry, whose secret is public.
const SECRET: &str = "ethereum:0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const ADDRESS: &str = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

/// A chain, the connection to it, and the account of Ethereum with so many tokens of alice's.
async fn world(options: Options, tokens: u128) -> (Chain, rpc::Server, Client, Signer) {
    let (chain, server, url) = served::open(options).await;
    let signer = Signer::from_secret(SECRET).unwrap();
    let call = RuntimeCall::Balances(pallet_balances::Call::transfer_keep_alive {
        dest: runtime::AccountId::new(signer.account().0).into(),
        value: tokens * UNITS,
    });
    let payer = chain.clone();
    let paid = tokio::task::spawn_blocking(move || payer.submit(&Account::Alice.pair(), call));
    paid.await.unwrap().unwrap();
    let client = Client::connect(&url).await.unwrap();
    (chain, server, client, signer)
}

#[tokio::test]
async fn an_account_of_ethereum_plays_a_match_for_a_stake() {
    let (_chain, _server, client, wallet) = world(Options::default(), 100).await;
    let contract = deployed(&client).await;
    let alice = account("alice");
    let address: Address = ADDRESS.parse().unwrap();
    assert_eq!(wallet.address(), address);
    // The account that stands for the address, as Parity's eth-rpc has it: no mapping is needed.
    assert_eq!(wallet.account(), fallback_account(address));
    assert_eq!(wallet.named(), Named::Address(address));
    assert!(client.is_mapped(&wallet.account()).await.unwrap());

    let offer = offer(&client, 2);
    let challenge = contract.challenge(&alice, offer).await.unwrap().value;
    let accepted = contract.accept(&wallet, challenge).await.unwrap();
    assert_eq!(accepted.mapped, None);
    let game = accepted.value;
    assert_eq!(stored::<Game>(&contract, game).await.player_two(), address);
    // The hash is that which a wallet shows, here and to whoever looks the transaction up.
    let sent = accepted.transaction;
    let found = client.transaction(sent.block, sent.block_hash, sent.index);
    assert_eq!(found.await.unwrap(), sent);

    for bin in [0, 1, 0, 1, 0, 2, 1] {
        let seen = contract.see_game::<Game>(game).await.unwrap().unwrap();
        let ours = seen.account_of(seen.to_move().unwrap()) == address;
        let mover = if ours { &wallet } else { &alice };
        let based_on = contract.based_on(game, &seen, true);
        let dropped = based_on.drop_disc(mover, game, Bin::new(bin)).await;
        let dropped = dropped.unwrap();
        assert_eq!(dropped.value.dropped.player, mover.address());
        assert!(dropped.transaction.fee > 0);
    }
    // What the contract refuses costs nothing.
    let balance = async || client.balance(&wallet.account()).await.unwrap();
    let before = balance().await;
    let full = contract.drop_disc(&wallet, game, Bin::new(9)).await;
    assert_eq!(full.unwrap_err().refusal(), Some(Refusal::NoSuchBin));
    assert_eq!(balance().await, before);

    contract
        .perform(&alice, game, Action::Resign)
        .await
        .unwrap();
    let paid = contract
        .send(
            &wallet,
            Withdraw {
                games: vec![game.number()],
            },
        )
        .await
        .unwrap();
    let ratio = client.token().ratio;
    assert_eq!(paid.value / ratio, 2 * offer.stake);
    // The deposit for the record of what it was owed comes back, too.
    let won = before + 2 * offer.stake - paid.transaction.fee;
    let returned = u128::try_from(-paid.deposit).unwrap();
    assert_eq!(balance().await, won + returned);
}

#[tokio::test]
async fn an_account_of_ethereum_deploys_and_starts_games() {
    let (_chain, _server, client, wallet) = world(Options::default(), 1_000).await;
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

/// A transaction of Ethereum is valid on every branch: for a stake it answers to final blocks alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_stake_is_answered_from_ethereum_when_it_is_final() {
    let options = Options {
        finality: Finality::Lag(3),
        ..Options::default()
    };
    let (chain, _server, client, wallet) = world(options, 100).await;
    let contract = deployed(&client).await;
    let offer = offer(&client, 1);
    let made = contract.challenge(&account("alice"), offer).await.unwrap();
    let open = contract.see_challenge(made.value).await.unwrap().unwrap();
    let accepting = contract.based_on_challenge(made.value, &open);
    let accepted = tokio::spawn(async move { accepting.accept(&wallet, made.value).await });
    let accepted = with_blocks(&chain, &client, accepted).await.unwrap();
    let blocks = accepted.transaction.block - open.block.number;
    assert!(blocks > 3, "{blocks}");
}
