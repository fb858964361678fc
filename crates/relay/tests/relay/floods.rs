//! A crowd of strangers who seek, answer, open rooms and end games as fast as they can: what the relay keeps is
//! bounded, and others play on.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use codec::Encode as _;
use connect4_protocol::fast::Native;
use connect4_protocol::fast::lobby::{FromLobby, Side, SignedSeek, ToLobby, read};
use connect4_protocol::fast::wire::{Refusal, ToRelay};
use connect4_relay::{Counters, Counts, Limits, Lobby, LobbyVisit, Rate};
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

/// Somebody in a lobby, without a socket.
struct Present {
    visit: LobbyVisit,
    nonce: [u8; 32],
}

impl Present {
    /// Enters the lobby from this address, and follows its list.
    fn enter(lobby: &Arc<Lobby>, number: u32, address: Ipv4Addr) -> Self {
        let mut nonce = [0; 32];
        nonce[..4].copy_from_slice(&number.to_be_bytes());
        let visit = LobbyVisit::new(lobby, DOMAIN, nonce, IpAddr::from(address).into());
        let mut present = Self { visit, nonce };
        let listed = present.say(ToLobby::List { live: true });
        assert_eq!(listed, Ok(()));
        present
    }

    fn say(&mut self, message: ToLobby) -> Result<(), Refusal> {
        let counters = Counters::default();
        self.visit.hear(&message.encode(), now(), &counters)
    }

    fn seeks(&mut self, number: u64) -> Result<SignedSeek, Refusal> {
        let key = session_key(number);
        let seek = seek(&key, Side::First, &SECRET, now(), self.nonce);
        let invite = None;
        self.say(ToLobby::Seek { seek, invite }).map(|()| seek)
    }

    /// All that is sent to it now.
    fn told(&mut self) -> impl Iterator<Item = FromLobby> {
        let next = || self.visit.next_frame();
        std::iter::from_fn(next).map(|frame| read(&frame).expect("a message"))
    }
}

/// Their networks get fewer messages then, and nobody else.
#[test]
fn thousands_who_follow_the_list_have_no_seek_refused() {
    const ADDRESSES: u8 = 40;
    const SEEKS_OF_ADDRESS: u32 = 4;
    let limits = Limits {
        // Nothing is added while the test runs.
        listings: Rate {
            per_second: 0,
            ..Limits::default().listings
        },
        ..Limits::default()
    };
    let lobby = Arc::new(Lobby::new(&limits));
    let mut crowd = Vec::new();
    for socket in 0..limits.sockets_of_address {
        for address in 0..ADDRESSES {
            let number = u32::try_from(crowd.len()).expect("a few thousand");
            let address = Ipv4Addr::new(198, 51, 100, address);
            crowd.push((socket, Present::enter(&lobby, number, address)));
        }
    }
    let mut told = 0;
    let mut seeks = 0;
    for number in 0..crowd.len() {
        let (socket, stranger) = &mut crowd[number];
        if *socket < SEEKS_OF_ADDRESS {
            seeks += usize::from(stranger.seeks(1000 + number as u64).is_ok());
            let all = crowd.iter_mut();
            told += all.map(|(_, each)| each.told().count()).sum::<usize>();
        }
    }
    let mut seeker = Present::enter(&lobby, 10_000, Ipv4Addr::new(192, 0, 2, 1));
    let mut other = Present::enter(&lobby, 10_001, Ipv4Addr::new(192, 0, 2, 2));
    let sought = seeker.seeks(1).expect("it is listed");
    assert_eq!(lobby.count(), seeks + 1);
    let own = |message| match message {
        FromLobby::Listed { id, seek, .. } if seek == sought => Some(id),
        _ => None,
    };
    let id = other.told().find_map(own).expect("others are told");
    let reply = answer(&session_key(2), &sought.seek, now(), 7);
    let message = ToLobby::Answer {
        seek: id,
        answer: reply,
    };
    assert_eq!(other.say(message), Ok(()));
    let number = seeker.told().find_map(|message| match message {
        FromLobby::Answered { id, .. } => Some(id),
        _ => None,
    });
    let accept = ToLobby::Accept {
        answer: number.expect("an answer"),
        secret: SECRET,
        signature: session_key(1).sign(&reply.terms.digest(&DOMAIN, &Native)),
    };
    assert_eq!(seeker.say(accept), Ok(()));
    for player in [&mut seeker, &mut other] {
        let is_accepted = |message| matches!(message, FromLobby::Accepted { .. });
        assert!(player.told().any(is_accepted));
    }
    // All seeks of all addresses were listed, of whose messages the followers get no more than there are, and of each
    // seek its own receipt.
    assert_eq!(seeks, usize::from(ADDRESSES) * SEEKS_OF_ADDRESS as usize);
    let messages = limits.listings.burst as usize + seeks;
    assert!(told <= messages, "{told} messages about the list");
    assert!(told > messages / 2, "{told} messages about the list");
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
