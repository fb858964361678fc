//! Encoding of a position, byte for byte as derived code would write and read it.
//!
//! It is written by hand because a contract pays for its code on every move: derived, each field is
//! written and read by a call of its own.

use codec::{Decode, Encode, EncodeLike, Input};

use super::{Over, Position};
use crate::variant::{Colour, Powers, Variant, VariantSpec};
use crate::{Cells, ShapeSpec};

/// Length of an encoded position in bytes.
const LEN: usize = 93;

impl EncodeLike for Position {}

impl Encode for Position {
    fn size_hint(&self) -> usize {
        LEN
    }

    fn using_encoded<R, F: FnOnce(&[u8]) -> R>(&self, f: F) -> R {
        f(&record(self))
    }
}

#[inline(never)]
fn record(position: &Position) -> [u8; LEN] {
    let variant = &position.variant;
    let shape = variant.shape();
    let powers = |powers: Powers| [powers.take, powers.clear, powers.float];
    let mut bytes = [0; LEN];
    bytes[..6].copy_from_slice(&[
        shape.bins(),
        shape.capacity(),
        shape.line(),
        variant.players(),
        u8::from(variant.pop_out()),
        u8::from(variant.pie_rule()),
    ]);
    bytes[6..9].copy_from_slice(&powers(variant.powers()));
    for (bytes, discs) in bytes[9..73].chunks_exact_mut(16).zip(&position.discs.0) {
        bytes.copy_from_slice(&discs.bits().to_le_bytes());
    }
    for (bytes, &left) in bytes[73..85].chunks_exact_mut(3).zip(&position.powers.0) {
        bytes.copy_from_slice(&powers(left));
    }
    for (byte, &has_left) in bytes[85..89].iter_mut().zip(&position.has_left.0) {
        *byte = u8::from(has_left);
    }
    bytes[89..].copy_from_slice(&[
        position.turns,
        position.next as u8,
        position.over as u8,
        position.winner as u8,
    ]);
    bytes
}

/// Refuses terms out of bounds. Whether the fields agree with each other is not checked.
impl Decode for Position {
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
        let mut bytes = [0; LEN];
        input.read(&mut bytes)?;
        position(&bytes).ok_or_else(|| "not a position".into())
    }
}

#[inline(never)]
fn position(bytes: &[u8; LEN]) -> Option<Position> {
    // The parts add up to LEN, so no split can fail; the compiler leaves the checks out.
    let ([bins, capacity, line], bytes) = bytes.split_first_chunk::<3>()?;
    let ([players, pop_out, pie_rule], bytes) = bytes.split_first_chunk::<3>()?;
    let (allowed, bytes) = bytes.split_first_chunk::<3>()?;
    let (discs, bytes) = bytes.split_first_chunk::<64>()?;
    let (left, bytes) = bytes.split_first_chunk::<12>()?;
    let (has_left, bytes) = bytes.split_first_chunk::<4>()?;
    let ([turns, next, over, winner], _) = bytes.split_first_chunk::<4>()?;
    let variant = Variant::try_from(VariantSpec {
        shape: ShapeSpec {
            bins: *bins,
            capacity: *capacity,
            line: *line,
        },
        players: *players,
        pop_out: flag(*pop_out)?,
        pie_rule: flag(*pie_rule)?,
        powers: powers(*allowed),
    });
    let mut position = Position::new(variant.ok()?);
    let (discs, _) = discs.as_chunks::<16>();
    for (cells, bytes) in position.discs.0.iter_mut().zip(discs) {
        *cells = Cells::from_bits(u128::from_le_bytes(*bytes));
    }
    let (left, _) = left.as_chunks::<3>();
    for (of_one, bytes) in position.powers.0.iter_mut().zip(left) {
        *of_one = powers(*bytes);
    }
    for (of_one, byte) in position.has_left.0.iter_mut().zip(has_left) {
        *of_one = flag(*byte)?;
    }
    position.turns = *turns;
    position.next = Colour::from_index(*next)?;
    position.over = match over {
        0 => Over::No,
        1 => Over::Line,
        2 => Over::LastLeft,
        3 => Over::NoMove,
        4 => Over::TurnLimit,
        _ => return None,
    };
    position.winner = Colour::from_index(*winner)?;
    Some(position)
}

const fn powers([take, clear, float]: [u8; 3]) -> Powers {
    Powers { take, clear, float }
}

const fn flag(byte: u8) -> Option<bool> {
    match byte {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;
    use crate::variant::ByColour;
    use crate::variant::Move;
    use crate::{Bin, Cell, Shape};

    /// The position as derived code encodes it.
    #[derive(Encode, Decode, PartialEq, Debug)]
    struct Derived {
        variant: Variant,
        discs: ByColour<Cells>,
        powers: ByColour<Powers>,
        has_left: ByColour<bool>,
        turns: u8,
        next: Colour,
        over: DerivedOver,
        winner: Colour,
    }

    #[derive(Encode, Decode, PartialEq, Debug)]
    enum DerivedOver {
        No,
        Line,
        LastLeft,
        NoMove,
        TurnLimit,
    }

    fn derived(position: &Position) -> Derived {
        Derived {
            variant: position.variant,
            discs: position.discs,
            powers: position.powers,
            has_left: position.has_left,
            turns: position.turns,
            next: position.next,
            over: match position.over {
                Over::No => DerivedOver::No,
                Over::Line => DerivedOver::Line,
                Over::LastLeft => DerivedOver::LastLeft,
                Over::NoMove => DerivedOver::NoMove,
                Over::TurnLimit => DerivedOver::TurnLimit,
            },
            winner: position.winner,
        }
    }

    /// Positions of a game in which each field changes.
    fn positions() -> Vec<Position> {
        let variant = Variant::try_from(VariantSpec {
            players: 4,
            pop_out: true,
            powers: Powers {
                take: 3,
                clear: 2,
                float: 1,
            },
            ..VariantSpec::classic(Shape::STANDARD)
        });
        let mut position = Position::new(variant.unwrap());
        let mut positions = std::vec![position];
        for action in [
            Move::Drop(Bin::new(6)),
            Move::Take(Cell::new(6, 0)),
            Move::Drop(Bin::new(0)),
            Move::Float(Cell::new(1, 5)),
            Move::Clear(0),
        ] {
            position.play(action).unwrap();
            positions.push(position);
        }
        for colour in [Colour::Red, Colour::Yellow, Colour::Blue] {
            position.leave(colour).unwrap();
            positions.push(position);
        }
        positions
    }

    #[test]
    fn the_record_is_what_derivation_would_make_of_it() {
        for position in positions() {
            let bytes = position.encode();
            assert_eq!(bytes, derived(&position).encode());
            assert_eq!(Position::decode(&mut bytes.as_slice()), Ok(position));
        }
    }

    #[test]
    fn it_refuses_what_derivation_would_refuse() {
        let position = positions()[4].encode();
        for place in 0..position.len() {
            for byte in 0..=u8::MAX {
                let mut bytes = position.clone();
                bytes[place] = byte;
                let read = Position::decode(&mut bytes.as_slice()).map(|read| read.encode());
                let derived = Derived::decode(&mut bytes.as_slice()).map(|read| read.encode());
                assert_eq!(read.ok(), derived.ok(), "byte {place}: {byte}");
            }
        }
        assert!(Position::decode(&mut &position[..position.len() - 1]).is_err());
    }
}
