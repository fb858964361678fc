//! What players of fast games agreed to, against what a node shows.

mod common;

use std::fs;
use std::time::Duration;

use connect4_chain::{Chain, Options};
use connect4_client::fast::{
    Agreement, Fact, FastPlayer, Keyring, KeyringError, PlayError, PlayerEvent, agree_to_rematch,
};
use connect4_client::{Action, Address, Client, Contracts, GameId, Offer};
use connect4_protocol::ClockSpec;
use connect4_protocol::fast::Domain;
use connect4_rules::ShapeSpec;
use tempfile::TempDir;
use tokio::time::timeout;

use common::fast::session_key;
use common::{account, chain, deployed, offer, serve};

/// More than anything here takes.
const LONG: Duration = Duration::from_secs(60);

/// A key of Alice for a game on which this was agreed, and the game that a node shows with it: the one that
/// she offers like this.
async fn shown(
    contract: &Contracts,
    keyring: &Keyring,
    agreed: Agreement,
    offer: Offer,
) -> (Address, GameId) {
    let key = keyring.create(agreed).unwrap().address();
    (key, started(contract, key, offer).await)
}

async fn started(contract: &Contracts, key: Address, offer: Offer) -> GameId {
    let key = Some(key);
    let alice = account("alice");
    let made = contract.challenge(&alice, Offer { key, ..offer });
    let challenge = made.await.unwrap().value;
    let theirs = Some(session_key(9).address());
    let accepted = contract.accept(&account("bob"), challenge, theirs).await;
    accepted.unwrap().value
}

async fn sit(
    contract: &Contracts,
    number: GameId,
    keyring: &Keyring,
) -> Result<FastPlayer, PlayError> {
    FastPlayer::sit(contract, number, account("alice"), keyring, None).await
}

/// What differs.
async fn refused(contract: &Contracts, number: GameId, keyring: &Keyring) -> (Fact, String) {
    let error = sit(contract, number, keyring).await.unwrap_err();
    let said = error.to_string();
    match error {
        PlayError::NotAgreed { difference, .. } => (difference.fact, said),
        error => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_game_that_a_node_shows_otherwise_than_it_was_agreed_on_is_not_played() {
    let (_server, url) = chain().await;
    let contract = deployed(&Client::connect(&url).await.unwrap()).await;
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let (domain, token) = (contract.domain().unwrap(), contract.client().token());
    let alice = account("alice").address();
    let agreed = offer(contract.client(), 1);
    let of = |offer: &Offer| Agreement::of_offer(domain, alice, offer, token);
    let line = |line| ShapeSpec {
        line,
        ..agreed.shape
    };
    let clock = Some(ClockSpec {
        bank: 300,
        increment: 5,
    });
    let named = Some(account("eve").address());
    for (fact, agreement, offer) in [
        (
            Fact::Board,
            of(&agreed),
            Offer {
                shape: line(3),
                ..agreed
            },
        ),
        (Fact::Clock, of(&agreed), Offer { clock, ..agreed }),
        (
            Fact::Stake,
            of(&agreed),
            Offer {
                stake: agreed.stake * 2,
                ..agreed
            },
        ),
        (
            Fact::Opponent,
            of(&Offer {
                opponent: named,
                ..agreed
            }),
            agreed,
        ),
        (
            Fact::MovesFirst,
            of(&agreed),
            Offer {
                challenger_first: false,
                ..agreed
            },
        ),
        (
            Fact::PieRule,
            of(&Offer {
                pie_rule: true,
                ..agreed
            }),
            agreed,
        ),
        (
            Fact::PieRule,
            of(&agreed),
            Offer {
                pie_rule: true,
                ..agreed
            },
        ),
        (
            Fact::Account,
            Agreement::of_offer(domain, Address([7; 20]), &agreed, token),
            agreed,
        ),
        (
            Fact::Contract,
            Agreement::of_offer(
                Domain {
                    contract: Address([7; 20]),
                    ..domain
                },
                alice,
                &agreed,
                token,
            ),
            agreed,
        ),
        (
            Fact::Chain,
            Agreement::of_offer(
                Domain {
                    chain_id: 7,
                    ..domain
                },
                alice,
                &agreed,
                token,
            ),
            agreed,
        ),
    ] {
        let (_, number) = shown(&contract, &keyring, agreement, offer).await;
        let (found, said) = refused(&contract, number, &keyring).await;
        assert_eq!(found, fact, "{said}");
        assert!(said.contains(&fact.to_string()), "{said}");
        assert!(said.contains("may be lying"), "{said}");
        if fact == Fact::Board {
            assert!(
                said.contains("line 3, where 6x4, line 4 was agreed"),
                "{said}"
            );
        }
    }

    // As it was agreed. From then on the key is for this game.
    let (key, number) = shown(&contract, &keyring, of(&agreed), agreed).await;
    drop(sit(&contract, number, &keyring).await.unwrap());
    let kept = keyring.agreement(key).unwrap().expect("it was agreed on");
    assert_eq!(kept.game(), Some(number.number()));
    assert_eq!(keyring.games(domain).unwrap(), [number.number()].into());
    drop(sit(&contract, number, &keyring).await.unwrap());
    let other = started(&contract, key, agreed).await;
    assert_eq!(refused(&contract, other, &keyring).await.0, Fact::Game);
}

#[tokio::test]
async fn what_only_the_chain_can_tell_is_kept_once_it_is_final() {
    let chain = Chain::open(Options::default()).unwrap();
    let (_server, url) = serve(chain.clone()).await;
    let contract = deployed(&Client::connect(&url).await.unwrap()).await;
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let (domain, token) = (contract.domain().unwrap(), contract.client().token());
    let alice = account("alice").address();
    // Without a stake the challenge is answered before it is final.
    let agreed = offer(contract.client(), 0);
    let agreement = Agreement::of_offer(domain, alice, &agreed, token);
    chain.stall_finality().unwrap();
    let (key, number) = shown(&contract, &keyring, agreement, agreed).await;
    let mut player = sit(&contract, number, &keyring).await.unwrap();
    let bound = || keyring.agreement(key).unwrap().and_then(|kept| kept.game());
    assert_eq!(bound(), None, "a fork could have somebody else accept");
    let bob = account("bob");
    let pressed = contract.perform(&bob, number, Action::Press);
    pressed.await.unwrap();
    let seen = async { while !matches!(player.next().await, PlayerEvent::Changed) {} };
    timeout(LONG, seen).await.expect("her clock runs");
    assert_eq!(bound(), None, "nor is the block after it final");
    chain.resume_finality().unwrap();
    let kept = async {
        while bound().is_none() {
            player.next().await;
        }
    };
    timeout(LONG, kept).await.expect("it is kept");
    assert_eq!(bound(), Some(number.number()));
}

/// The disk takes nothing when the game is final, which is tried again after each block.
#[tokio::test]
async fn what_happens_on_the_chain_is_told_while_nothing_can_be_kept() {
    let chain = Chain::open(Options::default()).unwrap();
    let (_server, url) = serve(chain.clone()).await;
    let contract = deployed(&Client::connect(&url).await.unwrap()).await;
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let (domain, token) = (contract.domain().unwrap(), contract.client().token());
    let alice = account("alice").address();
    let agreed = offer(contract.client(), 0);
    let agreement = Agreement::of_offer(domain, alice, &agreed, token);
    chain.stall_finality().unwrap();
    let (key, number) = shown(&contract, &keyring, agreement, agreed).await;
    let mut player = sit(&contract, number, &keyring).await.unwrap();
    let in_the_way = folder.path().join(format!("{key}.new"));
    fs::create_dir(&in_the_way).unwrap();
    chain.resume_finality().unwrap();
    let refused = async { while !matches!(player.next().await, PlayerEvent::NotTaken(_)) {} };
    timeout(LONG, refused).await.expect("it says so");

    let bob = account("bob");
    let pressed = contract.perform(&bob, number, Action::Press);
    pressed.await.unwrap();
    let told = async { while !matches!(player.next().await, PlayerEvent::Changed) {} };
    timeout(LONG, told).await.expect("her clock runs");
    assert!(player.deadline().is_some());
    fs::remove_dir(&in_the_way).unwrap();
    chain.seal().unwrap();
    let kept = async {
        while keyring.agreement(key).unwrap().unwrap().game().is_none() {
            player.next().await;
        }
    };
    timeout(LONG, kept).await.expect("it is kept");
}

#[tokio::test]
async fn a_rematch_is_agreed_on_as_the_game_before() {
    let chain = Chain::open(Options::default()).unwrap();
    let (_server, url) = serve(chain.clone()).await;
    let contract = deployed(&Client::connect(&url).await.unwrap()).await;
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let (domain, token) = (contract.domain().unwrap(), contract.client().token());
    let alice = account("alice").address();
    let agreed = offer(contract.client(), 1);
    let unstaked = offer(contract.client(), 0);
    let of = |offer: &Offer| Agreement::of_offer(domain, alice, offer, token);
    let (_, number) = shown(&contract, &keyring, of(&agreed), agreed).await;
    drop(sit(&contract, number, &keyring).await.unwrap());
    let again = agree_to_rematch(&contract, number, alice, &keyring);
    let again = again.await.unwrap();
    let without_keys = Keyring::in_folder(folder.path().join("none"));
    let shown_as = agree_to_rematch(&contract, number, alice, &without_keys);
    assert_eq!(again, shown_as.await.unwrap());

    // So it is while nothing of the game before is final.
    chain.stall_finality().unwrap();
    let (key, fresh) = shown(&contract, &keyring, of(&unstaked), unstaked).await;
    drop(sit(&contract, fresh, &keyring).await.unwrap());
    assert_eq!(keyring.agreement(key).unwrap().unwrap().game(), None);
    let again = agree_to_rematch(&contract, fresh, alice, &keyring).await;
    let shown_as = agree_to_rematch(&contract, fresh, alice, &without_keys).await;
    assert_eq!(again.unwrap(), shown_as.unwrap());
    chain.resume_finality().unwrap();

    // Of what was agreed on nothing can be read any more: the node's word does not replace it.
    let path = folder.path().join(format!("{key}.key"));
    let kept = fs::read(&path).unwrap();
    fs::write(&path, &kept[1..]).unwrap();
    let damaged = agree_to_rematch(&contract, fresh, alice, &keyring).await;
    assert!(
        matches!(damaged, Err(PlayError::Keyring(KeyringError::Damaged(_)))),
        "{damaged:?}"
    );
    fs::write(&path, kept).unwrap();

    // The node shows the game before with another stake.
    let more = Offer {
        stake: agreed.stake * 2,
        ..agreed
    };
    let (_, other) = shown(&contract, &keyring, of(&agreed), more).await;
    let refused = agree_to_rematch(&contract, other, alice, &keyring).await;
    assert!(matches!(refused, Err(PlayError::NotAgreed { .. })));
}
