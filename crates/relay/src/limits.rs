//! Bounds of what others can make a relay spend.

use std::time::Duration;

use crate::addresses::Allowed;
use crate::rate::Rate;

/// What a relay spends at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rooms, with those that nobody is in. The room that has been empty for the longest makes place
    /// for a new one.
    pub rooms: usize,
    /// Sockets, of all rooms.
    pub sockets: usize,
    /// Sockets of one address, or of one network of IPv6 with a prefix of 64 bits.
    pub sockets_of_address: u32,
    /// How often one address may open a socket.
    pub openings_of_address: Rate,
    /// Watchers of one room. Players have places of their own.
    pub watchers: u16,
    /// How often a message may come on one socket. [`serve`](crate::serve) reads no more bytes than so
    /// many messages may have.
    pub messages: Rate,
    /// Time for which a socket may take nothing of what is sent to it.
    pub stall: Duration,
    /// Time between the pings of a socket. One that has not been heard of between two of them is
    /// closed.
    pub ping: Duration,
    /// Time in which a connection has to ask for a room, and in which a newcomer to a full room has to
    /// join as a player.
    pub handshake: Duration,
    /// Time in which the chain has to answer.
    pub lookup: Duration,
    /// Questions to the chain at the same time.
    pub lookups: usize,
}

impl Limits {
    /// What one address may have of the sockets.
    pub(crate) fn of_address(&self) -> Allowed {
        Allowed {
            at_once: self.sockets_of_address,
            rate: self.openings_of_address,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rooms: 10_000,
            sockets: 20_000,
            sockets_of_address: 64,
            openings_of_address: Rate {
                burst: 64,
                per_second: 4,
            },
            watchers: 64,
            messages: Rate {
                burst: 32,
                per_second: 8,
            },
            stall: Duration::from_secs(10),
            ping: Duration::from_secs(20),
            handshake: Duration::from_secs(10),
            lookup: Duration::from_secs(20),
            lookups: 16,
        }
    }
}
