//! A socket in the room of a signed game.

use std::net::SocketAddr;

use connect4_protocol::Address;
use connect4_protocol::signed::relay::{Present, Refusal};
use connect4_protocol::signed::wire::{FromWitness, Spoken, Telling, ToWitness, Told, path, read};
use connect4_protocol::signed::{Chain, GameNumber};
use connect4_rules::Player;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::signed::{CHAIN, SignedPlay};
use crate::socket::Socket;

/// A socket in the room of a signed game.
pub struct Seat {
    socket: Socket,
    pub chain: Chain,
    pub nonce: [u8; 32],
    /// The time of the witness when it was opened, in milliseconds.
    pub time: u64,
}

impl Seat {
    pub async fn open(relay: SocketAddr, witness: Address, game: GameNumber) -> Self {
        let stream = TcpStream::connect(relay).await.expect("it listens");
        let socket = Socket::over(stream, &path(witness, game)).await;
        Self::welcomed(socket.expect("a socket")).await
    }

    /// A socket in a room that was welcomed.
    pub async fn welcomed(socket: Socket) -> Self {
        // What comes in place of the welcome says why.
        let welcome = Self::welcome(socket).await;
        welcome.unwrap_or_else(|other| panic!("{other:?}"))
    }

    /// The same, or what comes in place of the welcome.
    async fn welcome(socket: Socket) -> Result<Self, Option<FromWitness>> {
        let mut seat = Self {
            socket,
            chain: CHAIN,
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
                seat.chain = Chain {
                    id: chain_id,
                    genesis,
                };
                (seat.nonce, seat.time) = (nonce, time);
            }
            other => return Err(other),
        }
        Ok(seat)
    }

    /// Enters the room of a witness that is not there. Returns why it is refused.
    pub async fn refused(relay: SocketAddr, witness: Address, game: GameNumber) -> Refusal {
        let stream = TcpStream::connect(relay).await.expect("it listens");
        let socket = Socket::over(stream, &path(witness, game)).await;
        let mut seat = Self {
            socket: socket.expect("a socket"),
            chain: CHAIN,
            nonce: [0; 32],
            time: 0,
        };
        seat.refusal().await
    }

    /// Joins the game, whose terms it brings.
    pub async fn join(relay: SocketAddr, play: &SignedPlay, player: Player) -> Self {
        let witness = play.signed.terms.witness.expect("a witness");
        let seat = Self::open(relay, witness, play.number).await;
        assert_eq!(seat.chain, play.chain);
        seat.joined(play, player).await
    }

    /// The same, as a proxy passes on a visitor who may have too many sockets.
    ///
    /// # Errors
    ///
    /// What the relay answers instead.
    pub async fn join_from(
        relay: SocketAddr,
        play: &SignedPlay,
        player: Player,
        visitor: &str,
    ) -> Result<Self, Error> {
        let witness = play.signed.terms.witness.expect("a witness");
        let socket = Socket::passed_to(relay, &path(witness, play.number), visitor).await?;
        Ok(Self::welcomed(socket).await.joined(play, player).await)
    }

    /// Joins the game again with what the player holds of the witness; none if the relay is not there.
    pub async fn rejoin_from(
        relay: SocketAddr,
        play: &SignedPlay,
        player: Player,
        visitor: &str,
        held: Option<&Told>,
    ) -> Option<Self> {
        let witness = play.signed.terms.witness.expect("a witness");
        let socket = Socket::passed_to(relay, &path(witness, play.number), visitor).await;
        let mut seat = Self::welcome(socket.ok()?).await.ok()?;
        if let Some(held) = held {
            seat.send(ToWitness::Held(*held)).await;
        }
        Some(seat.joined(play, player).await)
    }

    async fn joined(mut self, play: &SignedPlay, player: Player) -> Self {
        self.send(ToWitness::Terms(play.signed)).await;
        self.send(play.join(player, self.nonce)).await;
        self
    }

    pub async fn send(&mut self, message: ToWitness) {
        self.socket.send_message(&message).await;
    }

    /// How often the relay has asked for the round trip of the line.
    #[must_use]
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
