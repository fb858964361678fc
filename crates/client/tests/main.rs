//! The tests of this crate, in one program: linking each file by itself takes longer than compiling it.

mod actions;
mod common;
mod ethereum;
mod forks;
mod keyring;
mod lies;
mod local;
mod outages;
mod records;
mod signed_games;
mod strangers;
mod upgrade;
mod variants;
