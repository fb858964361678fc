//! Moves of classic games.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use connect4_protocol::signed::Moves;
use connect4_rules::{Bin, Position};
use connect4_rules::{notation, variant::Move};

/// The moves as text: each is a character, that of its bin or `s` for a swap.
pub(crate) fn text(moves: &Moves) -> String {
    let text = |bin: Bin| match bin.index() {
        Moves::SWAP => notation::write([Move::Swap]).to_string(),
        _ => notation::write([bin]).to_string(),
    };
    moves.iter_bins().map(text).collect()
}

/// The bins into which a disc can be dropped.
pub(crate) fn legal(position: &Position) -> Vec<u8> {
    position.legal_bins().map(Bin::index).collect()
}
