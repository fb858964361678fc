//! What `Display` writes reads back, and nothing else is read.

use connect4_rules::{
    Bin, Cell, Outcome, ParseShapeError, Player, Position, Shape, ShapeError, ShapeSpec,
};
use proptest::prelude::*;

use crate::common::random::{config, games, shapes};

fn reads_back<T>(value: T)
where
    T: std::fmt::Display + std::str::FromStr + PartialEq + std::fmt::Debug,
    T::Err: std::fmt::Debug + PartialEq,
{
    assert_eq!(value.to_string().parse(), Ok(value));
}

#[test]
fn players_and_outcomes() {
    for player in Player::ALL {
        reads_back(player);
        reads_back(Outcome::Won(player));
    }
    reads_back(Outcome::Draw);
    let texts = [
        Outcome::Won(Player::One),
        Outcome::Won(Player::Two),
        Outcome::Draw,
    ]
    .map(|outcome| outcome.to_string());
    assert_eq!(texts, ["winner: red", "winner: blue", "a tie"]);
    for text in ["", "Red", "red ", "one"] {
        let error = text.parse::<Player>().unwrap_err();
        assert_eq!(error.expected(), "red or blue");
        assert_eq!(error.to_string(), "expected red or blue");
    }
    for text in [
        "",
        "red",
        "winner: ",
        "winner: green",
        "winner: a tie",
        "tie",
    ] {
        let error = text.parse::<Outcome>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected winner: red, winner: blue or a tie"
        );
    }
}

#[test]
fn every_bin() {
    for index in 0..=u8::MAX {
        reads_back(Bin::new(index));
    }
    for text in ["", "-1", "+1", "01", "00", "256", "1 ", "a"] {
        let error = text.parse::<Bin>().unwrap_err();
        assert_eq!(error.to_string(), "expected the number of a bin, from 0");
    }
}

#[test]
fn texts_that_are_no_cell() {
    for text in [
        "", "()", "(1)", "1,2", "(1,2", "1,2)", "(1, 2)", "(1,2,3)", "(+1,2)",
    ] {
        let error = text.parse::<Cell>().unwrap_err();
        assert_eq!(error.to_string(), "expected (bin,row), both from 0");
    }
}

#[test]
fn texts_that_are_no_shape() {
    for text in [
        "",
        "7x6",
        "7x6,line 4",
        "7x6, line ",
        "x6, line 4",
        "7x, line 4",
        "07x6, line 4",
    ] {
        let error = text.parse::<ShapeSpec>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected a shape such as \"7x6, line 4\""
        );
        assert_eq!(text.parse::<Shape>(), Err(ParseShapeError::Form(error)));
        assert_eq!(ParseShapeError::Form(error).to_string(), error.to_string());
    }
    let error = "4x6, line 4".parse::<Shape>().unwrap_err();
    assert_eq!(error, ParseShapeError::OutOfBounds(ShapeError::TooFewBins));
    assert_eq!(error.to_string(), "a board needs at least 5 bins");
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn cells(bin: u8, row: u8) {
        reads_back(Cell::new(bin, row));
    }

    #[test]
    fn shapes_and_what_they_are_asked_for_with(shape in shapes()) {
        reads_back(shape);
        prop_assert_eq!(shape.to_string(), ShapeSpec::from(shape).to_string());
    }

    #[test]
    fn any_shape_that_is_asked_for(bins: u8, capacity: u8, line: u8) {
        reads_back(ShapeSpec { bins, capacity, line });
    }

    #[test]
    fn positions((shape, bins) in games()) {
        let mut position = Position::new(shape);
        for bin in bins {
            let _ = position.drop(Bin::new(bin));
        }
        prop_assert_eq!(Position::read(&position.to_string(), shape.line()), Ok(position));
    }

    /// No text makes reading panic, and a text that is read is written the same way.
    #[test]
    fn any_text(text in "[(),x0-9 a-z:+-]{0,14}") {
        if let Ok(bin) = text.parse::<Bin>() {
            prop_assert_eq!(bin.to_string(), &text[..]);
        }
        if let Ok(cell) = text.parse::<Cell>() {
            prop_assert_eq!(cell.to_string(), &text[..]);
        }
        if let Ok(spec) = text.parse::<ShapeSpec>() {
            prop_assert_eq!(spec.to_string(), &text[..]);
        }
    }
}
