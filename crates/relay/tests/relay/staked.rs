//! Rooms of games with a stake.

use std::time::Duration;

use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::staked_room::{FromStakedRoom, ToStakedRoom, path, read};
use connect4_protocol::signed::{
    Domain, Evidence, GameNumber, Moves, Native, Party, Presence, SessionKey, Terms,
};
use connect4_protocol::{Address, ClockSpec};
use connect4_relay::Limits;
use connect4_rules::{ByPlayer, Player, Shape};
use connect4_testing::keys::session_key;
use connect4_testing::signed::CHAIN;
use connect4_testing::socket::Socket;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::server::{Server, wide};

const DOMAIN: Domain = Domain {
    chain: CHAIN,
    stakes: Some(Address([5; 20])),
};

/// A game with a stake, with the keys of both players.
pub struct Play {
    pub terms: Terms,
    pub keys: ByPlayer<SessionKey>,
}

impl Play {
    pub fn new() -> Self {
        let keys = ByPlayer {
            one: session_key(1),
            two: session_key(2),
        };
        let clock = ClockSpec {
            bank: 300,
            increment: 5,
        };
        let terms = Terms {
            players: ByPlayer::from_fn(|player| {
                let account = match player {
                    Player::One => Address([1; 20]),
                    Player::Two => Address([2; 20]),
                };
                Party::new(account, keys.get(player).address())
            }),
            clock: Some(clock),
            stake: 10,
            time: 1_000_000,
            ..Terms::on(Shape::CLASSROOM)
        };
        Self { terms, keys }
    }

    pub fn number(&self) -> GameNumber {
        self.terms.number(&DOMAIN, &Native)
    }

    /// Enters the room, as a player who signs by this key, or as a watcher.
    pub async fn enter(&self, server: &Server, player: Option<(Player, &SessionKey)>) -> Socket {
        let stream = TcpStream::connect(server.addr).await.expect("it listens");
        let socket = Socket::over(stream, &path(self.number())).await;
        self.enter_by(socket.expect("a socket"), player).await
    }

    /// The same, by a socket that is open.
    pub async fn enter_by(
        &self,
        mut socket: Socket,
        player: Option<(Player, &SessionKey)>,
    ) -> Socket {
        let nonce = welcomed(&mut socket).await;
        socket.send_message(&self.entering(nonce, player)).await;
        socket
    }

    /// What somebody says first, after the welcome with this nonce.
    pub fn entering(&self, nonce: [u8; 32], player: Option<(Player, &SessionKey)>) -> ToStakedRoom {
        let game = self.number();
        let presence = Presence { game, nonce }.digest(&DOMAIN, &Native);
        ToStakedRoom::Enter {
            domain: DOMAIN,
            terms: self.terms,
            player: player.map(|(player, key)| (player, key.sign(&presence))),
        }
    }

    pub async fn join(&self, server: &Server, player: Player) -> Socket {
        self.enter(server, Some((player, self.keys.get(player))))
            .await
    }
}

/// The nonce of the welcome.
pub async fn welcomed(socket: &mut Socket) -> [u8; 32] {
    match socket.next_of(read).await {
        Some(FromStakedRoom::Welcome { nonce }) => nonce,
        other => panic!("{other:?}"),
    }
}

/// Something that a player tells, which nobody checks here.
pub fn told(bins: &[u8]) -> Evidence {
    Evidence {
        moves: Moves::from_bins(bins).expect("few moves"),
        ..Evidence::start()
    }
}

/// Reads until a player has told this.
pub async fn hears(socket: &mut Socket, by: Player, evidence: Evidence) {
    let wanted = FromStakedRoom::Position { by, evidence };
    loop {
        let heard = socket.next_of::<FromStakedRoom>(read).await;
        if heard.expect("it is open") == wanted {
            return;
        }
    }
}

pub async fn refused(mut socket: Socket) -> Refusal {
    loop {
        match socket.next_of(read).await {
            Some(FromStakedRoom::Refused(refusal)) => return refusal,
            Some(_) => {}
            None => panic!("it is closed without a word"),
        }
    }
}

#[tokio::test]
async fn what_a_player_tells_reaches_all_and_those_who_come_later() {
    let play = Play::new();
    let server = Server::start(wide());
    let mut one = play.join(&server, Player::One).await;
    let mut two = play.join(&server, Player::Two).await;
    let mut watcher = play.enter(&server, None).await;
    one.send_message(&ToStakedRoom::Position(told(&[3]))).await;
    for socket in [&mut one, &mut two, &mut watcher] {
        hears(socket, Player::One, told(&[3])).await;
    }
    two.send_message(&ToStakedRoom::Position(told(&[3, 4])))
        .await;
    hears(&mut one, Player::Two, told(&[3, 4])).await;
    // The newest of each player is kept for those who were away.
    drop((one, two, watcher));
    let mut later = play.join(&server, Player::One).await;
    hears(&mut later, Player::One, told(&[3])).await;
    hears(&mut later, Player::Two, told(&[3, 4])).await;
}

#[tokio::test]
async fn nobody_but_the_two_keys_tells_something() {
    let play = Play::new();
    let server = Server::start(wide());
    let stranger = session_key(9);
    let forged = play.enter(&server, Some((Player::One, &stranger))).await;
    assert_eq!(refused(forged).await, Refusal::Unsupported);
    // Nor by the key of the other one.
    let other = Some((Player::One, &play.keys.two));
    let forged = play.enter(&server, other).await;
    assert_eq!(refused(forged).await, Refusal::Unsupported);
    let mut watcher = play.enter(&server, None).await;
    watcher
        .send_message(&ToStakedRoom::Position(told(&[3])))
        .await;
    assert_eq!(refused(watcher).await, Refusal::BadMessage);
}

#[tokio::test]
async fn a_room_is_that_of_its_terms() {
    let play = Play::new();
    let server = Server::start(wide());
    for (terms, refusal) in [
        (
            Terms {
                nonce: 8,
                ..play.terms
            },
            Refusal::NoSuchGame,
        ),
        (
            Terms {
                stake: 0,
                ..play.terms
            },
            Refusal::Unsupported,
        ),
    ] {
        let number = match refusal {
            Refusal::NoSuchGame => play.number(),
            _ => terms.number(&DOMAIN, &Native),
        };
        let stream = TcpStream::connect(server.addr).await.expect("it listens");
        let mut socket = Socket::over(stream, &path(number)).await.expect("a socket");
        let enter = ToStakedRoom::Enter {
            domain: DOMAIN,
            terms,
            player: None,
        };
        socket.send_message(&enter).await;
        assert_eq!(refused(socket).await, refusal);
    }
}

/// A room counts for the address that has opened it as long as it is kept, and those that were left were dropped only when
/// somebody else opened another one.
#[tokio::test]
async fn rooms_that_were_left_long_ago_do_not_count_for_who_has_opened_them() {
    let limits = Limits {
        rooms_of_address: 2,
        keep_unfinished: Duration::ZERO,
        ..wide()
    };
    let server = Server::behind_a_proxy(limits);
    for nonce in 0..6 {
        let mut play = Play::new();
        play.terms.nonce = nonce;
        let opened = Socket::passed_to(server.addr, &path(play.number()), "192.0.2.1").await;
        let one = Some((Player::One, &play.keys.one));
        let mut one = play.enter_by(opened.expect("a socket"), one).await;
        one.send_message(&ToStakedRoom::Position(told(&[3]))).await;
        hears(&mut one, Player::One, told(&[3])).await;
        one.send_frame(Message::Close(None)).await;
        // The room is left before the connection ends.
        let mut rest = Vec::new();
        let _ = one.into_stream().read_to_end(&mut rest).await;
    }
}
