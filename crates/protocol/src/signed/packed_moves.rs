//! Moves of a recorded game, two in a byte.

use codec::{Compact, Encode, Input, Output};

use super::Moves;
use super::moves::read_len;

/// First byte of a list in which each move has a byte of its own: two halves that are no moves.
const APART: u8 = 0xee;
/// Half of a byte that is a swap.
const SWAP: u8 = 0xf;
/// Half of a byte behind the last move.
const NONE: u8 = 0xe;

/// Writes moves as a list of bytes, as [`RecordedEnd`](super::RecordedEnd) describes it.
pub(crate) fn pack<O: Output + ?Sized>(moves: &Moves, dest: &mut O) {
    let half = |bin: u8| match bin {
        Moves::SWAP => Some(SWAP),
        bin => (bin < NONE).then_some(bin),
    };
    let is_short = moves.len() < Moves::MAX && moves.iter().all(|bin| half(*bin).is_some());
    if !is_short {
        Compact(u32::from(moves.turns()).saturating_add(1)).encode_to(dest);
        dest.push_byte(APART);
        dest.write(moves);
        return;
    }
    Compact(u32::from(moves.turns().div_ceil(2))).encode_to(dest);
    for pair in moves.chunks(2) {
        let at = |place| pair.get(place).copied().and_then(half).unwrap_or(NONE);
        dest.push_byte(at(0) | at(1) << 4);
    }
}

/// Reads what [`pack`] writes. The halves of a byte are not looked at one by one: [`NONE`] before the end is
/// a bin, which is on no board that needs one half for a move, or the move of another game than was signed.
pub(crate) fn unpack<I: Input>(input: &mut I) -> Result<Moves, codec::Error> {
    const TOO_MANY: &str = "too many moves";
    let mut bytes = [0; Moves::MAX + 1];
    let bytes = bytes.get_mut(..read_len(input)?).ok_or(TOO_MANY)?;
    input.read(bytes)?;
    match bytes {
        [APART, bins @ ..] => Moves::from_bins(bins).ok_or_else(|| TOO_MANY.into()),
        pairs => Moves::from_halves(pairs).ok_or_else(|| TOO_MANY.into()),
    }
}
