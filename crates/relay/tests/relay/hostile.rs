//! Junk, floods, slow readers, half-open sockets.

use std::time::Duration;

use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::staked_room::{FromStakedRoom, MAX_LEN, ToStakedRoom, path, read};
use connect4_protocol::signed::{Evidence, SignedEnd};
use connect4_relay::{Limits, Rate};
use connect4_rules::Player;
use connect4_testing::dice::Dice;
use connect4_testing::socket::Socket;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{self, Message};

use crate::server::{Server, wide};
use crate::staked::{Play, hears, refused, told, welcomed};

/// A short time, for limits that the test waits for.
const SOON: Duration = Duration::from_millis(50);

fn frame(message: &ToStakedRoom) -> Message {
    Message::Binary(codec::Encode::encode(message).into())
}

/// A position that differs for each number.
fn nth(number: u64) -> Evidence {
    Evidence {
        end: Some(SignedEnd::Draw { until: number }),
        ..told(&[])
    }
}

async fn tell(socket: &mut Socket, evidence: Evidence) {
    socket.send_message(&ToStakedRoom::Position(evidence)).await;
}

async fn next(socket: &mut Socket) -> FromStakedRoom {
    socket.next_of(read).await.expect("it is open")
}

/// Reads until it is told that so many watchers are there.
async fn watched_by(socket: &mut Socket, watchers: u16) {
    loop {
        match next(socket).await {
            FromStakedRoom::Present(present) if present.watchers == watchers => return,
            _ => {}
        }
    }
}

#[tokio::test]
async fn junk_is_refused() {
    let play = Play::new();
    let server = Server::start(wide());
    let mut one = play.join(&server, Player::One).await;
    tell(&mut one, told(&[3])).await;
    for junk in [
        Message::Text("{\"move\":3}".into()),
        Message::Binary(vec![].into()),
        Message::Binary(vec![0xff; 40].into()),
        Message::Binary(vec![0; MAX_LEN + 1].into()),
        Message::Binary(vec![0; 4 * MAX_LEN + 1].into()),
    ] {
        let mut hostile = play.enter(&server, None).await;
        hostile.send_frame(junk).await;
        assert_eq!(refused(hostile).await, Refusal::BadMessage);
        // The room is as it was.
        let mut later = play.enter(&server, None).await;
        hears(&mut later, Player::One, told(&[3])).await;
    }
}

#[tokio::test]
async fn a_frame_without_end_is_not_read() {
    let server = Server::start(wide());
    let mut hostile = Play::new().enter(&server, None).await;
    hostile
        .send_frame(Message::Binary(vec![0; 64 * 1024 * 1024].into()))
        .await;
    hostile.closed().await;
}

#[tokio::test]
async fn a_frame_of_endless_empty_pieces_is_not_read() {
    let limits = Limits {
        messages: Rate {
            burst: 10,
            per_second: 0,
        },
        ..Limits::default()
    };
    let server = Server::start(limits);
    let mut hostile = Play::new().enter(&server, None).await.into_stream();
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
    let play = Play::new();
    let server = Server::start(Limits::default());
    let addr = server.addr;
    let path = path(play.number());
    // What strangers have seen.
    let seen = [
        ToStakedRoom::Position(told(&[])),
        ToStakedRoom::Position(told(&[3])),
        play.entering([0; 32], Some((Player::Two, &play.keys.two))),
        play.entering([0; 32], None),
    ]
    .map(|message| codec::Encode::encode(&message));
    let mut hostile = tokio::task::JoinSet::new();
    for seed in 0..8 {
        let (seen, path) = (seen.clone(), path.clone());
        hostile.spawn(async move {
            let mut dice = Dice(seed);
            for _ in 0..40 {
                let stream = TcpStream::connect(addr).await.expect("it listens");
                let mut socket = Socket::over(stream, &path).await.expect("a socket");
                for _ in 0..dice.below(8) {
                    socket.send_frame(mutated(&mut dice, &seen)).await;
                }
                // It leaves at once, or reads all that it is told.
                if dice.once_in(2) {
                    socket.send_frame(Message::Close(None)).await;
                    let mut rest = Vec::new();
                    let _ = socket.into_stream().read_to_end(&mut rest).await;
                }
            }
        });
    }
    let mut alice = play.join(&server, Player::One).await;
    let mut bob = play.join(&server, Player::Two).await;
    let bins = [0, 1, 0, 1, 3, 4, 3, 4, 3, 4, 3];
    for turns in 1..=bins.len() {
        let (mover, other, by) = match turns % 2 {
            1 => (&mut alice, &mut bob, Player::One),
            _ => (&mut bob, &mut alice, Player::Two),
        };
        let position = told(&bins[..turns]);
        tell(mover, position).await;
        for socket in [mover, other] {
            hears(socket, by, position).await;
        }
    }
    while let Some(done) = hostile.join_next().await {
        done.expect("strangers give up by themselves");
    }
    let counts = server.counts();
    assert_eq!(counts.positions, bins.len() as u64);
    assert!(counts.bad > 0, "{counts:?}");
}

#[tokio::test]
async fn who_floods_a_room_is_put_out_and_others_play_on() {
    let play = Play::new();
    let limits = Limits {
        messages: Rate {
            burst: 10,
            per_second: 0,
        },
        ..Limits::default()
    };
    let server = Server::start(limits);
    let mut alice = play.join(&server, Player::One).await;
    let mut bob = play.join(&server, Player::Two).await;
    let position = frame(&ToStakedRoom::Position(told(&[])));
    for flood in [position, Message::Ping("now".into())] {
        // It has said already who it is.
        let mut hostile = play.join(&server, Player::Two).await;
        for _ in 0..10 {
            hostile.send_frame(flood.clone()).await;
        }
        assert_eq!(refused(hostile).await, Refusal::TooMany);
    }
    tell(&mut alice, told(&[3])).await;
    hears(&mut bob, Player::One, told(&[3])).await;
    assert_eq!(server.counts().flooding, 2);
}

#[tokio::test]
async fn a_slow_reader_skips_to_the_latest_position() {
    let play = Play::new();
    let server = Server::narrow(wide());
    let slow = Socket::narrow_over(server.addr, &path(play.number())).await;
    let mut slow = play.enter_by(slow, None).await;
    let mut alice = play.join(&server, Player::One).await;
    const POSITIONS: u64 = 1000;
    for number in 0..POSITIONS {
        tell(&mut alice, nth(number)).await;
        hears(&mut alice, Player::One, nth(number)).await;
    }
    let mut positions = 0;
    loop {
        if let FromStakedRoom::Position { evidence, .. } = next(&mut slow).await {
            if evidence == nth(POSITIONS - 1) {
                break;
            }
            positions += 1;
        }
    }
    assert!(positions < POSITIONS / 2, "{positions} were queued");
}

#[tokio::test]
async fn who_reads_nothing_is_dropped() {
    let play = Play::new();
    let limits = Limits {
        stall: Duration::from_millis(500),
        ..wide()
    };
    let server = Server::narrow(limits);
    let slow = Socket::narrow_over(server.addr, &path(play.number())).await;
    let slow = play.enter_by(slow, None).await;
    let mut alice = play.join(&server, Player::One).await;
    watched_by(&mut alice, 1).await;
    'told: for number in 0.. {
        tell(&mut alice, nth(number)).await;
        loop {
            match next(&mut alice).await {
                FromStakedRoom::Present(present) if present.watchers == 0 => break 'told,
                FromStakedRoom::Position { evidence, .. } if evidence == nth(number) => break,
                _ => {}
            }
        }
    }
    assert_eq!(server.counts().stalled, 1);
    drop(slow);
}

#[tokio::test]
async fn a_half_open_socket_is_found_by_pings() {
    let limits = Limits {
        ping: SOON,
        ..wide()
    };
    let server = Server::start(limits);
    let silent = Play::new().enter(&server, None).await;
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
    let server = Server::start(limits);
    for asked in ["", "GET /signed/lobby HTTP/1.1\r\nhost:"] {
        let mut stream = TcpStream::connect(server.addr).await.expect("it listens");
        stream.write_all(asked.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("closed");
    }
}

#[tokio::test]
async fn watchers_do_not_keep_players_out() {
    let play = Play::new();
    let limits = Limits {
        watchers: 2,
        handshake: SOON,
        ..wide()
    };
    let server = Server::start(limits);
    let mut watchers = Vec::new();
    for count in 1..=2 {
        let mut watcher = play.enter(&server, None).await;
        watched_by(&mut watcher, count).await;
        watchers.push(watcher);
    }
    let third = play.enter(&server, None).await;
    assert_eq!(refused(third).await, Refusal::Full);
    let limits = Limits {
        handshake: Limits::default().handshake,
        ..limits
    };
    let server = Server::start(limits);
    let mut crowd = Vec::new();
    for _ in 0..10 {
        let mut watcher = play.enter(&server, None).await;
        while !matches!(next(&mut watcher).await, FromStakedRoom::Present(_)) {}
        crowd.push(watcher);
    }
    let mut alice = play.join(&server, Player::One).await;
    tell(&mut alice, told(&[3])).await;
    hears(&mut alice, Player::One, told(&[3])).await;
}

/// Strangers with these addresses open many sockets between a player's coming and joining.
async fn crowd_before_a_player_joins(strangers: &[String]) {
    let play = Play::new();
    let limits = Limits {
        watchers: 0,
        ..wide()
    };
    let server = Server::behind_a_proxy(limits);
    let open = async |visitor: &str| {
        let socket = Socket::passed_to(server.addr, &path(play.number()), visitor).await;
        let mut socket = socket.expect("a socket");
        let nonce = welcomed(&mut socket).await;
        (socket, nonce)
    };
    let (mut alice, nonce) = open("203.0.113.1").await;
    let mut crowd = Vec::new();
    for stranger in strangers.iter().cycle().take(48) {
        let (mut socket, nonce) = open(stranger).await;
        socket.send_message(&play.entering(nonce, None)).await;
        // It is in the room once it is told who is there.
        while !matches!(next(&mut socket).await, FromStakedRoom::Present(_)) {}
        crowd.push(socket);
    }
    let enters = play.entering(nonce, Some((Player::One, &play.keys.one)));
    alice.send_message(&enters).await;
    tell(&mut alice, told(&[3])).await;
    hears(&mut alice, Player::One, told(&[3])).await;
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
    let path = path(Play::new().number());
    match Socket::passed_to(server.addr, &path, visitor).await {
        Err(tungstenite::Error::Http(answer)) => answer.status().as_u16(),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("{visitor} is let in"),
    }
}

#[tokio::test]
async fn an_uncounted_address_meets_the_limits_for_all_alone() {
    let limits = Limits {
        sockets: 7,
        sockets_of_address: 1,
        openings_of_address: Rate {
            burst: 1,
            per_second: 0,
        },
        ..wide()
    };
    let server = Server::behind_a_proxy(limits);
    let path = path(Play::new().number());
    let mut open = Vec::new();
    for visitor in ["198.51.100.7"; 6].into_iter().chain(["192.0.2.1"]) {
        let socket = Socket::passed_to(server.addr, &path, visitor).await;
        let mut socket = socket.expect("a socket");
        welcomed(&mut socket).await;
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
    let play = Play::new();
    let server = Server::start(wide());
    let mut sockets = Vec::new();
    for number in 0..5 {
        let mut socket = play.join(&server, Player::One).await;
        // Each is there before the next one comes.
        tell(&mut socket, nth(number)).await;
        hears(&mut socket, Player::One, nth(number)).await;
        sockets.push(socket);
    }
    let first = sockets.remove(0);
    assert_eq!(refused(first).await, Refusal::Replaced);
    let [.., last] = &mut sockets[..] else {
        panic!("four");
    };
    tell(last, told(&[3])).await;
    hears(last, Player::One, told(&[3])).await;
}

#[tokio::test]
async fn a_full_relay_says_so() {
    let limits = Limits {
        sockets: 1,
        ..wide()
    };
    let server = Server::start(limits);
    let mut alice = Play::new().join(&server, Player::One).await;
    next(&mut alice).await;
    let stream = TcpStream::connect(server.addr).await.expect("it listens");
    let path = path(Play::new().number());
    let Err(tungstenite::Error::Http(answer)) = Socket::over(stream, &path).await else {
        panic!("it is full");
    };
    assert_eq!(answer.status(), 503);
    assert_eq!(server.counts().turned_away, 1);
}

#[tokio::test]
async fn counts_are_read_as_text() {
    let server = Server::start(wide());
    let mut stream = TcpStream::connect(server.addr).await.expect("it listens");
    stream
        .write_all(b"GET /metrics HTTP/1.1\r\nhost: relay\r\nconnection: close\r\n\r\n")
        .await
        .expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("text");
    assert!(answer.contains("connect4_relay_sockets 0\n"), "{answer}");
}
