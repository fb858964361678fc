//! Junk, floods, wrong keys, slow readers, half-open sockets.

use std::time::Duration;

use connect4_protocol::Error;
use connect4_protocol::fast::wire::{FromRelay, MAX_LEN, Refusal, ToRelay};
use connect4_protocol::fast::{Domain, Ending, Evidence, FIRST, Signature};
use connect4_relay::{Limits, Rate};
use connect4_rules::Player;
use connect4_testing::dice::Dice;
use connect4_testing::fast::FastPlay;
use connect4_testing::socket::Socket;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{self, Message};

use crate::server::{Server, Table, wide};

/// A short time, for limits that the test waits for.
const SOON: Duration = Duration::from_millis(50);

/// Somebody sends this, and is refused for it; the room is as it was.
async fn refused(server: &Server, play: &FastPlay, frame: Message) -> Refusal {
    let mut watcher = Socket::open(server.addr, play.number).await;
    let before = watcher.position().await;
    let mut hostile = Socket::open(server.addr, play.number).await;
    hostile.send_frame(frame).await;
    let refusal = hostile.refusal().await;
    let mut later = Socket::open(server.addr, play.number).await;
    assert_eq!(later.position().await, before);
    refusal
}

fn frame(message: ToRelay) -> Message {
    Message::Binary(codec::Encode::encode(&message).into())
}

#[tokio::test]
async fn junk_is_refused() {
    let play = FastPlay::new(FIRST);
    let server = Server::start(&Table::of(&[&play]), wide());
    for junk in [
        Message::Text("{\"move\":3}".into()),
        Message::Binary(vec![].into()),
        Message::Binary(vec![0xff; 40].into()),
        Message::Binary(vec![0; MAX_LEN + 1].into()),
        Message::Binary(vec![0; 4 * MAX_LEN + 1].into()),
    ] {
        assert_eq!(refused(&server, &play, junk).await, Refusal::BadMessage);
    }
}

#[tokio::test]
async fn a_frame_without_end_is_not_read() {
    let play = FastPlay::new(FIRST);
    let server = Server::start(&Table::of(&[&play]), wide());
    let mut hostile = Socket::open(server.addr, play.number).await;
    hostile
        .send_frame(Message::Binary(vec![0; 64 * 1024 * 1024].into()))
        .await;
    hostile.closed().await;
}

#[tokio::test]
async fn a_frame_of_endless_empty_pieces_is_not_read() {
    let play = FastPlay::new(FIRST);
    let limits = Limits {
        messages: Rate {
            burst: 10,
            per_second: 0,
        },
        ..Limits::default()
    };
    let server = Server::start(&Table::of(&[&play]), limits);
    let mut hostile = Socket::open(server.addr, play.number).await.into_stream();
    // The head of a frame has its kind, its length, and the mask of a client.
    let (first, more) = ([0x02, 0x80, 0, 0, 0, 0], [0x00, 0x80, 0, 0, 0, 0]);
    hostile.write_all(&first).await.expect("it is open");
    let pieces = more.repeat(10_000);
    let mut sent = 0;
    while hostile.write_all(&pieces).await.is_ok() {
        sent += pieces.len();
        assert!(sent < 256 * 1024 * 1024, "it reads on and on");
    }
}

fn any_bytes(dice: &mut Dice) -> Vec<u8> {
    let length = dice.below(600);
    (0..length).map(|_| dice.below(256) as u8).collect()
}

/// What a stranger makes of a message that it has seen, or of nothing.
pub fn mutated(dice: &mut Dice, seen: &[Vec<u8>]) -> Message {
    let mut bytes = dice.one_of(seen);
    match dice.below(5) {
        0 => bytes = any_bytes(dice),
        1 => bytes.truncate(dice.below(bytes.len() as u64 + 1) as usize),
        2 => bytes.extend(dice.one_of(seen)),
        // As it was.
        3 => {}
        _ => {
            for _ in 0..=dice.below(3) {
                let at = dice.below(bytes.len() as u64) as usize;
                bytes[at] = dice.below(256) as u8;
            }
        }
    }
    match dice.below(20) {
        0 => Message::Ping(bytes[..bytes.len().min(125)].to_vec().into()),
        1 => Message::Text("text".into()),
        2 => Message::Close(None),
        _ => Message::Binary(bytes.into()),
    }
}

#[tokio::test]
async fn whatever_strangers_send_the_players_play_on() {
    let play = FastPlay::new(FIRST);
    let server = Server::start(&Table::of(&[&play]), Limits::default());
    let addr = server.addr;
    let bins = [0, 1, 0, 1, 3, 4, 3, 4, 3, 4, 3];
    // What strangers have seen, and what nobody has signed.
    let mut resigned = play.evidence(&[], Some(Ending::Resignation(Player::One)));
    resigned.signatures.one = Signature::NONE;
    let mut unsigned = play.evidence(&bins, None);
    unsigned.signatures.two = Signature::NONE;
    let seen = [
        play.position(&[]),
        play.position(&bins[..1]),
        play.join(Player::Two, [0; 32]),
        ToRelay::Offer(play.offer(Player::One, 60, &[])),
        ToRelay::Position(resigned),
        ToRelay::Position(unsigned),
    ]
    .map(|message| codec::Encode::encode(&message));
    let mut hostile = tokio::task::JoinSet::new();
    for seed in 0..8 {
        let seen = seen.clone();
        hostile.spawn(async move {
            let mut dice = Dice(seed);
            for _ in 0..40 {
                let mut socket = Socket::open(addr, FIRST).await;
                for _ in 0..dice.below(8) {
                    socket.send_frame(mutated(&mut dice, &seen)).await;
                }
                // It leaves at once, or reads all that it is told.
                if dice.once_in(2) {
                    socket.send_frame(Message::Close(None)).await;
                    socket.closed().await;
                }
            }
        });
    }
    let mut alice = Socket::join(addr, &play, Player::One).await;
    let mut bob = Socket::join(addr, &play, Player::Two).await;
    for turns in 1..=bins.len() {
        let (mover, other) = match turns % 2 {
            1 => (&mut alice, &mut bob),
            _ => (&mut bob, &mut alice),
        };
        let bins = &bins[..turns];
        mover.send(play.position(bins)).await;
        for socket in [mover, other] {
            assert_eq!(socket.moves(bins).await, play.evidence(bins, None));
        }
    }
    while let Some(done) = hostile.join_next().await {
        done.expect("strangers give up by themselves");
    }
    let counts = server.counts();
    assert_eq!(counts.positions, bins.len() as u64);
    assert!(counts.bad > 0 && counts.invalid > 0, "{counts:?}");
}

#[tokio::test]
async fn positions_that_the_keys_did_not_sign_are_refused() {
    let play = FastPlay::new(FIRST);
    let server = Server::start(&Table::of(&[&play]), wide());
    let mut other_game = FastPlay::new(FIRST);
    other_game.number += 1;
    let mut other_keys = FastPlay::new(FIRST + 1);
    other_keys.number = FIRST;
    let mut other_chain = FastPlay::new(FIRST);
    other_chain.domain = Domain {
        chain_id: 1,
        ..play.domain
    };
    let mut unsigned = play.evidence(&[3, 4], None);
    unsigned.signatures.two = Signature::NONE;
    let positions = [other_game, other_keys, other_chain].map(|play| play.position(&[3, 4]));
    for position in positions.into_iter().chain([ToRelay::Position(unsigned)]) {
        assert_eq!(
            refused(&server, &play, frame(position)).await,
            Refusal::Invalid(Error::BadSignature)
        );
    }
    assert_eq!(server.counts().invalid, 4);
}

#[tokio::test]
async fn signed_positions_that_are_not_legal_are_refused() {
    let play = FastPlay::new(FIRST);
    let server = Server::start(&Table::of(&[&play]), wide());
    for (bins, error) in [
        (&[3, 3, 3, 3, 3, 3, 3][..], Error::BinFull),
        (&[3, 7], Error::NoSuchBin),
        (&[3, 4, 3, 4, 3, 4, 3, 0], Error::GameOver),
    ] {
        assert_eq!(
            refused(&server, &play, frame(play.position(bins))).await,
            Refusal::Invalid(error)
        );
    }
}

#[tokio::test]
async fn nobody_resigns_or_offers_for_another() {
    let play = FastPlay::new(FIRST);
    let server = Server::start(&Table::of(&[&play]), wide());
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    alice.send(play.position(&[3])).await;
    alice.moves(&[3]).await;
    let resigned = Evidence {
        ending: Some(Ending::Resignation(Player::Two)),
        ..play.evidence(&[3], None)
    };
    let mut offer = play.offer(Player::One, 60, &[3]);
    offer.by = Player::Two;
    for message in [ToRelay::Position(resigned), ToRelay::Offer(offer)] {
        assert_eq!(
            refused(&server, &play, frame(message)).await,
            Refusal::Invalid(Error::BadSignature)
        );
    }
}

#[tokio::test]
async fn nobody_joins_in_the_place_of_a_player() {
    let play = FastPlay::new(FIRST);
    let server = Server::start(&Table::of(&[&play]), wide());
    let mut watcher = Socket::open(server.addr, play.number).await;
    let others = watcher.welcome().await;
    let mut hostile = Socket::open(server.addr, play.number).await;
    let nonce = hostile.welcome().await;
    assert_ne!(nonce, others, "one for each socket");
    // The signature of a player on the nonce of another socket.
    hostile.send(play.join(Player::One, others)).await;
    assert_eq!(
        hostile.refusal().await,
        Refusal::Invalid(Error::BadSignature)
    );
    // The signature of the other player.
    let mut hostile = Socket::open(server.addr, play.number).await;
    let nonce = hostile.welcome().await;
    let ToRelay::Join { signature, .. } = play.join(Player::Two, nonce) else {
        panic!("it joins");
    };
    hostile
        .send(ToRelay::Join {
            player: Player::One,
            signature,
        })
        .await;
    assert_eq!(
        hostile.refusal().await,
        Refusal::Invalid(Error::BadSignature)
    );
    let mut last = Socket::join(server.addr, &play, Player::Two).await;
    last.present(false, true, 1).await;
}

#[tokio::test]
async fn who_floods_a_room_is_put_out_and_others_play_on() {
    let play = FastPlay::new(FIRST);
    let limits = Limits {
        messages: Rate {
            burst: 10,
            per_second: 0,
        },
        ..Limits::default()
    };
    let server = Server::start(&Table::of(&[&play]), limits);
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    let mut bob = Socket::join(server.addr, &play, Player::Two).await;
    for flood in [frame(play.position(&[])), Message::Ping("now".into())] {
        let mut hostile = Socket::open(server.addr, play.number).await;
        for _ in 0..11 {
            hostile.send_frame(flood.clone()).await;
        }
        assert_eq!(hostile.refusal().await, Refusal::TooMany);
    }
    alice.send(play.position(&[3])).await;
    bob.moves(&[3]).await;
    assert_eq!(server.counts().flooding, 2);
}

#[tokio::test]
async fn a_slow_reader_skips_to_the_latest_position() {
    let play = FastPlay::new(FIRST);
    let server = Server::narrow(&Table::of(&[&play]), wide());
    let mut slow = Socket::narrow(server.addr, play.number).await;
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    const OFFERS: u64 = 1000;
    for until in 0..OFFERS {
        alice
            .send(ToRelay::Offer(play.offer(Player::One, until, &[])))
            .await;
        let is_back = |message| match message {
            FromRelay::Offer(offer) if offer.until == until => Some(()),
            _ => None,
        };
        alice.until(is_back).await;
    }
    alice.send(play.position(&[3])).await;
    alice.moves(&[3]).await;
    let mut offers = 0;
    slow.until(|message| match message {
        FromRelay::Offer(_) => {
            offers += 1;
            None
        }
        FromRelay::Position(position) => (*position.moves == [3]).then_some(()),
        _ => None,
    })
    .await;
    assert!(offers < OFFERS / 2, "{offers} were queued");
}

#[tokio::test]
async fn who_reads_nothing_is_dropped() {
    let play = FastPlay::new(FIRST);
    let limits = Limits {
        stall: Duration::from_millis(500),
        ..wide()
    };
    let server = Server::narrow(&Table::of(&[&play]), limits);
    let slow = Socket::narrow(server.addr, play.number).await;
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    alice.present(true, false, 1).await;
    for until in 0.. {
        alice
            .send(ToRelay::Offer(play.offer(Player::One, until, &[])))
            .await;
        let mut has_left = false;
        alice
            .until(|message| match message {
                FromRelay::Present(present) => {
                    has_left |= present.watchers == 0;
                    has_left.then_some(())
                }
                FromRelay::Offer(offer) => (offer.until == until).then_some(()),
                _ => None,
            })
            .await;
        if has_left {
            break;
        }
    }
    assert_eq!(server.counts().stalled, 1);
    drop(slow);
}

#[tokio::test]
async fn a_half_open_socket_is_found_by_pings() {
    let play = FastPlay::new(FIRST);
    let limits = Limits {
        ping: SOON,
        ..wide()
    };
    let server = Server::start(&Table::of(&[&play]), limits);
    let silent = Socket::open(server.addr, play.number).await;
    // It reads, and never answers.
    let mut rest = Vec::new();
    silent
        .into_stream()
        .read_to_end(&mut rest)
        .await
        .expect("the relay closes it");
    assert_eq!(server.counts().silent, 1);
}

#[tokio::test]
async fn a_connection_that_asks_for_nothing_is_closed() {
    let limits = Limits {
        handshake: SOON,
        ..wide()
    };
    let server = Server::start(&Table::of(&[]), limits);
    for asked in ["", "GET /fast/f0 HTTP/1.1\r\nhost:"] {
        let mut stream = TcpStream::connect(server.addr).await.expect("it listens");
        stream.write_all(asked.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("closed");
    }
}

#[tokio::test]
async fn watchers_do_not_keep_players_out() {
    let play = FastPlay::new(FIRST);
    let limits = Limits {
        watchers: 2,
        handshake: SOON,
        ..wide()
    };
    let server = Server::start(&Table::of(&[&play]), limits);
    let mut watchers = Vec::new();
    for _ in 0..2 {
        let mut watcher = Socket::open(server.addr, play.number).await;
        watcher.position().await;
        watchers.push(watcher);
    }
    let mut third = Socket::open(server.addr, play.number).await;
    assert_eq!(third.refusal().await, Refusal::Full);
    let limits = Limits {
        handshake: Limits::default().handshake,
        ..limits
    };
    let server = Server::start(&Table::of(&[&play]), limits);
    let mut crowd = Vec::new();
    for _ in 0..10 {
        let mut watcher = Socket::open(server.addr, play.number).await;
        watcher.position().await;
        crowd.push(watcher);
    }
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    alice.present(true, false, 2).await;
    // She took the place of who had waited for the longest.
    let [_, _, oldest, ..] = &mut crowd[..] else {
        panic!("ten");
    };
    assert_eq!(oldest.refusal().await, Refusal::Full);
}

/// Strangers with these addresses open many sockets between a player's coming and joining.
async fn crowd_before_a_player_joins(strangers: &[String]) {
    let play = FastPlay::new(FIRST);
    let limits = Limits {
        watchers: 0,
        ..wide()
    };
    let server = Server::behind_a_proxy(&Table::of(&[&play]), limits);
    let open = async |visitor: &str| {
        let socket = Socket::passed_on(server.addr, FIRST, visitor).await;
        let mut socket = socket.expect("a socket");
        let nonce = socket.welcome().await;
        (socket, nonce)
    };
    let (mut alice, nonce) = open("203.0.113.1").await;
    let mut crowd = Vec::new();
    for stranger in strangers.iter().cycle().take(48) {
        let (mut socket, _) = open(stranger).await;
        // It is in the room once it is told what is there.
        socket.position().await;
        crowd.push(socket);
    }
    alice.send(play.join(Player::One, nonce)).await;
    alice.present(true, false, 0).await;
    alice.send(play.position(&[3])).await;
    alice.moves(&[3]).await;
}

#[tokio::test]
async fn who_opens_many_sockets_keeps_no_player_out() {
    let of_ipv4 = (1..=4).map(|last| format!("192.0.2.{last}")).collect();
    let of_64_bits = (1..=48).map(|last| format!("2001:db8::{last}")).collect();
    let of_48_bits = (1..=48).map(|at| format!("2001:db8:0:{at:x}00::1"));
    let strangers: [Vec<_>; 3] = [of_ipv4, of_64_bits, of_48_bits.collect()];
    for strangers in strangers {
        crowd_before_a_player_joins(&strangers).await;
    }
}

async fn refused_with(server: &Server, visitor: &str) -> u16 {
    match Socket::passed_on(server.addr, FIRST, visitor).await {
        Err(tungstenite::Error::Http(answer)) => answer.status().as_u16(),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("{visitor} is let in"),
    }
}

#[tokio::test]
async fn an_uncounted_address_meets_the_limits_for_all_alone() {
    let play = FastPlay::new(FIRST);
    let limits = Limits {
        sockets: 7,
        sockets_of_address: 1,
        openings_of_address: Rate {
            burst: 1,
            per_second: 0,
        },
        ..wide()
    };
    let server = Server::behind_a_proxy(&Table::of(&[&play]), limits);
    let mut open = Vec::new();
    for visitor in ["198.51.100.7"; 6].into_iter().chain(["192.0.2.1"]) {
        let socket = Socket::passed_on(server.addr, FIRST, visitor).await;
        let mut socket = socket.expect("a socket");
        socket.welcome().await;
        open.push(socket);
    }
    // What a stranger claims to be stands in front of the address that the proxy adds.
    for stranger in [
        "192.0.2.1",
        "198.51.100.7, 192.0.2.1",
        "127.0.0.1, 192.0.2.1",
    ] {
        assert_eq!(refused_with(&server, stranger).await, 429, "{stranger}");
    }
    assert_eq!(refused_with(&server, "198.51.100.7").await, 503, "full");
}

#[tokio::test]
async fn a_player_who_connects_again_and_again_is_there_a_few_times() {
    let play = FastPlay::new(FIRST);
    let server = Server::start(&Table::of(&[&play]), wide());
    let mut first = Socket::join(server.addr, &play, Player::One).await;
    first.present(true, false, 0).await;
    let mut sockets = Vec::new();
    for _ in 0..4 {
        let mut socket = Socket::join(server.addr, &play, Player::One).await;
        socket.present(true, false, 0).await;
        sockets.push(socket);
    }
    assert_eq!(first.refusal().await, Refusal::Replaced);
    let [.., last] = &mut sockets[..] else {
        panic!("four");
    };
    last.send(play.position(&[3])).await;
    last.moves(&[3]).await;
}

#[tokio::test]
async fn a_full_relay_says_so() {
    let play = FastPlay::new(FIRST);
    let limits = Limits {
        sockets: 1,
        ..wide()
    };
    let server = Server::start(&Table::of(&[&play]), limits);
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    alice.position().await;
    let stream = TcpStream::connect(server.addr).await.expect("it listens");
    let Err(tungstenite::Error::Http(answer)) = Socket::over(stream, "/fast/f0").await else {
        panic!("it is full");
    };
    assert_eq!(answer.status(), 503);
    assert_eq!(server.counts().turned_away, 1);
}

#[tokio::test]
async fn counts_are_read_as_text() {
    let server = Server::start(&Table::of(&[]), wide());
    let mut stream = TcpStream::connect(server.addr).await.expect("it listens");
    stream
        .write_all(b"GET /metrics HTTP/1.1\r\nhost: relay\r\nconnection: close\r\n\r\n")
        .await
        .expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("text");
    assert!(answer.contains("connect4_relay_sockets 0\n"), "{answer}");
}
