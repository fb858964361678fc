//! What followers are told.

use std::net::SocketAddr;
use std::time::Duration;

use connect4_protocol::fast::feed::{EndedId, FromFeed, Origin, ToFeed};
use connect4_protocol::fast::wire::{FromRelay, Refusal, ToRelay};
use connect4_protocol::fast::{Ending, Native, RecordedGame};
use connect4_relay::Limits;
use connect4_rules::{ByPlayer, Player};
use connect4_testing::fast::other_form;
use connect4_testing::socket::Socket;
use connect4_testing::terms::{DOMAIN, TermsPlay};
use tokio_tungstenite::tungstenite::Message;

use crate::by_terms::now;
use crate::server::{Server, Table, wide};

/// Moves of which the last completes a line.
const LINE: [u8; 7] = [3, 4, 3, 4, 3, 4, 3];

fn start(limits: Limits) -> Server {
    Server::start(&Table::of(&[]), limits)
}

/// A follower that has asked for the ended games.
async fn follow(relay: SocketAddr, visitor: Option<&str>, after: EndedId) -> Socket {
    let mut socket = Socket::feed(relay, visitor).await;
    match socket.next_in_feed().await {
        Some(FromFeed::Welcome {
            chain_id, contract, ..
        }) => assert_eq!((chain_id, contract), (DOMAIN.chain_id, DOMAIN.contract)),
        other => panic!("{other:?}"),
    }
    socket.tell_feed(ToFeed::Ended { after }).await;
    socket
}

async fn ended(socket: &mut Socket) -> (EndedId, ByPlayer<Origin>, RecordedGame) {
    loop {
        match socket.next_in_feed().await.expect("it stays open") {
            FromFeed::Ended { id, origins, game } => return (id, origins, game),
            FromFeed::Complete => {}
            other => panic!("{other:?}"),
        }
    }
}

async fn next(socket: &mut Socket) -> FromFeed {
    socket.next_in_feed().await.expect("it stays open")
}

/// Both play to the end; returns their sockets.
async fn play(server: &Server, play: &TermsPlay) -> [Socket; 2] {
    let mut alice = Socket::join_by_terms(server.addr, play, Player::One).await;
    let mut bob = Socket::join_by_terms(server.addr, play, Player::Two).await;
    alice.send(play.position(&LINE)).await;
    for socket in [&mut alice, &mut bob] {
        socket.moves(&LINE).await;
    }
    [alice, bob]
}

fn number_of(game: &RecordedGame, play: &TermsPlay) -> bool {
    let (_, number, _) = game.check(&DOMAIN, &Native, now()).expect("a valid game");
    number == play.number
}

#[tokio::test]
async fn an_ended_game_is_told_to_who_follows_and_to_who_comes_later() {
    let server = start(wide());
    let first = TermsPlay::new(1, now());
    let mut early = follow(server.addr, None, 0).await;
    assert_eq!(next(&mut early).await, FromFeed::Complete);
    let sockets = play(&server, &first).await;
    let (id, origins, game) = ended(&mut early).await;
    assert!(number_of(&game, &first));
    assert_eq!(game.evidence, first.evidence(&LINE, None));
    assert_eq!(
        origins,
        ByPlayer::default(),
        "this machine is no address of anybody"
    );
    let mut late = follow(server.addr, None, 0).await;
    assert_eq!(ended(&mut late).await, (id, origins, game));
    // Who has it is not told it again.
    let mut again = follow(server.addr, None, id).await;
    assert_eq!(next(&mut again).await, FromFeed::Complete);
    drop(sockets);
    let counts = server.counts();
    assert_eq!(
        (counts.ended, counts.kept_ended, counts.followers),
        (1, 1, 3)
    );
}

#[tokio::test]
async fn what_cannot_be_recorded_is_no_ended_game() {
    let server = start(wide());
    let mut follower = follow(server.addr, None, 0).await;
    let play = TermsPlay::new(1, now());
    let mut alice = Socket::join_by_terms(server.addr, &play, Player::One).await;
    alice.send(play.position(&LINE[..6])).await;
    alice.moves(&LINE[..6]).await;
    // A draw that has a last second counts in a dispute alone.
    let lapsing = Ending::Draw {
        until: now() + 1000,
    };
    let draw = play.evidence(&LINE[..6], Some(lapsing));
    alice.send(ToRelay::Position(draw)).await;
    alice.moves(&LINE[..6]).await;
    // One of the players has signed nothing.
    let resigned = TermsPlay::new(2, now());
    let mut carol = Socket::join_by_terms(server.addr, &resigned, Player::One).await;
    let ending = Some(Ending::Resignation(Player::One));
    carol
        .send(ToRelay::Position(resigned.evidence(&[], ending)))
        .await;
    carol.moves(&[]).await;
    let last = TermsPlay::new(3, now());
    let mut dave = Socket::join_by_terms(server.addr, &last, Player::One).await;
    let ending = Some(Ending::Resignation(Player::Two));
    let evidence = last.evidence(&[3, 3], ending);
    dave.send(ToRelay::Position(evidence)).await;
    let (_, _, game) = ended(&mut follower).await;
    assert!(number_of(&game, &last), "the others are not told");
}

#[tokio::test]
async fn an_end_that_changes_is_told_again_and_kept_once() {
    let server = start(wide());
    let mut follower = follow(server.addr, None, 0).await;
    let first = TermsPlay::new(1, now());
    let [mut alice, mut bob] = play(&server, &first).await;
    ended(&mut follower).await;
    let agreed = first.evidence(&LINE, Some(Ending::Resignation(Player::Two)));
    bob.send(ToRelay::Position(agreed)).await;
    let (id, _, game) = ended(&mut follower).await;
    assert_eq!((id, game.evidence), (2, agreed));
    // The same again is nothing new.
    alice.send(ToRelay::Position(agreed)).await;
    alice.moves(&LINE).await;
    let mut late = follow(server.addr, None, 0).await;
    assert_eq!(ended(&mut late).await.0, 2);
    assert_eq!(
        next(&mut late).await,
        FromFeed::Complete,
        "without the first"
    );
    assert_eq!(server.counts().kept_ended, 1);
}

/// Plays a game of which each player is connected from its address.
async fn played_from(server: &Server, number: u64, [one, two]: [&str; 2]) -> TermsPlay {
    let play = TermsPlay::new(number, now());
    for (player, visitor) in [(Player::One, one), (Player::Two, two)] {
        let socket = Socket::passed_on(server.addr, play.number, visitor).await;
        let mut socket = socket.expect("a socket");
        let nonce = socket.welcome().await;
        socket.send(ToRelay::Terms(play.signed)).await;
        socket.send(play.join(player, nonce)).await;
        socket.send(play.position(&LINE)).await;
        socket.moves(&LINE).await;
        if player == Player::Two {
            // What was sent before the end counts, so the second one has joined by now.
            let rest = play.evidence(&LINE, Some(Ending::Resignation(Player::Two)));
            socket.send(ToRelay::Position(rest)).await;
            let is_agreed = |message| match message {
                FromRelay::Position(shown) => (shown == rest).then_some(()),
                _ => None,
            };
            socket.until(is_agreed).await;
        }
    }
    play
}

#[tokio::test]
async fn players_of_one_address_are_told_from_others_and_not_where_they_are() {
    let server = Server::behind_a_proxy(&Table::of(&[]), wide());
    let ipv6 = ["2001:db8:0:1::1", "2001:db8:0:2::1"];
    let all = [
        ["192.0.2.1", "192.0.2.1"],
        ["192.0.2.1", "192.0.2.2"],
        ipv6,
        ["198.51.100.1", "192.0.2.2"],
    ];
    for (number, from) in (1..).zip(all) {
        played_from(&server, number, from).await;
    }
    let mut follower = follow(server.addr, Some("203.0.113.1"), 0).await;
    let mut origins = Vec::new();
    while let FromFeed::Ended {
        origins: ByPlayer { one, two },
        ..
    } = next(&mut follower).await
    {
        origins.push([one, two]);
    }
    let [same, other, wide, uncounted] = origins[..] else {
        panic!("{origins:?}");
    };
    assert_eq!(same[0], same[1]);
    assert_eq!(other[0], same[0]);
    assert_ne!(other[1], same[0]);
    assert_eq!(wide[0], wide[1], "one network of 48 bits");
    assert_eq!(uncounted, [Origin::default(), other[1]]);
}

#[tokio::test]
async fn a_flood_of_ended_games_of_one_address_takes_no_place_of_others() {
    let limits = Limits {
        ended: 6,
        ended_of_address: 3,
        ..wide()
    };
    let server = Server::behind_a_proxy(&Table::of(&[]), limits);
    let kept = played_from(&server, 1, ["192.0.2.1", "192.0.2.2"]).await;
    for number in 2..12 {
        played_from(&server, number, ["192.0.2.9", "192.0.2.9"]).await;
    }
    assert_eq!(server.counts().kept_ended, 4);
    let mut follower = follow(server.addr, Some("203.0.113.1"), 0).await;
    assert_eq!(next(&mut follower).await, FromFeed::Missed);
    let (_, _, game) = ended(&mut follower).await;
    assert!(number_of(&game, &kept));
    // Of many addresses the oldest makes place.
    for number in 12..20 {
        let from = format!("203.0.113.{number}");
        played_from(&server, number, [&from, &from]).await;
    }
    assert_eq!(server.counts().kept_ended, 6);
}

/// Whoever watches has all of it, and can write each signature in another way.
#[tokio::test]
async fn who_brings_the_game_of_others_again_is_not_taken_for_its_players() {
    let limits = Limits {
        keep_ended: Duration::ZERO,
        ..wide()
    };
    let server = Server::behind_a_proxy(&Table::of(&[]), limits);
    let play = played_from(&server, 1, ["192.0.2.1", "192.0.2.2"]).await;
    let mut follower = follow(server.addr, Some("203.0.113.1"), 0).await;
    let (first, origins, game) = ended(&mut follower).await;
    while server.counts().rooms > 0 {
        tokio::task::yield_now().await;
    }
    let mut again = game.evidence;
    again.signatures = again.signatures.map(|signature| other_form(&signature));
    assert_ne!(again, game.evidence);
    let mut earlier = play.evidence(&LINE, None);
    earlier.signatures = earlier.signatures.map(|signature| other_form(&signature));
    for evidence in [again, earlier] {
        let socket = Socket::passed_on(server.addr, play.number, "192.0.2.9").await;
        let mut mallory = socket.expect("a socket");
        mallory.welcome().await;
        mallory.send(ToRelay::Terms(play.signed)).await;
        mallory.send(ToRelay::Position(evidence)).await;
        let is_shown = |message| match message {
            FromRelay::Position(shown) => (shown == evidence).then_some(()),
            _ => None,
        };
        mallory.until(is_shown).await;
        drop(mallory);
        while server.counts().rooms > 0 {
            tokio::task::yield_now().await;
        }
    }
    let mut late = follow(server.addr, Some("203.0.113.2"), first).await;
    // The same end by other signatures is nothing new; another end has the addresses of its players.
    let (_, others, game) = ended(&mut late).await;
    assert_eq!(game.evidence, earlier);
    assert_eq!(others, origins);
}

#[tokio::test]
async fn followers_are_few_and_an_address_has_a_share_of_them() {
    let limits = Limits {
        followers: 3,
        followers_of_address: 2,
        ..wide()
    };
    let server = Server::behind_a_proxy(&Table::of(&[]), limits);
    let mut open = Vec::new();
    for (visitor, is_taken) in [
        ("192.0.2.1", true),
        ("192.0.2.1", true),
        ("192.0.2.1", false),
        ("192.0.2.2", true),
        ("192.0.2.3", false),
    ] {
        let mut socket = Socket::feed(server.addr, Some(visitor)).await;
        match next(&mut socket).await {
            FromFeed::Welcome { .. } => assert!(is_taken, "{visitor}"),
            FromFeed::Refused(Refusal::Full) => assert!(!is_taken, "{visitor}"),
            other => panic!("{other:?}"),
        }
        open.push(socket);
    }
    assert_eq!(server.counts().busy, 2);
}

#[tokio::test]
async fn junk_and_a_flood_of_questions_are_refused() {
    let server = start(wide());
    let mut socket = follow(server.addr, None, u64::MAX).await;
    assert_eq!(next(&mut socket).await, FromFeed::Complete);
    for again in [ToFeed::Ended { after: 0 }, ToFeed::Live, ToFeed::Live] {
        socket.tell_feed(again).await;
    }
    let busy = FromFeed::Refused(Refusal::Busy);
    let answers = [next(&mut socket).await, next(&mut socket).await];
    assert!(answers.contains(&busy), "{answers:?}");
    socket.send_frame(Message::Binary(vec![9; 3].into())).await;
    loop {
        match socket.next_in_feed().await {
            Some(FromFeed::Refused(Refusal::BadMessage)) => break,
            Some(_) => {}
            None => panic!("it says why"),
        }
    }
    assert_eq!(socket.next_in_feed().await, None);
}

/// A follower that reads nothing keeps nobody waiting, and is dropped.
#[tokio::test]
async fn a_slow_follower_costs_a_place_and_no_memory() {
    let limits = Limits {
        stall: std::time::Duration::from_millis(200),
        ..wide()
    };
    let server = Server::narrow(&Table::of(&[]), limits);
    let first = TermsPlay::new(1, now());
    let _sockets = play(&server, &first).await;
    let mut slow = Socket::narrow_feed(server.addr).await;
    slow.tell_feed(ToFeed::Ended { after: 0 }).await;
    let mut number = 2;
    while server.counts().stalled == 0 {
        let play = TermsPlay::new(number, now());
        let mut alice = Socket::join_by_terms(server.addr, &play, Player::One).await;
        alice.send(play.position(&LINE)).await;
        alice.moves(&LINE).await;
        number += 1;
    }
    let mut follower = follow(server.addr, None, 0).await;
    assert!(number_of(&ended(&mut follower).await.2, &first));
}
