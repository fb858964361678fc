//! The relay, as players, watchers and others meet it.
//!
//! | module | tests |
//! |---|---|
//! | `rooms` | what a room tells, and to whom |
//! | `games` | which games have rooms, and what is kept of them |
//! | `by_terms` | rooms of games by signed terms |
//! | `lobby` | seeks, answers, invites, and what becomes of them |
//! | `feed` | what followers are told of the games that are played, and of those that have ended |
//! | `floods` | a crowd of guests: what is kept is bounded, and others play on |
//! | `hostile` | junk, floods, wrong keys, slow readers, half-open sockets |
//! | `signed` | rooms of signed games, whose order and time the relay keeps |
//! | `staked` | rooms of games with a stake |
//! | `malicious` | players behind a relay that lies |
//!
//! `server` starts relays.

mod by_terms;
mod feed;
mod floods;
mod games;
mod hostile;
mod lobby;
mod malicious;
mod pools;
mod rooms;
mod server;
mod signed;
mod staked;
