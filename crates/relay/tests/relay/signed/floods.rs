//! Strangers who take what they can.

use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Act, FromWitness, ToWitness, path, read};
use connect4_relay::{Limits, Rate};
use connect4_rules::Player;
use connect4_testing::room::Seat;
use connect4_testing::signed::SignedPlay;
use connect4_testing::socket::Socket;
use tokio_tungstenite::tungstenite::Message;

use super::table::{Folder, behind_a_proxy, both, play, play_on, start};
use crate::server::{Server, wide};

/// Opens the room of a game as a proxy does for a visitor. Returns why it is refused.
async fn open_for(server: &Server, play: &SignedPlay, visitor: &str) -> Option<Refusal> {
    let witness = play.signed.terms.witness.expect("a witness");
    let path = path(witness, play.number);
    let socket = Socket::passed_to(server.addr, &path, visitor).await;
    let mut socket = socket.expect("a socket");
    let welcome = socket.next_of(read).await;
    assert!(
        matches!(welcome, Some(FromWitness::Welcome { .. })),
        "{welcome:?}"
    );
    socket.send_message(&ToWitness::Terms(play.signed)).await;
    match socket.next_of(read).await {
        Some(FromWitness::Refused(refusal)) => Some(refusal),
        _ => None,
    }
}

#[tokio::test]
async fn an_address_and_a_key_have_so_many_games() {
    let folder = Folder::new();
    let limits = Limits {
        room_openings_of_address: Rate {
            burst: 2,
            per_second: 0,
        },
        signed_games_of_key: 2,
        ..wide()
    };
    let (server, key) = behind_a_proxy(&folder, limits);
    let plays = [1, 2, 3].map(|number| play(number, key));
    assert_eq!(open_for(&server, &plays[0], "192.0.2.1").await, None);
    assert_eq!(open_for(&server, &plays[1], "192.0.2.1").await, None);
    assert_eq!(
        open_for(&server, &plays[2], "192.0.2.1").await,
        Some(Refusal::Full)
    );
    assert_eq!(
        server.counts().signed_games,
        2,
        "what is refused has not begun"
    );
    assert_eq!(
        open_for(&server, &plays[2], "192.0.2.2").await,
        None,
        "another one"
    );
    // Games of the same two players, which differ by their terms' number alone.
    let again = |nonce| {
        let mut terms = plays[0].signed.terms;
        terms.nonce = nonce;
        SignedPlay::of(terms, plays[0].keys.clone())
    };
    assert_eq!(open_for(&server, &again(1), "192.0.2.3").await, None);
    assert_eq!(
        open_for(&server, &again(2), "192.0.2.3").await,
        Some(Refusal::Full)
    );
}

#[tokio::test]
async fn one_network_takes_no_more_than_its_share_of_all_games() {
    let folder = Folder::new();
    let limits = Limits {
        signed_games: 16,
        room_openings_of_address: Rate {
            burst: 100,
            per_second: 0,
        },
        ..wide()
    };
    let (server, key) = behind_a_proxy(&folder, limits);
    let mut opened = 0;
    for number in 0..16 {
        match open_for(&server, &play(number, key), "192.0.2.1").await {
            None => opened += 1,
            refused => assert_eq!(refused, Some(Refusal::Full)),
        }
    }
    assert_eq!(opened, 2, "an eighth of what is left");
    assert_eq!(open_for(&server, &play(20, key), "192.0.2.2").await, None);
}

/// Games that end at once, by a resignation before the first move, leave an end each.
#[tokio::test]
async fn one_network_takes_no_more_than_its_share_of_the_log() {
    let folder = Folder::new();
    let limits = Limits {
        signed_log: Rate {
            burst: 160,
            per_second: 0,
        },
        ..wide()
    };
    let (server, key) = behind_a_proxy(&folder, limits);
    let mut opened = 0;
    for number in 0..16 {
        let play = play(number, key);
        match open_for(&server, &play, "192.0.2.1").await {
            None => {
                opened += 1;
                let mut alice = Seat::join(server.addr, &play, Player::One).await;
                alice.say(play.spoken(Player::One, Act::Resign, &[])).await;
                alice.end().await;
            }
            refused => assert_eq!(refused, Some(Refusal::Full)),
        }
    }
    assert_eq!(opened, 3, "8 kB each, of 160");
    assert_eq!(server.counts().signed_ended, 3);
    assert_eq!(open_for(&server, &play(20, key), "192.0.2.2").await, None);
}

#[tokio::test]
async fn junk_closes_the_sockets_that_send_it_and_others_play_on() {
    let folder = Folder::new();
    let witness = folder.open();
    let key = witness.key();
    let server = start(witness, Limits::default());
    let play = play(1, key);
    let mut seats = both(server.addr, &play).await;
    play_on(&mut seats, &play, &[], &[3, 4]).await;
    for junk in [
        Message::Text("text".into()),
        Message::Binary(Vec::new().into()),
        Message::Binary(vec![9; 40].into()),
        Message::Binary(vec![2; 600].into()),
    ] {
        let mut mallory = Seat::open(server.addr, key, play.number).await;
        mallory.send_frame(junk).await;
        assert_eq!(mallory.refusal().await, Refusal::BadMessage);
    }
    // What is signed, and says nothing new, comes too often.
    let mut mallory = Seat::join(server.addr, &play, Player::Two).await;
    for _ in 0..200 {
        mallory
            .say(play.spoken(Player::Two, Act::Resign, &[3]))
            .await;
    }
    let refusal = loop {
        match mallory.refusal().await {
            Refusal::OtherPosition => {}
            other => break other,
        }
    };
    assert_eq!(refusal, Refusal::TooMany);
    let told = play_on(&mut seats, &play, &[3, 4], &[3]).await;
    assert!(told.is_some());
}
