//! Relays with a witness, and sockets in the rooms of its games.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use connect4_protocol::Address;
use connect4_protocol::fast::wire::{Present, Refusal};
use connect4_protocol::signed::GameNumber;
use connect4_protocol::signed::wire::{FromWitness, Spoken, Telling, ToWitness, Told, path, read};
use connect4_relay::Limits;
use connect4_relay::Witness;
use connect4_rules::Player;
use connect4_testing::signed::{CHAIN, SignedPlay};
use connect4_testing::socket::Socket;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::server::{Server, Table};

/// A folder that is removed with its files.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static LAST: AtomicU32 = AtomicU32::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        let name = format!("connect4-witness-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // A process that was killed in the middle of its tests may have had the same number.
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn log(&self) -> PathBuf {
        self.0.join("log")
    }

    /// The witness whose log is here, once the one before has left it.
    pub fn open(&self) -> Witness {
        loop {
            match Witness::open(&self.0, CHAIN) {
                Ok(witness) => return witness,
                Err(connect4_relay::witness::LogError::InUse) => std::thread::yield_now(),
                Err(error) => panic!("{error}"),
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn start(witness: Witness, limits: Limits) -> Server {
    Server::witnessed(&Table::of(&[]), limits, witness)
}

/// A socket in the room of a signed game.
pub struct Seat {
    socket: Socket,
    pub nonce: [u8; 32],
    /// The time of the witness when it was opened, in milliseconds.
    pub time: u64,
}

impl Seat {
    pub async fn open(relay: SocketAddr, witness: Address, game: GameNumber) -> Self {
        let stream = TcpStream::connect(relay).await.expect("it listens");
        let socket = Socket::over(stream, &path(witness, game)).await;
        let mut seat = Self {
            socket: socket.expect("a socket"),
            nonce: [0; 32],
            time: 0,
        };
        match seat.next().await {
            Some(FromWitness::Welcome {
                nonce,
                chain_id,
                genesis,
                time,
            }) => {
                assert_eq!((chain_id, genesis), (CHAIN.id, CHAIN.genesis));
                (seat.nonce, seat.time) = (nonce, time);
            }
            // What comes next says why.
            other => panic!("{other:?}"),
        }
        seat
    }

    /// Enters the room of a witness that is not there. Returns why it is refused.
    pub async fn refused(relay: SocketAddr, witness: Address, game: GameNumber) -> Refusal {
        let stream = TcpStream::connect(relay).await.expect("it listens");
        let socket = Socket::over(stream, &path(witness, game)).await;
        let mut seat = Self {
            socket: socket.expect("a socket"),
            nonce: [0; 32],
            time: 0,
        };
        seat.refusal().await
    }

    /// Joins the game, whose terms it brings.
    pub async fn join(relay: SocketAddr, play: &SignedPlay, player: Player) -> Self {
        let witness = play.signed.terms.witness.expect("a witness");
        let mut seat = Self::open(relay, witness, play.number).await;
        seat.send(ToWitness::Terms(play.signed)).await;
        seat.send(play.join(player, seat.nonce)).await;
        seat
    }

    pub async fn send(&mut self, message: ToWitness) {
        self.socket.send_message(&message).await;
    }

    /// How often the relay has asked for the round trip of the line.
    pub const fn pings(&self) -> u64 {
        self.socket.pings()
    }

    /// Sends any frame.
    pub async fn send_frame(&mut self, frame: Message) {
        self.socket.send_frame(frame).await;
    }

    pub async fn say(&mut self, spoken: Spoken) {
        self.send(ToWitness::Spoken(spoken)).await;
    }

    /// The next message; none if the socket is closed.
    pub async fn next(&mut self) -> Option<FromWitness> {
        self.socket.next_of(read).await
    }

    pub async fn until<T>(&mut self, mut wanted: impl FnMut(FromWitness) -> Option<T>) -> T {
        loop {
            let message = self.next().await.expect("the socket stays open");
            if let Some(found) = wanted(message) {
                return found;
            }
        }
    }

    /// The receipt for these moves.
    pub async fn receipt(&mut self, bins: &[u8]) -> Told {
        let is_it = |told: &Told| {
            let is_receipt = matches!(told.what, Telling::Receipt { .. });
            assert!(!is_receipt || told.moves.len() <= bins.len(), "{told:?}");
            is_receipt && *told.moves == *bins
        };
        self.until(|message| match message {
            FromWitness::Told(told) => Some(told).filter(is_it),
            _ => None,
        })
        .await
    }

    pub async fn end(&mut self) -> Told {
        self.until(|message| match message {
            FromWitness::Told(told) => {
                Some(told).filter(|told| matches!(told.what, Telling::Ended(_)))
            }
            _ => None,
        })
        .await
    }

    pub async fn offer(&mut self) -> Spoken {
        self.until(|message| match message {
            FromWitness::Offer(offer) => Some(offer),
            _ => None,
        })
        .await
    }

    pub async fn present(&mut self, one: bool, two: bool) {
        self.until(|message| match message {
            FromWitness::Present(Present { players, .. }) => {
                (players.one == one && players.two == two).then_some(())
            }
            _ => None,
        })
        .await;
    }

    pub async fn refusal(&mut self) -> Refusal {
        let refusal = self
            .until(|message| match message {
                FromWitness::Refused(refusal) => Some(refusal),
                _ => None,
            })
            .await;
        if refusal.closes() {
            self.closed().await;
        }
        refusal
    }

    pub async fn closed(&mut self) {
        while self.next().await.is_some() {}
    }
}

/// Time of this machine, in seconds since 1970.
pub fn now() -> u64 {
    crate::by_terms::now()
}

/// A game of this witness without a clock.
pub fn play(number: u64, witness: Address) -> SignedPlay {
    SignedPlay::new(number, witness, None, now())
}

/// Plays these moves in turn. Returns the receipt for the last of them.
pub async fn play_on(
    seats: &mut [Seat; 2],
    play: &SignedPlay,
    before: &[u8],
    bins: &[u8],
) -> Option<Told> {
    let mut all = before.to_vec();
    let mut last = None;
    for bin in bins {
        all.push(*bin);
        let mover = (all.len() - 1) % 2;
        seats[mover].say(play.made(&all)).await;
        for seat in &mut *seats {
            last = Some(seat.receipt(&all).await);
        }
    }
    last
}

/// Both players of a game.
pub async fn both(relay: SocketAddr, play: &SignedPlay) -> [Seat; 2] {
    let one = Seat::join(relay, play, Player::One).await;
    let two = Seat::join(relay, play, Player::Two).await;
    let mut seats = [one, two];
    for seat in &mut seats {
        seat.present(true, true).await;
    }
    seats
}

/// What tests share of a relay that runs.
pub fn shared(folder: &Folder) -> (Server, Address) {
    let witness = folder.open();
    let key = witness.key();
    (start(witness, crate::server::wide()), key)
}
