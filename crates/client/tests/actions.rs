//! Each action of a player, performed and refused on a local chain.

use std::time::Duration;

use connect4_chain::{Chain, Options};
use connect4_client::{Action, Client, Contracts, Error, GameId, Offer, Performed, Signer, Task};
use connect4_protocol::message::ContractKind;
use connect4_protocol::{ClockSpec, End, Error as Refusal, Event, Game};
use connect4_rules::Bin;
use connect4_rules::variant::Move;

use crate::common::{account, chain, deployed, offer, serve, start, stored};

async fn perform(contract: &Contracts, signer: &Signer, game: GameId, action: Action) -> Performed {
    let receipt = contract.perform(signer, game, action).await.unwrap();
    assert!(receipt.transaction.fee > 0, "{action:?}");
    receipt.value
}

/// The contract's reason to refuse an action; nothing was paid.
async fn refused(contract: &Contracts, signer: &Signer, game: GameId, action: Action) -> Refusal {
    let client = contract.client();
    let before = client.balance(&signer.account()).await.unwrap();
    let error = contract.perform(signer, game, action).await.unwrap_err();
    let after = client.balance(&signer.account()).await.unwrap();
    assert_eq!(before, after, "{action:?}");
    let Error::Refused { task, error } = error else {
        panic!("{action:?}: {error}");
    };
    let about = match action {
        Action::Withdraw => signer.named().to_string(),
        _ => format!("game {game}"),
    };
    assert!(matches!(task, Task::Message(what) if what.contains(&about)));
    error
}

#[tokio::test]
async fn a_game_is_played_by_the_receipts_of_its_drops_alone() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let players = [account("alice"), account("bob")];
    let number = start(&contract, &players[0], players[1].address()).await;
    let mut game = stored::<Game>(&contract, number).await;
    for (turn, bin) in [0, 1, 0, 1, 0, 1, 0].into_iter().enumerate() {
        let bin = Bin::new(bin);
        let played = contract
            .drop_disc(&players[turn % 2], number, bin)
            .await
            .unwrap()
            .value;
        assert_eq!(usize::from(played.dropped.turn), turn);
        assert_eq!(usize::from(played.dropped.row), turn / 2);
        game = played.game_after(&game).unwrap();
        let read = stored::<Game>(&contract, number).await;
        assert_eq!(game, read, "{}", game.position());
        assert_eq!(played.ended.is_some(), turn == 6);
        if let Some(ended) = played.ended {
            assert_eq!(ended.winner, Some(players[0].address()));
            assert_eq!(ended.winning_cells, game.winning_cells());
        }
    }
    let full = Action::Move(Move::Drop(Bin::new(0)));
    assert_eq!(
        refused(&contract, &players[1], number, full).await,
        Refusal::GameOver
    );
}

#[tokio::test]
async fn the_receipt_of_a_drop_tells_the_clock() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let number = timed(&contract, &alice, &bob).await;
    let game = stored::<Game>(&contract, number).await;
    let played = contract.drop_disc(&alice, number, Bin::new(2)).await;
    let after = played.unwrap().value.game_after(&game);
    assert_eq!(after, contract.game::<Game>(number).await.unwrap());
    assert!(after.is_some());
}

/// Starts a match with a clock and returns the game's number; `one` moves first.
async fn timed(contract: &Contracts, one: &Signer, two: &Signer) -> GameId {
    let offer = Offer {
        opponent: Some(two.address()),
        ..offer(contract.client(), 0)
    };
    let challenge = contract.challenge(one, offer).await.unwrap().value;
    contract.accept(two, challenge).await.unwrap().value
}

#[tokio::test]
async fn a_challenge_without_a_clock_is_accepted() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let offer = Offer {
        clock: None,
        ..offer(&client, 0)
    };
    let challenge = contract.challenge(&alice, offer).await.unwrap().value;
    let game = contract.accept(&bob, challenge).await.unwrap().value;
    let game = stored::<Game>(&contract, game).await;
    assert_eq!(game.clock(), None);
    assert_eq!(game.player_two(), bob.address());
}

#[tokio::test]
async fn draws_are_offered_declined_and_agreed_on() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let game = start(&contract, &alice, bob.address()).await;

    for answer in [Action::AcceptDraw, Action::DeclineDraw] {
        assert_eq!(
            refused(&contract, &bob, game, answer).await,
            Refusal::NoOffer
        );
    }
    let offered = perform(&contract, &alice, game, Action::OfferDraw).await;
    assert!(matches!(offered.events[..], [Event::DrawOffered(_)]));
    assert_eq!(offered.ended(), None);
    assert_eq!(
        refused(&contract, &alice, game, Action::OfferDraw).await,
        Refusal::AlreadyOffered
    );
    let declined = perform(&contract, &bob, game, Action::DeclineDraw).await;
    assert!(matches!(declined.events[..], [Event::DrawDeclined(_)]));

    perform(&contract, &bob, game, Action::OfferDraw).await;
    let agreed = perform(&contract, &alice, game, Action::AcceptDraw).await;
    let ended = agreed.ended().unwrap();
    assert_eq!((ended.winner, ended.end), (None, End::Agreement));

    // Two offers are an agreement too.
    let game = start(&contract, &alice, bob.address()).await;
    perform(&contract, &alice, game, Action::OfferDraw).await;
    let agreed = perform(&contract, &bob, game, Action::OfferDraw).await;
    assert_eq!(agreed.ended().unwrap().end, End::Agreement);
}

#[tokio::test]
async fn a_game_is_given_up_followed_by_a_rematch_and_freed() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob, charlie) = (account("alice"), account("bob"), account("charlie"));
    let game = start(&contract, &alice, bob.address()).await;

    assert_eq!(
        refused(&contract, &charlie, game, Action::Resign).await,
        Refusal::NotAPlayer
    );
    assert_eq!(
        refused(&contract, &alice, game, Action::OfferRematch).await,
        Refusal::GameNotOver
    );
    assert_eq!(
        refused(&contract, &alice, game, Action::Free).await,
        Refusal::GameNotOver
    );
    let resigned = perform(&contract, &alice, game, Action::Resign).await;
    let ended = resigned.ended().unwrap();
    assert_eq!(
        (ended.winner, ended.end),
        (Some(bob.address()), End::Resignation)
    );

    for answer in [Action::AcceptRematch, Action::DeclineRematch] {
        assert_eq!(
            refused(&contract, &bob, game, answer).await,
            Refusal::NoOffer
        );
    }
    let offered = perform(&contract, &alice, game, Action::OfferRematch).await;
    assert_eq!(offered.rematch(), None);
    let declined = perform(&contract, &bob, game, Action::DeclineRematch).await;
    assert!(matches!(declined.events[..], [Event::RematchDeclined(_)]));
    perform(&contract, &bob, game, Action::OfferRematch).await;
    let accepted = perform(&contract, &alice, game, Action::AcceptRematch).await;
    assert_eq!(accepted.rematch(), Some(game.sibling(game.number() + 1)));
    assert_eq!(
        refused(&contract, &bob, game, Action::OfferRematch).await,
        Refusal::RematchStarted
    );

    assert_eq!(
        refused(&contract, &bob, game, Action::Free).await,
        Refusal::NotPayer
    );
    let freed = perform(&contract, &alice, game, Action::Free).await;
    assert!(matches!(freed.events[..], [Event::GameFreed(_)]));
    assert_eq!(
        refused(&contract, &alice, game, Action::Free).await,
        Refusal::NoSuchGame
    );
    assert_eq!(
        refused(
            &contract,
            &bob,
            game.sibling(game.number() + 1),
            Action::Withdraw
        )
        .await,
        Refusal::GameNotOver
    );
}

#[tokio::test]
async fn a_timeout_is_claimed_and_its_stakes_withdrawn() {
    let node = Chain::open(Options::default()).unwrap();
    let (_server, url) = serve(node.clone()).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let stake = client.token().parse("0.5").unwrap();
    let offer = Offer {
        clock: Some(ClockSpec {
            bank: 600,
            increment: 0,
        }),
        stake,
        ..offer(&client, 0)
    };
    let challenge = contract.challenge(&alice, offer).await.unwrap().value;
    let game = contract.accept(&bob, challenge).await.unwrap().value;
    for (signer, bin) in [(&alice, 0), (&bob, 1)] {
        let drop = Action::Move(Move::Drop(Bin::new(bin)));
        assert!(
            perform(&contract, signer, game, drop)
                .await
                .played()
                .is_some()
        );
    }
    assert_eq!(
        refused(&contract, &bob, game, Action::ClaimTimeout).await,
        Refusal::TimeLeft
    );
    node.advance_clock(Duration::from_secs(601));
    let late = Action::Move(Move::Drop(Bin::new(0)));
    assert_eq!(
        refused(&contract, &alice, game, late).await,
        Refusal::OutOfTime
    );
    let claimed = perform(&contract, &bob, game, Action::ClaimTimeout).await;
    let ended = claimed.ended().unwrap();
    assert_eq!(
        (ended.winner, ended.end),
        (Some(bob.address()), End::Timeout)
    );
    let paid = perform(&contract, &bob, game, Action::Withdraw).await;
    let paid = client.token().in_smallest_unit(paid.paid().unwrap());
    assert_eq!(paid, 2 * stake);
    assert_eq!(
        refused(&contract, &bob, game, Action::Withdraw).await,
        Refusal::NothingToWithdraw
    );
}

#[tokio::test]
async fn games_alone_have_drops_only() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let games = deployed(&client)
        .await
        .address_of(ContractKind::Games)
        .unwrap();
    let contract = Contracts::open(&client, games, crate::common::CODE)
        .await
        .unwrap();
    assert!(!contract.has_matches());
    for action in Action::WITHOUT_MOVE {
        let error = contract
            .perform(&account("alice"), GameId::Classic(0), action)
            .await;
        assert!(
            matches!(error, Err(Error::Lacks { address, .. }) if address == games),
            "{action:?}: {error:?}"
        );
    }
}
