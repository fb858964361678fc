//! Somebody in the lobby of a relay.

use std::net::SocketAddr;

use connect4_protocol::Address;
use connect4_protocol::signed::lobby::{
    FromLobby, Invite, Letter, NotPaired, Offer, OfferId, PATH, TakeId, ToLobby, WitnessAt, read,
};
use connect4_protocol::signed::relay::Refusal;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Error;

use crate::socket::Socket;

/// An offer that the relay does not read.
pub fn offer(number: u64) -> Offer {
    let mut bytes = vec![7; 300];
    bytes.splice(..8, number.to_be_bytes());
    Offer::new(bytes).expect("few bytes")
}

pub fn letter(text: &[u8]) -> Letter {
    Letter::new(text.to_vec()).expect("few bytes")
}

/// Somebody in the lobby, after the welcome.
pub struct Visitor(pub Socket);

impl Visitor {
    pub async fn enter(relay: SocketAddr) -> Self {
        let stream = TcpStream::connect(relay).await.expect("it listens");
        Self(Socket::over(stream, PATH).await.expect("a socket"))
            .welcomed()
            .await
    }

    /// As a proxy does for a visitor.
    pub async fn enter_from(relay: SocketAddr, visitor: &str) -> Self {
        Self::passed_on(relay, visitor).await.expect("a socket")
    }

    /// The same of a visitor who may have too many sockets.
    ///
    /// # Errors
    ///
    /// What the relay answers instead.
    pub async fn passed_on(relay: SocketAddr, visitor: &str) -> Result<Self, Error> {
        let socket = Socket::passed_to(relay, PATH, visitor).await?;
        Ok(Self(socket).welcomed().await)
    }

    /// With a buffer that takes few frames while nothing is read.
    pub async fn narrow(relay: SocketAddr) -> Self {
        Self(Socket::narrow_over(relay, PATH).await)
            .welcomed()
            .await
    }

    /// The witness that a relay is, as its lobby says; none if it is none.
    pub async fn witness_at(relay: SocketAddr) -> Option<WitnessAt> {
        let stream = TcpStream::connect(relay).await.expect("it listens");
        let mut visitor = Self(Socket::over(stream, PATH).await.expect("a socket"));
        match visitor.next().await {
            Some(FromLobby::Welcome { witness, .. }) => witness,
            other => panic!("{other:?}"),
        }
    }

    async fn welcomed(mut self) -> Self {
        match self.next().await {
            Some(FromLobby::Welcome { .. }) => self,
            other => panic!("{other:?}"),
        }
    }

    pub async fn say(&mut self, message: ToLobby) {
        self.0.send_message(&message).await;
    }

    pub async fn next(&mut self) -> Option<FromLobby> {
        self.0.next_of(read).await
    }

    pub async fn until<T>(&mut self, mut wanted: impl FnMut(FromLobby) -> Option<T>) -> T {
        loop {
            let message = self.next().await.expect("the socket stays open");
            if let Some(found) = wanted(message) {
                return found;
            }
        }
    }

    pub async fn follow(&mut self) {
        self.say(ToLobby::List { live: true }).await;
        self.until(|message| (message == FromLobby::Complete).then_some(()))
            .await;
    }

    /// Offers a game, and waits until it is listed.
    pub async fn offer(&mut self, what: Offer, invite: Option<Invite>) -> OfferId {
        let offer = what.clone();
        self.say(ToLobby::Offer { offer, invite }).await;
        self.listed(&what).await
    }

    pub async fn listed(&mut self, what: &Offer) -> OfferId {
        self.until(|message| match message {
            FromLobby::Listed { id, offer, .. } if offer == *what => Some(id),
            _ => None,
        })
        .await
    }

    pub async fn take(&mut self, offer: OfferId, text: &[u8]) {
        let letter = letter(text);
        self.say(ToLobby::Take { offer, letter }).await;
    }

    /// Waits until somebody takes this offer.
    pub async fn taken(&mut self, taken: OfferId) -> (TakeId, Letter) {
        self.until(|message| match message {
            FromLobby::Taken { offer, id, letter } if offer == taken => Some((id, letter)),
            _ => None,
        })
        .await
    }

    pub async fn accepted(&mut self) -> (OfferId, Letter) {
        self.until(|message| match message {
            FromLobby::Accepted { offer, letter } => Some((offer, letter)),
            _ => None,
        })
        .await
    }

    pub async fn not_paired(&mut self) -> NotPaired {
        self.until(|message| match message {
            FromLobby::NotPaired { why, .. } => Some(why),
            _ => None,
        })
        .await
    }

    pub async fn gone(&mut self, gone: OfferId) {
        self.until(|message| (message == FromLobby::Gone { id: gone }).then_some(()))
            .await;
    }

    /// The witness that it is told of next.
    pub async fn witness(&mut self) -> Option<Address> {
        self.until(|message| match message {
            FromLobby::Welcome { witness, .. } => Some(witness.map(|at| at.key)),
            _ => None,
        })
        .await
    }

    pub async fn refusal(&mut self) -> Refusal {
        self.until(|message| match message {
            FromLobby::Refused(refusal) => Some(refusal),
            _ => None,
        })
        .await
    }
}
