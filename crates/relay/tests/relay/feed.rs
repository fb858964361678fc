//! What followers are told of ended games.

use std::time::Duration;

use connect4_protocol::Address;
use connect4_protocol::signed::Native;
use connect4_protocol::signed::feed::{EndedId, FromFeed, Origin, ToFeed};
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Act, ToWitness, path};
use connect4_protocol::signed::{Finished, Telling, WitnessedEnd};
use connect4_relay::Limits;
use connect4_rules::{ByPlayer, Player};
use connect4_testing::room::Seat;
use connect4_testing::signed::{CHAIN, SignedPlay};
use connect4_testing::socket::Socket;
use tokio_tungstenite::tungstenite::Message;

use crate::server::{Server, wide};
use crate::signed::table::{Folder, behind_a_proxy, both, play, play_on, shared};

/// A follower that has asked for the ended games.
async fn follow(server: &Server, visitor: Option<&str>, after: EndedId) -> Socket {
    let mut socket = Socket::feed(server.addr, visitor).await;
    match socket.next_in_feed().await {
        Some(FromFeed::Welcome { chain, .. }) => assert_eq!(chain, CHAIN),
        other => panic!("{other:?}"),
    }
    socket.tell_feed(ToFeed::Ended { after }).await;
    socket
}

async fn ended(socket: &mut Socket) -> (EndedId, ByPlayer<Origin>, Finished) {
    loop {
        match next(socket).await {
            FromFeed::Finished {
                id,
                origins,
                finished,
            } => return (id, origins, finished),
            FromFeed::Complete => {}
            other => panic!("{other:?}"),
        }
    }
}

async fn next(socket: &mut Socket) -> FromFeed {
    socket.next_in_feed().await.expect("it stays open")
}

/// Player two resigns after three moves.
async fn resigned(seats: &mut [Seat; 2], play: &SignedPlay) {
    play_on(seats, play, &[], &[3, 4, 3]).await;
    let resigns = play.spoken(Player::Two, Act::Resign, &[3, 4, 3]);
    seats[1].say(resigns).await;
    for seat in seats {
        seat.end().await;
    }
}

/// Plays a game of which each player is connected from its address.
async fn played_from(
    server: &Server,
    witness: Address,
    number: u64,
    from: [&str; 2],
) -> SignedPlay {
    let play = play(number, witness);
    let mut seats = Vec::new();
    for (player, visitor) in Player::ALL.into_iter().zip(from) {
        let seat = Seat::join_from(server.addr, &play, player, visitor).await;
        seats.push(seat.expect("a socket"));
    }
    let mut seats = <[Seat; 2]>::try_from(seats).ok().expect("two players");
    for seat in &mut seats {
        seat.present(true, true).await;
    }
    resigned(&mut seats, &play).await;
    play
}

fn is_of(finished: &Finished, play: &SignedPlay) -> bool {
    finished.judge(CHAIN, &Native).expect("an end");
    finished.terms == play.signed.terms
}

#[tokio::test]
async fn an_ended_game_is_told_to_who_follows_and_to_who_comes_later() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let first = play(1, witness);
    let mut early = follow(&server, None, 0).await;
    assert_eq!(next(&mut early).await, FromFeed::Complete);
    let mut seats = both(server.addr, &first).await;
    resigned(&mut seats, &first).await;
    let (id, origins, game) = ended(&mut early).await;
    assert!(is_of(&game, &first));
    assert_eq!(
        origins,
        ByPlayer::default(),
        "this machine is no address of anybody"
    );
    let mut late = follow(&server, None, 0).await;
    assert_eq!(ended(&mut late).await, (id, origins, game));
    // Who has it is not told it again.
    let mut again = follow(&server, None, id).await;
    assert_eq!(next(&mut again).await, FromFeed::Complete);
    let counts = server.counts();
    assert_eq!((counts.kept_ended, counts.followers), (1, 3));
}

/// Before both have moved a game becomes void alone, and nobody records it.
#[tokio::test]
async fn a_void_game_is_not_told() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let mut follower = follow(&server, None, 0).await;
    let void = play(1, witness);
    let mut seats = both(server.addr, &void).await;
    seats[0]
        .say(void.spoken(Player::One, Act::Resign, &[]))
        .await;
    let told = seats[1].end().await;
    assert_eq!(told.what, Telling::Ended(WitnessedEnd::Void));
    let second = play(2, witness);
    resigned(&mut both(server.addr, &second).await, &second).await;
    assert!(is_of(&ended(&mut follower).await.2, &second));
}

#[tokio::test]
async fn players_of_one_address_are_told_from_others_and_not_where_they_are() {
    let folder = Folder::new();
    let (server, key) = behind_a_proxy(&folder, wide());
    let ipv6 = ["2001:db8:0:1::1", "2001:db8:0:2::1"];
    let all = [
        ["192.0.2.1", "192.0.2.1"],
        ["192.0.2.1", "192.0.2.2"],
        ipv6,
        ["198.51.100.1", "192.0.2.2"],
    ];
    for (number, from) in (1..).zip(all) {
        played_from(&server, key, number, from).await;
    }
    // Players are told of an end before followers.
    while server.counts().kept_ended < 4 {
        tokio::task::yield_now().await;
    }
    let mut follower = follow(&server, Some("203.0.113.1"), 0).await;
    let mut origins = Vec::new();
    while let FromFeed::Finished {
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

/// Anybody who knows the number of a game can bring its terms, and watch it.
#[tokio::test]
async fn who_watches_a_game_is_not_taken_for_its_players() {
    let folder = Folder::new();
    let (server, key) = behind_a_proxy(&folder, wide());
    let others = ["192.0.2.1", "192.0.2.2"];
    let play = play(1, key);
    // The room is opened by somebody else, who stays in it and can sign nothing.
    let room = path(key, play.number);
    let socket = Socket::passed_to(server.addr, &room, "192.0.2.9").await;
    let mut mallory = Seat::welcomed(socket.expect("a socket")).await;
    mallory.send(ToWitness::Terms(play.signed)).await;
    played_from(&server, key, 1, others).await;
    played_from(&server, key, 2, others).await;
    let mut follower = follow(&server, Some("203.0.113.1"), 0).await;
    let first = ended(&mut follower).await;
    assert!(is_of(&first.2, &play));
    assert_eq!(first.1, ended(&mut follower).await.1);
}

#[tokio::test]
async fn a_flood_of_ended_games_of_one_address_takes_no_place_of_others() {
    let limits = Limits {
        ended: 6,
        ended_of_address: 3,
        ..wide()
    };
    let folder = Folder::new();
    let (server, key) = behind_a_proxy(&folder, limits);
    let kept = played_from(&server, key, 1, ["192.0.2.1", "192.0.2.2"]).await;
    for number in 2..12 {
        played_from(&server, key, number, ["192.0.2.9", "192.0.2.9"]).await;
    }
    assert_eq!(server.counts().kept_ended, 4);
    let mut follower = follow(&server, Some("203.0.113.1"), 0).await;
    assert_eq!(next(&mut follower).await, FromFeed::Missed);
    let (_, _, game) = ended(&mut follower).await;
    assert!(is_of(&game, &kept));
    // Of many addresses the oldest makes place.
    for number in 12..20 {
        let from = format!("203.0.113.{number}");
        played_from(&server, key, number, [&from, &from]).await;
    }
    assert_eq!(server.counts().kept_ended, 6);
}

#[tokio::test]
async fn followers_are_few_and_an_address_has_a_share_of_them() {
    let limits = Limits {
        followers: 3,
        followers_of_address: 2,
        ..wide()
    };
    let folder = Folder::new();
    let (server, _) = behind_a_proxy(&folder, limits);
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
    let folder = Folder::new();
    let (server, _) = shared(&folder);
    let mut socket = follow(&server, None, u64::MAX).await;
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
        stall: Duration::from_millis(200),
        ..wide()
    };
    let folder = Folder::new();
    let witness = folder.open();
    let key = witness.key();
    let server = Server::narrow_witnessed(limits, witness);
    let first = play(1, key);
    resigned(&mut both(server.addr, &first).await, &first).await;
    let mut slow = Socket::narrow_feed(server.addr).await;
    slow.tell_feed(ToFeed::Ended { after: 0 }).await;
    let mut number = 2;
    while server.counts().stalled == 0 {
        let play = play(number, key);
        resigned(&mut both(server.addr, &play).await, &play).await;
        number += 1;
    }
    let mut follower = follow(&server, None, 0).await;
    assert!(is_of(&ended(&mut follower).await.2, &first));
}

/// Games have ended by the word of a witness alone.
#[tokio::test]
async fn a_relay_that_is_no_witness_has_no_feed() {
    for (server, expected) in [
        (Server::start(wide()), Refusal::OtherWitness),
        (Server::awaiting_witness(wide()), Refusal::ChainUnreachable),
    ] {
        let mut socket = Socket::feed(server.addr, None).await;
        assert_eq!(next(&mut socket).await, FromFeed::Refused(expected));
    }
}
