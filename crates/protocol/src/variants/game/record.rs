//! Encoding of a game or table, byte for byte as derived code would write and read it.
//!
//! It is written by hand because a contract pays for its code on every move, see [`Position`]'s.

use codec::{Decode, Encode, EncodeLike, Input};
use connect4_rules::variant::Position;

use super::{Game, Status};
use crate::Address;

/// Length of an encoded game in bytes.
const LEN: usize = 212;
/// Where the position begins and ends in it.
const POSITION: core::ops::Range<usize> = 86..179;

impl EncodeLike for Game {}

impl Encode for Game {
    fn size_hint(&self) -> usize {
        LEN
    }

    fn using_encoded<R, F: FnOnce(&[u8]) -> R>(&self, f: F) -> R {
        f(&record(self))
    }
}

#[inline(never)]
fn record(game: &Game) -> [u8; LEN] {
    let mut bytes = [0; LEN];
    for (bytes, seat) in bytes[..80].chunks_exact_mut(20).zip(&game.seats) {
        bytes.copy_from_slice(&seat.0);
    }
    for (byte, &joined) in bytes[80..84].iter_mut().zip(&game.joined) {
        *byte = u8::from(joined);
    }
    bytes[84] = u8::from(game.named);
    bytes[85] = game.status as u8;
    game.position
        .using_encoded(|position| bytes[POSITION].copy_from_slice(position));
    bytes[179] = u8::from(game.swapped);
    bytes[180..200].copy_from_slice(&game.payer.0);
    bytes[200..204].copy_from_slice(&game.limit.to_le_bytes());
    bytes[204..212].copy_from_slice(&game.since.to_le_bytes());
    bytes
}

/// Refuses terms out of bounds. Whether the fields agree with each other is not checked.
impl Decode for Game {
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
        let mut bytes = [0; LEN];
        input.read(&mut bytes)?;
        game(&bytes).ok_or_else(|| "not a game".into())
    }
}

#[inline(never)]
fn game(bytes: &[u8; LEN]) -> Option<Game> {
    // The parts add up to LEN, so no split can fail; the compiler leaves the checks out.
    let (seats, bytes) = bytes.split_first_chunk::<80>()?;
    let ([first, second, third, fourth, named, status], bytes) = bytes.split_first_chunk::<6>()?;
    let (position, bytes) = bytes.split_first_chunk::<93>()?;
    let ([swapped], bytes) = bytes.split_first_chunk::<1>()?;
    let (payer, bytes) = bytes.split_first_chunk::<20>()?;
    let (limit, bytes) = bytes.split_first_chunk::<4>()?;
    let (since, _) = bytes.split_first_chunk::<8>()?;
    let mut game = Game {
        seats: [Address::ZERO; 4],
        joined: [flag(*first)?, flag(*second)?, flag(*third)?, flag(*fourth)?],
        named: flag(*named)?,
        status: match status {
            0 => Status::Open,
            1 => Status::Started,
            2 => Status::Abandoned,
            _ => return None,
        },
        position: Position::decode(&mut &position[..]).ok()?,
        swapped: flag(*swapped)?,
        payer: Address(*payer),
        limit: u32::from_le_bytes(*limit),
        since: u64::from_le_bytes(*since),
    };
    let (seats, _) = seats.as_chunks::<20>();
    for (seat, address) in game.seats.iter_mut().zip(seats) {
        *seat = Address(*address);
    }
    Some(game)
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

    use connect4_rules::variant::{Move, VariantSpec};
    use connect4_rules::{Bin, Shape};

    use super::*;

    /// The game as derived code encodes it.
    #[derive(Encode, Decode, PartialEq, Debug)]
    struct Derived {
        seats: [Address; 4],
        joined: [bool; 4],
        named: bool,
        status: Status,
        position: Position,
        swapped: bool,
        payer: Address,
        limit: u32,
        since: u64,
    }

    fn derived(game: &Game) -> Derived {
        Derived {
            seats: game.seats,
            joined: game.joined,
            named: game.named,
            status: game.status,
            position: game.position,
            swapped: game.swapped,
            payer: game.payer,
            limit: game.limit,
            since: game.since,
        }
    }

    /// A game in which each field changes, at each of its steps.
    fn games() -> std::vec::Vec<Game> {
        let [alice, bob] = [1, 2].map(|byte| Address([byte; 20]));
        let variant = VariantSpec {
            pie_rule: true,
            ..VariantSpec::classic(Shape::STANDARD)
        };
        let open = Game::open(alice, &[], variant, Some(60), 1_700_000_000).unwrap();
        let mut game = open;
        game.join(bob, 1_700_000_005).unwrap();
        let joined = game;
        game.play(alice, Move::Drop(Bin::new(3)), 1_700_000_007)
            .unwrap();
        game.play(bob, Move::Swap, 1_700_000_008).unwrap();
        let swapped = game;
        game.abandon();
        let named = Game::start(&[alice, bob], variant, bob, 7).unwrap();
        std::vec![open, joined, swapped, game, named]
    }

    #[test]
    fn the_record_is_what_derivation_would_make_of_it() {
        for game in games() {
            let bytes = game.encode();
            assert_eq!(bytes, derived(&game).encode());
            assert_eq!(Game::decode(&mut bytes.as_slice()), Ok(game));
        }
    }

    #[test]
    fn it_refuses_what_derivation_would_refuse() {
        for game in games() {
            let game = game.encode();
            for place in 0..game.len() {
                for byte in 0..=u8::MAX {
                    let mut bytes = game.clone();
                    bytes[place] = byte;
                    let read = Game::decode(&mut bytes.as_slice()).map(|read| read.encode());
                    let derived = Derived::decode(&mut bytes.as_slice()).map(|read| read.encode());
                    assert_eq!(read.ok(), derived.ok(), "byte {place}: {byte}");
                }
            }
            assert!(Game::decode(&mut &game[..game.len() - 1]).is_err());
        }
    }
}
