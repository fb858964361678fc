//! The relay of signed games: a room for each, in which players pass on what they have signed, to each other and to
//! those who watch.
//!
//! [`signed`] describes the messages. [`router`] serves rooms as a part of any axum server, [`serve`] as
//! a server of its own.
//!
//! # Trust
//!
//! Nobody trusts a relay, unless it is the [`witness`] of signed games. It has no secret and no key, so it
//! can forge nothing: players check what they receive, and the contract checks it again. It can stay
//! silent, lie about who is there, or pass on less than it knows; then players finish a game with a stake on the
//! chain.
//!
//! A relay trusts nobody. Places of players are given to who signs with the keys of the terms. [`Limits`] bound
//! everything that others can make it spend: rooms, sockets, sockets of an address, bytes of a frame, messages and bytes
//! in a time.
//!
//! # What it keeps
//!
//! What the players of each game with a stake have told last, in memory, until the place is needed for another game. After a
//! restart players bring it back. Games that its witness has ended are kept for those who follow them,
//! up to a number. There is no queue for a socket: a slow reader skips to
//! the latest position, and one who reads nothing is dropped.
//!
//! Open `witness` first, then `staked` and `connection`.
//!
//! | file | job |
//! |---|---|
//! | `limits`, `rate`, `visitor`, `addresses`, `proxies`, `throttled`, `patient`, `counters` | bounds, and counts of what happened |
//! | `places`, `rooms` | who is in a room, all rooms |
//! | `stop`, `relay` | what all sockets share |
//! | `lobby`, `lobby_place`, `lobby_visit` | who offers a signed game, and who takes it; the place of a socket there; such a socket |
//! | `hall` | the sockets of a room, and what they are told |
//! | `players` | who the players of a signed game are |
//! | `staked` | rooms of games with a stake, in which players tell each other what they have signed |
//! | `witness` | rooms of signed games, whose order and time the relay keeps |
//! | `feed`, `feed_visit` | signed games that are played and that have ended; a socket that follows them |
//! | `talk`, `connection`, `router` | one socket, the route to it |
//! | `entrance`, `serve` | connections of any server with such bounds, and the relay as one |
//!
//! [`signed`]: connect4_protocol::signed

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
mod rooms;
mod router;
mod serve;
mod shares;
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
pub use router::router;
pub use serve::serve;
pub use stop::Stop;
pub use visitor::Visitor;
pub use witness::{ShownGame, Witness};
