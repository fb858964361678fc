//! Strangers who seek, answer, open rooms and end games as fast as they can.

use std::net::SocketAddr;

use connect4_protocol::fast::Ending;
use connect4_protocol::fast::lobby::{FromLobby, Side, ToLobby};
use connect4_protocol::fast::wire::{Refusal, ToRelay};
use connect4_rules::Player;

use crate::fast::session_key;
use crate::socket::Socket;
use crate::terms::{TermsPlay, answer, seek};

/// Moves of which the last completes a line.
pub const LINE: [u8; 7] = [3, 4, 3, 4, 3, 4, 3];
/// Numbers of the strangers' keys begin here.
const KEYS: u64 = 1 << 32;
const SECRET: [u8; 32] = [5; 32];

/// A stranger, as a proxy passes it on to a relay.
#[derive(Clone, Debug)]
pub struct Stranger {
    pub relay: SocketAddr,
    /// The address that the proxy names.
    pub from: String,
    /// Gives the stranger keys of its own.
    pub number: u64,
    /// The time, in seconds since 1970.
    pub now: u64,
}

impl Stranger {
    /// Seeks a game, and answers the first seek of another one that is listed. Returns the socket, by which
    /// the seek stays; none if the relay gives none.
    pub async fn seeks(&self) -> Option<Socket> {
        let mut socket = Socket::passed_to_lobby(self.relay, &self.from).await.ok()?;
        let key = session_key(KEYS + self.number);
        let seek = seek(&key, Side::Random, &SECRET, self.now, socket.nonce());
        let invite = None;
        socket.tell_lobby(ToLobby::Seek { seek, invite }).await;
        let (id, seen) = loop {
            match socket.next_in_lobby().await? {
                FromLobby::Listed { id, seek, .. } => break (id, seek),
                FromLobby::Refused(Refusal::Busy) | FromLobby::Complete => return Some(socket),
                _ => {}
            }
        };
        if seen.seek.party.key() != key.address() {
            let answer = answer(&key, &seen.seek, self.now, 7);
            let message = ToLobby::Answer { seek: id, answer };
            socket.tell_lobby(message).await;
        }
        Some(socket)
    }

    /// Opens a room for two keys, and ends their game. Returns the socket in the room; none if the relay
    /// gives none.
    pub async fn ends(&self) -> Option<Socket> {
        let play = TermsPlay::new(KEYS + self.number, self.now);
        let opened = Socket::passed_on(self.relay, play.number, &self.from).await;
        let mut socket = opened.ok()?;
        // The welcome.
        socket.next().await?;
        socket.send(ToRelay::Terms(play.signed)).await;
        socket.send(play.position(&LINE)).await;
        let resigned = play.evidence(&LINE, Some(Ending::Resignation(Player::Two)));
        socket.send(ToRelay::Position(resigned)).await;
        // The room is left as soon as it is open, or full.
        socket.next().await;
        Some(socket)
    }
}
