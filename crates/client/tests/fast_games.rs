//! Fast games by the contract: starting them, bringing signed moves, the clock, stakes, rematches, and
//! what their events tell.

mod common;

use std::collections::BTreeSet;
use std::time::Duration;

use connect4_chain::{Chain, Options};
use connect4_client::{
    Action, Client, Contracts, Error, GameId, Owing, Signer, drops, moves, replay,
};
use connect4_protocol::fast::{Ending, FastGame};
use connect4_protocol::message::{AcceptFastRematch, ContractKind, OfferFastRematch, WithdrawFast};
use connect4_protocol::{End, Error as Refusal, Event, Game};
use connect4_rules::{Bin, Player};
use connect4_testing::fast::brings;

use common::fast::{session_key, start_fast};
use common::{account, chain, deployed, serve, stored};

/// Four discs of player one on each other, on the classroom board.
const WON: [u8; 7] = [0, 1, 0, 1, 0, 1, 0];

async fn refused(
    contract: &Contracts,
    signer: &Signer,
    game: GameId,
    action: Action,
) -> Option<Refusal> {
    let error = contract.perform(signer, game, action).await.unwrap_err();
    error.refusal()
}

#[tokio::test]
async fn a_whole_staked_game_is_brought_by_one_transaction() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    assert_eq!(contract.game_count(ContractKind::Fast).await.unwrap(), 0);
    let table = start_fast(&contract, &alice, &bob, 2).await;
    let number = table.id();
    assert_eq!(number, GameId::Fast(0));
    assert_eq!(contract.game_count(ContractKind::Fast).await.unwrap(), 1);
    assert_eq!(contract.game_count(ContractKind::Games).await.unwrap(), 0);
    let fast = stored::<FastGame>(&contract, number).await;
    assert_eq!(fast.keys, table.keys.clone().map(|key| key.address()));
    assert_eq!(
        contract.game::<Game>(number).await.unwrap(),
        Some(fast.game)
    );
    assert_eq!(
        contract.game::<FastGame>(GameId::Fast(1)).await.unwrap(),
        None
    );
    assert_eq!(contract.game::<Game>(GameId::Fast(1)).await.unwrap(), None);
    assert_eq!(
        contract.game::<FastGame>(GameId::Classic(0)).await.unwrap(),
        None
    );

    // Anyone may bring it.
    let eve = account("eve");
    let evidence = table.agreed(&WON);
    let brought = contract.send(&eve, brings(number.number(), evidence)).await;
    let brought = brought.unwrap().value;
    assert_eq!(brought.ended().map(|ended| ended.end), Some(End::Line));
    let again = contract.send(&eve, brings(number.number(), evidence)).await;
    assert_eq!(again.unwrap_err().refusal(), Some(Refusal::GameOver));
    let seen = contract
        .see_game::<FastGame>(number)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(seen.game.winner(), Some(Player::One));

    // The stakes were credited at once, in a contract of their own.
    let stakes = contract.match_of(number).await.unwrap().stake * 2;
    assert_eq!(contract.credit_of(alice.address()).await.unwrap(), 0);
    let credit = contract.fast_credit_of(alice.address()).await.unwrap();
    assert_eq!(credit, stakes);
    let mut owing = Owing::new(&contract, [alice.address(), bob.address()]);
    owing.count(number, &seen.game).await.unwrap();
    let owed = owing.read().await.unwrap();
    assert_eq!(owed.len(), 1, "{owed:?}");
    assert_eq!((owed[0].total(), owed[0].by_matches()), (stakes, 0));
    let paid = contract.send(&alice, WithdrawFast {}).await.unwrap().value;
    assert_eq!(paid, stakes);
    let nothing = contract.send(&alice, WithdrawFast {}).await.unwrap_err();
    assert_eq!(nothing.refusal(), Some(Refusal::NothingToWithdraw));
}

#[tokio::test]
async fn a_silent_opponent_loses_on_the_clock_that_is_pressed() {
    let chain = Chain::open(Options::default()).unwrap();
    let (_server, url) = serve(chain.clone()).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let table = start_fast(&contract, &alice, &bob, 1).await;
    let number = table.id();
    let known = stored::<FastGame>(&contract, number).await;
    assert_eq!(known.game.clock(), None, "it stands");

    // Bob is to move: his turn is pressed by Alice alone.
    let evidence = table.evidence(&[0, 1, 0], None);
    let (waiting, watched) = (contract.clone(), known);
    let waiting = tokio::spawn(async move { waiting.wait_for_change(number, &watched).await });
    contract
        .send(&alice, brings(number.number(), evidence))
        .await
        .unwrap();
    let changed = waiting.await.unwrap().unwrap();
    assert_eq!(changed.game.turns(), 3);
    let press = Action::Press;
    assert_eq!(
        refused(&contract, &bob, number, press).await,
        Some(Refusal::YourTurn)
    );
    let pressed = contract.perform(&alice, number, press).await.unwrap();
    assert!(
        matches!(&pressed.value.events[..], [Event::ClockPressed(pressed)] if pressed.by == alice.address())
    );
    assert_eq!(
        refused(&contract, &alice, number, press).await,
        Some(Refusal::ClockRuns)
    );

    // He answers on the chain, and then Alice's clock runs.
    let dropped = contract.drop_disc(&bob, number, Bin::new(2)).await.unwrap();
    assert_eq!(dropped.value.dropped.turn, 3);
    assert!(dropped.value.dropped.deadline.is_some());
    assert_eq!(
        refused(&contract, &bob, number, Action::ClaimTimeout).await,
        Some(Refusal::TimeLeft)
    );
    chain.advance_clock(Duration::from_secs(700));
    let claimed = contract.perform(&bob, number, Action::ClaimTimeout).await;
    let claimed = claimed.unwrap().value;
    assert_eq!(claimed.ended().map(|ended| ended.end), Some(End::Timeout));
    let paid = contract.perform(&bob, number, Action::Withdraw).await;
    let stake = contract.match_of(number).await.unwrap().stake;
    assert_eq!(paid.unwrap().value.paid(), Some(2 * stake));
}

#[tokio::test]
async fn a_rematch_of_a_fast_game_takes_new_keys() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let table = start_fast(&contract, &alice, &bob, 1).await;
    let number = table.id();
    for action in [
        Action::OfferDraw,
        Action::AcceptDraw,
        Action::DeclineDraw,
        Action::OfferRematch,
        Action::AcceptRematch,
    ] {
        let error = contract.perform(&alice, number, action).await;
        assert!(matches!(error, Err(Error::FastGame { .. })), "{error:?}");
    }
    let resigned = table.evidence(&[3, 2], Some(Ending::Resignation(Player::One)));
    contract
        .send(&bob, brings(number.number(), resigned))
        .await
        .unwrap();
    let keys = [3, 4].map(|number| session_key(number).address());
    contract
        .send(
            &alice,
            OfferFastRematch {
                game: number.number(),
                key: keys[0],
            },
        )
        .await
        .unwrap();
    let declined = contract.perform(&bob, number, Action::DeclineRematch).await;
    assert_eq!(declined.unwrap().value.rematch(), None);
    contract
        .send(
            &alice,
            OfferFastRematch {
                game: number.number(),
                key: keys[0],
            },
        )
        .await
        .unwrap();
    let accepted = contract
        .send(
            &bob,
            AcceptFastRematch {
                game: number.number(),
                key: keys[1],
            },
        )
        .await;
    let next = accepted.unwrap().value.rematch();
    assert_eq!(next, Some(GameId::Fast(1)));
    let of_match = contract.match_of(number).await.unwrap();
    assert_eq!(of_match.next.map(GameId::of_two), next);
    let fast = stored::<FastGame>(&contract, GameId::Fast(1)).await;
    // The loser begins.
    assert_eq!(fast.game.player_one(), alice.address());
    assert_eq!([fast.keys.one, fast.keys.two], keys);

    let freed = contract.perform(&bob, number, Action::Free).await.unwrap();
    assert!(freed.deposit < 0);
    assert_eq!(contract.game::<Game>(number).await.unwrap(), None);
}

/// Contracts without fast games have none of these numbers.
#[tokio::test]
async fn games_alone_have_no_fast_games() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let games = deployed(&client)
        .await
        .address_of(ContractKind::Games)
        .unwrap();
    let contract = Contracts::open(&client, games, common::CODE).await.unwrap();
    assert_eq!(contract.address_of(ContractKind::Fast), None);
    assert_eq!(contract.game::<Game>(GameId::Fast(0)).await.unwrap(), None);
    assert_eq!(contract.game_count(ContractKind::Fast).await.unwrap(), 0);
    let alice = account("alice");
    assert_eq!(contract.fast_credit_of(alice.address()).await.unwrap(), 0);
    assert!(matches!(contract.domain(), Err(Error::Lacks { .. })));
    let press = contract
        .perform(&alice, GameId::Fast(0), Action::Press)
        .await;
    assert!(matches!(press, Err(Error::Lacks { .. })), "{press:?}");
}

/// One move on the chain, then signed ones that begin otherwise: they take its place.
#[tokio::test]
async fn the_events_of_a_fast_game_tell_its_moves_and_its_result() {
    let chain = Chain::open(Options::default()).unwrap();
    let (_server, url) = serve(chain.clone()).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let mut watch = contract.watch().await.unwrap();
    let table = start_fast(&contract, &alice, &bob, 0).await;
    let number = table.id();
    for _ in 0..10 {
        chain.seal().unwrap();
    }
    contract
        .drop_disc(&alice, number, Bin::new(5))
        .await
        .unwrap();
    let brought = async |bins: &[u8]| {
        let evidence = table.evidence(bins, None);
        let brought = contract.send(&bob, brings(number.number(), evidence));
        brought.await.unwrap();
        chain.seal().unwrap();
    };
    brought(&WON[..4]).await;
    // Another game between, and one move more on the chain.
    let other = start_fast(&contract, &bob, &alice, 0).await;
    contract
        .drop_disc(&alice, number, Bin::new(0))
        .await
        .unwrap();
    let bins = |moves: Vec<Bin>| moves.into_iter().map(Bin::index).collect::<Vec<_>>();
    let so_far = contract.history(number, 0).await.unwrap();
    assert_eq!(bins(drops(&moves(&so_far))), WON[..5]);
    // A line, which can still be contested, and then the loser's word that it stands.
    brought(&WON).await;
    let so_far = contract.history(number, 0).await.unwrap();
    assert_eq!(so_far.len(), 5, "{so_far:?}");
    let evidence = table.agreed(&WON);
    let agreed = contract.send(&bob, brings(number.number(), evidence)).await;
    agreed.unwrap();
    chain.seal().unwrap();

    let game = stored::<Game>(&contract, number).await;
    let searched = contract.history(number, 0).await.unwrap();
    assert_eq!(searched.len(), 6, "{searched:?}");
    assert_eq!(bins(drops(&moves(&searched))), WON);
    let replayed = replay(&searched).unwrap();
    assert_eq!(replayed.position(), game.position());
    assert_eq!(replayed.end(), Some(End::Line));

    // Storage has them if their events are missing.
    let best = client.best_block().await.unwrap();
    let records = contract.records(&BTreeSet::new(), best.hash).await.unwrap();
    let numbers: Vec<u32> = records.games.keys().copied().collect();
    assert_eq!(numbers, [number.number(), other.number]);
    let known = BTreeSet::from([number.number()]);
    let records = contract.records(&known, best.hash).await.unwrap();
    assert_eq!((records.games.len(), records.lost), (1, 0));

    // What happens is told as it happens, and a game that was freed has its past.
    contract.perform(&bob, number, Action::Free).await.unwrap();
    chain.seal().unwrap();
    let freed = loop {
        let at = watch.next().await.unwrap();
        if matches!(at.event, Event::GameFreed(_)) {
            break at;
        }
    };
    assert_eq!(freed.event.game(), Some(number));
    let before = contract.game_of::<Game>(&freed).await.unwrap().unwrap();
    assert_eq!(before.winner(), Some(Player::One));
    assert_eq!(contract.history(number, 0).await.unwrap(), searched);
    let missing = contract.history(GameId::Fast(2), 0).await.unwrap_err();
    assert_eq!(missing.refusal(), Some(Refusal::NoSuchGame));
}
