//! The lobby of signed games: offers, those who take them, and those who only want to be in the way.

use std::fs;
use std::time::Duration;

use codec::Encode as _;
use connect4_protocol::signed::listing::{self, FromListing};
use connect4_protocol::signed::lobby::{
    Counts, FromLobby, Invite, Letter, MAX_LEN, NotPaired, Offer, PATH, ToLobby, WitnessAt, read,
};
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::ToWitness;
use connect4_relay::{Limits, Rate};
use connect4_rules::Player;
use connect4_testing::dice::Dice;
use connect4_testing::lobby::{Visitor, letter, offer};
use connect4_testing::room::Seat;
use connect4_testing::signed::CHAIN;
use connect4_testing::socket::Socket;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use super::listing::recorder;
use super::table::{Folder, behind_a_proxy, both, now, play, play_on, shared};
use crate::hostile::mutated;
use crate::server::{Server, wide};

const INVITE: Invite = [9; 16];

fn start(limits: Limits) -> Server {
    Server::start(limits)
}

#[tokio::test]
async fn the_lobby_names_the_witness_that_the_relay_is() {
    let folder = Folder::new();
    let (witnessed, key) = shared(&folder);
    let other = start(wide());
    for (server, expected) in [
        (
            &witnessed,
            Some(WitnessAt {
                key,
                chain_id: CHAIN.id,
                genesis: CHAIN.genesis,
            }),
        ),
        (&other, None),
    ] {
        let stream = TcpStream::connect(server.addr).await.expect("it listens");
        let mut socket = Socket::over(stream, PATH).await.expect("a socket");
        match socket.next_of(read).await {
            Some(FromLobby::Welcome { time, witness }) => {
                assert_eq!(witness, expected);
                assert!((time / 1_000).abs_diff(now()) < 60, "{time}");
            }
            told => panic!("{told:?}"),
        }
    }
}

/// A host serves its lobby before it is a witness, and a log can be put aside while it runs. Terms with the key before
/// would make no game.
#[tokio::test]
async fn those_in_the_lobby_are_told_of_each_new_witness() {
    let folder = Folder::new();
    let (server, key) = shared(&folder);
    let empty = fs::read(folder.log()).expect("a log");
    let play = play(1, key);
    let mut seats = both(server.addr, &play).await;
    let receipt = play_on(&mut seats, &play, &[], &[3]).await;
    let receipt = receipt.expect("a receipt");
    drop((seats, server));
    drop(folder.open());
    let server = Server::awaiting_witness(wide());
    let mut alice = Visitor::enter(server.addr).await;
    let id = alice.offer(offer(1), None).await;
    fs::write(folder.log(), empty).expect("a file");
    server.begin_witness(folder.open());
    assert_eq!(alice.witness().await, Some(key));
    let mut lists = recorder(&server, key).await;
    let mut bob = Seat::open(server.addr, key, play.number).await;
    bob.send(ToWitness::Held(receipt)).await;
    assert_eq!(bob.refusal().await, Refusal::OtherWitness);
    let new = server.witness_after(key).await;
    assert_eq!(alice.witness().await, Some(new));
    // It signs by the key in the path alone.
    let refused = FromListing::Refused(Refusal::OtherWitness);
    assert_eq!(lists.next_of(listing::read).await, Some(refused));
    // The offer may be one with a stake, which names no witness.
    let mut carol = Visitor::enter(server.addr).await;
    carol.take(id, b"terms").await;
    assert_eq!(alice.taken(id).await.1, letter(b"terms"));
}

#[tokio::test]
async fn an_offer_is_taken_once_and_both_hear_of_it() {
    let server = start(wide());
    let mut alice = Visitor::enter(server.addr).await;
    let id = alice.offer(offer(1), None).await;
    let (mut bob, mut carol) = (
        Visitor::enter(server.addr).await,
        Visitor::enter(server.addr).await,
    );
    bob.say(ToLobby::List { live: false }).await;
    assert_eq!(bob.listed(&offer(1)).await, id);
    carol.follow().await;
    bob.take(id, b"terms").await;
    carol.gone(id).await;
    carol.take(id, b"other terms").await;
    assert_eq!(carol.not_paired().await, NotPaired::Taken);
    let (take, text) = alice.taken(id).await;
    assert_eq!(text, letter(b"terms"));
    // A taker that is declined makes place for the next, and nobody accepts for another.
    alice.say(ToLobby::Decline { offer: id, take }).await;
    assert_eq!(bob.not_paired().await, NotPaired::Declined);
    assert_eq!(carol.listed(&offer(1)).await, id);
    carol.take(id, b"other terms").await;
    let (second, text) = alice.taken(id).await;
    assert_eq!(text, letter(b"other terms"));
    let answer = letter(b"signed");
    let accept = |take| ToLobby::Accept {
        offer: id,
        take,
        letter: answer.clone(),
        stays: false,
    };
    let mut mallory = Visitor::enter(server.addr).await;
    mallory.say(accept(second)).await;
    assert_eq!(mallory.not_paired().await, NotPaired::Gone);
    alice.say(accept(take)).await;
    assert_eq!(alice.not_paired().await, NotPaired::Gone, "an old one");
    alice.say(accept(second)).await;
    assert_eq!(carol.accepted().await, (id, answer.clone()));
    assert_eq!(alice.accepted().await, (id, answer.clone()));
    bob.take(id, b"late").await;
    assert_eq!(bob.not_paired().await, NotPaired::Gone);
    let counts = server.counts();
    assert_eq!((counts.seeks, counts.answers, counts.pairs), (1, 2, 1));
    assert_eq!(counts.seeking, 0);
}

/// Who takes an offer with a stake may never pay for it: others find it all the same.
#[tokio::test]
async fn an_offer_that_stays_is_taken_by_others_after_one_is_accepted() {
    let server = start(wide());
    let mut alice = Visitor::enter(server.addr).await;
    let id = alice.offer(offer(1), None).await;
    let [mut mallory, mut bob] = [
        Visitor::enter(server.addr).await,
        Visitor::enter(server.addr).await,
    ];
    bob.follow().await;
    let answer = letter(b"pay");
    for stays in [true, true, false] {
        mallory.take(id, b"terms").await;
        bob.gone(id).await;
        let (take, _) = alice.taken(id).await;
        let letter = answer.clone();
        let accept = ToLobby::Accept {
            offer: id,
            take,
            letter,
            stays,
        };
        alice.say(accept).await;
        for player in [&mut alice, &mut mallory] {
            assert_eq!(player.accepted().await, (id, answer.clone()));
        }
        if stays {
            assert_eq!(bob.listed(&offer(1)).await, id);
        }
        assert_eq!(server.counts().seeking, usize::from(stays));
    }
    bob.take(id, b"late").await;
    assert_eq!(bob.not_paired().await, NotPaired::Gone);
}

#[tokio::test]
async fn an_offer_is_there_as_long_as_its_socket() {
    let server = start(wide());
    let mut watcher = Visitor::enter(server.addr).await;
    watcher.follow().await;
    let mut alice = Visitor::enter(server.addr).await;
    let first = alice.offer(offer(1), None).await;
    // Another one takes its place.
    let second = alice.offer(offer(2), None).await;
    watcher.gone(first).await;
    assert_eq!(watcher.listed(&offer(2)).await, second);
    alice.say(ToLobby::Withdraw).await;
    watcher.gone(second).await;
    let third = alice.offer(offer(3), None).await;
    watcher.take(third, b"terms").await;
    alice.taken(third).await;
    drop(alice);
    assert_eq!(watcher.not_paired().await, NotPaired::Gone);
    // A taker that goes away makes place.
    let mut bob = Visitor::enter(server.addr).await;
    let fourth = bob.offer(offer(4), None).await;
    watcher.take(fourth, b"terms").await;
    let (take, _) = bob.taken(fourth).await;
    drop(watcher);
    assert_eq!(bob.not_paired().await, NotPaired::Gone);
    let letter = Letter::default();
    let offer = fourth;
    bob.say(ToLobby::Accept {
        offer,
        take,
        letter,
        stays: false,
    })
    .await;
    assert_eq!(bob.not_paired().await, NotPaired::Gone);
    assert_eq!(server.counts().seeking, 1);
}

/// A letter to an offer that is replaced meanwhile is none to the one in its place.
#[tokio::test]
async fn a_taking_is_of_the_offer_that_it_names() {
    let server = start(wide());
    let mut alice = Visitor::enter(server.addr).await;
    let mut bob = Visitor::enter(server.addr).await;
    let first = alice.offer(offer(1), None).await;
    bob.take(first, b"terms").await;
    let (take, _) = alice.taken(first).await;
    let second = alice.offer(offer(2), None).await;
    assert_eq!(bob.not_paired().await, NotPaired::Gone);
    let accept = |offer| ToLobby::Accept {
        offer,
        take,
        letter: letter(b"signed"),
        stays: false,
    };
    let gone = |offer| FromLobby::NotPaired {
        offer,
        why: NotPaired::Gone,
    };
    // Not the new one: that stands.
    alice.say(accept(first)).await;
    assert_eq!(alice.next().await, Some(gone(first)));
    alice.say(accept(second)).await;
    assert_eq!(alice.next().await, Some(gone(second)), "it is not taken");
    bob.take(second, b"terms").await;
    let (take, _) = alice.taken(second).await;
    let offer = first;
    alice.say(ToLobby::Decline { offer, take }).await;
    alice
        .say(ToLobby::Accept {
            offer: second,
            take,
            letter: letter(b"signed"),
            stays: false,
        })
        .await;
    assert_eq!(bob.accepted().await, (second, letter(b"signed")));
}

#[tokio::test]
async fn those_who_follow_the_list_are_told_how_many_wait_and_play() {
    let limits = Limits {
        counts: Duration::from_millis(1),
        ..wide()
    };
    let folder = Folder::new();
    let (server, key) = behind_a_proxy(&folder, limits);
    let told = |waiting, playing| {
        let counts = FromLobby::Counts(Counts { waiting, playing });
        move |message| (message == counts).then_some(())
    };
    let enter =
        async |address: u8| Visitor::enter_from(server.addr, &format!("192.0.2.{address}")).await;
    let mut carol = enter(3).await;
    carol.say(ToLobby::List { live: true }).await;
    // It follows the list.
    assert_eq!(carol.next().await, Some(FromLobby::Complete));
    carol.until(told(0, 0)).await;
    let mut alice = enter(1).await;
    alice.offer(offer(1), None).await;
    carol.until(told(1, 0)).await;
    // A friend's game is nobody else's.
    let mut bob = enter(2).await;
    bob.offer(offer(2), Some(INVITE)).await;
    let replaced = alice.offer(offer(3), None).await;
    let mut dave = enter(4).await;
    dave.offer(offer(4), None).await;
    carol.until(told(2, 0)).await;
    // One that is being taken waits still.
    bob.take(replaced, b"terms").await;
    let (take, letter) = alice.taken(replaced).await;
    let accept = ToLobby::Accept {
        offer: replaced,
        take,
        letter,
        stays: false,
    };
    alice.say(accept).await;
    carol.until(told(1, 0)).await;
    drop(dave);
    let game = play(1, key);
    let mut seats = Vec::new();
    for (player, from) in [(Player::One, "192.0.2.1"), (Player::Two, "192.0.2.2")] {
        let seat = Seat::join_from(server.addr, &game, player, from).await;
        seats.push(seat.expect("a socket"));
    }
    carol.until(told(0, 2)).await;
    drop(seats);
    carol.until(told(0, 0)).await;
}

#[tokio::test]
async fn an_offer_with_an_invite_is_seen_by_it_alone() {
    let server = start(wide());
    let mut alice = Visitor::enter(server.addr).await;
    let id = alice.offer(offer(1), Some(INVITE)).await;
    let mut mallory = Visitor::enter(server.addr).await;
    mallory.follow().await;
    mallory.take(id, b"guessed").await;
    assert_eq!(mallory.not_paired().await, NotPaired::Gone);
    let mut bob = Visitor::enter(server.addr).await;
    bob.say(ToLobby::Look(INVITE)).await;
    assert_eq!(bob.listed(&offer(1)).await, id);
    bob.take(id, b"terms").await;
    assert_eq!(alice.taken(id).await.1, letter(b"terms"));
}

/// A program that says nothing has gone.
#[tokio::test]
async fn an_offer_whose_program_is_silent_ends() {
    let limits = Limits {
        acceptance: Duration::from_millis(50),
        ..wide()
    };
    let server = start(limits);
    let mut alice = Visitor::enter(server.addr).await;
    let id = alice.offer(offer(1), None).await;
    let mut bob = Visitor::enter(server.addr).await;
    bob.take(id, b"terms").await;
    assert_eq!(bob.not_paired().await, NotPaired::Silent);
    assert_eq!(alice.not_paired().await, NotPaired::Silent);
    assert_eq!(server.counts().seeking, 0);
}

/// Whoever takes offers with junk is one of those whom its address counts, and ends nobody's offer.
#[tokio::test]
async fn junk_ends_no_offer() {
    let limits = Limits {
        seekings_of_address: Rate {
            burst: 6,
            per_second: 0,
        },
        ..wide()
    };
    let server = Server::behind_a_proxy(limits);
    let mut alice = Visitor::enter_from(server.addr, "192.0.2.1").await;
    let id = alice.offer(offer(1), None).await;
    let mut mallory = Visitor::enter_from(server.addr, "192.0.2.66").await;
    for number in 0..6 {
        mallory.take(id, &[number; 1_200]).await;
        let (take, _) = alice.taken(id).await;
        alice.say(ToLobby::Decline { offer: id, take }).await;
        assert_eq!(mallory.not_paired().await, NotPaired::Declined);
    }
    mallory.take(id, b"once more").await;
    assert_eq!(mallory.refusal().await, Refusal::Busy);
    let mut bob = Visitor::enter_from(server.addr, "192.0.2.2").await;
    bob.take(id, b"terms").await;
    assert_eq!(alice.taken(id).await.1, letter(b"terms"));
}

/// An offer is ended by another one that takes its place, and not by one that is refused.
#[tokio::test]
async fn an_offer_that_is_refused_leaves_the_one_before_where_it_is() {
    let limits = Limits {
        // Of all: a neighbour has the last place.
        seeks: 2,
        seeks_of_address: 1,
        seekings_of_address: Rate {
            burst: 2,
            per_second: 0,
        },
        ..wide()
    };
    let server = Server::behind_a_proxy(limits);
    let mut alice = Visitor::enter_from(server.addr, "192.0.2.1").await;
    alice.offer(offer(1), None).await;
    let mut neighbour = Visitor::enter_from(server.addr, "198.51.100.1").await;
    neighbour.offer(offer(9), None).await;
    // It has its place, however full it is.
    let second = alice.offer(offer(2), None).await;
    let (third, invite) = (offer(3), None);
    alice
        .say(ToLobby::Offer {
            offer: third,
            invite,
        })
        .await;
    assert_eq!(alice.refusal().await, Refusal::Busy);
    let mut bob = Visitor::enter_from(server.addr, "192.0.2.2").await;
    bob.follow().await;
    bob.take(second, b"terms").await;
    assert_eq!(alice.taken(second).await.1, letter(b"terms"));
    assert_eq!(server.counts().seeking, 2);
}

#[tokio::test]
async fn an_address_has_so_many_offers_and_leaves_places_for_others() {
    let limits = Limits {
        seeks: 12,
        seeks_of_address: 2,
        ..wide()
    };
    let server = Server::behind_a_proxy(limits);
    let mut stay = Vec::new();
    let mut is_listed = async |number: u64, address: u64| {
        let mut visitor = Visitor::enter_from(server.addr, &format!("192.0.2.{address}")).await;
        let (what, invite) = (offer(number), None);
        visitor
            .say(ToLobby::Offer {
                offer: what,
                invite,
            })
            .await;
        let is_listed = visitor
            .until(|message| match message {
                FromLobby::Listed { .. } => Some(true),
                FromLobby::Refused(Refusal::Busy) => Some(false),
                _ => None,
            })
            .await;
        stay.push(visitor);
        is_listed
    };
    let mut offers = [0; 5];
    for number in 0..30 {
        offers[number as usize % 5] += u32::from(is_listed(number, number % 5).await);
    }
    assert_eq!(
        offers, [1; 5],
        "a second would be more than an eighth of the rest"
    );
    for number in 30..37 {
        assert!(is_listed(number, number).await, "another one");
    }
    assert!(!is_listed(37, 37).await, "without a place");
    assert_eq!(server.counts().seeking, 12);
}

/// Junk is refused, and others go on as if nothing was.
#[tokio::test]
async fn forged_bytes_are_refused() {
    let server = start(wide());
    let mut alice = Visitor::enter(server.addr).await;
    let id = alice.offer(offer(1), None).await;
    let mut dice = Dice(4);
    let seen = [
        ToLobby::Offer {
            offer: offer(7),
            invite: Some(INVITE),
        }
        .encode(),
        ToLobby::Take {
            offer: id,
            letter: letter(b"terms"),
        }
        .encode(),
        ToLobby::Decline { offer: id, take: 2 }.encode(),
        ToLobby::List { live: true }.encode(),
    ];
    for _ in 0..200 {
        let mut mallory = Visitor::enter(server.addr).await;
        for _ in 0..4 {
            let junk = mutated(&mut dice, &seen);
            mallory.0.send_frame(junk).await;
        }
        drop(mallory);
    }
    let mut long = vec![0];
    vec![7_u8; Offer::MOST + 1].encode_to(&mut long);
    long.push(0);
    for frame in [long, vec![7; MAX_LEN + 1], Vec::new()] {
        let mut mallory = Visitor::enter(server.addr).await;
        mallory.0.send_frame(Message::Binary(frame.into())).await;
        assert_eq!(mallory.refusal().await, Refusal::BadMessage);
    }
    // Some of what was sent was a message.
    let mut bob = Visitor::enter(server.addr).await;
    loop {
        bob.take(id, b"of bob").await;
        let (take, text) = alice.taken(id).await;
        if text == letter(b"of bob") {
            break;
        }
        alice.say(ToLobby::Decline { offer: id, take }).await;
        // It waits for another one, or is told that it has been declined.
        bob.not_paired().await;
    }
}
