//! Arbitrary values are within bounds, and cover them.
#![cfg(feature = "arbitrary")]

mod common;

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use connect4_rules::{
    Bin, Board, ByPlayer, Cell, Cells, Outcome, Player, Position, Shape, ShapeSpec,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use common::random::config;

/// Many arbitrary values, made of random bytes.
fn values<T: for<'a> Arbitrary<'a>>() -> Vec<T> {
    let mut runner = TestRunner::new(config());
    let bytes = prop::collection::vec(any::<u8>(), 400);
    let value = |runner: &mut TestRunner| {
        let bytes = bytes.new_tree(runner).unwrap().current();
        T::arbitrary(&mut Unstructured::new(&bytes)).expect("a value")
    };
    (0..2_000).map(|_| value(&mut runner)).collect()
}

#[test]
fn every_value_of_a_small_type_comes_up() {
    let players = values::<Player>();
    assert!(Player::ALL.iter().all(|player| players.contains(player)));
    let outcomes = values::<Outcome>();
    assert!(outcomes.contains(&Outcome::Draw));
    for player in Player::ALL {
        assert!(outcomes.contains(&Outcome::Won(player)));
    }
    let bins: BTreeSet<Bin> = values().into_iter().collect();
    assert_eq!(bins.len(), 256);
    let cells: BTreeSet<Cell> = values().into_iter().collect();
    assert!(cells.len() > 1_900);
    let bits = values::<Cells>()
        .into_iter()
        .fold((u128::MAX, 0), |(all, any), cells| {
            (all & cells.bits(), any | cells.bits())
        });
    assert_eq!(bits, (0, u128::MAX));
    assert!(values::<ByPlayer<u8>>().iter().any(|by| by.one != by.two));
    let specs = values::<ShapeSpec>();
    assert!(specs.iter().any(|&spec| Shape::try_from(spec).is_err()));
}

#[test]
fn shapes_are_within_bounds_and_cover_them() {
    let shapes = values::<Shape>();
    let seen = |number: fn(Shape) -> u8| -> BTreeSet<u8> {
        shapes.iter().map(|&shape| number(shape)).collect()
    };
    assert!(seen(Shape::bins).into_iter().eq(5..=25));
    assert!(seen(Shape::capacity).into_iter().eq(4..=24));
    assert!(seen(Shape::line).into_iter().eq(3..=6));
    for shape in shapes {
        assert_eq!(Shape::try_from(ShapeSpec::from(shape)), Ok(shape));
    }
}

#[test]
fn positions_are_those_that_a_game_leads_to() {
    let positions = values::<Position>();
    for position in &positions {
        let discs = ByPlayer::from_fn(|player| position.board().discs(player));
        assert_eq!(Position::from_discs(position.shape(), discs), Ok(*position));
    }
    let ends: BTreeSet<String> = positions
        .iter()
        .map(|position| format!("{:?}", position.outcome()))
        .collect();
    println!("{ends:?}");
    assert!(ends.len() >= 3, "won by red, won by blue, open");
    assert!(positions.iter().any(|position| position.plies() == 0));
    assert!(positions.iter().any(|position| position.plies() > 20));
    let boards = values::<Board>();
    assert!(positions.iter().map(Position::board).eq(&boards));
}
