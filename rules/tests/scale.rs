//! What is stored and sent: its encoding, its size, and that it reads back.
#![cfg(feature = "scale")]

mod common;

use codec::{Decode, Encode, MaxEncodedLen};
use common::shape;
use connect4_rules::{
    Board, Cell, Cells, Challenge, Clock, ClockSpec, Dropped, End, Error, Game, Match, Outcome,
    Player, Shape, ShapeSpec,
};

fn reads_back<T: Encode + Decode + MaxEncodedLen + PartialEq + std::fmt::Debug>(value: T) {
    let bytes = value.encode();
    println!("{value:?}: {} bytes", bytes.len());
    assert!(bytes.len() <= T::max_encoded_len());
    assert_eq!(T::decode(&mut bytes.as_slice()), Ok(value));
}

#[test]
fn sizes() {
    assert_eq!(Shape::max_encoded_len(), 3);
    assert_eq!(ShapeSpec::max_encoded_len(), 3);
    assert_eq!(Player::max_encoded_len(), 1);
    assert_eq!(Outcome::max_encoded_len(), 2);
    assert_eq!(Dropped::max_encoded_len(), 4);
    assert_eq!(Cell::max_encoded_len(), 2);
    assert_eq!(Cells::max_encoded_len(), 16);
    assert_eq!(Error::max_encoded_len(), 1);
    assert_eq!(Board::max_encoded_len(), 35);
    assert_eq!(End::max_encoded_len(), 1);
    assert_eq!(Clock::max_encoded_len(), 16);
    assert_eq!(Game::max_encoded_len(), 115);
    assert_eq!(Challenge::max_encoded_len(), 70);
    assert_eq!(Match::max_encoded_len(), 47);
}

#[test]
fn values_read_back() {
    for player in [Player::One, Player::Two] {
        reads_back(player);
        reads_back(Outcome::Won(player));
    }
    reads_back(Outcome::Draw);
    for outcome in [None, Some(Outcome::Won(Player::Two)), Some(Outcome::Draw)] {
        reads_back(Dropped { row: 3, outcome });
    }
    reads_back(Cell { bin: 2, row: 5 });
    reads_back(Cells::from_bits(u128::MAX));
    reads_back(Shape::CLASSROOM);
    reads_back(ShapeSpec::from(Shape::CLASSROOM));
}

#[test]
fn errors_are_their_numbers() {
    for (number, error) in (0..).zip(Error::ALL) {
        assert_eq!(error as u8, number);
        assert_eq!(error.encode(), [number]);
        reads_back(error);
    }
    let after = u8::try_from(Error::ALL.len()).unwrap();
    assert!(Error::decode(&mut [after].as_slice()).is_err());
}

#[test]
fn ends_are_their_numbers() {
    for (number, end) in (0..).zip(End::ALL) {
        assert_eq!(end as u8, number);
        assert_eq!(end.encode(), [number]);
        reads_back(end);
    }
}

#[test]
fn a_shape_out_of_bounds_does_not_decode_but_can_be_asked_for() {
    for numbers in [[4, 6, 4], [7, 3, 4], [7, 6, 7], [5, 5, 6], [16, 8, 4]] {
        assert!(Shape::decode(&mut numbers.as_slice()).is_err());
        reads_back(ShapeSpec::decode(&mut numbers.as_slice()).unwrap());
    }
    assert!(Shape::decode(&mut [7, 6].as_slice()).is_err(), "cut short");
    let largest = shape(16, 7, 6);
    assert_eq!(ShapeSpec::from(largest).encode(), largest.encode());
}

#[test]
fn a_game_reads_back_after_every_turn() {
    let (one, two) = ([1; 20], [2; 20]);
    let mut game = Game::start(one, two, Shape::STANDARD.into()).unwrap();
    reads_back(game);
    for bin in [0, 1, 0, 1, 0, 1, 0] {
        let caller = game.account_of(game.to_move().unwrap());
        game.drop(caller, bin, 0).unwrap();
        println!("{}", game.position());
        reads_back(game);
    }
    assert!(game.is_over());
}

#[test]
fn a_record_is_laid_out_as_documented() {
    let mut game = Game::start([1; 20], [2; 20], Shape::STANDARD.into()).unwrap();
    game.drop([1; 20], 1, 0).unwrap();
    let mut expected = [[1; 20], [2; 20]].concat();
    expected.extend((1_u128 << 7).to_le_bytes());
    expected.extend([0; 16]);
    expected.extend([7, 6, 4]);
    // Moved last: player one. One turn. Won by nobody. Not over.
    expected.extend([0, 1, 2, 0]);
    // Player one pays.
    expected.extend([1; 20]);
    let clock = expected.len();
    // No clock.
    expected.extend([0; 16]);
    assert_eq!(game.encode(), expected);

    let spec = ClockSpec {
        bank: 60,
        increment: 5,
    };
    let mut timed = Game::start([1; 20], [2; 20], Shape::STANDARD.into())
        .unwrap()
        .timed(spec, 1_000);
    timed.drop([1; 20], 1, 1_010).unwrap();
    expected.truncate(clock);
    // Until when who is to move may move, what the other one has left, and the increment.
    expected.extend(1_070_u64.to_le_bytes());
    expected.extend(55_u32.to_le_bytes());
    expected.extend(5_u32.to_le_bytes());
    assert_eq!(timed.encode(), expected);
}
