//! The relay, as players, watchers and others meet it.
//!
//! | module | tests |
//! |---|---|
//! | `rooms` | what a room tells, and to whom |
//! | `games` | which games have rooms, and what is kept of them |
//! | `feed` | what followers are told of the games that have ended |
//! | `hostile` | junk, floods, wrong keys, slow readers, half-open sockets |
//! | `signed` | the lobby, and rooms of signed games, whose order and time the relay keeps |
//! | `staked` | rooms of games with a stake |
//! | `malicious` | players behind a relay that lies |
//!
//! `server` starts relays.

mod feed;
mod games;
mod hostile;
mod malicious;
mod rooms;
mod server;
mod signed;
mod staked;
