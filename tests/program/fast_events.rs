//! Fast games in the commands that look at games: what the chain knows of them.

use connect4_client::{Client, Contracts, Lookup, Offer, Signer};
use connect4_protocol::fast::FIRST;
use connect4_rules::Shape;
use connect4_testing::fast::{FastPlay, brings};

use crate::run::{Commands, Node};

/// The contracts that the program has deployed.
pub async fn contract(node: &Node) -> Contracts {
    use connect4_testing::contracts::{FAST, GAMES, MATCHES, RECORDS, VARIANTS};
    let client = Client::connect(&node.url).await.expect("the node answers");
    let lookup = Lookup {
        code: connect4_client::Code {
            games: GAMES,
            matches: MATCHES,
            fast: FAST,
            variants: VARIANTS,
            records: Some(RECORDS),
            signed_records: None,
            stakes: None,
            version: connect4_protocol::VERSION,
        },
        contract: None,
        variants: None,
        deployer: None,
        any_code: false,
    };
    lookup.open(&client, None).await.expect("it is deployed")
}

/// A fast game of Alice and Bob for a stake of one token, which has just begun.
pub async fn start(contract: &Contracts) -> FastPlay {
    let [alice, bob] = ["alice", "bob"].map(|name| Signer::development(name).unwrap());
    let mut play = FastPlay::new(FIRST);
    let offer = Offer {
        opponent: None,
        challenger_first: true,
        shape: Shape::CLASSROOM.into(),
        clock: Some(connect4_protocol::ClockSpec {
            bank: 600,
            increment: 0,
        }),
        stake: contract.client().token().parse("1").unwrap(),
        key: Some(play.keys.one.address()),
        pie_rule: false,
        expires_in: None,
    };
    let made = contract.challenge(&alice, offer).await.unwrap().value;
    let key = Some(play.keys.two.address());
    let accepted = contract.accept(&bob, made, key).await.unwrap();
    assert_eq!(accepted.value, play.id());
    play.domain = contract.domain().unwrap();
    play
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fast_game_is_listed_shown_watched_replayed_reviewed_and_counted() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    commands.out("deploy");
    assert!(commands.out("list").contains("no games yet"));
    let contract = contract(&node).await;
    let play = start(&contract).await;
    let mut watched = commands.start("watch --game f0");
    watched.line_with("game f0: 6x4, line 4");
    watched.line_with("red to move");

    commands.out("move --game f0 6");
    watched.line_with("red into bin 6");
    let evidence = play.agreed(&[0, 1, 0, 1, 0, 1, 0]);
    let eve = Signer::development("eve").unwrap();
    let brought = contract.send(&eve, brings(play.number, evidence)).await;
    brought.unwrap();
    watched.line_with("game f0: 7 signed moves are on the chain");
    watched.line_with("game f0 ended, winner: red");
    watched.end().expect(0);

    let listed = commands.out("list");
    assert!(listed.contains("   f0  6x4, line 4"), "{listed}");
    assert!(listed.contains("alice is owed 2 DOT"), "{listed}");
    let shown = commands.out("show");
    assert!(shown.contains("game f0 of the contract"), "{shown}");
    assert!(shown.contains("turns taken: 7"), "{shown}");
    let shown = commands.json("show --game f0");
    assert_eq!(
        (&shown["game"], &shown["winner"]),
        (&"f0".into(), &"red".into())
    );
    let replayed = commands.out("replay --game f0");
    assert!(replayed.contains("game f0: 7 signed moves"), "{replayed}");
    // The empty board, the one on the chain, then the seven in its place.
    assert_eq!(replayed.matches("  1   2   3").count(), 9, "{replayed}");
    let reviewed = commands.out("review --game f0");
    assert_eq!(reviewed.lines().count(), 7, "{reviewed}");
    let standings = commands.out("standings");
    assert!(standings.contains("alice"), "{standings}");

    let paid = commands.out("withdraw --account alice");
    assert!(paid.contains("alice was paid 2 DOT"), "{paid}");
    assert_eq!(paid.matches("was paid").count(), 1, "{paid}");
    commands.run("withdraw --account alice").expect(3);
    commands.out("free --game f0 --account bob");
    let gone = commands.run("show --game f0").expect(3).err;
    assert!(
        gone.contains("game f0 has ended and its storage was freed"),
        "{gone}"
    );
    let none = commands.run("show --game f1").expect(3).err;
    assert!(none.contains("there is no game f1"), "{none}");
    assert!(none.contains("its only game is f0"), "{none}");
}
