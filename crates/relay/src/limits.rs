//! Bounds of what others can make a relay spend.

use std::time::Duration;

use crate::addresses::Allowed;
use crate::rate::Rate;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
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
    /// Empty rooms of signed games that are kept. They cost their players nothing.
    pub rooms_by_terms: usize,
    /// Rooms of signed games that one address has opened, or one network of IPv6 with a prefix of 64
    /// bits, and that are still kept.
    pub rooms_of_address: u32,
    /// How often one address may open such a room.
    pub room_openings_of_address: Rate,
    /// Signed games that go on with this relay as their witness. A network that has opened an eighth of what is left
    /// waits. Nobody is kept out of their rooms. Of empty ones there are [so many](Self::rooms_by_terms).
    pub signed_games: usize,
    /// Signed games of one session key that go on.
    pub signed_games_of_key: usize,
    /// Kilobytes that signed games can add to the log of the witness: what a game needs at most is taken when it begins.
    /// Networks share them, one that has used an eighth of what is left waits. So they bound the ends that are kept, too.
    pub signed_log: Rate,
    /// Bytes by which that log grows, and to double what it was at least, before it is written anew.
    pub signed_log_growth: u64,
    /// How often one address may ask the witness for the signature on a list of ends.
    pub lists_of_address: Rate,
    /// How long such a room is kept after the last has left, if its game has ended.
    pub keep_ended: Duration,
    /// How long such a room is kept after the last has left, if its game goes on.
    pub keep_unfinished: Duration,
    /// Seeks in the lobby. An address, or a network of IPv6 with a prefix of 48 bits, that has an eighth of the
    /// places that are left waits.
    pub seeks: usize,
    /// Seeks of one address at the same time, or of one network of IPv6 with a prefix of 64 bits.
    pub seeks_of_address: u32,
    /// Seeks of one network of IPv6 at the same time, however wide it is.
    pub seeks_of_network: u32,
    pub seekings_of_address: Rate,
    /// How many messages about its list the lobby may send, to all who follow it. Addresses of the followers, and
    /// networks of IPv6 with a prefix of 48 bits, share them: one that has used an eighth of those that are left
    /// waits. Nobody's seek waits for that.
    pub listings: Rate,
    /// How often those who follow the list of the lobby are told how many wait and play, if that has changed.
    pub counts: Duration,
    /// Time in which the program of a seeker has to accept an answer.
    pub acceptance: Duration,
    /// Signed games that have ended and are kept for those who follow the relay. The oldest makes place.
    pub ended: usize,
    /// Such games whose rooms one address has opened, or one network of IPv6 with a prefix of 48 bits. The oldest
    /// of them makes place.
    pub ended_of_address: usize,
    /// Sockets that follow the games of the relay.
    pub followers: usize,
    /// Such sockets of one address, or of one network of IPv6 with a prefix of 64 bits.
    pub followers_of_address: u32,
    /// Such sockets of one network of IPv6, however wide it is.
    pub followers_of_network: u32,
}

impl Limits {
    /// What one address may have of the sockets.
    pub(crate) fn of_address(&self) -> Allowed {
        Allowed {
            at_once: self.sockets_of_address,
            most: u32::MAX,
            rate: self.openings_of_address,
        }
    }

    pub(crate) const fn rooms_of_address(&self) -> Allowed {
        Allowed {
            at_once: self.rooms_of_address,
            most: u32::MAX,
            rate: self.room_openings_of_address,
        }
    }

    pub(crate) const fn lists_of_address(&self) -> Allowed {
        Allowed {
            at_once: u32::MAX,
            most: u32::MAX,
            rate: self.lists_of_address,
        }
    }

    pub(crate) fn followers_of_address(&self) -> Allowed {
        Allowed {
            at_once: self.followers_of_address,
            most: self.followers_of_network.max(self.followers_of_address),
            rate: self.room_openings_of_address,
        }
    }

    pub(crate) fn seeks_of_address(&self) -> Allowed {
        Allowed {
            at_once: self.seeks_of_address,
            most: self.seeks_of_network.max(self.seeks_of_address),
            rate: self.seekings_of_address,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
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
            rooms_by_terms: 5_000,
            rooms_of_address: 64,
            room_openings_of_address: Rate {
                burst: 32,
                per_second: 1,
            },
            signed_games: 20_000,
            signed_games_of_key: 32,
            // Forgotten in 23 days.
            signed_log: Rate {
                burst: 2_000_000,
                per_second: 1,
            },
            signed_log_growth: 64 << 20,
            lists_of_address: Rate {
                burst: 8,
                per_second: 1,
            },
            keep_ended: Duration::from_secs(60),
            keep_unfinished: Duration::from_secs(15 * 60),
            seeks: 500,
            seeks_of_address: 16,
            seeks_of_network: 64,
            seekings_of_address: Rate {
                burst: 16,
                per_second: 1,
            },
            listings: Rate {
                burst: 50_000,
                per_second: 10_000,
            },
            counts: Duration::from_secs(5),
            acceptance: Duration::from_secs(5),
            ended: 10_000,
            ended_of_address: 1_000,
            followers: 64,
            followers_of_address: 4,
            followers_of_network: 8,
        }
    }
}
