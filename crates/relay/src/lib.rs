//! The relay of fast play: a room for each game, in which players pass signed positions to each other
//! and to those who watch.
//!
//! [`wire`] describes the messages. [`router`] serves rooms as a part of any axum server, [`serve`] as
//! a server of its own. Which games there are is the [`Source`]'s to tell.
//!
//! # Trust
//!
//! Nobody trusts a relay, unless it is the [`witness`] of signed games. It has no secret and no key, so it
//! can forge nothing: players check what they receive, and the contract checks it again. It can stay
//! silent, lie about who is there, or pass on less than it knows; then players finish the game on the
//! chain.
//!
//! A relay trusts nobody but its chain. Positions and offers are passed on only if they are signed by
//! the session keys that the chain has for the game, and legal. Places of players are given to who
//! signs with these keys. [`Limits`] bound everything that others can make it spend: rooms, sockets,
//! sockets of an address, bytes of a frame, messages and bytes in a time, questions to the chain.
//!
//! # What it keeps
//!
//! The latest position of each game, in memory, until the place is needed for another game. After a
//! restart players bring their positions back. Ended games by signed terms are kept for those who follow them,
//! up to a number. There is no queue for a socket: a slow reader skips to
//! the latest position, and one who reads nothing is dropped.
//!
//! # Measured
//!
//! On 2 cores that the players had to share, with other programs running
//! (`cargo bench --package connect4-relay`): 3,000 rooms with two players and a watcher each, 9,000
//! sockets, take 56 MB. While games are played in 500 of them, 325 moves a second, the opponent has a
//! move 0.39 ms after it was sent at the median, 5.6 ms at the 99th percentile; the same frames come
//! back from a server that only returns them after 0.08 and 2.8 ms. The relay then takes 10 % of a core
//! and 58 MB. Most of the difference is the signature, which is checked before a move is passed on.
//!
//! Open `room` first, then `connection`.
//!
//! | file | job |
//! |---|---|
//! | `limits`, `rate`, `visitor`, `addresses`, `proxies`, `throttled`, `patient`, `counters` | bounds, and counts of what happened |
//! | `source` | which games there are |
//! | `places`, `remembering`, `room`, `rooms` | who is in a room, which signatures are known, what it holds, all rooms |
//! | `stop`, `relay` | what all sockets share |
//! | `lobby`, `lobby_place`, `lobby_visit` | who offers a signed game, and who takes it; the place of a socket there; such a socket |
//! | `hall` | the sockets of a room, and what they are told |
//! | `players` | who the players of a signed game are |
//! | `staked` | rooms of games with a stake, in which players tell each other what they have signed |
//! | `witness` | rooms of signed games, whose order and time the relay keeps |
//! | `feed`, `feed_visit` | games by signed terms that are played and that have ended; a socket that follows them |
//! | `talk`, `connection`, `router` | one socket, the route to it |
//! | `entrance`, `serve` | connections of any server with such bounds, and the relay as one |
//!
//! [`wire`]: connect4_protocol::fast::wire

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod addresses;
mod clock;
mod connection;
mod counters;
mod entrance;
mod feed;
mod feed_visit;
mod hall;
mod limits;
mod lobby;
mod lobby_place;
mod lobby_visit;
mod patient;
mod places;
mod players;
mod proxies;
mod queue;
mod rate;
mod relay;
mod remembering;
mod room;
mod rooms;
mod router;
mod serve;
mod shares;
mod source;
mod staked;
mod stop;
mod talk;
mod throttled;
mod visitor;
pub mod witness;

pub use addresses::{Addresses, Allowed, Guest};
pub use clock::now;
pub use counters::{Counter, Counters, Counts};
pub use entrance::Entrance;
pub use limits::Limits;
pub use lobby::Lobby;
pub use lobby_visit::LobbyVisit;
pub use places::SocketId;
pub use proxies::{Network, NotANetwork, Proxies, ProxyHeader};
pub use queue::{Queue, Turn};
pub use rate::{Bucket, Rate};
pub use relay::Relay;
pub use room::{Room, Shown, Visit};
pub use router::router;
pub use serve::serve;
pub use source::{Found, Source, Unreachable};
pub use stop::Stop;
pub use visitor::Visitor;
pub use witness::{ShownGame, Witness};
