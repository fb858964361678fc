//! A crowd of strangers who seek, answer, open rooms and end games as fast as they can: what the relay keeps is
//! bounded, and others play on.

use connect4_protocol::fast::Native;
use connect4_protocol::fast::lobby::{FromLobby, Side, ToLobby};
use connect4_protocol::fast::wire::{Refusal, ToRelay};
use connect4_relay::{Counts, Limits, Rate};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::crowd::{LINE, Stranger};
use connect4_testing::fast::session_key;
use connect4_testing::socket::Socket;
use connect4_testing::terms::{DOMAIN, TermsPlay, answer, seek};
use tokio::task::JoinSet;

use crate::by_terms::now;
use crate::server::{Server, Table, wide};

/// Networks of the crowd.
const NETWORKS: u64 = 4;
/// What each of them does.
const ROUNDS: u64 = 12;
const SECRET: [u8; 32] = [5; 32];

/// Addresses of which each has all the seeks that it gets.
#[tokio::test]
async fn those_who_would_fill_the_lobby_leave_places_for_who_comes_next() {
    let limits = Limits {
        seeks: 12,
        seeks_of_address: 12,
        ..wide()
    };
    let server = Server::behind_a_proxy(&Table::of(&[]), limits);
    let mut stay = Vec::new();
    let mut is_listed = async |number: u64, address: u64| {
        let mut socket = Socket::lobby_for(server.addr, &format!("192.0.2.{address}")).await;
        let key = session_key(number);
        let own = seek(&key, Side::First, &SECRET, now(), socket.nonce());
        let invite = None;
        let message = ToLobby::Seek { seek: own, invite };
        socket.tell_lobby(message).await;
        let is_listed = |message| match message {
            FromLobby::Listed { seek, .. } if seek == own => Some(true),
            FromLobby::Refused(Refusal::Busy) => Some(false),
            _ => None,
        };
        let is_listed = socket.until_in_lobby(is_listed).await;
        stay.push(socket);
        is_listed
    };
    let mut seeks = [0; 5];
    for number in 0..60 {
        seeks[number as usize % 5] += u32::from(is_listed(number, number % 5).await);
    }
    // The second of one would be more than an eighth of the places that are left.
    assert_eq!(seeks, [1; 5]);
    for number in 60..67 {
        assert!(is_listed(number, number).await, "another one");
    }
    assert!(!is_listed(67, 67).await, "without a place");
}

#[tokio::test]
async fn a_crowd_of_guests_costs_a_bounded_place_and_others_play_on() {
    let limits = Limits {
        seeks: 12,
        seeks_of_address: 2,
        rooms_by_terms: 24,
        rooms_of_address: 5,
        ended: 24,
        ended_of_address: 5,
        room_openings_of_address: Rate {
            burst: 8,
            per_second: 1,
        },
        seekings_of_address: Rate {
            burst: 4,
            per_second: 1,
        },
        ..wide()
    };
    let server = Server::behind_a_proxy(&Table::of(&[]), limits);
    let mut crowd = JoinSet::new();
    for number in 0..NETWORKS * ROUNDS {
        // Each network of 64 bits has all addresses that it wants.
        let from = format!("2001:db8:{:x}:1::{number:x}", number % NETWORKS);
        let stranger = Stranger {
            relay: server.addr,
            from,
            number,
            now: now(),
        };
        crowd.spawn(async move { (stranger.seeks().await, stranger.ends().await) });
    }
    let mut stays = crowd.join_all().await;
    let Counts {
        seeking,
        rooms_by_terms,
        kept_ended,
        busy,
        ..
    } = server.counts();
    let of_networks = |each: usize| each * NETWORKS as usize;
    assert!(seeking <= of_networks(2), "{seeking} seeks");
    assert!(rooms_by_terms <= of_networks(5), "{rooms_by_terms} rooms");
    assert!(kept_ended <= of_networks(5), "{kept_ended} ended games");
    assert!(busy > 0, "more was asked than is given");
    // Two others find each other, play, and their game is kept.
    let (alice, bob) = (session_key(1), session_key(2));
    let mut seeker = Socket::lobby_for(server.addr, "192.0.2.1").await;
    let mut other = Socket::lobby_for(server.addr, "192.0.2.2").await;
    let sought = seek(&alice, Side::First, &SECRET, now(), seeker.nonce());
    let invite = None;
    let message = ToLobby::Seek {
        seek: sought,
        invite,
    };
    seeker.tell_lobby(message).await;
    let id = other
        .until_in_lobby(|message| match message {
            FromLobby::Listed { id, seek, .. } if seek == sought => Some(id),
            _ => None,
        })
        .await;
    let reply = answer(&bob, &sought.seek, now(), 7);
    let message = ToLobby::Answer {
        seek: id,
        answer: reply,
    };
    other.tell_lobby(message).await;
    let number = seeker
        .until_in_lobby(|message| match message {
            FromLobby::Answered { id, .. } => Some(id),
            _ => None,
        })
        .await;
    let accept = ToLobby::Accept {
        answer: number,
        secret: SECRET,
        signature: alice.sign(&reply.terms.digest(&DOMAIN, &Native)),
    };
    seeker.tell_lobby(accept).await;
    other
        .until_in_lobby(|message| match message {
            FromLobby::Accepted { .. } => Some(()),
            _ => None,
        })
        .await;
    let play = TermsPlay::of(
        &reply.terms,
        ByPlayer {
            one: alice,
            two: bob,
        },
    );
    let opened = Socket::passed_on(server.addr, play.number, "192.0.2.1").await;
    let mut first = opened.expect("a socket");
    let nonce = first.welcome().await;
    first.send(ToRelay::Terms(play.signed)).await;
    first.send(play.join(Player::One, nonce)).await;
    first.send(play.position(&LINE)).await;
    first.moves(&LINE).await;
    let entered = Socket::passed_on(server.addr, play.number, "192.0.2.2").await;
    entered.expect("a socket").moves(&LINE).await;
    let counts = server.counts();
    assert_eq!(counts.kept_ended, kept_ended + 1);
    assert_eq!(counts.pairs, 1);
    stays.clear();
}
