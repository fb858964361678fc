//! Games with a known end, on the standard board.

use connect4_rules::{Bin, notation};

/// Seven drops; red, who moves first, completes a column with the last.
pub const SHORT: &str = "4343434";
/// Forty-two drops that fill the board without a line.
pub const DRAW: &str = "773536213355643211576164565614277172224443";

/// The bins of a game, from 0 at the left.
pub fn bins(moves: &str) -> impl Iterator<Item = u8> {
    notation::parse(moves).map(|bin| bin.map(Bin::index).expect("a bin"))
}
