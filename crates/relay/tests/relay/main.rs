//! The relay, as players, watchers and others meet it.
//!
//! | module | tests |
//! |---|---|
//! | `feed` | what followers are told of the games that have ended |
//! | `hostile` | junk, floods, wrong keys, slow readers, half-open sockets |
//! | `signed` | the lobby, and rooms of signed games, whose order and time the relay keeps |
//! | `staked` | rooms of games with a stake |
//!
//! `server` starts relays.

mod feed;
mod hostile;
mod server;
mod signed;
mod staked;
