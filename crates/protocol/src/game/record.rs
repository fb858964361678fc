//! Encoding of a game's record, byte for byte as derived code would write and read it.
//!
//! It is written by hand because a contract pays for its code on every move. Derived, writing takes
//! 404 bytes of code and reading 958; by hand they take 258 and 374. The 374 include the check of
//! the shape, which a contract could leave out for a record that it wrote itself.

use codec::{Decode, Encode, EncodeLike, Input};
use connect4_rules::{Board, ByPlayer, Cells, Player, Shape};

use super::Game;
use super::packed::{Over, Who};
use crate::Address;

/// Length of a record in bytes.
const LEN: usize = 99;

/// Bytes of a record. The alignment makes the parts aligned too: on the contract's machine an
/// unaligned number is moved byte by byte. `inline(never)` below keeps the alignment known.
#[repr(align(8))]
struct Record([u8; LEN]);

impl EncodeLike for Game {}

impl Encode for Game {
    fn size_hint(&self) -> usize {
        LEN
    }

    fn using_encoded<R, F: FnOnce(&[u8]) -> R>(&self, f: F) -> R {
        f(&record(self).0)
    }
}

#[inline(never)]
fn record(game: &Game) -> Record {
    let discs = |player| game.board.discs(player).bits().to_le_bytes();
    let shape = game.shape();
    let mut record = Record([0; LEN]);
    let bytes = &mut record.0;
    bytes[..20].copy_from_slice(&game.player_one.0);
    bytes[20..40].copy_from_slice(&game.player_two.0);
    bytes[40..56].copy_from_slice(&discs(Player::One));
    bytes[56..72].copy_from_slice(&discs(Player::Two));
    bytes[72] = shape.bins();
    bytes[73] = shape.capacity();
    bytes[74] = shape.line();
    bytes[75] = game.last_mover as u8;
    bytes[76] = game.turns;
    bytes[77] = game.winner as u8;
    bytes[78] = game.over as u8;
    bytes[79..99].copy_from_slice(&game.payer.0);
    record
}

/// Refuses a shape out of bounds. Whether the fields agree with each other is not checked.
impl Decode for Game {
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
        let mut record = Record([0; LEN]);
        input.read(&mut record.0)?;
        game(&record).ok_or_else(|| "not a game".into())
    }
}

#[inline(never)]
fn game(Record(bytes): &Record) -> Option<Game> {
    // The parts add up to LEN, so no split can fail; the compiler leaves the checks out.
    let (player_one, bytes) = bytes.split_first_chunk::<20>()?;
    let (player_two, bytes) = bytes.split_first_chunk::<20>()?;
    let (one, bytes) = bytes.split_first_chunk::<16>()?;
    let (two, bytes) = bytes.split_first_chunk::<16>()?;
    let ([bins, capacity, line], bytes) = bytes.split_first_chunk::<3>()?;
    let ([last_mover, turns, winner, over], bytes) = bytes.split_first_chunk::<4>()?;
    let (payer, _) = bytes.split_first_chunk::<20>()?;
    let shape = Shape::new(*bins, *capacity, *line).ok()?;
    let discs = |bytes: &[u8; 16]| Cells::from_bits(u128::from_le_bytes(*bytes));
    Some(Game {
        player_one: Address(*player_one),
        player_two: Address(*player_two),
        board: Board::with_discs(
            shape,
            ByPlayer {
                one: discs(one),
                two: discs(two),
            },
        ),
        last_mover: Who::from_byte(*last_mover)?,
        turns: *turns,
        winner: Who::from_byte(*winner)?,
        over: Over::from_byte(*over)?,
        payer: Address(*payer),
    })
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use connect4_rules::Bin;

    use super::*;

    /// The record as derived code encodes it.
    #[derive(Encode, Decode, PartialEq, Debug)]
    struct Derived {
        player_one: Address,
        player_two: Address,
        board: Board,
        last_mover: Who,
        turns: u8,
        winner: Who,
        over: Over,
        payer: Address,
    }

    fn start() -> Game {
        Game::start(Address([1; 20]), Address([2; 20]), Shape::STANDARD.into())
            .unwrap()
            .paid_by(Address([3; 20]))
    }

    #[test]
    fn the_record_is_what_derivation_would_make_of_it() {
        let mut game = start();
        for bin in [6, 5, 6, 5, 6, 5, 6] {
            let caller = game.account_of(game.to_move().unwrap());
            game.drop(caller, Bin::new(bin)).unwrap();
            let derived = Derived {
                board: game.board,
                player_one: game.player_one,
                player_two: game.player_two,
                last_mover: game.last_mover,
                turns: game.turns,
                winner: game.winner,
                over: game.over,
                payer: game.payer,
            };
            assert_eq!(game.encode(), derived.encode());
        }
    }

    #[test]
    fn it_refuses_what_derivation_would_refuse() {
        let game = start().encode();
        for place in 0..game.len() {
            for byte in 0..=u8::MAX {
                let mut bytes: Vec<u8> = game.clone();
                bytes[place] = byte;
                let read = Game::decode(&mut bytes.as_slice()).map(|game| game.encode());
                let derived = Derived::decode(&mut bytes.as_slice()).map(|game| game.encode());
                assert_eq!(read.ok(), derived.ok(), "byte {place}: {byte}");
            }
        }
        assert!(Game::decode(&mut &game[..game.len() - 1]).is_err());
    }
}
