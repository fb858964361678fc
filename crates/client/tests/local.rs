//! The client on the local chain, spoken to as any other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use connect4_client::{
    Action, Address, Archive, ArchivedGame, BlockRef, Client, Code, Contracts, Emitters, Error,
    Event, GameId, Gap, Occurrence, Offer, Patience, ReadBlocks, Signer, Wait,
};
use connect4_protocol::event::{DiscDropped, GameEnded};
use connect4_protocol::message::{Cancel, ContractKind, Withdraw};
use connect4_protocol::{ClockSpec, End, Error as Refusal, Game};
use connect4_rules::{Bin, ByPlayer, Player, Shape};
use futures_util::future::BoxFuture;
use subxt::dynamic::Value;
use subxt::{OnlineClient, PolkadotConfig};

use crate::common::{CODE, account, chain, deployed, start, stored};

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
        matches: b"another version",
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
    // An older program says that it is too old; to one that knows the code its version is as known.
    let older = Code {
        version: connect4_protocol::VERSION - 1,
        ..another_version
    };
    let error = Contracts::open(&client, place, older).await.unwrap_err();
    assert!(
        error.to_string().contains("is too old for this contract"),
        "{error}"
    );
    let any_code = Contracts::open_with_any_code(&client, place, older).await;
    assert_eq!(
        any_code
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
    let offer = Offer {
        opponent: Some(account("bob").address()),
        challenger_first: true,
        shape,
        clock: Some(ClockSpec {
            bank: 600,
            increment: 5,
        }),
        stake: 2 * unit,
        expires_in: None,
    };
    let made = contract.challenge(&alice, offer).await.unwrap().value;
    let refused = contract.accept(&new, made).await.unwrap_err();
    assert_eq!(refused.refusal(), Some(Refusal::NotChallenged), "{refused}");
    let missing = contract
        .drop_disc(&new, GameId::Classic(7), Bin::new(0))
        .await
        .unwrap_err();
    assert_eq!(missing.refusal(), Some(Refusal::NoSuchGame), "{missing}");
    // Nor is a stake that it does not have.
    let offer = Offer {
        opponent: None,
        stake: 11 * unit,
        expires_in: None,
        ..offer
    };
    let made = contract.challenge(&alice, offer).await.unwrap().value;
    let unpaid = contract.accept(&new, made).await;
    assert!(matches!(unpaid, Err(Error::NoFunds { .. })), "{unpaid:?}");
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

/// A challenge of alice to bob for a stake, on the classroom board.
fn offer(stake: u128) -> Offer {
    Offer {
        opponent: Some(account("bob").address()),
        challenger_first: true,
        shape: Shape::CLASSROOM.into(),
        clock: Some(ClockSpec {
            bank: 600,
            increment: 5,
        }),
        stake,
        expires_in: None,
    }
}

#[tokio::test]
async fn a_match_is_played_for_a_stake() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let stake = client.token().parse("1.5").unwrap();

    let number = contract
        .challenge(&alice, offer(stake))
        .await
        .unwrap()
        .value;
    let open = contract.open_challenges(None, 10).await.unwrap();
    assert_eq!(open.len(), 1);
    assert_eq!((open[0].0, open[0].1.challenger), (number, alice.address()));
    assert_eq!(
        client.token().in_smallest_unit(open[0].1.terms.stake),
        stake
    );
    let game = contract.accept(&bob, number).await.unwrap().value;
    assert_eq!(contract.open_challenge(number).await.unwrap(), None);

    for (turn, bin) in [0, 1, 0, 1, 0, 1, 0].into_iter().enumerate() {
        let mover = [&alice, &bob][turn % 2];
        contract
            .drop_disc(mover, game, Bin::new(bin))
            .await
            .unwrap();
    }
    let ended = stored::<Game>(&contract, game).await;
    assert_eq!(ended.end(), Some(End::Line));
    let shares = contract.shares_of(game, &ended).await.unwrap();
    assert_eq!(
        client.token().in_smallest_unit(shares[Player::One]),
        2 * stake
    );
    assert_eq!(shares[Player::Two], 0);
    let paid = contract
        .send(
            &alice,
            Withdraw {
                games: vec![game.number()],
            },
        )
        .await
        .unwrap()
        .value;
    assert_eq!(client.token().in_smallest_unit(paid), 2 * stake);
    let shares = contract.shares_of(game, &ended).await.unwrap();
    assert_eq!(shares, ByPlayer { one: 0, two: 0 });
    assert_eq!(contract.credit_of(bob.address()).await.unwrap(), 0);

    // The rest of the series: alice gives up, and its storage is freed.
    contract
        .perform(&alice, game, Action::OfferRematch)
        .await
        .unwrap();
    let accepted = contract.perform(&bob, game, Action::AcceptRematch).await;
    let next = accepted.unwrap().value.rematch().unwrap();
    let state = contract.match_of(next).await.unwrap();
    assert_eq!((state.previous, state.score.two), (Some(game.number()), 1));
    contract
        .perform(&alice, next, Action::Resign)
        .await
        .unwrap();
    let freed = contract.perform(&bob, next, Action::Free).await.unwrap();
    assert!(freed.deposit < 0, "the deposit came back");
    assert_eq!(contract.game::<Game>(next).await.unwrap(), None);

    // What was freed is still told by events.
    let history = contract.history(next, 0).await.unwrap();
    let last = &history.last().unwrap().event;
    assert!(
        matches!(
            last,
            Event::GameEnded(GameEnded {
                end: End::Resignation,
                ..
            })
        ),
        "{last:?}"
    );
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

#[tokio::test]
async fn nothing_is_staked_with_code_that_is_not_known() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let address = deployed(&client).await.address();
    let newer = Code {
        games: b"a newer version",
        ..CODE
    };
    let contract = Contracts::open(&client, address, newer).await.unwrap();
    let alice = account("alice");
    assert!(matches!(
        contract.challenge(&alice, offer(1)).await,
        Err(Error::UnknownCode { .. })
    ));
    contract.challenge(&alice, offer(0)).await.unwrap();
    let trusted = Contracts::open_with_any_code(&client, address, newer);
    let trusted = trusted.await.unwrap();
    trusted.challenge(&alice, offer(1)).await.unwrap();
}

#[tokio::test]
async fn all_open_challenges_are_listed_however_many() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let alice = account("alice");
    for _ in 0..55 {
        contract.challenge(&alice, offer(0)).await.unwrap();
    }
    for closed in [0, 20, 21, 54] {
        contract
            .send(&alice, Cancel { challenge: closed })
            .await
            .unwrap();
    }
    let numbers = |open: Vec<(u32, _)>| open.into_iter().map(|(number, _)| number).collect();
    let all: Vec<u32> = numbers(contract.open_challenges(None, usize::MAX).await.unwrap());
    let expected: Vec<u32> = (1..54)
        .rev()
        .filter(|number| ![20, 21].contains(number))
        .collect();
    assert_eq!(all, expected);
    let newest: Vec<u32> = numbers(contract.open_challenges(None, 2).await.unwrap());
    assert_eq!(newest, [53, 52]);
    let older = async |newest| numbers(contract.open_challenges(Some(newest), 3).await.unwrap());
    assert_eq!(older(23).await, [23, 22, 19]);
    // One that is not open any more stands for the next one below.
    assert_eq!(older(21).await, [19, 18, 17]);
    assert_eq!(older(0).await, [] as [u32; 0]);
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
