//! The client on the local chain, spoken to as any other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use connect4_client::{
    Action, Address, Archive, ArchivedGame, BlockRef, Client, Code, Contracts, Emitters, Error,
    Event, GameId, Gap, Occurrence, Patience, ReadBlocks, Signer, Wait,
};
use connect4_protocol::event::{DiscDropped, GameEnded};
use connect4_protocol::message::ContractKind;
use connect4_protocol::{End, Error as Refusal};
use connect4_rules::{Bin, Shape};
use futures_util::future::BoxFuture;
use subxt::dynamic::Value;
use subxt::{OnlineClient, PolkadotConfig};

use crate::common::{CODE, account, chain, deployed, start};

#[tokio::test]
async fn the_contract_is_where_deployer_and_code_say() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let alice = account("alice");
    let place = Client::contract_address(alice.address(), CODE);
    assert_eq!(client.code_hash(place).await.unwrap(), None);
    assert!(matches!(
        Contracts::open(&client, place, CODE).await,
        Err(Error::NoContract(address)) if address == place
    ));
    assert_eq!(
        client.block_time().await,
        None,
        "a block for each transaction"
    );
    let first = client.deploy(&alice, CODE).await.unwrap();
    assert_eq!(first.address, place);
    let receipt = first.receipt.unwrap();
    assert!(receipt.transaction.fee > 0 && receipt.deposit > 0);
    // A second time it is found, also over another connection.
    let again = Client::connect(&url).await.unwrap();
    assert_eq!(again.deploy(&alice, CODE).await.unwrap().receipt, None);
    // Code of another version will do as long as it answers.
    let another_version = Code {
        games: b"another version",
        ..CODE
    };
    let other = Contracts::open(&client, place, another_version).await;
    assert_eq!(
        other
            .unwrap()
            .game_count(ContractKind::Games)
            .await
            .unwrap(),
        0
    );
    // An account is no contract.
    assert!(matches!(
        Contracts::open(&client, alice.address(), CODE).await,
        Err(Error::NoContract(_))
    ));
}

#[tokio::test]
async fn receipts_and_history_tell_the_game() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url)
        .await
        .unwrap()
        .waiting(Wait::Finalized);
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let other = start(&contract, &bob, alice.address()).await;
    let game = start(&contract, &alice, bob.address()).await;
    assert_eq!((other, game), (GameId::Classic(0), GameId::Classic(1)));
    let mut last = None;
    // Blue wins, with a move of another game in between.
    for (turn, bin) in [0, 1, 0, 1, 0, 1, 3, 1].into_iter().enumerate() {
        let signer = [&alice, &bob][turn % 2];
        let receipt = contract
            .drop_disc(signer, game, Bin::new(bin))
            .await
            .unwrap();
        assert!(receipt.transaction.fee > 0);
        last = Some(receipt.value);
        if turn == 3 {
            contract.drop_disc(&bob, other, Bin::new(2)).await.unwrap();
        }
    }
    let ended = last.unwrap().ended.unwrap();
    assert_eq!((ended.winner, ended.end), (Some(bob.address()), End::Line));

    let history = contract.history(game, 0).await.unwrap();
    assert!(history.iter().all(|at| at.event.game() == Some(game)));
    let bins: Vec<u8> = history
        .iter()
        .filter_map(|at| match at.event {
            Event::DiscDropped(DiscDropped { bin, .. }) => Some(bin),
            _ => None,
        })
        .collect();
    assert_eq!(bins, [0, 1, 0, 1, 0, 1, 3, 1]);
    assert!(matches!(
        history.last().unwrap().event,
        Event::GameEnded(GameEnded { winner: Some(winner), .. }) if winner == bob.address()
    ));
    let first = history[0].block;
    assert_eq!(contract.history(game, first).await.unwrap(), history);
    assert!(matches!(
        contract.history(game, first + 1).await,
        Err(Error::StartsBefore { .. })
    ));
    let missing = contract.history(GameId::Classic(7), 0).await.unwrap_err();
    assert_eq!(missing.refusal(), Some(Refusal::NoSuchGame));
}

#[tokio::test]
async fn a_refused_call_costs_nothing() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let game = start(&contract, &alice, bob.address()).await;
    let before = (
        client.balance(&bob.account()).await.unwrap(),
        client.height().await.unwrap(),
    );
    let refused = contract
        .drop_disc(&bob, game, Bin::new(0))
        .await
        .unwrap_err();
    assert_eq!(refused.refusal(), Some(Refusal::NotYourTurn));
    let same = contract
        .start_game(&bob, bob.address(), bob.address(), Shape::STANDARD.into())
        .await
        .unwrap_err();
    assert_eq!(same.refusal(), Some(Refusal::SamePlayer));
    let after = (
        client.balance(&bob.account()).await.unwrap(),
        client.height().await.unwrap(),
    );
    assert_eq!(before, after);
}

#[tokio::test]
async fn an_account_is_made_known_to_contracts_when_it_needs_to_be() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let alice = account("alice");
    let secret = "bottom drive obey lake curtain smoke basket hold race lonely fit walk//new";
    let new = Signer::from_secret(secret).unwrap();
    let shape = Shape::CLASSROOM.into();

    // It has nothing yet.
    let poor = contract
        .start_game(&new, new.address(), alice.address(), shape)
        .await;
    assert!(matches!(poor, Err(Error::NoFunds { .. })), "{poor:?}");

    let api = OnlineClient::<PolkadotConfig>::from_insecure_url(&url)
        .await
        .unwrap();
    let unit = 10_u128.pow(client.token().decimals);
    let transfer = subxt::dynamic::tx(
        "Balances",
        "transfer_keep_alive",
        vec![
            Value::unnamed_variant("Id", [Value::from_bytes(new.account().0)]),
            Value::u128(10 * unit),
        ],
    );
    api.tx()
        .sign_and_submit_then_watch_default(&transfer, &subxt_signer::sr25519::dev::alice())
        .await
        .unwrap()
        .wait_for_finalized_success()
        .await
        .unwrap();
    assert_eq!(client.balance(&new.account()).await.unwrap(), 10 * unit);

    // What the contract refuses is not worth mapping the account: nothing is paid.
    let alone = contract.start_game(&new, new.address(), new.address(), shape);
    let refused = alone.await.unwrap_err();
    assert_eq!(refused.refusal(), Some(Refusal::SamePlayer), "{refused}");
    let others = start(&contract, &alice, account("bob").address()).await;
    let refused = contract.perform(&new, others, Action::Resign).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.refusal(), Some(Refusal::NotAPlayer), "{refused}");
    let missing = contract
        .drop_disc(&new, GameId::Classic(7), Bin::new(0))
        .await
        .unwrap_err();
    assert_eq!(missing.refusal(), Some(Refusal::NoSuchGame), "{missing}");
    assert_eq!(client.balance(&new.account()).await.unwrap(), 10 * unit);

    assert!(!client.is_mapped(&new.account()).await.unwrap());
    let first = contract
        .start_game(&new, new.address(), alice.address(), shape)
        .await
        .unwrap();
    assert!(first.mapped.is_some_and(|mapped| mapped.fee > 0));
    assert!(client.is_mapped(&new.account()).await.unwrap());
    let second = contract
        .drop_disc(&new, first.value, Bin::new(0))
        .await
        .unwrap();
    assert_eq!(second.mapped, None);
}

/// Connections that know nothing of each other sign for one account. Who is overtaken is told so, and wishes again: the
/// program signs a wish with one number alone.
#[tokio::test(flavor = "multi_thread")]
async fn transactions_of_one_account_do_not_stand_in_each_others_way() {
    const EACH: u32 = 5;
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let bob = account("bob").address();
    let mut tasks = Vec::new();
    for _ in 0..3 {
        let own = Client::connect(&url).await.unwrap();
        let contract = Contracts::open(&own, contract.address(), CODE)
            .await
            .unwrap();
        for _ in 0..EACH {
            let contract = contract.clone();
            tasks.push(tokio::spawn(async move {
                let alice = account("alice");
                loop {
                    let shape = Shape::CLASSROOM.into();
                    let started = contract.start_game(&alice, alice.address(), bob, shape);
                    match started.await {
                        Ok(receipt) => return receipt.value,
                        Err(Error::Overtaken { .. }) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            }));
        }
    }
    let mut games = Vec::new();
    for task in tasks {
        games.push(task.await.unwrap());
    }
    games.sort_unstable();
    assert_eq!(
        games,
        (0..3 * EACH).map(GameId::Classic).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn who_is_not_there_or_is_gone_is_said_so() {
    let (server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    client.set_patience(Patience::Limited(Duration::ZERO));
    server.stop().await;
    let error = contract.game_count(ContractKind::Games).await.unwrap_err();
    assert!(matches!(error, Error::Gone { .. }), "{error}");
    // Where the node is may be a secret of who runs a host.
    assert!(error.is_passing() && !error.to_string().contains(&url));
    let error = Client::connect(&url).await.unwrap_err();
    assert!(matches!(error, Error::Connect { .. }), "{error}");
}

#[tokio::test]
async fn events_are_read_singly_and_many_at_once_alike() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let won = start(&contract, &alice, bob.address()).await;
    for (turn, bin) in [0, 1, 0, 1, 0, 1, 0].into_iter().enumerate() {
        let mover = [&alice, &bob][turn % 2];
        contract.drop_disc(mover, won, Bin::new(bin)).await.unwrap();
    }
    let resigned = start(&contract, &alice, bob.address()).await;
    for (game, action) in [
        (resigned, Action::Resign),
        (resigned, Action::Free),
        (won, Action::Free),
    ] {
        contract.perform(&alice, game, action).await.unwrap();
    }
    let height = client.height().await.unwrap();
    let events = contract.events(0..=height).await.unwrap();
    let ends = events.iter().filter_map(|at| match at.event {
        Event::GameEnded(GameEnded { winner, .. }) => Some(winner),
        _ => None,
    });
    assert_eq!(
        ends.collect::<Vec<_>>(),
        [Some(alice.address()), Some(bob.address())]
    );
    assert_eq!(read_at_once(&contract).await, (events, vec![]));
}

/// The contract's events as those read them who keep them, and the blocks that are missing.
async fn read_at_once(contract: &Contracts) -> (Vec<Occurrence>, Vec<Gap>) {
    let client = contract.client();
    let (mut events, mut gaps, mut after) = (Vec::new(), Vec::new(), None);
    loop {
        let emitters = Emitters {
            contracts: contract.emitters().to_vec(),
            signed_records: Vec::new(),
        };
        let read = client.blocks_after(&emitters, after, 100).await;
        let ReadBlocks::Read(read) = read.unwrap() else {
            panic!("the chain has no forks");
        };
        for of in read.blocks {
            assert!(of.events.iter().all(|event| of.fees[&event.index] > 0));
            events.extend(of.events.iter().map(|emitted| Occurrence {
                event: emitted.decode().unwrap().unwrap(),
                block: of.block.number,
                block_hash: of.block.hash,
                index: emitted.index,
            }));
        }
        gaps.extend(read.gaps);
        after = read.last;
        if after.is_none() {
            return (events, gaps);
        }
    }
}

/// An archive that never answers, as a database whose machine is gone. Counts what it is asked.
#[derive(Default)]
struct Silent(AtomicU32);

impl Silent {
    fn never<T: Send + 'static>(&self) -> BoxFuture<'_, T> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Box::pin(std::future::pending())
    }
}

impl Archive for Silent {
    fn game<'a>(&'a self, _: &'a [Address], _: GameId) -> BoxFuture<'a, Option<ArchivedGame>> {
        self.never()
    }

    fn fees<'a>(&'a self, _: &'a [(BlockRef, u32)]) -> BoxFuture<'a, Vec<Option<u128>>> {
        self.never()
    }
}

#[tokio::test]
async fn an_archive_that_does_not_answer_holds_nothing_up() {
    const PATIENCE: Duration = Duration::from_secs(30);
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let game = start(&contract, &alice, bob.address()).await;
    let receipt = contract.drop_disc(&alice, game, Bin::new(0)).await.unwrap();

    let silent = Arc::new(Silent::default());
    let asked = || silent.0.load(Ordering::Relaxed);
    let beside = contract.clone().with_archive(Arc::<Silent>::clone(&silent));
    let history = tokio::time::timeout(PATIENCE, beside.history(game, 0));
    let history = history.await.expect("the chain is asked").unwrap();
    assert_eq!((history.is_empty(), asked()), (false, 1));
    // It is not asked for nothing, nor about blocks that were read a moment ago: a move that is watched
    // does not wait for it.
    let transactions = async |of: &[Occurrence], count| {
        let sent = tokio::time::timeout(PATIENCE, beside.client().transactions(of));
        let sent = sent.await.expect("the chain is asked").unwrap();
        assert_eq!((sent.len(), asked()), (of.len(), count));
        if let Some(last) = sent.last() {
            assert_eq!(last.fee, receipt.transaction.fee);
        }
    };
    transactions(&[], 1).await;
    transactions(&history, 1).await;
    for _ in 0..20 {
        start(&contract, &alice, bob.address()).await;
    }
    read_at_once(&beside).await;
    transactions(&history, 2).await;
}
