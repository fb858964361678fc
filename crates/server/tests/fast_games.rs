//! Fast games on the page: as the chain knows them, and between two programs that sign.

mod served;

use std::time::Duration;

use connect4_chain::Retracted;
use connect4_client::fast::{LockedKey, Subject};
use connect4_client::{Action, Client, Contracts, GameId, Offer, Signer};
use connect4_protocol::fast::wire::{FromRelay, ToRelay, presence};
use connect4_protocol::fast::{Evidence, FIRST, FastGame, Kind, Native, SessionKey};
use connect4_protocol::message::ContractKind;
use connect4_rules::{Bin, ByPlayer, Player, Shape};
use connect4_testing::fast::{FastPlay, Table, brings, session_key};
use connect4_testing::socket::Socket;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use served::{Browser, Served, Watching, challenge, classic, drop_in, owed, refused, turns};

fn account(name: &str) -> Signer {
    Signer::development(name).unwrap()
}

const GAME: GameId = GameId::Fast(0);

/// Starts a fast game between Alice, who is red, and Bob.
async fn start(contract: &Contracts) -> FastPlay {
    let mut play = FastPlay::new(FIRST + contract.game_count(ContractKind::Fast).await.unwrap());
    let offer = Offer {
        opponent: None,
        challenger_first: true,
        shape: Shape::CLASSROOM.into(),
        clock: None,
        stake: 0,
        key: Some(play.keys.one.address()),
        pie_rule: false,
        expires_in: None,
    };
    let made = contract.challenge(&account("alice"), offer).await.unwrap();
    let key = Some(play.keys.two.address());
    let accepted = contract.accept(&account("bob"), made.value, key).await;
    assert_eq!(accepted.unwrap().value, play.id());
    play.domain = contract.domain().unwrap();
    play
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fast_game_is_listed_and_shown_with_its_moves() {
    let served = Served::start().await;
    let host = &served.host;
    // The first game deploys the contracts.
    let start_first = classic(6, 4, Value::Null);
    assert_eq!(host.done("/api/games", start_first).await["game"], "0");
    let contract = served.contract().await;
    let play = start(&contract).await;
    let mut lobby = host.watch(None).await;
    let told = lobby.seen(|told| told["counts"]["fast"] == 1).await;
    assert_eq!(told["counts"]["classic"], 1);
    let games: Vec<_> = told["games"].as_array().unwrap().iter().collect();
    let numbers: Vec<_> = games.iter().map(|game| game["game"].clone()).collect();
    assert_eq!(numbers, [json!("f0"), json!("0")]);

    let mut game = host.watch(Some("f0")).await;
    let seen = game.seen(|told| told["type"] == "game").await;
    assert_eq!((&seen["game"], &seen["turns"]), (&json!("f0"), &json!(0)));
    // Its session keys are elsewhere.
    let mut drop = drop_in(5);
    drop["board"] = seen["board"].clone();
    let not_here = host.post("/api/games/f0/move", drop).await;
    refused(not_here, 409, "refused", "this seat is played elsewhere");
    // A move on the chain, and then signed ones that take its place.
    let alice = account("alice");
    let dropped = contract.drop_disc(&alice, play.id(), Bin::new(5)).await;
    dropped.unwrap();
    let moves = |told: &Value| told["moves"].as_array().map_or(0, Vec::len);
    game.seen(|told| moves(told) == 1).await;
    let evidence = play.evidence(&[0, 1, 0, 1], None);
    let bob = account("bob");
    let brought = contract.send(&bob, brings(play.number, evidence));
    let sent = brought.await.unwrap().transaction;
    let seen = game.seen(|told| moves(told) == 4).await;
    let places: Vec<_> = seen["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| {
            (
                at["player"].as_str().unwrap(),
                at["bin"].as_u64(),
                at["row"].as_u64(),
            )
        })
        .collect();
    let [zero, one] = [Some(0), Some(1)];
    assert_eq!(
        places,
        [
            ("red", zero, zero),
            ("blue", one, zero),
            ("red", zero, one),
            ("blue", one, one)
        ]
    );
    assert_eq!(seen["moves"][0]["transaction"]["block"], sent.block);

    // One more on the chain: the others keep their transactions.
    let dropped = contract.drop_disc(&alice, play.id(), Bin::new(2)).await;
    let dropped = dropped.unwrap().transaction;
    let seen = game.seen(|told| moves(told) == 5).await;
    assert_eq!(seen["moves"][3]["transaction"]["block"], sent.block);
    assert_eq!(seen["moves"][4]["transaction"]["block"], dropped.block);
    let resigned = contract.perform(&alice, play.id(), Action::Resign).await;
    resigned.unwrap();
    game.seen(|told| told["winner"] == "blue").await;

    let missing = host.see("f1").await;
    assert_eq!(
        missing["error"],
        "there is no game f1: the only one is game f0"
    );
    let nothing = host.post("/api/games/x0/move", drop_in(0)).await;
    refused(nothing, 400, "input", "there is no game `x0`");
    let popped = json!({ "move": { "kind": "pop", "bin": 0 } });
    let popped = host.post("/api/games/0/move", popped).await;
    refused(popped, 409, "refused", "without such moves");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_play_a_fast_game_and_a_third_one_watches() {
    let served = Served::start_by_system_clock().await;
    let (second, third) = (served.another().await, served.another().await);
    let (alice, bob) = (&served.host, &second.host);
    // The first game deploys the contracts.
    alice.done("/api/challenges", challenge(Some("1"))).await;
    let accept = json!({ "act": "accept", "account": "bob", "stake": "10000000000" });
    let mut lobby = bob.watch(None).await;
    let told = lobby
        .seen(|told| {
            told["challenges"]
                .as_array()
                .is_some_and(|open| !open.is_empty())
        })
        .await;
    assert!(told["challenges"][0]["key"].is_string(), "{told}");
    let accepted = bob.done("/api/challenges/0", accept).await;
    assert_eq!(accepted["game"], "f0");

    let mut seen_by_alice = alice.watch(Some("f0")).await;
    let mut seen_by_bob = bob.watch(Some("f0")).await;
    let mut watched = third.host.watch(Some("f0")).await;
    let seen = seen_by_alice
        .seen(|told| told["fast"]["opponent"] == true)
        .await;
    assert_eq!(seen["fast"]["here"], json!(["red"]));
    let seen = seen_by_bob
        .seen(|told| told["fast"]["opponent"] == true)
        .await;
    assert_eq!(seen["fast"]["here"], json!(["blue"]));
    let seen = watched
        .seen(|told| told["type"] == "game" && told["fast"]["relay_missing"].is_null())
        .await;
    assert_eq!(seen["fast"]["here"], json!([]));

    // Moves are seen by all, and are on no chain.
    let before = served.chain.best().1.number;
    let bins = [0, 1, 0, 1, 0, 1];
    for (turn, bin) in (0_u64..).zip(bins) {
        let host = [alice, bob][usize::from(turn % 2 == 1)];
        let taken = host.done("/api/games/f0/move", drop_in(bin)).await;
        assert_eq!(taken["transaction"], Value::Null);
        for watching in [&mut seen_by_alice, &mut seen_by_bob, &mut watched] {
            let seen = watching.seen(|told| turns(told, turn + 1)).await;
            assert_eq!(seen["fast"]["on_chain"], 0);
            assert_eq!(seen["fast"]["signed"], turn, "{seen}");
            assert_eq!(seen["moves"].as_array().unwrap().len() as u64, turn + 1);
            assert_eq!(seen["moves"][0]["transaction"], Value::Null);
        }
    }
    assert_eq!(
        served.chain.best().1.number,
        before,
        "nothing was on the chain"
    );
    // Whose turn it is not can't move, nor who has no key for the seat there.
    let not_here = bob.post("/api/games/f0/move", drop_in(0)).await;
    refused(not_here, 409, "refused", "this seat is played elsewhere");

    // One action brings what both have signed; the winner's program does the rest by itself.
    let settle = json!({ "act": "settle", "account": "alice" });
    alice.done("/api/games/f0/act", settle).await;
    watched
        .seen(|told| told["fast"]["on_chain"] == 6 && told["moves"][5]["transaction"].is_object())
        .await;
    alice.done("/api/games/f0/move", drop_in(0)).await;
    for watching in [&mut seen_by_alice, &mut seen_by_bob, &mut watched] {
        let seen = watching.seen(|told| told["fast"]["settled"] == true).await;
        assert_eq!(seen["winner"], "red");
        assert_eq!(
            seen["moves"][6]["transaction"]["block"],
            served.chain.best().1.number
        );
        assert_eq!(owed(&seen)[0], "20000000000");
    }
    let withdraw = json!({ "account": "alice", "games": [] });
    let paid = alice.done("/api/withdraw", withdraw).await;
    assert_eq!(paid["transactions"].as_array().unwrap().len(), 1);

    // A rematch has keys of its own.
    let next = |seat: &str| json!({ "seats": [seat], "stake": "10000000000" });
    let offered = alice.done("/api/games/f0/next", next("red")).await;
    assert_eq!(offered["game"], Value::Null);
    let started = bob.done("/api/games/f0/next", next("blue")).await;
    assert_eq!(started["game"], "f1");
    // The loser begins.
    let mut seen_by_bob = bob.watch(Some("f1")).await;
    let mut seen_by_alice = alice.watch(Some("f1")).await;
    bob.done("/api/games/f1/move", drop_in(3)).await;
    seen_by_alice.seen(|told| turns(told, 1)).await;
    // A draw by agreement is signed; who agrees last brings it.
    let act = |act: &str, account: &str| json!({ "act": act, "account": account });
    let offer = act("offer_draw", "bob");
    bob.done("/api/games/f1/act", offer).await;
    seen_by_alice
        .seen(|told| told["match"]["draw_offer"] == "red")
        .await;
    let accept = act("accept_draw", "alice");
    alice.done("/api/games/f1/act", accept).await;
    for watching in [&mut seen_by_alice, &mut seen_by_bob] {
        let seen = watching.seen(|told| told["fast"]["settled"] == true).await;
        assert_eq!(seen["end"], "agreement");
    }
}

/// Starts a fast game of Alice, who is red, at one program and Bob at another one, and waits until both
/// are in its room.
async fn start_between(alice: &Browser, bob: &Browser) -> [Watching; 2] {
    alice.done("/api/challenges", challenge(None)).await;
    let accept = json!({ "act": "accept", "account": "bob", "stake": null });
    bob.done("/api/challenges/0", accept).await;
    let mut seen_by = [alice.watch(Some("f0")).await, bob.watch(Some("f0")).await];
    for watching in &mut seen_by {
        watching.seen(|told| told["fast"]["opponent"] == true).await;
    }
    seen_by
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_move_asks_the_chain_nothing() {
    let (served, asked) = Served::start_counted().await;
    let (second, third) = (served.another().await, served.another().await);
    let players = [&served.host, &second.host];
    let [by_alice, by_bob] = start_between(players[0], players[1]).await;
    let mut watching = [by_alice, by_bob, third.host.watch(Some("f0")).await];
    let mut readings = Vec::new();
    // Of a game that nobody wins.
    let bins = [0, 1, 0, 2, 0, 0, 3, 1, 2, 1, 1, 2, 3, 3, 5, 3];
    for (turn, bin) in (0_u64..).zip(bins) {
        let host = players[usize::from(turn % 2 == 1)];
        let before = asked.readings();
        host.done("/api/games/f0/move", drop_in(bin)).await;
        for watching in &mut watching {
            watching.seen(|told| turns(told, turn + 1)).await;
        }
        readings.push(asked.readings() - before);
    }
    // What was begun by the start of the game may be read during its first moves.
    assert_eq!(readings[12..], [0; 4], "of all: {readings:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_seat_sees_what_the_chain_is_told_elsewhere() {
    let (served, asked) = Served::start_counted().await;
    let (second, third) = (served.another().await, served.another().await);
    let (alice, bob) = (&served.host, &second.host);
    let [by_alice, by_bob] = start_between(alice, bob).await;
    let mut watching = [by_alice, by_bob, third.host.watch(Some("f0")).await];
    for (turn, host) in [(1, alice), (2, bob)] {
        host.done("/api/games/f0/move", drop_in(0)).await;
        for watching in &mut watching {
            watching.seen(|told| turns(told, turn)).await;
        }
    }
    // Settled by one player, the other one's program is not asked.
    let settle = json!({ "act": "settle", "account": "alice" });
    alice.done("/api/games/f0/act", settle).await;
    for watching in &mut watching {
        let seen = watching.seen(|told| told["fast"]["on_chain"] == 2).await;
        assert!(seen["moves"][1]["transaction"].is_object(), "{seen}");
    }
    // The next move is made on the chain, by another program of the same account.
    let contract = served.contract().await;
    let (red, blue) = (account("alice"), account("bob"));
    let dropped = contract.drop_disc(&red, GAME, Bin::new(0));
    let dropped = dropped.await.unwrap().transaction;
    for watching in &mut watching {
        let seen = watching.seen(|told| turns(told, 3)).await;
        assert_eq!(seen["fast"]["on_chain"], 3);
        assert_eq!(seen["moves"][2]["transaction"]["block"], dropped.block);
    }
    // The game goes on there, as nobody has signed that move.
    let taken = bob.done("/api/games/f0/move", drop_in(1)).await;
    assert!(taken["transaction"].is_object(), "{taken}");
    for watching in &mut watching {
        let seen = watching.seen(|told| turns(told, 4)).await;
        assert_eq!(seen["fast"]["on_chain"], 4);
    }
    assert!(asked.readings() > 0, "they are counted");
    let resigned = contract.perform(&blue, GAME, Action::Resign);
    resigned.await.unwrap();
    for watching in &mut watching {
        let seen = watching.seen(|told| told["fast"]["settled"] == true).await;
        assert_eq!(seen["winner"], "red");
        assert_eq!(seen["fast"]["here"], json!(["red", "blue"]));
    }
}

/// Starts a fast game for a stake between Alice, who is red and plays at this server, and Bob, whose key is
/// in the test. The server has the room in which they are.
async fn start_against(served: &Served) -> (Contracts, Table, Watching) {
    let alice = &served.host;
    alice.done("/api/challenges", challenge(Some("1"))).await;
    let contract = served.contract().await;
    let key = session_key(7);
    let bob = account("bob");
    let accepted = contract.accept(&bob, 0, Some(key.address())).await;
    assert_eq!(accepted.unwrap().value, GAME);
    let table = Table {
        game: FIRST,
        // That of Alice is not known here.
        keys: ByPlayer {
            one: session_key(8),
            two: key,
        },
        domain: contract.domain().unwrap(),
    };
    let mut seen = alice.watch(Some("f0")).await;
    seen.seen(|told| {
        told["fast"]["relay_missing"].is_null() && told["fast"]["here"] == json!(["red"])
    })
    .await;
    (contract, table, seen)
}

/// A position with one more move, which Bob signs.
fn answered(table: &Table, position: &Evidence, bin: u8) -> Evidence {
    let mut answered = *position;
    answered.moves.push(Bin::new(bin));
    let signature = table.sign(Player::Two, Kind::Position, &answered.moves);
    answered.signatures[Player::Two] = signature;
    answered
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_moves_for_a_turn_the_page_shows_the_one_on_which_its_seat_signs() {
    let served = Served::start().await;
    let (contract, table, mut seen) = start_against(&served).await;
    let (alice, bob) = (&served.host, account("bob"));
    let mut room = Socket::open(alice.addr(), FIRST).await;
    alice.done("/api/games/f0/move", drop_in(0)).await;
    let first = room.moves(&[0]).await;
    // Bob signs one answer, and makes another one on the chain.
    let signed = answered(&table, &first, 1);
    room.send(ToRelay::Position(signed)).await;
    seen.seen(|told| turns(told, 2)).await;
    let brought = contract.send(&bob, brings(FIRST, first)).await;
    brought.unwrap();
    contract.drop_disc(&bob, GAME, Bin::new(2)).await.unwrap();
    let shown = seen.seen(|told| told["fast"]["on_chain"] == 2).await;
    let bins: Vec<_> = shown["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| &at["bin"])
        .collect();
    assert_eq!(bins, [0, 1], "{shown}");
    // Her clock runs on the chain.
    let deadline = shown["fast"]["deadline"].as_u64();
    assert!(deadline.is_some(), "{shown}");
    let mut drop = drop_in(3);
    drop["board"] = shown["board"].clone();
    let moved = alice.done("/api/games/f0/move", drop).await;
    assert_eq!(moved["transaction"], Value::Null, "it is signed");
    // Now the seat has more moves, and answers by them.
    let answered = seen.seen(|told| told["fast"]["on_chain"] == 3).await;
    assert_eq!(answered["moves"][1]["bin"], 1);
    assert_eq!(answered["fast"]["deadline"], Value::Null);
}

/// Plays until the seat of Alice holds three moves, of which nobody has seen the last one. Then `meanwhile`
/// happens, in which Bob makes another answer on the chain than he has signed, while nobody looks at the
/// game. Waits until the seat has answered on the chain.
async fn answers_after(served: &mut Served, meanwhile: impl AsyncFnOnce(&mut Served, Cheat)) {
    let (_, table, mut seen) = start_against(served).await;
    let mut room = Socket::open(served.host.addr(), FIRST).await;
    let drop_at = async |served: &Served, bin: u8| {
        served.host.done("/api/games/f0/move", drop_in(bin)).await;
    };
    drop_at(served, 0).await;
    let first = room.moves(&[0]).await;
    let signed = answered(&table, &first, 1);
    room.send(ToRelay::Position(signed)).await;
    seen.seen(|told| turns(told, 2)).await;
    drop_at(served, 3).await;
    room.moves(&[0, 1, 3]).await;
    drop((room, seen));
    // Another way to the chain.
    let (_rpc, url) =
        connect4_testing::served::serve(served.chain.clone(), Default::default()).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = served::lookup().open(&client, None).await.unwrap();
    let cheat = Cheat {
        contract: contract.clone(),
        first,
    };
    meanwhile(served, cheat).await;
    let answered = async {
        while contract
            .game::<FastGame>(GAME)
            .await
            .unwrap()
            .unwrap()
            .game
            .turns()
            < 3
        {
            sleep(Duration::from_millis(100)).await;
        }
    };
    let answered = timeout(Duration::from_secs(60), answered).await;
    answered.expect("the seat answers");
}

/// Bob, on another way to the chain.
struct Cheat {
    contract: Contracts,
    first: Evidence,
}

impl Cheat {
    async fn go(self) {
        let bob = account("bob");
        let brought = self.contract.send(&bob, brings(FIRST, self.first));
        brought.await.unwrap();
        let dropped = self.contract.drop_disc(&bob, GAME, Bin::new(2));
        dropped.await.unwrap();
        sleep(Duration::from_secs(1)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_that_nobody_looks_at_survives_errors_of_the_node() {
    let (mut served, asked) = Served::start_counted().await;
    answers_after(&mut served, async |_, cheat| {
        asked.refuse(true);
        cheat.go().await;
        asked.refuse(false);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_that_nobody_looks_at_survives_the_loss_of_the_chain() {
    let mut served = Served::start().await;
    answers_after(&mut served, async |served, cheat| {
        served.lose_chain();
        cheat.go().await;
        served.find_chain().await;
    })
    .await;
}

/// The end of a game is replaced while nobody looks at it.
#[tokio::test(flavor = "multi_thread")]
async fn a_seat_is_played_on_after_a_fork_that_replaces_the_end() {
    let mut served = Served::start().await;
    answers_after(&mut served, async |served, cheat| {
        served.chain.stall_finality().unwrap();
        let mut seen = served.host.watch(Some("f0")).await;
        let bob = account("bob");
        let resigned = cheat.contract.perform(&bob, GAME, Action::Resign);
        resigned.await.unwrap();
        seen.seen(|told| told["end"] == "resignation").await;
        drop(seen);
        served.chain.reorganise(1, Retracted::Drop).unwrap();
        cheat.go().await;
    })
    .await;
}

/// Ends the program. Returns the key of Alice as another program has it, once it is free.
async fn freed(served: &mut Served, contract: &Contracts) -> LockedKey {
    served.end().await;
    let game = contract.game::<FastGame>(GAME).await.unwrap().unwrap();
    let subject = Subject::new(FIRST, contract.domain().unwrap(), game);
    loop {
        if let Ok(key) = served.keyring().open(game.keys.one, &subject) {
            return key;
        }
        sleep(Duration::from_millis(10)).await;
    }
}

/// The program is started again while nothing runs, and nobody looks at the game.
#[tokio::test(flavor = "multi_thread")]
async fn a_seat_that_nobody_looks_at_survives_a_restart_of_the_program() {
    let mut served = Served::start().await;
    answers_after(&mut served, async |served, cheat| {
        drop(freed(served, &cheat.contract).await);
        served.restart().await;
        cheat.go().await;
    })
    .await;
}

/// The clock runs when the program is started again, and no block comes.
#[tokio::test(flavor = "multi_thread")]
async fn what_happened_while_the_program_did_not_run_is_answered_at_its_start() {
    let mut served = Served::start().await;
    answers_after(&mut served, async |served, cheat| {
        drop(freed(served, &cheat.contract).await);
        cheat.go().await;
        served.restart().await;
    })
    .await;
}

/// Another program plays the seat, and ends while the clock runs.
#[tokio::test(flavor = "multi_thread")]
async fn a_seat_is_free_for_another_program_and_defended_once_that_has_ended() {
    let mut served = Served::start().await;
    answers_after(&mut served, async |served, cheat| {
        let contract = cheat.contract.clone();
        drop(freed(served, &contract).await);
        served.restart().await;
        served.chain.seal().unwrap();
        sleep(Duration::from_secs(1)).await;
        let game = contract.game::<FastGame>(GAME).await.unwrap().unwrap();
        let subject = Subject::new(FIRST, contract.domain().unwrap(), game);
        let elsewhere = served.keyring().open(game.keys.one, &subject);
        let elsewhere = elsewhere.expect("nothing runs");
        cheat.go().await;
        let game = contract.game::<FastGame>(GAME).await.unwrap().unwrap();
        assert_eq!(game.game.turns(), 2, "the other program is to answer");
        drop(elsewhere);
    })
    .await;
}

/// A fork has Bob accept with another key than he had when the seat was opened.
#[tokio::test(flavor = "multi_thread")]
async fn a_seat_is_opened_again_after_a_fork_that_replaces_the_game() {
    let served = Served::start().await;
    let alice = &served.host;
    alice.done("/api/challenges", challenge(None)).await;
    served.chain.stall_finality().unwrap();
    let contract = served.contract().await;
    let bob = account("bob");
    let accept = async |key: &SessionKey| {
        let accepted = contract.accept(&bob, 0, Some(key.address()));
        assert_eq!(accepted.await.unwrap().value, GAME);
    };
    accept(&session_key(7)).await;
    let mut seen = alice.watch(Some("f0")).await;
    seen.seen(|told| told["fast"]["here"] == json!(["red"]))
        .await;
    served.chain.reorganise(1, Retracted::Drop).unwrap();
    accept(&session_key(9)).await;
    let table = Table {
        game: FIRST,
        keys: ByPlayer {
            one: session_key(8),
            two: session_key(9),
        },
        domain: contract.domain().unwrap(),
    };
    // The seat is of the game that there is, and so is the room, at the latest once Bob has come to it.
    seen.seen(|told| told["fast"]["here"] == json!(["red"]) && told["fast"]["opponent"] == false)
        .await;
    let mut room = loop {
        let mut room = Socket::open(alice.addr(), FIRST).await;
        let nonce = room.welcome().await;
        let digest = presence(FIRST, nonce, &table.domain, &Native);
        let (player, signature) = (Player::Two, session_key(9).sign(&digest));
        room.send(ToRelay::Join { player, signature }).await;
        let has_joined = |message| match message {
            FromRelay::Present(present) => present.players.two.then_some(true),
            FromRelay::Refused(_) => Some(false),
            _ => None,
        };
        if room.until(has_joined).await {
            break room;
        }
    };
    seen.seen(|told| told["fast"]["opponent"] == true).await;
    alice.done("/api/games/f0/move", drop_in(0)).await;
    let first = room.moves(&[0]).await;
    room.send(ToRelay::Position(answered(&table, &first, 1)))
        .await;
    seen.seen(|told| turns(told, 2)).await;
}
