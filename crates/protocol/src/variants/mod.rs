//! Variants on chain: tables that fill up, games of two to four accounts, moves of every kind.
//!
//! The rules of the board are in [`connect4_rules::variant`]; the rules between accounts are here.
//! A game and the table it began as are one record with one number, from 0.

mod end;
pub mod event;
mod game;
pub mod message;
mod page;

pub use end::End;
pub use game::{Departure, Game};
pub use page::Page;
