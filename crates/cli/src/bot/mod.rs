//! A program that plays at a relay by itself.
//!
//! [`seeking`] finds opponents one after the other. Each [`game`] is a task with a player of its own, which [`mind`] tells
//! its moves: a thread that thinks for all of them. [`table`] is what they share. Opponents are strangers: one who is silent gives up its place among the games that are played at the
//! same time, and comes back when it moves.

pub mod game;
pub mod mind;
pub mod seeking;
pub mod table;
