//! Games of variants on the local chain.

use connect4_client::{
    Action, Client, Contracts, Error, Event, GameId, Lookup, Occurrence, Signer, StepKind, Task,
    replay_variant,
};
use connect4_protocol::Error as Refusal;
use connect4_protocol::message::ContractKind;
use connect4_protocol::variants::event::{PlayerLeft, VariantEnded};
use connect4_protocol::variants::message::{OpenTable, StartVariant};
use connect4_protocol::variants::{End, Game};
use connect4_rules::Shape;
use connect4_rules::variant::{Colour, Powers, VariantSpec};

use crate::common::{CODE, account, chain, deployed, stored};

/// Terms for so many players, with one of each power, on the classroom board.
fn terms(players: u8) -> VariantSpec {
    VariantSpec {
        players,
        powers: Powers {
            take: 1,
            clear: 1,
            float: 1,
        },
        ..VariantSpec::classic(Shape::CLASSROOM)
    }
}

fn people() -> [Signer; 4] {
    ["alice", "bob", "charlie", "dave"].map(account)
}

/// The contract of the variants, deployed by alice.
async fn variants(client: &Client) -> Contracts {
    let alice = account("alice");
    let deployment = client.deploy_variants(&alice, CODE).await.unwrap();
    Contracts::open_variants(client, deployment.address, CODE)
        .await
        .unwrap()
}

/// Makes these moves, each by whose turn it is, and returns the events of the last one.
async fn play(variants: &Contracts, number: GameId, moves: &str) -> Vec<Event> {
    let mut told = Vec::new();
    for text in moves.split(' ') {
        let game = stored::<Game>(variants, number).await;
        let mover = game.account_of(game.to_move().unwrap());
        let people = people();
        let signer = people.iter().find(|signer| signer.address() == mover);
        let action = Action::Move(text.parse().unwrap());
        let receipt = variants.perform(signer.unwrap(), number, action).await;
        told = receipt
            .unwrap_or_else(|error| panic!("{text}: {error}"))
            .value
            .events;
    }
    told
}

async fn refused(variants: &Contracts, signer: &Signer, game: GameId, action: Action) -> Refusal {
    let about = format!("game {game}");
    match variants.perform(signer, game, action).await {
        Err(Error::Refused { task, error }) => {
            assert!(matches!(task, Task::Message(what) if what.contains(&about)));
            error
        }
        other => panic!("{action:?}: {other:?}"),
    }
}

#[tokio::test]
async fn the_contract_of_the_variants_is_where_deployer_and_code_say() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let (alice, bob) = (account("alice"), account("bob"));
    let lookup = Lookup {
        code: CODE,
        contract: None,
        variants: None,
        deployer: None,
    };
    let place = Lookup::usual_variants_address(CODE).unwrap();
    assert_eq!(place, Client::variants_address(alice.address(), CODE));
    assert!(lookup.may_deploy_variants());
    let missing = lookup.open_variants(&client, Some(&bob)).await;
    assert!(matches!(missing, Err(Error::NoContract(address)) if address == place));
    // A development account deploys as alice.
    let (variants, deployment) = lookup.deploy_variants(&client, &bob).await.unwrap();
    assert_eq!((variants.address(), deployment.address), (place, place));
    assert!(
        deployment
            .receipt
            .is_some_and(|receipt| receipt.deposit > 0)
    );
    let again = client.deploy_variants(&alice, CODE).await.unwrap();
    assert_eq!(again.receipt, None);
    // Code of another version will do as long as it answers; the contract of the games does not.
    let newer = connect4_client::Code {
        variants: b"a newer version",
        ..CODE
    };
    let other = Contracts::open_variants(&client, place, newer)
        .await
        .unwrap();
    assert_eq!(other.game_count(ContractKind::Variants).await.unwrap(), 0);
    let games = deployed(&client).await.address();
    let error = Contracts::open_variants(&client, games, CODE).await;
    assert!(matches!(error, Err(Error::OtherCode { .. })), "{error:?}");
    // It counts games as that of the games does, which is not enough to be taken for it.
    let error = Contracts::open(&client, place, CODE).await;
    assert!(matches!(error, Err(Error::OtherCode { .. })), "{error:?}");
}

#[tokio::test]
async fn history_and_replay_tell_a_game_of_three_with_powers_and_a_leaver() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let variants = variants(&client).await;
    let [alice, bob, charlie, dave] = people();
    let players = [&alice, &bob, &charlie].map(Signer::address);
    let started = variants
        .send(
            &alice,
            StartVariant {
                players: players.to_vec(),
                variant: terms(3),
            },
        )
        .await;
    let number = started.unwrap().value;
    assert_eq!(number, GameId::Variant(0));
    // Another game in between.
    let other = [dave.address(), alice.address()];
    let other = variants
        .send(
            &dave,
            StartVariant {
                players: other.to_vec(),
                variant: terms(2),
            },
        )
        .await;
    assert_eq!(other.unwrap().value, GameId::Variant(1));

    play(&variants, number, "1 t1.1 f2.3").await;
    let move_of_another = Action::Move("1".parse().unwrap());
    let error = refused(&variants, &bob, number, move_of_another).await;
    assert_eq!(error, Refusal::NotYourTurn);
    let error = refused(&variants, &dave, number, Action::Leave).await;
    assert_eq!(error, Refusal::NotAPlayer);
    play(&variants, GameId::Variant(1), "3").await;
    let left = variants.perform(&bob, number, Action::Leave).await.unwrap();
    assert!(matches!(
        &left.value.events[..],
        [Event::PlayerLeft(PlayerLeft { late: false, .. })]
    ));
    let told = play(&variants, number, "1 r3 1 2 1 2 1").await;
    let Some(Event::VariantEnded(VariantEnded { winner, end, .. })) = told.last() else {
        panic!("no end: {told:?}");
    };
    assert_eq!((*winner, *end), (Some(alice.address()), End::Line));

    let ended = stored::<Game>(&variants, number).await;
    let history = variants.history(number, 0).await.unwrap();
    // Start, ten moves, one leaver, the end.
    assert_eq!(history.len(), 13);
    assert!(history.iter().all(|at| at.event.game() == Some(number)));
    let (replayed, steps) = replay_variant(&history).unwrap();
    assert_same_play(&replayed, &ended);
    let text: Vec<String> = steps
        .iter()
        .map(|step| match step.kind {
            StepKind::Move(action) => format!("{} {action}", step.colour),
            StepKind::Leave { .. } => format!("{} left", step.colour),
        })
        .collect();
    assert_eq!(
        text,
        [
            "red 1",
            "blue t1.1",
            "green f2.3",
            "blue left",
            "red 1",
            "green r3",
            "red 1",
            "green 2",
            "red 1",
            "green 2",
            "red 1"
        ]
    );
    let (before, after) = (history[0].block, history[1].block);
    assert!(before < after);
    let error = variants.history(number, after).await.unwrap_err();
    assert!(
        matches!(
            error,
            Error::StartsBefore {
                game: GameId::Variant(0),
                ..
            }
        ),
        "{error}"
    );

    // What was freed is still told by events.
    let freed = variants
        .perform(&alice, number, Action::Free)
        .await
        .unwrap();
    assert!(freed.deposit < 0, "the deposit came back");
    assert_eq!(variants.game::<Game>(number).await.unwrap(), None);
    assert_eq!(variants.history(number, 0).await.unwrap(), history);

    let height = client.height().await.unwrap();
    let events = variants.events(0..=height).await.unwrap();
    assert!(history.iter().all(|at| events.contains(at)));
    let sent = client.transactions(&history).await.unwrap();
    assert!(
        sent.iter()
            .zip(&history)
            .all(|(sent, at)| sent.block == at.block && sent.fee > 0)
    );
}

/// Compares all of two games but times and the payer, which events do not tell.
fn assert_same_play(replayed: &Game, read: &Game) {
    assert_eq!(replayed.position(), read.position());
    assert_eq!(replayed.end(), read.end());
    for colour in Colour::ALL {
        assert_eq!(replayed.account_of(colour), read.account_of(colour));
    }
}

#[tokio::test]
async fn a_swap_is_replayed() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let variants = variants(&client).await;
    let [alice, bob, ..] = people();
    let pie = VariantSpec {
        pie_rule: true,
        ..VariantSpec::classic(Shape::CLASSROOM)
    };
    let players = [alice.address(), bob.address()];
    let game = variants
        .send(
            &alice,
            StartVariant {
                players: players.to_vec(),
                variant: pie,
            },
        )
        .await;
    let game = game.unwrap().value;
    play(&variants, game, "3 s 4").await;
    let read = stored::<Game>(&variants, game).await;
    assert_eq!(read.account_of(Colour::Red), bob.address());
    let history = variants.history(game, 0).await.unwrap();
    let (replayed, steps) = replay_variant(&history).unwrap();
    assert_same_play(&replayed, &read);
    let colours: Vec<Colour> = steps.iter().map(|step| step.colour).collect();
    assert_eq!(colours, [Colour::Red, Colour::Blue, Colour::Blue]);
}

#[tokio::test]
async fn tables_fill_up_and_are_left() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let variants = variants(&client).await;
    let [alice, bob, charlie, dave] = people();
    let open = variants
        .send(
            &alice,
            OpenTable {
                players: Vec::new(),
                variant: terms(3),
                limit: Some(60),
            },
        )
        .await;
    let table = open.unwrap().value;
    let numbers = async || -> Vec<GameId> {
        let tables = variants.open_tables(usize::MAX).await.unwrap();
        tables
            .into_iter()
            .map(|(number, _)| GameId::Variant(number))
            .collect()
    };
    assert_eq!(numbers().await, [table]);
    let waiting = stored::<Game>(&variants, table).await;
    assert!(!waiting.has_started());
    let error = variants.history(table, 0).await.unwrap_err();
    assert_eq!(error.refusal(), Some(Refusal::NotStarted));

    let joining = async |who: &Signer| variants.perform(who, table, Action::Join).await;
    let joined = joining(&bob).await.unwrap().value.events;
    assert!(matches!(joined[..], [Event::PlayerJoined(_)]));
    assert_eq!(
        refused(&variants, &bob, table, Action::Join).await,
        Refusal::AlreadyJoined
    );
    variants.perform(&bob, table, Action::Leave).await.unwrap();
    joining(&charlie).await.unwrap();
    let waiting = stored::<Game>(&variants, table).await;
    let full = joining(&dave).await.unwrap().value.events;
    assert!(matches!(
        full[..],
        [Event::PlayerJoined(_), Event::VariantStarted(_)]
    ));
    let now = variants.wait_for_change(table, &waiting).await.unwrap();
    assert!(now.has_started() && now.deadline().is_some());
    assert!(numbers().await.is_empty());
    let error = refused(&variants, &alice, table, Action::RemoveLate).await;
    assert_eq!(error, Refusal::TimeLeft);
    // Who left before the start is no part of the game.
    let history = variants.history(table, 0).await.unwrap();
    assert!(matches!(
        history[..],
        [Occurrence {
            event: Event::VariantStarted(_),
            ..
        }]
    ));
    let (replayed, _) = replay_variant(&history).unwrap();
    assert_eq!(replayed.deadline(), now.deadline());

    // A table is closed when its opener leaves, and its number is not used again.
    let closed = variants
        .send(
            &bob,
            OpenTable {
                players: Vec::new(),
                variant: terms(2),
                limit: None,
            },
        )
        .await;
    let closed = closed.unwrap().value;
    let left = variants.perform(&bob, closed, Action::Leave).await;
    assert!(matches!(
        left.unwrap().value.events[..],
        [Event::TableClosed(_)]
    ));
    let error = variants.history(closed, 0).await.unwrap_err();
    assert_eq!(error.refusal(), Some(Refusal::NoSuchGame));
    assert_eq!(
        variants.game_count(ContractKind::Variants).await.unwrap(),
        closed.number() + 1
    );
}

#[tokio::test]
async fn all_open_tables_are_listed_however_many() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let variants = variants(&client).await;
    let alice = account("alice");
    for _ in 0..55 {
        variants
            .send(
                &alice,
                OpenTable {
                    players: Vec::new(),
                    variant: terms(2),
                    limit: None,
                },
            )
            .await
            .unwrap();
    }
    for closed in [0, 20, 21, 54].map(GameId::Variant) {
        variants
            .perform(&alice, closed, Action::Leave)
            .await
            .unwrap();
    }
    let tables = variants.open_tables(usize::MAX).await.unwrap();
    let numbers: Vec<u32> = tables.into_iter().map(|(number, _)| number).collect();
    let expected: Vec<u32> = (1..54)
        .rev()
        .filter(|number| ![20, 21].contains(number))
        .collect();
    assert_eq!(numbers, expected);
}
