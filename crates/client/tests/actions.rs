//! Each action of a player, performed and refused on a local chain.

use connect4_client::{Action, Client, Contracts, Error, GameId, Performed, Signer, Task};
use connect4_protocol::message::ContractKind;
use connect4_protocol::{End, Error as Refusal, Event, Game};
use connect4_rules::Bin;
use connect4_rules::variant::Move;

use crate::common::{account, chain, deployed, start, stored};

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
    let about = format!("game {game}");
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
async fn a_game_is_given_up_and_freed() {
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
        refused(&contract, &alice, game, Action::Free).await,
        Refusal::GameNotOver
    );
    let resigned = perform(&contract, &alice, game, Action::Resign).await;
    let ended = resigned.ended().unwrap();
    assert_eq!(
        (ended.winner, ended.end),
        (Some(bob.address()), End::Resignation)
    );
    assert_eq!(
        refused(&contract, &bob, game, Action::Resign).await,
        Refusal::GameOver
    );
    assert_eq!(
        refused(&contract, &bob, game, Action::Free).await,
        Refusal::NotPayer
    );
    let freed = contract.perform(&alice, game, Action::Free).await.unwrap();
    assert!(freed.deposit < 0, "the deposit came back");
    assert!(matches!(freed.value.events[..], [Event::GameFreed(_)]));
    assert_eq!(contract.game::<Game>(game).await.unwrap(), None);
    assert_eq!(
        refused(&contract, &alice, game, Action::Free).await,
        Refusal::NoSuchGame
    );

    // How it was played is still told by events.
    let history = contract.history(game, 0).await.unwrap();
    let told: Vec<&Event> = history.iter().map(|at| &at.event).collect();
    assert!(
        matches!(told[..], [Event::GameStarted(_), Event::GameEnded(_)]),
        "{told:?}"
    );
}

#[tokio::test]
async fn games_alone_have_no_actions_of_variants() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let games = contract.address_of(ContractKind::Games).unwrap();
    let alice = account("alice");
    for action in [Action::Join, Action::Leave, Action::RemoveLate] {
        for game in [GameId::Classic(0), GameId::Variant(0)] {
            let error = contract.perform(&alice, game, action).await;
            assert!(
                matches!(error, Err(Error::Lacks { address, .. }) if address == games),
                "{action:?}: {error:?}"
            );
        }
    }
}
