//! Games by signed terms, by the contract of the records: recording them, and starting them for a dispute.

mod common;

use connect4_client::{Client, Code, Contracts, Error, GameId, Lookup, Signer};
use connect4_protocol::event::GameRecorded;
use connect4_protocol::fast::{Ending, FastGame, PackedSigned, Party};
use connect4_protocol::message::{ContractKind, Record, StartSigned};
use connect4_protocol::{End, Error as Refusal, Event, Game};
use connect4_rules::Player;
use connect4_testing::fast::TermsPlay;
use connect4_testing::games;

use common::{CODE, account, chain, deployed, stored};

/// A game of two guests.
async fn guests(contract: &Contracts, nonce: u32) -> TermsPlay {
    let now = contract.client().time().await.unwrap();
    TermsPlay::guests(contract.domain().unwrap(), now, nonce)
}

fn column() -> Vec<u8> {
    games::bins(games::SHORT).collect()
}

#[tokio::test]
async fn the_contract_of_the_records_is_deployed_with_the_others_and_found() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let (alice, bob) = (account("alice"), account("bob"));
    let place = Client::records_address(alice.address(), CODE);
    let lookup = Lookup {
        code: CODE,
        contract: None,
        variants: None,
        deployer: None,
        any_code: false,
    };
    // Without it the others are there.
    let without = Code {
        records: None,
        ..CODE
    };
    let deployment = client.deploy(&alice, without).await.unwrap();
    assert_eq!(deployment.records, None);
    let found = lookup.open(&client, None).await.unwrap();
    assert_eq!(found.address(), deployment.address);
    assert_eq!(found.address_of(ContractKind::Records), None);
    let record = Record {
        fast: found.address_of(ContractKind::Fast).unwrap(),
        games: Vec::new(),
    };
    let error = found.send(&bob, record).await.unwrap_err();
    assert!(
        matches!(
            error,
            Error::Lacks {
                kind: ContractKind::Records,
                ..
            }
        ),
        "{error}"
    );
    // Deployed again, it alone is new.
    let (opened, deployment) = lookup.deploy(&client, &alice).await.unwrap();
    assert_eq!(deployment.receipt, None);
    assert_eq!(deployment.records, place);
    assert_eq!(deployment.records_receipt.unwrap().value, place.unwrap());
    assert_eq!(opened.address_of(ContractKind::Records), place);
    let found = lookup.open(&client, Some(&bob)).await.unwrap();
    assert_eq!(found.address_of(ContractKind::Records), place);
    assert!(found.emitters().contains(&place.unwrap()));
    let (_, again) = lookup.deploy(&client, &alice).await.unwrap();
    assert_eq!((again.receipt, again.records_receipt), (None, None));
}

#[tokio::test]
async fn games_are_recorded_by_one_transaction() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let charlie = account("charlie");
    let (one, two) = (guests(&contract, 1).await, guests(&contract, 2).await);
    let fast = one.domain.contract;
    let lost = Some(Ending::Resignation(Player::One));
    let games = vec![one.recorded(&column(), None), two.recorded(&[3, 3], lost)];
    let receipt = contract.send(&charlie, Record { fast, games }).await;
    let events: Vec<GameRecorded> = receipt
        .unwrap()
        .value
        .events
        .into_iter()
        .map(recorded)
        .collect();
    let told: Vec<_> = events
        .iter()
        .map(|event| (event.number, event.end))
        .collect();
    assert_eq!(
        told,
        [
            (one.number(), Some(End::Line)),
            (two.number(), Some(End::Resignation))
        ]
    );
    assert_eq!(events[1].winner, Some(two.terms.players.two.account()));
    assert_eq!(contract.game_count(ContractKind::Fast).await.unwrap(), 0);

    // One that is not as signed refuses all, before anything is paid.
    let mut forged = two.recorded(&[3, 3], lost);
    forged.terms[0] ^= 1;
    let games = vec![one.recorded(&column(), None), forged];
    let had = client.balance(&charlie.account()).await.unwrap();
    let error = contract.send(&charlie, Record { fast, games }).await;
    let error = error.unwrap_err();
    assert!(error.refusal().is_some(), "{error}");
    assert!(
        error.to_string().starts_with("recording 2 games: "),
        "{error}"
    );
    assert_eq!(client.balance(&charlie.account()).await.unwrap(), had);
}

fn recorded(event: Event) -> GameRecorded {
    match event {
        Event::GameRecorded(event) => event,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_account_of_either_kind_names_the_key_that_signs_its_games() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let charlie = account("charlie");
    let ethereum = format!("ethereum:0x{}", "07".repeat(32));
    for (nonce, signer) in [account("alice"), Signer::from_secret(&ethereum).unwrap()]
        .into_iter()
        .enumerate()
    {
        let mut play = guests(&contract, u32::try_from(nonce).unwrap()).await;
        let (key, until) = (play.keys.one.address(), play.terms.time + 3_600);
        play.terms.players.one = Party::new(signer.address(), key);
        play.sessions.one = Some(signer.sign_session(key, until, &play.domain));
        let fast = play.domain.contract;
        let signed = PackedSigned::from(&play.signed_terms());
        let started = contract.send(&charlie, StartSigned { fast, signed }).await;
        let game = stored::<Game>(&contract, started.unwrap().value).await;
        assert_eq!(game.player_one(), signer.address());
        let games = vec![play.recorded(&column(), None)];
        contract
            .send(&charlie, Record { fast, games })
            .await
            .unwrap();
        // For another key it names none.
        play.sessions.one = Some(signer.sign_session(signer.address(), until, &play.domain));
        let games = vec![play.recorded(&column(), None)];
        let error = contract.send(&charlie, Record { fast, games }).await;
        assert_eq!(error.unwrap_err().refusal(), Some(Refusal::BadSession));
    }
}

#[tokio::test]
async fn signed_terms_start_a_game_on_the_chain_once() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let charlie = account("charlie");
    let play = guests(&contract, 1).await;
    let start = || StartSigned {
        fast: play.domain.contract,
        signed: PackedSigned::from(&play.signed_terms()),
    };
    let started = contract.send(&charlie, start()).await.unwrap();
    assert_eq!(started.value, GameId::Fast(0));
    let fast = stored::<FastGame>(&contract, started.value).await;
    assert_eq!(fast.by_terms.unwrap().number, play.number());
    assert_eq!(fast.game.payer(), charlie.address());
    let error = contract.send(&charlie, start()).await.unwrap_err();
    assert_eq!(error.refusal(), Some(Refusal::TermsUsed));
}
