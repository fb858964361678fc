//! Fast play from a player's side.
//!
//! | module | tests |
//! |---|---|
//! | `seats` | what a seat signs and takes, case by case |
//! | `honest` | two honest seats with a bad network, which finish each game |
//! | `cheats` | one honest seat against an opponent who does all that signatures allow |
//!
//! `world` is the chain, as the contract runs it, and the players' disks. `counts` plays random sequences
//! and counts what occurs in them.

mod cheats;
mod counts;
mod honest;
mod seats;
mod world;
