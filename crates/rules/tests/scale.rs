//! SCALE encodings: their sizes, and that they read back.
use codec::{Decode, Encode, MaxEncodedLen};
use connect4_rules::{Board, Cell, Cells, Dropped, Outcome, Player, Shape, ShapeSpec};

use crate::common::shape;

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
    assert_eq!(Board::max_encoded_len(), 35);
}

#[test]
fn values_read_back() {
    for player in Player::ALL {
        reads_back(player);
        reads_back(Outcome::Won(player));
    }
    reads_back(Outcome::Draw);
    for outcome in [None, Some(Outcome::Won(Player::Two)), Some(Outcome::Draw)] {
        reads_back(Dropped { row: 3, outcome });
    }
    reads_back(Cell::new(2, 5));
    assert_eq!(Cell::new(2, 5).encode(), [2, 5]);
    reads_back(Cells::from_bits(u128::MAX));
    reads_back(Shape::CLASSROOM);
    reads_back(ShapeSpec::from(Shape::CLASSROOM));
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
