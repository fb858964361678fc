//! Bounds of what others can make a public host spend.

use std::time::Duration;

use connect4_relay::{Allowed, Entrance, Proxies, Rate};

/// What a public host spends at most.
///
/// What one address may have holds for networks of IPv6 with a prefix of 64 bits, too. It does not for a
/// [`Visitor`](connect4_relay::Visitor) who is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostLimits {
    /// Sockets of pages, of all addresses. Those of players of signed games are counted by themselves.
    pub sockets: usize,
    /// Games that are followed at the same time for those who watch them.
    pub rooms: usize,
    /// Connections at the same time that have no socket. Others wait.
    pub connections: usize,
    /// Sockets of one address, and how often it may open one.
    pub of_address: Allowed,
    /// Files of the page for one address.
    pub files: Allowed,
    /// Other requests of one address.
    pub requests: Allowed,
    /// Requests of one address that make the host ask the chain or the index.
    pub dear: Allowed,
    /// Such requests of all addresses at the same time.
    pub dear_at_once: usize,
    /// Time in which a request has to be read and answered.
    pub answer: Duration,
    /// Time in which the head of a request has to come.
    pub head: Duration,
    /// Time for which a socket may take nothing of what is sent on it.
    pub stall: Duration,
}

impl Default for HostLimits {
    fn default() -> Self {
        Self {
            sockets: 20_000,
            rooms: 5000,
            connections: 8192,
            of_address: Allowed {
                at_once: 64,
                most: u32::MAX,
                rate: Rate {
                    burst: 64,
                    per_second: 4,
                },
            },
            // The page has some 80 files, and a class of thirty that opens it has one address.
            files: Allowed {
                at_once: 512,
                most: u32::MAX,
                rate: Rate {
                    burst: 6000,
                    per_second: 200,
                },
            },
            requests: Allowed {
                at_once: 64,
                most: u32::MAX,
                rate: Rate {
                    burst: 600,
                    per_second: 60,
                },
            },
            dear: Allowed {
                at_once: 16,
                most: u32::MAX,
                rate: Rate {
                    burst: 60,
                    per_second: 6,
                },
            },
            dear_at_once: 512,
            answer: Duration::from_secs(60),
            head: Duration::from_secs(10),
            stall: Duration::from_secs(10),
        }
    }
}

impl HostLimits {
    /// The same, with so many sockets of one address.
    #[must_use]
    pub const fn with_sockets_of_address(mut self, most: u32) -> Self {
        self.of_address.at_once = most;
        self.of_address.rate.burst = most;
        self
    }

    /// The same, with so many requests of one address in a second that make the host ask the chain or the
    /// index, and ten times as many of all.
    #[must_use]
    pub const fn with_dear_of_address(mut self, per_second: u32) -> Self {
        let all = per_second.saturating_mul(10);
        self.dear.rate = Rate {
            burst: all,
            per_second,
        };
        self.requests.rate = Rate {
            burst: all.saturating_mul(10),
            per_second: all,
        };
        self
    }

    /// How the host lets connections in, behind these proxies.
    pub(crate) fn entrance(&self, proxies: Proxies) -> Entrance {
        Entrance {
            head: self.head,
            // Sockets see to it earlier, and count it.
            stall: self.stall.saturating_mul(2),
            connections: self.connections,
            of_address: self.of_address.at_once,
            bytes: BYTES,
            proxies,
        }
    }
}

/// Time between the pings of a socket. One that was not heard between two of them is closed.
pub const PING: Duration = Duration::from_secs(20);
/// How often a page may send a message, which says nothing: its browser answers pings.
pub const MESSAGES: Rate = Rate {
    burst: 32,
    per_second: 2,
};
/// Bytes that are read of a connection: heads and bodies of requests, or messages of players.
const BYTES: Rate = Rate {
    burst: 256 * 1024,
    per_second: 32 * 1024,
};
