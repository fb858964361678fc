//! Strangers who offer and take games, open rooms and end games as fast as they can.

use std::net::SocketAddr;

use connect4_protocol::Address;
use connect4_protocol::signed::lobby::{FromLobby, ToLobby};
use connect4_protocol::signed::relay::Refusal;
use connect4_rules::Player;

use crate::lobby::{Visitor, offer};
use crate::room::Seat;
use crate::signed::SignedPlay;

/// Moves of which the last completes a line.
pub const LINE: [u8; 7] = [3, 4, 3, 4, 3, 4, 3];
/// Numbers of the strangers' keys begin here.
const KEYS: u64 = 1 << 32;

/// A stranger, as a proxy passes it on to a relay.
#[derive(Clone, Debug)]
pub struct Stranger {
    pub relay: SocketAddr,
    /// The witness that the relay is.
    pub witness: Address,
    /// The address that the proxy names.
    pub from: String,
    /// Gives the stranger offers and keys of its own.
    pub number: u64,
    /// The time, in seconds since 1970.
    pub now: u64,
}

impl Stranger {
    /// Offers a game, and takes the first offer of another one that is listed. Returns the socket, by which the offer
    /// stays; none if the relay gives none.
    pub async fn offers(&self) -> Option<Visitor> {
        let mut visitor = Visitor::passed_on(self.relay, &self.from).await.ok()?;
        let own = offer(KEYS + self.number);
        let (what, invite) = (own.clone(), None);
        visitor
            .say(ToLobby::Offer {
                offer: what,
                invite,
            })
            .await;
        visitor.say(ToLobby::List { live: true }).await;
        let id = loop {
            match visitor.next().await? {
                FromLobby::Listed { id, offer, .. } if offer != own => break id,
                FromLobby::Refused(Refusal::Busy) | FromLobby::Complete => return Some(visitor),
                _ => {}
            }
        };
        visitor.take(id, b"junk").await;
        Some(visitor)
    }

    /// Opens a room for two keys, and ends their game by a line. Returns the socket in the room; none if the relay gives
    /// none.
    pub async fn ends(&self) -> Option<Seat> {
        let play = SignedPlay::new(KEYS + self.number, self.witness, None, self.now);
        let joined = Seat::join_from(self.relay, &play, Player::One, &self.from).await;
        let mut seat = joined.ok()?;
        for turns in 1..=LINE.len() {
            seat.say(play.made(&LINE[..turns])).await;
        }
        // The room is left as soon as the game is over, or refused.
        seat.next().await;
        Some(seat)
    }
}
