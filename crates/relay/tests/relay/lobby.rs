//! Seeks, answers, invites, and what becomes of them.

use std::collections::BTreeSet;
use std::time::Duration;

use connect4_protocol::fast::lobby::{
    Answer, AnswerId, FromLobby, Invite, NotPaired, Seek, SeekId, Side, SignedSeek, ToLobby,
    seeker_is_first,
};
use connect4_protocol::fast::wire::{FromRelay, Refusal, ToRelay};
use connect4_protocol::fast::{Native, SessionKey, Signature, SignedTerms};
use connect4_protocol::{ClockSpec, Error};
use connect4_relay::{Limits, Rate};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::dice::Dice;
use connect4_testing::fast::session_key;
use connect4_testing::socket::Socket;
use connect4_testing::terms::{DOMAIN, TermsPlay, answer, seek};
use tokio_tungstenite::tungstenite::Message;

use crate::by_terms::now;
use crate::hostile::mutated;
use crate::server::{Server, Table, wide};

const SECRET: [u8; 32] = [5; 32];
const INVITE: Invite = [9; 16];
/// A short time, for limits that the test waits for.
const SOON: Duration = Duration::from_millis(50);

fn start(limits: Limits) -> Server {
    Server::start(&Table::of(&[]), limits)
}

async fn sought(socket: &mut Socket, key: &SessionKey, side: Side, invite: Option<Invite>) {
    let seek = seek(key, side, &SECRET, now(), socket.nonce());
    socket.tell_lobby(ToLobby::Seek { seek, invite }).await;
}

/// Seeks, and waits until it is listed.
async fn list(socket: &mut Socket, key: &SessionKey, side: Side) -> (SeekId, SignedSeek) {
    sought(socket, key, side, None).await;
    let nonce = socket.nonce();
    let its_own = |message| match message {
        FromLobby::Listed { id, seek, .. } if seek.nonce == nonce => Some((id, seek)),
        _ => None,
    };
    socket.until_in_lobby(its_own).await
}

async fn answered(socket: &mut Socket, id: SeekId, answer: Answer) {
    let answer = ToLobby::Answer { seek: id, answer };
    socket.tell_lobby(answer).await;
}

async fn gone(socket: &mut Socket, id: SeekId) {
    let gone = |message| (message == FromLobby::Gone { id }).then_some(());
    socket.until_in_lobby(gone).await;
}

async fn not_paired(socket: &mut Socket, id: SeekId) -> NotPaired {
    let why = |message| match message {
        FromLobby::NotPaired { seek, why } if seek == id => Some(why),
        _ => None,
    };
    socket.until_in_lobby(why).await
}

async fn an_answer(socket: &mut Socket) -> (AnswerId, Answer) {
    let answer = |message| match message {
        FromLobby::Answered { id, answer } => Some((id, answer)),
        _ => None,
    };
    socket.until_in_lobby(answer).await
}

async fn accept(socket: &mut Socket, key: &SessionKey, seek: &SignedSeek) {
    let (id, answer) = an_answer(socket).await;
    let decided = answer.decided(&seek.seek, &SECRET, &Native);
    let (terms, _) = decided.expect("the secret");
    let accept = ToLobby::Accept {
        answer: id,
        secret: SECRET,
        signature: key.sign(&terms.digest(&DOMAIN, &Native)),
    };
    socket.tell_lobby(accept).await;
}

/// What the other one is told then.
async fn accepted(socket: &mut Socket, seek: &SignedSeek, answer: &Answer) -> SignedTerms {
    let told = |message| match message {
        FromLobby::Accepted {
            secret, signature, ..
        } => Some((secret, signature)),
        _ => None,
    };
    let (secret, signature) = socket.until_in_lobby(told).await;
    let signed = answer.accepted(seek, &secret, signature, &Native);
    signed.expect("the secret of the commitment")
}

async fn refusal(socket: &mut Socket) -> Refusal {
    let refused = |message| match message {
        FromLobby::Refused(refusal) => Some(refusal),
        _ => None,
    };
    socket.until_in_lobby(refused).await
}

#[tokio::test]
async fn a_seek_that_is_answered_becomes_a_game() {
    let server = start(wide());
    let (alice, bob) = (session_key(1), session_key(2));
    for side in [Side::Random, Side::First, Side::Second] {
        let mut seeker = Socket::lobby(server.addr).await;
        let mut other = Socket::lobby(server.addr).await;
        let (id, _) = list(&mut seeker, &alice, side).await;
        let (listed, seen) = other.listed().await;
        assert_eq!(listed, id);
        assert_eq!(seen.check(now(), &DOMAIN, &Native), Ok(()));
        let reply = answer(&bob, &seen.seek, now(), 77);
        answered(&mut other, id, reply).await;
        accept(&mut seeker, &alice, &seen).await;
        let signed = accepted(&mut other, &seen, &reply).await;
        assert_eq!(accepted(&mut seeker, &seen, &reply).await, signed);
        let is_first = signed.terms.players.one.key() == alice.address();
        assert_eq!(
            is_first,
            match side {
                Side::Random => seeker_is_first(&SECRET, 77, &Native),
                side => side == Side::First,
            }
        );
        let keys = match is_first {
            true => [alice.clone(), bob.clone()],
            false => [bob.clone(), alice.clone()],
        };
        let [one, two] = keys;
        let play = TermsPlay {
            signed,
            ..TermsPlay::of(&signed.terms, ByPlayer { one, two })
        };
        let mut first = Socket::join_by_terms(server.addr, &play, Player::One).await;
        let mut second = Socket::join_by_terms(server.addr, &play, Player::Two).await;
        first.send(play.position(&[3])).await;
        second.moves(&[3]).await;
    }
    let counts = server.counts();
    assert_eq!((counts.seeks, counts.answers, counts.pairs), (3, 3, 3));
    assert_eq!(counts.seeking, 0);
}

#[tokio::test]
async fn the_answerer_sees_a_secret_that_is_not_the_one_of_the_commitment() {
    let seek = seek(&session_key(1), Side::Random, &SECRET, now(), [0; 32]);
    let answer = answer(&session_key(2), &seek.seek, now(), 77);
    let mut other = SECRET;
    while seeker_is_first(&other, 77, &Native) == seeker_is_first(&SECRET, 77, &Native) {
        other[0] += 1;
    }
    let accepted = answer.accepted(&seek, &other, Signature::NONE, &Native);
    assert_eq!(accepted, None);
}

#[tokio::test]
async fn who_comes_later_is_told_of_all_seeks_and_of_each_change() {
    let server = start(wide());
    let mut sockets = Vec::new();
    let mut ids = Vec::new();
    for number in 0..3 {
        let mut socket = Socket::lobby(server.addr).await;
        ids.push(list(&mut socket, &session_key(number), Side::First).await.0);
        sockets.push(socket);
    }
    let mut late = Socket::lobby(server.addr).await;
    for id in &ids {
        assert_eq!(late.listed().await.0, *id);
    }
    sockets[0].tell_lobby(ToLobby::Withdraw).await;
    gone(&mut late, ids[0]).await;
    drop(sockets.pop());
    gone(&mut late, ids[2]).await;
    // Another seek by the same key takes the place of the first.
    let mut again = Socket::lobby(server.addr).await;
    let (next, _) = list(&mut again, &session_key(1), Side::Second).await;
    gone(&mut late, ids[1]).await;
    assert_eq!(late.listed().await.0, next);
    assert_eq!(server.counts().seeking, 1);
}

#[tokio::test]
async fn of_two_who_answer_one_plays_and_the_other_is_told_at_once() {
    let server = start(wide());
    let alice = session_key(1);
    let mut seeker = Socket::lobby(server.addr).await;
    let mut bob = Socket::lobby(server.addr).await;
    let mut carol = Socket::lobby(server.addr).await;
    let (id, seek) = list(&mut seeker, &alice, Side::First).await;
    let of_bob = answer(&session_key(2), &seek.seek, now(), 1);
    answered(&mut bob, id, of_bob).await;
    gone(&mut carol, id).await;
    let of_carol = answer(&session_key(3), &seek.seek, now(), 1);
    answered(&mut carol, id, of_carol).await;
    assert_eq!(not_paired(&mut carol, id).await, NotPaired::Taken);
    accept(&mut seeker, &alice, &seek).await;
    accepted(&mut bob, &seek, &of_bob).await;
    answered(&mut carol, id, of_carol).await;
    assert_eq!(not_paired(&mut carol, id).await, NotPaired::Gone);
}

#[tokio::test]
async fn a_seek_is_listed_again_if_its_answer_comes_to_nothing() {
    let server = start(wide());
    let mut seeker = Socket::lobby(server.addr).await;
    let mut carol = Socket::lobby(server.addr).await;
    let (id, seek) = list(&mut seeker, &session_key(1), Side::Random).await;
    carol.listed().await;
    // The answerer vanishes.
    let mut bob = Socket::lobby(server.addr).await;
    answered(&mut bob, id, answer(&session_key(2), &seek.seek, now(), 1)).await;
    let (first, _) = an_answer(&mut seeker).await;
    drop(bob);
    assert_eq!(not_paired(&mut seeker, id).await, NotPaired::Gone);
    assert_eq!(carol.listed().await, (id, seek));
    // To accept it now makes no game.
    let late = ToLobby::Accept {
        answer: first,
        secret: SECRET,
        signature: Signature::NONE,
    };
    seeker.tell_lobby(late).await;
    assert_eq!(not_paired(&mut seeker, id).await, NotPaired::Gone);
    // The seeker does not want this one.
    let reply = answer(&session_key(3), &seek.seek, now(), 1);
    answered(&mut carol, id, reply).await;
    let (second, _) = an_answer(&mut seeker).await;
    seeker.tell_lobby(ToLobby::Decline { answer: second }).await;
    assert_eq!(not_paired(&mut carol, id).await, NotPaired::Declined);
    assert_eq!(carol.listed().await, (id, seek));
}

/// It would be listed again and again, and nobody would find a game by it.
#[tokio::test]
async fn a_seek_ends_whose_seeker_declines_three_answers() {
    let server = start(wide());
    let mut seeker = Socket::lobby(server.addr).await;
    let mut bob = Socket::lobby(server.addr).await;
    let (id, seek) = list(&mut seeker, &session_key(1), Side::First).await;
    bob.listed().await;
    for nonce in 1..=3 {
        let reply = answer(&session_key(2), &seek.seek, now(), nonce);
        answered(&mut bob, id, reply).await;
        let (number, _) = an_answer(&mut seeker).await;
        let declined = ToLobby::Decline { answer: number };
        seeker.tell_lobby(declined).await;
        assert_eq!(not_paired(&mut bob, id).await, NotPaired::Declined);
        if nonce < 3 {
            assert_eq!(bob.listed().await, (id, seek));
        }
    }
    gone(&mut seeker, id).await;
    assert_eq!(server.counts().seeking, 0);
}

#[tokio::test]
async fn the_answerer_is_told_if_the_seeker_vanishes_or_is_silent() {
    let limits = Limits {
        acceptance: SOON,
        ..wide()
    };
    let server = start(limits);
    let mut seeker = Socket::lobby(server.addr).await;
    let mut bob = Socket::lobby(server.addr).await;
    let (id, seek) = list(&mut seeker, &session_key(1), Side::First).await;
    let reply = answer(&session_key(2), &seek.seek, now(), 1);
    answered(&mut bob, id, reply).await;
    assert_eq!(not_paired(&mut bob, id).await, NotPaired::Silent);
    assert_eq!(not_paired(&mut seeker, id).await, NotPaired::Silent);
    assert_eq!(server.counts().seeking, 0);

    let server = start(wide());
    let mut seeker = Socket::lobby(server.addr).await;
    let mut bob = Socket::lobby(server.addr).await;
    let (id, seek) = list(&mut seeker, &session_key(1), Side::First).await;
    answered(&mut bob, id, answer(&session_key(2), &seek.seek, now(), 1)).await;
    an_answer(&mut seeker).await;
    drop(seeker);
    assert_eq!(not_paired(&mut bob, id).await, NotPaired::Gone);
}

#[tokio::test]
async fn an_invited_friend_alone_sees_the_seek() {
    let server = start(wide());
    let (alice, bob) = (session_key(1), session_key(2));
    let mut seeker = Socket::lobby(server.addr).await;
    let mut early = Socket::lobby(server.addr).await;
    early.tell_lobby(ToLobby::Look(INVITE)).await;
    let mut stranger = Socket::lobby(server.addr).await;
    sought(&mut seeker, &alice, Side::First, Some(INVITE)).await;
    let (id, seek) = seeker.listed().await;
    assert_eq!(early.listed().await, (id, seek));
    assert_eq!(server.counts().seeking, 1);
    let mut late = Socket::lobby(server.addr).await;
    late.tell_lobby(ToLobby::Look(INVITE)).await;
    assert_eq!(late.listed().await, (id, seek));
    // Somebody who guesses its number can't answer.
    answered(&mut stranger, id, answer(&bob, &seek.seek, now(), 1)).await;
    let complete = stranger.next_in_lobby().await;
    assert_eq!(complete, Some(FromLobby::Complete));
    let first = stranger.next_in_lobby().await;
    let why = NotPaired::Gone;
    assert_eq!(first, Some(FromLobby::NotPaired { seek: id, why }));
    let reply = answer(&bob, &seek.seek, now(), 1);
    answered(&mut late, id, reply).await;
    accept(&mut seeker, &alice, &seek).await;
    accepted(&mut late, &seek, &reply).await;
}

#[tokio::test]
async fn nobody_seeks_in_the_name_of_another_or_by_a_clock_that_runs_out_unseen() {
    let server = start(wide());
    let alice = session_key(1);
    let mut seeker = Socket::lobby(server.addr).await;
    let (_, seen) = list(&mut seeker, &alice, Side::First).await;
    let mut watcher = Socket::lobby(server.addr).await;
    watcher.listed().await;
    let forged = |nonce| {
        let mut forged = seek(&session_key(2), Side::First, &SECRET, now(), nonce);
        forged.seek.party = seen.seek.party;
        forged
    };
    let old = |nonce| seek(&session_key(2), Side::First, &SECRET, 1, nonce);
    // Who answers may have no wallet at hand when a clock runs on the chain.
    let short = |nonce| {
        let mut short = seek(&session_key(2), Side::First, &SECRET, now(), nonce);
        short.seek.clock = Some(ClockSpec {
            bank: Seek::MIN_BANK - 1,
            increment: 60,
        });
        short.signature = session_key(2).sign(&short.seek.digest(nonce, &DOMAIN, &Native));
        short
    };
    type Made<'a> = &'a dyn Fn([u8; 32]) -> SignedSeek;
    let wrong: [(Made<'_>, Error); 4] = [
        (&|_| seen, Error::BadSignature),
        (&forged, Error::BadSignature),
        (&old, Error::TermsExpired),
        (&short, Error::ShortClock),
    ];
    for (seek, error) in wrong {
        let mut eve = Socket::lobby(server.addr).await;
        let seek = seek(eve.nonce());
        eve.tell_lobby(ToLobby::Seek { seek, invite: None }).await;
        assert_eq!(refusal(&mut eve).await, Refusal::Invalid(error));
    }
    assert_eq!(server.counts().seeking, 1);
}

#[tokio::test]
async fn an_answer_with_other_terms_or_without_a_signature_is_refused() {
    let server = start(wide());
    let (alice, bob) = (session_key(1), session_key(2));
    let mut seeker = Socket::lobby(server.addr).await;
    let (id, seek) = list(&mut seeker, &alice, Side::Random).await;
    let right = answer(&bob, &seek.seek, now(), 1);
    let mut unsigned = right;
    unsigned.swapped = None;
    let mut forged = right;
    forged.swapped = Some(right.signature);
    let mut other = right;
    other.terms.pie_rule = true;
    let mut first = right;
    first.terms = right.terms.swapped();
    let itself = answer(&alice, &seek.seek, now(), 1);
    for (wrong, error) in [
        (unsigned, Error::OtherTerms),
        (forged, Error::BadSignature),
        (other, Error::OtherTerms),
        (first, Error::OtherTerms),
        (answer(&bob, &seek.seek, 1, 1), Error::TermsExpired),
        (itself, Error::SamePlayer),
    ] {
        let mut eve = Socket::lobby(server.addr).await;
        answered(&mut eve, id, wrong).await;
        assert_eq!(refusal(&mut eve).await, Refusal::Invalid(error));
    }
    let mut other = Socket::lobby(server.addr).await;
    answered(&mut other, id, right).await;
    assert_eq!(an_answer(&mut seeker).await.1, right);
}

#[tokio::test]
async fn a_flood_of_seeks_leaves_place_for_others() {
    let limits = Limits {
        seeks: 10,
        seeks_of_address: 2,
        ..wide()
    };
    let server = Server::behind_a_proxy(&Table::of(&[]), limits);
    let mut open = Vec::new();
    for number in 0..4 {
        let mut socket = Socket::lobby_for(server.addr, "192.0.2.1").await;
        sought(&mut socket, &session_key(number), Side::First, None).await;
        if number >= 2 {
            assert_eq!(refusal(&mut socket).await, Refusal::Busy, "{number}");
        } else {
            socket.listed().await;
        }
        open.push(socket);
    }
    for number in 11..18 {
        let mut socket = Socket::lobby_for(server.addr, &format!("192.0.2.{number}")).await;
        list(&mut socket, &session_key(number), Side::First).await;
        open.push(socket);
    }
    let mut other = Socket::lobby_for(server.addr, "192.0.2.2").await;
    list(&mut other, &session_key(9), Side::First).await;
    let mut full = Socket::lobby_for(server.addr, "192.0.2.3").await;
    sought(&mut full, &session_key(10), Side::First, None).await;
    assert_eq!(refusal(&mut full).await, Refusal::Busy);
    // The socket stays, and finds a place later.
    other.tell_lobby(ToLobby::Withdraw).await;
    while server.counts().seeking > 9 {
        tokio::task::yield_now().await;
    }
    list(&mut full, &session_key(10), Side::First).await;
    assert_eq!(server.counts().busy, 3);
}

/// A network that follows the list by many sockets, and one that comes later.
#[tokio::test]
async fn a_network_that_has_had_its_share_of_the_list_has_the_rest_later_and_others_at_once() {
    const FOLLOWERS: usize = 2;
    const SEEKS: u64 = 12;
    const CHANGES: usize = 200;
    let limits = Limits {
        listings: Rate {
            burst: 200,
            per_second: 200,
        },
        seekings_of_address: wide().messages,
        ..wide()
    };
    let server = Server::behind_a_proxy(&Table::of(&[]), limits);
    let mut followers = Vec::new();
    for number in 0..FOLLOWERS {
        // Networks of 64 bits in one of 48.
        let from = format!("2001:db8:0:{number:x}::1");
        followers.push(Socket::lobby_for(server.addr, &from).await);
    }
    let mut seekers = Vec::new();
    for number in 0..SEEKS {
        let from = format!("192.0.2.{number}");
        let mut seeker = Socket::lobby_for(server.addr, &from).await;
        let (id, _) = list(&mut seeker, &session_key(number), Side::First).await;
        seekers.push((id, seeker));
    }
    // The followers have had their share: 25 of 200 are more than an eighth of the rest.
    let mut other = Socket::lobby_for(server.addr, "192.0.2.100").await;
    for (id, _) in &seekers {
        assert_eq!(other.listed().await.0, *id);
    }
    let (old, mut last) = seekers.pop().expect("a seeker");
    last.tell_lobby(ToLobby::Withdraw).await;
    gone(&mut other, old).await;
    for _ in 0..CHANGES / 2 {
        let key = session_key(SEEKS);
        list(&mut last, &key, Side::First).await;
    }
    last.tell_lobby(ToLobby::Withdraw).await;
    let wanted: BTreeSet<SeekId> = seekers.iter().map(|(id, _)| *id).collect();
    for follower in &mut followers {
        let mut seen = BTreeSet::new();
        let (mut told, mut was_cleared) = (0, false);
        while !(was_cleared && seen == wanted) {
            told += 1;
            match follower.next_in_lobby().await.expect("the socket stays") {
                FromLobby::Listed { id, .. } => drop(seen.insert(id)),
                FromLobby::Gone { id } => drop(seen.remove(&id)),
                FromLobby::Cleared => {
                    was_cleared = true;
                    seen.clear();
                }
                FromLobby::Complete => {}
                other => panic!("{other:?}"),
            }
        }
        assert!(told < CHANGES, "{told} messages, without those between");
    }
}

/// Two sockets of one who answers and declines would have the list told to everybody again and again.
#[tokio::test]
async fn a_flood_of_answers_is_limited_by_its_address() {
    let once = Rate {
        burst: 2,
        per_second: 0,
    };
    let limits = Limits {
        seekings_of_address: once,
        ..wide()
    };
    let server = Server::behind_a_proxy(&Table::of(&[]), limits);
    let mut seeker = Socket::lobby_for(server.addr, "192.0.2.1").await;
    let (id, seek) = list(&mut seeker, &session_key(1), Side::First).await;
    let mut other = Socket::lobby_for(server.addr, "192.0.2.2").await;
    for nonce in 0..3 {
        let reply = answer(&session_key(2), &seek.seek, now(), nonce);
        answered(&mut other, id, reply).await;
        if nonce == 2 {
            assert_eq!(refusal(&mut other).await, Refusal::Busy);
            break;
        }
        let (number, _) = an_answer(&mut seeker).await;
        let declined = ToLobby::Decline { answer: number };
        seeker.tell_lobby(declined).await;
        assert_eq!(not_paired(&mut other, id).await, NotPaired::Declined);
    }
    let mut friend = Socket::lobby_for(server.addr, "192.0.2.3").await;
    let reply = answer(&session_key(3), &seek.seek, now(), 9);
    answered(&mut friend, id, reply).await;
    accept(&mut seeker, &session_key(1), &seek).await;
    accepted(&mut friend, &seek, &reply).await;
}

#[tokio::test]
async fn who_seeks_in_another_tab_is_told_in_the_first() {
    let server = start(wide());
    let alice = session_key(1);
    let mut first = Socket::lobby(server.addr).await;
    let (id, _) = list(&mut first, &alice, Side::First).await;
    let mut second = Socket::lobby(server.addr).await;
    list(&mut second, &alice, Side::First).await;
    gone(&mut first, id).await;
    assert_eq!(server.counts().seeking, 1);
}

/// All that is in a network of 64 bits is one address.
#[tokio::test]
async fn a_network_of_ipv6_seeks_as_one() {
    let limits = Limits {
        seeks_of_address: 2,
        ..wide()
    };
    let server = Server::behind_a_proxy(&Table::of(&[]), limits);
    let mut open = Vec::new();
    for number in 0..3 {
        let from = format!("2001:db8::{number:x}:1");
        let mut socket = Socket::lobby_for(server.addr, &from).await;
        sought(&mut socket, &session_key(number), Side::First, None).await;
        match number {
            2 => assert_eq!(refusal(&mut socket).await, Refusal::Busy),
            _ => drop(socket.listed().await),
        }
        open.push(socket);
    }
    let mut other = Socket::lobby_for(server.addr, "2001:db8:0:1::1").await;
    list(&mut other, &session_key(9), Side::First).await;
}

#[tokio::test]
async fn a_slow_reader_has_the_list_told_anew() {
    const CHANGES: u64 = 2000;
    let limits = Limits {
        listings: wide().messages,
        ..wide()
    };
    let server = Server::narrow(&Table::of(&[]), limits);
    let mut slow = Socket::narrow_lobby(server.addr).await;
    let mut seeker = Socket::lobby(server.addr).await;
    let alice = session_key(1);
    let mut last = 0;
    for _ in 0..CHANGES {
        last = list(&mut seeker, &alice, Side::First).await.0;
    }
    let mut told = 0;
    let mut was_cleared = false;
    loop {
        match slow.next_in_lobby().await {
            Some(FromLobby::Cleared) => was_cleared = true,
            Some(FromLobby::Listed { id, .. }) if id == last => break,
            Some(_) => told += 1,
            None => panic!("the socket stays open"),
        }
    }
    assert!(was_cleared);
    assert!(told < CHANGES, "{told} were queued");
}

#[tokio::test]
async fn whatever_strangers_send_to_the_lobby_others_find_each_other_and_play() {
    let server = start(Limits::default());
    let (addr, alice, bob) = (server.addr, session_key(1), session_key(2));
    let old = seek(&alice, Side::Random, &SECRET, now(), [0; 32]);
    let reply = answer(&session_key(3), &old.seek, now(), 1);
    let seen = [
        ToLobby::Seek {
            seek: old,
            invite: Some(INVITE),
        },
        ToLobby::Withdraw,
        ToLobby::Look(INVITE),
        ToLobby::List { live: true },
        ToLobby::Answer {
            seek: 1,
            answer: reply,
        },
        ToLobby::Accept {
            answer: 2,
            secret: SECRET,
            signature: reply.signature,
        },
        ToLobby::Decline { answer: 2 },
    ]
    .map(|message| codec::Encode::encode(&message));
    let mut hostile = tokio::task::JoinSet::new();
    for seed in 0..4 {
        let seen = seen.clone();
        hostile.spawn(async move {
            let mut dice = Dice(seed);
            for _ in 0..40 {
                let mut socket = Socket::lobby(addr).await;
                for _ in 0..dice.below(8) {
                    socket.send_frame(mutated(&mut dice, &seen)).await;
                }
                if dice.once_in(2) {
                    socket.send_frame(Message::Close(None)).await;
                    while socket.next_in_lobby().await.is_some() {}
                }
            }
        });
    }
    for nonce in 0..8 {
        let mut seeker = Socket::lobby(addr).await;
        let (id, seek) = list(&mut seeker, &alice, Side::Random).await;
        let mut other = Socket::lobby(addr).await;
        let reply = answer(&bob, &seek.seek, now(), nonce);
        answered(&mut other, id, reply).await;
        accept(&mut seeker, &alice, &seek).await;
        let signed = accepted(&mut other, &seek, &reply).await;
        let number = signed.terms.number(&DOMAIN, &Native);
        let mut watcher = Socket::open(addr, number).await;
        watcher.send(ToRelay::Terms(signed)).await;
        let told = |message| matches!(message, FromRelay::Terms(_)).then_some(());
        watcher.until(told).await;
    }
    while let Some(done) = hostile.join_next().await {
        done.expect("strangers give up by themselves");
    }
    let counts = server.counts();
    assert_eq!(counts.pairs, 8);
    assert!(counts.bad > 0 && counts.invalid > 0, "{counts:?}");
}
