//! Crowds in the lobby and in the rooms of signed games: what is kept and told is bounded, and others find each other and
//! play.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use codec::Encode as _;
use connect4_protocol::signed::lobby::{FromLobby, Offer, OfferId, ToLobby, read};
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::FromWitness;
use connect4_relay::{Counters, Counts, Limits, Lobby, LobbyVisit, Rate};
use connect4_rules::Player;
use connect4_testing::crowd::{LINE, Stranger};
use connect4_testing::lobby::{Visitor, letter, offer};
use connect4_testing::room::Seat;
use tokio::task::JoinSet;

use super::table::{Folder, behind_a_proxy, now, play};
use crate::server::{Server, wide};

/// Networks of the crowd.
const NETWORKS: u64 = 4;
const ROUNDS: u64 = 12;

async fn say_offer(visitor: &mut Visitor, number: u64) {
    let (offer, invite) = (offer(number), None);
    visitor.say(ToLobby::Offer { offer, invite }).await;
}

#[tokio::test]
async fn a_flood_of_offers_leaves_place_for_others() {
    let limits = Limits {
        seeks: 10,
        seeks_of_address: 2,
        ..wide()
    };
    let server = Server::behind_a_proxy(limits);
    let mut open = Vec::new();
    for number in 0..4 {
        let mut visitor = Visitor::enter_from(server.addr, "192.0.2.1").await;
        say_offer(&mut visitor, number).await;
        if number >= 2 {
            assert_eq!(visitor.refusal().await, Refusal::Busy, "{number}");
        } else {
            visitor.listed(&offer(number)).await;
        }
        open.push(visitor);
    }
    for number in 11..18 {
        let mut visitor = Visitor::enter_from(server.addr, &format!("192.0.2.{number}")).await;
        visitor.offer(offer(number), None).await;
        open.push(visitor);
    }
    let mut other = Visitor::enter_from(server.addr, "192.0.2.2").await;
    other.offer(offer(9), None).await;
    let mut full = Visitor::enter_from(server.addr, "192.0.2.3").await;
    say_offer(&mut full, 10).await;
    assert_eq!(full.refusal().await, Refusal::Busy);
    // The socket stays, and finds a place later.
    other.say(ToLobby::Withdraw).await;
    while server.counts().seeking > 9 {
        tokio::task::yield_now().await;
    }
    full.offer(offer(10), None).await;
    assert_eq!(server.counts().busy, 3);
}

/// A network that follows the list by many sockets, and one that comes later.
#[tokio::test]
async fn a_network_that_has_had_its_share_of_the_list_has_the_rest_later_and_others_at_once() {
    const FOLLOWERS: usize = 2;
    const OFFERS: u64 = 12;
    const CHANGES: usize = 200;
    let limits = Limits {
        listings: Rate {
            burst: 200,
            per_second: 200,
        },
        seekings_of_address: wide().messages,
        ..wide()
    };
    let server = Server::behind_a_proxy(limits);
    let follow = async |from: &str| {
        let mut visitor = Visitor::enter_from(server.addr, from).await;
        visitor.say(ToLobby::List { live: true }).await;
        visitor
    };
    let mut followers = Vec::new();
    for number in 0..FOLLOWERS {
        // Networks of 64 bits in one of 48.
        followers.push(follow(&format!("2001:db8:0:{number:x}::1")).await);
    }
    let mut players = Vec::new();
    for number in 0..OFFERS {
        let from = format!("192.0.2.{number}");
        let mut player = Visitor::enter_from(server.addr, &from).await;
        let id = player.offer(offer(number), None).await;
        players.push((id, player));
    }
    // The followers have had their share: 25 of 200 are more than an eighth of the rest.
    let mut other = follow("192.0.2.100").await;
    for (number, (id, _)) in (0..).zip(&players) {
        assert_eq!(other.listed(&offer(number)).await, *id);
    }
    let (old, mut last) = players.pop().expect("a player");
    last.say(ToLobby::Withdraw).await;
    other.gone(old).await;
    for _ in 0..CHANGES / 2 {
        last.offer(offer(OFFERS), None).await;
    }
    last.say(ToLobby::Withdraw).await;
    let wanted: BTreeSet<OfferId> = players.iter().map(|(id, _)| *id).collect();
    for follower in &mut followers {
        let mut seen = BTreeSet::new();
        let (mut told, mut was_cleared) = (0, false);
        while !(was_cleared && seen == wanted) {
            told += 1;
            match follower.next().await.expect("the socket stays") {
                FromLobby::Listed { id, .. } => drop(seen.insert(id)),
                FromLobby::Gone { id } => drop(seen.remove(&id)),
                FromLobby::Cleared => {
                    was_cleared = true;
                    seen.clear();
                }
                FromLobby::Complete | FromLobby::Counts(_) => {}
                other => panic!("{other:?}"),
            }
        }
        assert!(told < CHANGES, "{told} messages, without those between");
    }
}

/// All that is in a network of 64 bits is one address.
#[tokio::test]
async fn a_network_of_ipv6_offers_as_one() {
    let limits = Limits {
        seeks_of_address: 2,
        ..wide()
    };
    let server = Server::behind_a_proxy(limits);
    let mut open = Vec::new();
    for number in 0..3 {
        let from = format!("2001:db8::{number:x}:1");
        let mut visitor = Visitor::enter_from(server.addr, &from).await;
        say_offer(&mut visitor, number).await;
        match number {
            2 => assert_eq!(visitor.refusal().await, Refusal::Busy),
            _ => drop(visitor.listed(&offer(number)).await),
        }
        open.push(visitor);
    }
    let mut other = Visitor::enter_from(server.addr, "2001:db8:0:1::1").await;
    other.offer(offer(9), None).await;
}

#[tokio::test]
async fn a_slow_reader_has_the_list_told_anew() {
    const CHANGES: u64 = 2000;
    let limits = Limits {
        listings: wide().messages,
        ..wide()
    };
    let server = Server::narrow(limits);
    let mut slow = Visitor::narrow(server.addr).await;
    slow.say(ToLobby::List { live: true }).await;
    let mut alice = Visitor::enter(server.addr).await;
    let mut last = 0;
    for number in 0..CHANGES {
        last = alice.offer(offer(number), None).await;
    }
    let mut told = 0;
    let mut was_cleared = false;
    loop {
        match slow.next().await {
            Some(FromLobby::Cleared) => was_cleared = true,
            Some(FromLobby::Listed { id, .. }) if id == last => break,
            Some(_) => told += 1,
            None => panic!("the socket stays open"),
        }
    }
    assert!(was_cleared);
    assert!(told < CHANGES, "{told} were queued");
}

/// Somebody in a lobby, without a socket.
struct Present(LobbyVisit);

impl Present {
    /// Enters the lobby from this address, and follows its list.
    fn enter(lobby: &Arc<Lobby>, address: Ipv4Addr) -> Self {
        let mut present = Self(LobbyVisit::new(lobby, IpAddr::from(address).into()));
        assert_eq!(present.say(&ToLobby::List { live: true }), Ok(()));
        present
    }

    fn say(&mut self, message: &ToLobby) -> Result<(), Refusal> {
        self.0.hear(&message.encode(), &Counters::default())
    }

    fn offers(&mut self, number: u64) -> Result<Offer, Refusal> {
        let (offer, invite) = (offer(number), None);
        let own = offer.clone();
        self.say(&ToLobby::Offer { offer, invite }).map(|()| own)
    }

    /// All that is sent to it now.
    fn told(&mut self) -> impl Iterator<Item = FromLobby> {
        let next = || self.0.next_frame();
        std::iter::from_fn(next).map(|frame| read(&frame).expect("a message"))
    }
}

/// Their networks get fewer messages then, and nobody else.
#[test]
fn thousands_who_follow_the_list_have_no_offer_refused() {
    const ADDRESSES: u8 = 40;
    const OFFERS_OF_ADDRESS: u32 = 4;
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
            let address = Ipv4Addr::new(198, 51, 100, address);
            crowd.push((socket, Present::enter(&lobby, address)));
        }
    }
    let mut told = 0;
    let mut offers = 0;
    for number in 0..crowd.len() {
        let (socket, stranger) = &mut crowd[number];
        if *socket < OFFERS_OF_ADDRESS {
            offers += usize::from(stranger.offers(1000 + number as u64).is_ok());
            let all = crowd.iter_mut();
            told += all.map(|(_, each)| each.told().count()).sum::<usize>();
        }
    }
    let mut alice = Present::enter(&lobby, Ipv4Addr::new(192, 0, 2, 1));
    let mut bob = Present::enter(&lobby, Ipv4Addr::new(192, 0, 2, 2));
    let own = alice.offers(1).expect("it is listed");
    assert_eq!(lobby.count(), offers + 1);
    let is_it = |message| match message {
        FromLobby::Listed { id, offer, .. } if offer == own => Some(id),
        _ => None,
    };
    let offer = bob.told().find_map(is_it).expect("others are told");
    let letter = letter(b"terms");
    let take = ToLobby::Take {
        offer,
        letter: letter.clone(),
    };
    assert_eq!(bob.say(&take), Ok(()));
    let take = alice.told().find_map(|message| match message {
        FromLobby::Taken { id, .. } => Some(id),
        _ => None,
    });
    let accept = ToLobby::Accept {
        offer,
        take: take.expect("a taker"),
        letter,
        stays: false,
    };
    assert_eq!(alice.say(&accept), Ok(()));
    for player in [&mut alice, &mut bob] {
        let is_accepted = |message| matches!(message, FromLobby::Accepted { .. });
        assert!(player.told().any(is_accepted));
    }
    // All offers of all addresses were listed, of whose messages the followers get no more than there are, and of each
    // offer its own receipt.
    assert_eq!(offers, usize::from(ADDRESSES) * OFFERS_OF_ADDRESS as usize);
    let messages = limits.listings.burst as usize + offers;
    assert!(told <= messages, "{told} messages about the list");
    assert!(told > messages / 2, "{told} messages about the list");
}

#[tokio::test]
async fn a_crowd_of_guests_costs_a_bounded_place_and_others_play_on() {
    const OPENINGS: u32 = 6;
    let limits = Limits {
        seeks: 12,
        seeks_of_address: 2,
        rooms_by_terms: 24,
        ended: 24,
        ended_of_address: 5,
        room_openings_of_address: Rate {
            burst: OPENINGS,
            per_second: 0,
        },
        seekings_of_address: Rate {
            burst: 4,
            per_second: 1,
        },
        ..wide()
    };
    let folder = Folder::new();
    let (server, key) = behind_a_proxy(&folder, limits);
    let mut crowd = JoinSet::new();
    for number in 0..NETWORKS * ROUNDS {
        // Each network of 64 bits has all addresses that it wants.
        let from = format!("2001:db8:{:x}:1::{number:x}", number % NETWORKS);
        let stranger = Stranger {
            relay: server.addr,
            witness: key,
            from,
            number,
            now: now(),
        };
        crowd.spawn(async move { (stranger.offers().await, stranger.ends().await) });
    }
    let mut stays = crowd.join_all().await;
    let most = NETWORKS as usize * OPENINGS as usize;
    let ended = |counts: &Counts| counts.signed_games == 0;
    while !ended(&server.counts()) {
        tokio::task::yield_now().await;
    }
    let Counts {
        seeking,
        signed_ended,
        kept_ended,
        busy,
        ..
    } = server.counts();
    let of_networks = |each: usize| each * NETWORKS as usize;
    assert!(seeking <= of_networks(2), "{seeking} offers");
    assert!(signed_ended <= most, "{signed_ended} games");
    assert!(kept_ended <= of_networks(5), "{kept_ended} ended games");
    assert!(busy > 0, "more was asked than is given");
    // Two others find each other, play, and their game is kept.
    let mut alice = Visitor::enter_from(server.addr, "192.0.2.1").await;
    let mut bob = Visitor::enter_from(server.addr, "192.0.2.2").await;
    let offer = alice.offer(offer(1), None).await;
    bob.take(offer, b"terms").await;
    let (take, letter) = alice.taken(offer).await;
    alice
        .say(ToLobby::Accept {
            offer,
            take,
            letter,
            stays: false,
        })
        .await;
    bob.accepted().await;
    let play = play(1, key);
    let join = async |player, from| {
        let seat = Seat::join_from(server.addr, &play, player, from).await;
        seat.expect("a socket")
    };
    let mut seats = [
        join(Player::One, "192.0.2.1").await,
        join(Player::Two, "192.0.2.2").await,
    ];
    let ended = super::table::play_on(&mut seats, &play, &[], &LINE[..6]).await;
    assert!(ended.is_some());
    seats[0].say(play.made(&LINE)).await;
    seats[1].end().await;
    let told = |message| matches!(message, FromWitness::Told(_)).then_some(());
    seats[0].until(told).await;
    while server.counts().kept_ended == kept_ended {
        tokio::task::yield_now().await;
    }
    let counts = server.counts();
    assert_eq!(counts.kept_ended, kept_ended + 1);
    assert_eq!(counts.pairs, 1);
    stays.clear();
}
