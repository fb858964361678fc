//! Arbitrary values are within bounds, and cover them.
use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use connect4_rules::{
    Bin, Board, ByPlayer, Cell, Cells, Outcome, Player, Position, Shape, ShapeSpec,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::common::random::config;

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

#[test]
fn variants_are_within_bounds_and_cover_them() {
    use connect4_rules::variant::{Colour, Move, Power, Variant, VariantSpec};

    let variants = values::<Variant>();
    for variant in &variants {
        assert_eq!(Variant::try_from(VariantSpec::from(*variant)), Ok(*variant));
    }
    let players: BTreeSet<u8> = variants.iter().map(|variant| variant.players()).collect();
    assert!(players.into_iter().eq(2..=4));
    for power in Power::ALL {
        let times = variants.iter().map(|variant| variant.powers().of(power));
        assert!(times.collect::<BTreeSet<u8>>().into_iter().eq(0..=9));
    }
    assert!(variants.iter().any(|variant| variant.pie_rule()));
    assert!(variants.iter().any(|variant| variant.pop_out()));
    let specs = values::<VariantSpec>();
    assert!(specs.iter().any(|&spec| Variant::try_from(spec).is_err()));
    let colours: BTreeSet<Colour> = values().into_iter().collect();
    assert!(colours.into_iter().eq(Colour::ALL));
    let powers: BTreeSet<Power> = values().into_iter().collect();
    assert!(powers.into_iter().eq(Power::ALL));
    let moves = values::<Move>();
    let kinds: BTreeSet<u8> = moves
        .iter()
        .map(|action| match action {
            Move::Drop(_) => 0,
            Move::Pop(_) => 1,
            Move::Take(_) => 2,
            Move::Clear(_) => 3,
            Move::Float(_) => 4,
            Move::Swap => 5,
        })
        .collect();
    assert!(kinds.into_iter().eq(0..6));
}

#[test]
fn positions_of_variants_are_open_and_ended() {
    use connect4_rules::variant::{ByColour, Outcome, Position};

    let positions = values::<Position>();
    let mut ends = BTreeSet::new();
    for position in &positions {
        let occupied = position.occupied();
        assert!(occupied.iter(position.shape()).count() == usize::from(occupied.len()));
        assert_eq!(position.to_move().is_some(), position.outcome().is_none());
        ends.insert(match position.outcome() {
            None => "open",
            Some(Outcome::Line(_)) => "line",
            Some(Outcome::LastLeft(_)) => "last left",
            Some(Outcome::NoMove | Outcome::TurnLimit) => "draw",
        });
    }
    println!("{ends:?}");
    assert!(
        ["open", "line", "last left"]
            .iter()
            .all(|end| ends.contains(end))
    );
    assert!(positions.iter().any(|position| position.turns() > 20));
    assert!(values::<Outcome>().contains(&Outcome::TurnLimit));
    assert!(values::<ByColour<u8>>().iter().any(|by| by.0[0] != by.0[3]));
}
