//! Values as JSON: how they look, that they read back, and what is refused.
use connect4_rules::{
    Bin, ByPlayer, Cell, Cells, Dropped, Outcome, Player, Position, Shape, ShapeSpec,
};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value, json, to_value};

use crate::common::random::{config, games};

fn is<T>(value: &T, expected: Value)
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    assert_eq!(to_value(value).unwrap(), expected);
    assert_eq!(&from_value::<T>(expected).unwrap(), value);
}

#[test]
fn values_look_as_documented() {
    is(&Player::One, json!("red"));
    is(&Player::Two, json!("blue"));
    is(&Outcome::Won(Player::Two), json!({ "won": "blue" }));
    is(&Outcome::Draw, json!("draw"));
    is(&Bin::new(3), json!(3));
    is(&Cell::new(3, 1), json!({ "bin": 3, "row": 1 }));
    is(&ByPlayer { one: 1, two: 2 }, json!({ "red": 1, "blue": 2 }));
    let shape = json!({ "bins": 7, "capacity": 6, "line": 4 });
    is(&Shape::STANDARD, shape.clone());
    is(&ShapeSpec::from(Shape::STANDARD), shape);
    let dropped = Dropped {
        row: 3,
        outcome: None,
    };
    is(&dropped, json!({ "row": 3, "outcome": null }));
    let top = Cells::from_bits(0xf);
    is(&top, json!("0x0000000000000000000000000000000f"));
    is(
        &Cells::from_bits(u128::MAX),
        json!(format!("0x{}", "f".repeat(32))),
    );
}

#[test]
fn a_position_is_its_shape_and_discs() {
    let position = Position::from_moves(Shape::CLASSROOM, "11").unwrap();
    println!("{position}");
    is(
        &position,
        json!({
            "shape": { "bins": 6, "capacity": 4, "line": 4 },
            "discs": {
                "red": "0x00000000000000000000000000000001",
                "blue": "0x00000000000000000000000000000002",
            },
        }),
    );
}

#[test]
fn values_that_do_not_exist_are_refused() {
    let error = |value| from_value::<Shape>(value).unwrap_err().to_string();
    assert_eq!(
        error(json!({ "bins": 4, "capacity": 6, "line": 4 })),
        "a board needs at least 5 bins"
    );
    let mut floating = to_value(Position::from_moves(Shape::CLASSROOM, "11").unwrap()).unwrap();
    floating["discs"]["red"] = json!("0x00000000000000000000000000000004");
    assert_eq!(
        from_value::<Position>(floating).unwrap_err().to_string(),
        "a disc does not lie on the bottom or on another disc"
    );
    for text in [
        json!(""),
        json!("0x"),
        json!("0xf"),
        json!(format!("0x{}", "g".repeat(32))),
        json!(format!("0x+{}", "0".repeat(31))),
        json!(format!("0x{}", "0".repeat(33))),
        json!("0".repeat(34)),
        json!(15),
    ] {
        let error = from_value::<Cells>(text).unwrap_err().to_string();
        assert!(
            error.ends_with("expected 0x and 32 hexadecimal digits"),
            "{error}"
        );
    }
    assert!(from_value::<Player>(json!("green")).is_err());
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn positions_read_back((shape, bins) in games()) {
        let mut position = Position::new(shape);
        for bin in bins {
            let _ = position.drop(Bin::new(bin));
        }
        let value = to_value(position).unwrap();
        prop_assert_eq!(from_value::<Position>(value).unwrap(), position);
    }
}
