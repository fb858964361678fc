//! Rooms of games by signed terms.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use connect4_protocol::Error;
use connect4_protocol::fast::wire::{FromRelay, Refusal, ToRelay};
use connect4_protocol::fast::{Evidence, FIRST, GameTerms, Party, Signature};
use connect4_relay::{Limits, Rate};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::fast::{FastPlay, session_key};
use connect4_testing::socket::Socket;
use connect4_testing::terms::TermsPlay;

use crate::server::{Server, Table, wide};

/// Moves of which the last completes a line.
const LINE: [u8; 7] = [3, 4, 3, 4, 3, 4, 3];
/// A short time, for limits that the test waits for.
const SOON: Duration = Duration::from_millis(50);

/// The time of this machine, in seconds since 1970.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.expect("later than 1970").as_secs()
}

fn start(limits: Limits) -> Server {
    Server::start(&Table::of(&[]), limits)
}

/// A player opens the room, plays and leaves. Returns when the relay has seen that.
async fn open_and_leave(server: &Server, play: &TermsPlay, bins: &[u8]) {
    let mut alice = Socket::join_by_terms(server.addr, play, Player::One).await;
    alice.send(play.position(bins)).await;
    alice.moves(bins).await;
    drop(alice);
    while server.counts().sockets > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn two_guests_play_in_a_room_that_their_terms_open() {
    let play = TermsPlay::new(1, now());
    let server = start(wide());
    let mut alice = Socket::join_by_terms(server.addr, &play, Player::One).await;
    let mut bob = Socket::join_by_terms(server.addr, &play, Player::Two).await;
    for turns in 1..=LINE.len() {
        let bins = &LINE[..turns];
        let mover = if turns % 2 == 1 { &mut alice } else { &mut bob };
        mover.send(play.position(bins)).await;
        for socket in [&mut alice, &mut bob] {
            assert_eq!(socket.moves(bins).await, play.evidence(bins, None));
        }
    }
    let counts = server.counts();
    assert_eq!((counts.rooms, counts.rooms_by_terms), (1, 1));
}

#[tokio::test]
async fn a_watcher_is_told_the_terms_first() {
    let play = TermsPlay::new(1, now());
    let server = start(wide());
    let mut alice = Socket::join_by_terms(server.addr, &play, Player::One).await;
    alice.send(play.position(&[3])).await;
    alice.moves(&[3]).await;
    let mut watcher = Socket::open(server.addr, play.number).await;
    watcher.welcome().await;
    assert_eq!(watcher.next().await, Some(FromRelay::Terms(play.signed)));
    assert_eq!(watcher.position().await, play.evidence(&[3], None));
}

#[tokio::test]
async fn without_the_terms_there_is_no_room() {
    let limits = Limits {
        handshake: SOON,
        ..wide()
    };
    let (play, other) = (TermsPlay::new(1, now()), TermsPlay::new(2, now()));
    let server = start(limits);
    let mut unsigned = play.signed;
    unsigned.signatures.two = Signature::NONE;
    for (first, refusal) in [
        (None, Refusal::NoSuchGame),
        (Some(play.join(Player::One, [0; 32])), Refusal::NoSuchGame),
        (Some(ToRelay::Terms(other.signed)), Refusal::NoSuchGame),
        (
            Some(ToRelay::Terms(unsigned)),
            Refusal::Invalid(Error::BadSignature),
        ),
    ] {
        let mut socket = Socket::open(server.addr, play.number).await;
        socket.welcome().await;
        if let Some(first) = first {
            socket.send(first).await;
        }
        assert_eq!(socket.refusal().await, refusal, "{first:?}");
    }
    assert_eq!(server.counts().rooms, 0);
}

#[tokio::test]
async fn players_bring_terms_and_positions_back_after_a_restart() {
    let play = TermsPlay::new(1, now());
    let server = start(wide());
    open_and_leave(&server, &play, &[3]).await;
    let mut bob = Socket::join_by_terms(server.addr, &play, Player::Two).await;
    assert_eq!(*bob.moves(&[3]).await.moves, [3], "an empty room is kept");
    drop(server);
    bob.closed().await;
    let server = start(wide());
    let mut bob = Socket::join_by_terms(server.addr, &play, Player::Two).await;
    assert_eq!(bob.position().await, Evidence::start());
    bob.send(play.position(&[3])).await;
    let mut alice = Socket::join_by_terms(server.addr, &play, Player::One).await;
    alice.moves(&[3]).await;
}

#[tokio::test]
async fn rooms_by_terms_take_no_place_of_rooms_of_the_chain() {
    let (first, second) = (FastPlay::new(FIRST), FastPlay::new(FIRST + 1));
    let limits = Limits {
        rooms: 2,
        rooms_by_terms: 1,
        ..wide()
    };
    let server = Server::start(&Table::of(&[&first, &second]), limits);
    let chain = |play: FastPlay| async move {
        let mut alice = Socket::join(server.addr, &play, Player::One).await;
        alice.send(play.position(&[3])).await;
        alice.moves(&[3]).await;
    };
    chain(first.clone()).await;
    let plays = [1, 2].map(|number| TermsPlay::new(number, now()));
    let mut inside = Socket::join_by_terms(server.addr, &plays[0], Player::One).await;
    inside.position().await;
    let mut nobody = Socket::join_by_terms(server.addr, &plays[1], Player::One).await;
    assert_eq!(nobody.refusal().await, Refusal::Full);
    drop((inside, nobody));
    while server.counts().sockets > 0 {
        tokio::task::yield_now().await;
    }
    // An empty one gives way to each other.
    open_and_leave(&server, &plays[1], &[3]).await;
    chain(second).await;
    let counts = server.counts();
    assert_eq!((counts.rooms, counts.rooms_by_terms), (2, 0));
    assert_eq!(counts.busy, 1);
    let mut watcher = Socket::open(server.addr, first.number).await;
    watcher.moves(&[3]).await;
}

#[tokio::test]
async fn a_key_has_a_few_rooms_of_which_the_empty_ones_give_way() {
    let limits = Limits {
        rooms_of_key: 2,
        ..wide()
    };
    let server = start(limits);
    let plays = [1, 2, 3, 4].map(again);
    open_and_leave(&server, &plays[0], &[3]).await;
    let mut open = Vec::new();
    for play in &plays[1..3] {
        let mut alice = Socket::join_by_terms(server.addr, play, Player::One).await;
        alice.present(true, false, 0).await;
        open.push(alice);
    }
    assert_eq!(server.counts().rooms, 2, "the first has made place");
    let mut nobody = Socket::join_by_terms(server.addr, &plays[3], Player::One).await;
    assert_eq!(nobody.refusal().await, Refusal::Full);
    // Others are not concerned.
    open_and_leave_beside(&server, &TermsPlay::new(9, now())).await;
}

/// Who has the other player's signature on the terms of many games opens all of their rooms, and stays.
#[tokio::test]
async fn an_opponent_who_stays_in_many_rooms_keeps_a_player_out_of_no_other_one() {
    let limits = Limits {
        rooms_of_key: 2,
        ..wide()
    };
    let server = start(limits);
    let mut stays = Vec::new();
    for play in [1, 2].map(again) {
        let mut mallory = Socket::join_by_terms(server.addr, &play, Player::Two).await;
        mallory.present(false, true, 0).await;
        stays.push(mallory);
    }
    let mut alice = Socket::join_by_terms(server.addr, &against(77), Player::One).await;
    alice.present(true, false, 0).await;
    assert_eq!(stays[0].refusal().await, Refusal::NoSuchGame, "the oldest");
}

/// The same, while the player's line to a game that is played is down for a moment and the opponent waits there.
#[tokio::test]
async fn an_opponent_of_old_closes_no_room_whose_player_was_there() {
    let limits = Limits {
        rooms_of_key: 2,
        ..wide()
    };
    let server = start(limits);
    let play = against(77);
    let mut carol = Socket::join_by_terms(server.addr, &play, Player::Two).await;
    let mut alice = Socket::join_by_terms(server.addr, &play, Player::One).await;
    alice.send(play.position(&[3])).await;
    carol.moves(&[3]).await;
    drop(alice);
    carol.present(false, true, 0).await;
    let mut mallory = Vec::new();
    for old in [1, 2, 3].map(again) {
        let mut socket = Socket::join_by_terms(server.addr, &old, Player::Two).await;
        socket.present(false, true, 0).await;
        mallory.push(socket);
    }
    let mut alice = Socket::join_by_terms(server.addr, &play, Player::One).await;
    let shown = alice.position().await;
    assert_eq!(*shown.moves, [3], "the room was not closed");
    carol.present(true, true, 0).await;
    for closed in &mut mallory[..2] {
        assert_eq!(closed.refusal().await, Refusal::NoSuchGame);
    }
}

#[tokio::test]
async fn nothing_is_closed_for_a_room_that_is_refused() {
    let limits = Limits {
        rooms_of_key: 1,
        ..wide()
    };
    let server = start(limits);
    let ours = again(1);
    let mut opponent = Socket::join_by_terms(server.addr, &ours, Player::Two).await;
    opponent.present(false, true, 0).await;
    // Who plays elsewhere has no place for one more room.
    let elsewhere = TermsPlay::new(9, now());
    let mut busy = Socket::join_by_terms(server.addr, &elsewhere, Player::Two).await;
    busy.present(false, true, 0).await;
    let mut terms = ours.signed.terms;
    terms.players.two = elsewhere.signed.terms.players.two;
    let one = ours.keys.one.clone();
    let two = elsewhere.keys.two.clone();
    let refused = TermsPlay::of(&terms, ByPlayer { one, two });
    let mut nobody = Socket::join_by_terms(server.addr, &refused, Player::One).await;
    assert_eq!(nobody.refusal().await, Refusal::Full);
    let alice = Socket::join_by_terms(server.addr, &ours, Player::One).await;
    opponent.present(true, true, 0).await;
    drop(alice);
}

/// A game of the same two players, by terms that differ by the nonce alone.
fn again(nonce: u32) -> TermsPlay {
    let first = TermsPlay::new(1, now());
    let mut terms = first.signed.terms;
    terms.nonce = nonce;
    TermsPlay::of(&terms, first.keys)
}

/// A game of the same player one against another player, who has the session key of this number.
fn against(number: u64) -> TermsPlay {
    let first = TermsPlay::new(1, now());
    let two = session_key(number);
    let mut terms = first.signed.terms;
    terms.players.two = Party::Guest(two.address());
    let one = first.keys.one;
    TermsPlay::of(&terms, ByPlayer { one, two })
}

#[tokio::test]
async fn terms_that_no_chain_takes_any_more_open_no_room() {
    let server = start(wide());
    let late = now() - u64::from(GameTerms::RECORDED) - 1;
    for time in [late, now() + 2 * u64::from(GameTerms::AHEAD)] {
        let play = TermsPlay::new(1, time);
        let mut alice = Socket::join_by_terms(server.addr, &play, Player::One).await;
        let refused = Refusal::Invalid(Error::TermsExpired);
        assert_eq!(alice.refusal().await, refused);
    }
    assert_eq!(server.counts().rooms, 0);
}

async fn open_and_leave_beside(server: &Server, play: &TermsPlay) {
    let mut alice = Socket::join_by_terms(server.addr, play, Player::One).await;
    assert_eq!(alice.position().await, Evidence::start());
}

#[tokio::test]
async fn an_address_opens_so_many_rooms() {
    let limits = Limits {
        room_openings_of_address: Rate {
            burst: 2,
            per_second: 0,
        },
        ..wide()
    };
    let server = Server::behind_a_proxy(&Table::of(&[]), limits);
    let open = async |number, visitor| {
        let play = TermsPlay::new(number, now());
        let socket = Socket::passed_on(server.addr, play.number, visitor).await;
        let mut socket = socket.expect("a socket");
        socket.welcome().await;
        socket.send(ToRelay::Terms(play.signed)).await;
        match socket.next().await {
            Some(FromRelay::Terms(_)) => None,
            Some(FromRelay::Refused(refusal)) => Some(refusal),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(open(1, "192.0.2.1").await, None);
    assert_eq!(open(2, "192.0.2.1").await, None);
    assert_eq!(open(3, "192.0.2.1").await, Some(Refusal::Full));
    assert_eq!(open(3, "192.0.2.2").await, None, "another address");
    assert_eq!(open(3, "192.0.2.1").await, None, "it is open");
}

#[tokio::test]
async fn a_room_is_kept_for_a_while_after_its_game_has_ended() {
    let limits = Limits {
        keep_ended: SOON,
        ..wide()
    };
    let server = start(limits);
    open_and_leave(&server, &TermsPlay::new(1, now()), &[3]).await;
    open_and_leave(&server, &TermsPlay::new(2, now()), &LINE).await;
    while server.counts().rooms_by_terms > 1 {
        tokio::time::sleep(SOON).await;
    }
    let limits = Limits {
        keep_unfinished: SOON,
        ..wide()
    };
    let server = start(limits);
    open_and_leave(&server, &TermsPlay::new(1, now()), &[3]).await;
    while server.counts().rooms_by_terms > 0 {
        tokio::time::sleep(SOON).await;
    }
}

#[tokio::test]
async fn a_rematch_begins_when_both_have_signed_it() {
    let play = TermsPlay::new(1, now() - 1);
    let server = start(wide());
    let mut alice = Socket::join_by_terms(server.addr, &play, Player::One).await;
    let mut bob = Socket::join_by_terms(server.addr, &play, Player::Two).await;
    let proposed = play.rematch(Player::Two, now(), 5);
    bob.send(ToRelay::Rematch(proposed)).await;
    assert_eq!(bob.refusal().await, Refusal::OtherPosition, "it goes on");
    alice.send(play.position(&LINE)).await;
    bob.moves(&LINE).await;
    // Of somebody else, and of another time.
    let stranger = TermsPlay::new(2, now()).rematch(Player::Two, now(), 5);
    for (wrong, error) in [
        (stranger, Error::BadSignature),
        (play.rematch(Player::Two, 1, 5), Error::TermsExpired),
        // With the time of the game before, its terms could be those of a game that was played.
        (
            play.rematch(Player::Two, play.signed.terms.time, 5),
            Error::TermsExpired,
        ),
    ] {
        let mut eve = Socket::open(server.addr, play.number).await;
        eve.send(ToRelay::Rematch(wrong)).await;
        assert_eq!(eve.refusal().await, Refusal::Invalid(error));
    }
    bob.send(ToRelay::Rematch(proposed)).await;
    let rematch = |message| match message {
        FromRelay::Rematch(rematch) => Some(rematch),
        _ => None,
    };
    assert_eq!(alice.until(rematch).await, proposed);
    // She proposes another one at the same time: the first stays, and is told to her again.
    alice
        .send(ToRelay::Rematch(play.rematch(Player::One, now(), 6)))
        .await;
    assert_eq!(alice.until(rematch).await, proposed);
    let mut agreed = proposed;
    agreed.signatures.one = play.rematch(Player::One, proposed.time, 5).signatures.one;
    alice.send(ToRelay::Rematch(agreed)).await;
    bob.until(|message| (rematch(message)? == agreed).then_some(()))
        .await;
    let next = agreed.signed(&play.signed).expect("both have signed");
    assert_eq!(next.terms.players.one, play.signed.terms.players.two);
    let keys = connect4_rules::ByPlayer {
        one: play.keys.two.clone(),
        two: play.keys.one.clone(),
    };
    let next = TermsPlay {
        signed: next,
        ..TermsPlay::of(&next.terms, keys)
    };
    let mut first = Socket::join_by_terms(server.addr, &next, Player::One).await;
    let mut second = Socket::join_by_terms(server.addr, &next, Player::Two).await;
    first.send(next.position(&[0])).await;
    second.moves(&[0]).await;
    assert_eq!(server.counts().rematches, 2);
}
