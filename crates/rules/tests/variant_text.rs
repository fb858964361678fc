//! Moves, terms and positions of variants as text, JSON and SCALE, and what is refused.

use connect4_rules::notation::{self, NotationError, Reason};
use connect4_rules::variant::{
    ByColour, Colour, Move, MoveError, Outcome, ParseMoveError, Position, Power, Powers, Variant,
    VariantSpec,
};
use connect4_rules::{Bin, Cell, Shape, ShapeSpec};
use proptest::prelude::*;

use crate::common::random::{config, shapes};

/// Moves on any board or on none.
fn moves() -> impl Strategy<Value = Move> {
    let cell = || (any::<u8>(), any::<u8>()).prop_map(|(bin, row)| Cell::new(bin, row));
    prop_oneof![
        any::<u8>().prop_map(|bin| Move::Drop(Bin::new(bin))),
        any::<u8>().prop_map(|bin| Move::Pop(Bin::new(bin))),
        cell().prop_map(Move::Take),
        any::<u8>().prop_map(Move::Clear),
        cell().prop_map(Move::Float),
        Just(Move::Swap),
    ]
}

/// Terms within bounds.
fn variants() -> impl Strategy<Value = Variant> {
    let powers = (0..10_u8, 0..10_u8, 0..10_u8);
    (shapes(), 2..=4_u8, any::<bool>(), any::<bool>(), powers).prop_map(
        |(shape, players, pop_out, pie_rule, (take, clear, float))| {
            let spec = VariantSpec {
                players,
                pop_out,
                pie_rule: pie_rule && players == 2,
                powers: Powers { take, clear, float },
                ..VariantSpec::classic(shape)
            };
            spec.try_into().expect("within bounds")
        },
    )
}

/// Positions after legal moves, each chosen by a number.
fn positions() -> impl Strategy<Value = Position> {
    (variants(), prop::collection::vec(any::<u16>(), 0..60)).prop_map(|(variant, numbers)| {
        let mut position = Position::new(variant);
        for number in numbers {
            let legal: Vec<Move> = position.legal_moves().collect();
            if let Some(at) = usize::from(number).checked_rem(legal.len()) {
                position.play(legal[at]).expect("a legal move");
            }
            if number % 50 == 0 {
                let _ = position.leave(Colour::ALL[usize::from(number / 50 % 4)]);
            }
        }
        position
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn moves_read_back(moves in prop::collection::vec(moves(), 0..20)) {
        for action in &moves {
            // Above 255 there is no bin that could be written from 1.
            let text = action.to_string();
            let read = text.parse();
            let fits = !text.contains("(256)");
            prop_assert_eq!(read, if fits { Ok(*action) } else { Err(ParseMoveError) });
        }
        let text = notation::write(moves.iter().copied()).to_string();
        if !text.contains("(256)") {
            let read: Result<Vec<Move>, _> = notation::parse(&text).collect();
            prop_assert_eq!(read.as_ref(), Ok(&moves));
            let spaced: Vec<String> = moves.iter().map(|action| action.to_string()).collect();
            let spaced = spaced.join(" ").to_uppercase();
            let read: Result<Vec<Move>, _> = notation::parse(&spaced).collect();
            prop_assert_eq!(read, Ok(moves));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[0-9ptrfsxPTé().+ -]{0,12}") {
        let read: Result<Vec<Move>, _> = notation::parse(&text).collect();
        match read {
            Ok(moves) => {
                let written = notation::write(moves.iter().copied()).to_string();
                let again: Result<Vec<Move>, _> = notation::parse(&written).collect();
                prop_assert_eq!(again, Ok(moves));
            }
            Err(error) => {
                prop_assert_eq!(error.reason, Reason::NotAMove);
                let characters = text.chars().count();
                prop_assert!((1..=characters).contains(&error.place), "{}", error);
            }
        }
    }

    #[test]
    fn terms_read_back(variant in variants()) {
        let spec = VariantSpec::from(variant);
        prop_assert_eq!(variant.to_string().parse(), Ok(spec));
        prop_assert_eq!(Variant::try_from(spec), Ok(variant));
    }

    #[cfg(feature = "serde")]
    #[test]
    fn json_reads_back(variant in variants(), action in moves()) {
        let value = serde_json::to_value(variant).unwrap();
        prop_assert_eq!(serde_json::from_value::<Variant>(value).unwrap(), variant);
        let text = action.to_string();
        let value = serde_json::to_value(action).unwrap();
        prop_assert_eq!(&value, &serde_json::json!(text));
        if !text.contains("(256)") {
            prop_assert_eq!(serde_json::from_value::<Move>(value).unwrap(), action);
        }
    }

    #[cfg(feature = "scale")]
    #[test]
    fn encodings_have_one_length_and_read_back(position in positions(), action in moves()) {
        use codec::{Decode, Encode, MaxEncodedLen};

        let bytes = position.encode();
        prop_assert_eq!(bytes.len(), Position::max_encoded_len());
        prop_assert_eq!(Position::decode(&mut bytes.as_slice()), Ok(position));
        let bytes = action.encode();
        prop_assert!(bytes.len() <= Move::max_encoded_len());
        prop_assert_eq!(Move::decode(&mut bytes.as_slice()), Ok(action));
        let variant = position.variant();
        prop_assert_eq!(variant.encode(), VariantSpec::from(variant).encode());
    }

    #[test]
    fn a_position_shows_every_disc(position in positions()) {
        let text = position.to_string();
        let rows = text.lines().filter(|line| line.starts_with('|'));
        let shown: Vec<char> = rows.flat_map(|row| row.chars().skip(2).step_by(4)).collect();
        let shape = position.shape();
        let rows = shape.iter_rows().rev();
        let cells = rows.flat_map(|row| shape.iter_bins().map(move |bin| Cell { bin, row }));
        for (cell, shown) in cells.zip(shown) {
            let winning = position.winning_cells().contains(shape, cell);
            let expected = position.disc(cell).map_or(' ', |colour| match winning {
                false => colour.disc(),
                true => colour.winning_disc(),
            });
            prop_assert_eq!(shown, expected, "{}\n{}", cell, text);
        }
    }
}

#[test]
fn moves_are_written_as_documented() {
    for (action, text) in [
        (Move::Drop(Bin::new(3)), "4"),
        (Move::Drop(Bin::new(8)), "9"),
        (Move::Drop(Bin::new(9)), "(10)"),
        (Move::Pop(Bin::new(2)), "p3"),
        (Move::Take(Cell::new(2, 1)), "t3.2"),
        (Move::Clear(1), "r2"),
        (Move::Clear(23), "r(24)"),
        (Move::Float(Cell::new(11, 4)), "f(12).5"),
        (Move::Float(Cell::new(4, 11)), "f5.(12)"),
        (Move::Swap, "s"),
    ] {
        assert_eq!(action.to_string(), text);
        assert_eq!(text.parse(), Ok(action));
        assert_eq!(text.to_uppercase().parse(), Ok(action));
    }
}

#[test]
fn text_that_is_no_move_is_refused() {
    for text in [
        "", " ", "0", "p", "p0", "t3", "t3.", "t3.0", "t.3", "r", "f3", "f3,5", "x", "é", "44",
        "4 ", " 4", "s4", "()", "(0)", "(12", "12)", "(+1)", "(012)", "(256)", "(999)", "-1",
        "p-1", "t3.2.1", "٣",
    ] {
        assert_eq!(text.parse::<Move>(), Err(ParseMoveError), "{text:?}");
    }
    let text = ParseMoveError.to_string();
    assert!(text.starts_with("not a move: 4 drops into bin 4"), "{text}");
    // A small number in parentheses is read, and written without.
    assert_eq!("(4)".parse(), Ok(Move::Drop(Bin::new(3))));
}

#[test]
fn a_wrong_move_is_named_with_its_place() {
    let terms = VariantSpec {
        pop_out: true,
        powers: Powers {
            take: 1,
            ..Powers::NONE
        },
        ..VariantSpec::classic(Shape::STANDARD)
    };
    let variant = Variant::try_from(terms).expect("within bounds");
    let error = |text| Position::from_moves(variant, text).expect_err("an error");
    let expected = |number, place, character, reason| NotationError {
        number,
        place,
        character,
        reason,
    };
    let refused = Reason::Refused;
    assert_eq!(error("44x"), expected(3, 3, 'x', Reason::NotAMove));
    assert_eq!(
        error("4 p1 é"),
        expected(2, 3, 'p', refused(MoveError::NotYourDisc))
    );
    assert_eq!(error("44 é"), expected(3, 4, 'é', Reason::NotAMove));
    assert_eq!(
        error("4t4.1t4.1"),
        expected(3, 6, 't', refused(MoveError::NoDisc))
    );
    assert_eq!(
        error("4t4.1 4 t4.1"),
        expected(4, 9, 't', refused(MoveError::NoPowerLeft))
    );
    assert_eq!(
        error("4(12)"),
        expected(2, 2, '(', refused(MoveError::NoSuchBin))
    );
    assert_eq!(
        error("4r1"),
        expected(2, 2, 'r', refused(MoveError::NotInVariant))
    );
    assert_eq!(
        error("12121213"),
        expected(8, 8, '3', refused(MoveError::GameOver))
    );
    assert_eq!(
        error("12121213").to_string(),
        "move 8, at character 8: the game has ended"
    );
    assert_eq!(
        error("4(").to_string(),
        "move 2, at character 2: not a move"
    );
    // Nothing is read after an error.
    let mut read = notation::parse::<Move>("4x4");
    assert_eq!(read.by_ref().count(), 2);
    assert_eq!(read.next(), None);
}

#[test]
fn terms_are_written_as_documented() {
    let mut terms = VariantSpec::classic(Shape::STANDARD);
    assert_eq!(terms.to_string(), "7x6, line 4");
    terms.pop_out = true;
    terms.pie_rule = true;
    assert_eq!(terms.to_string(), "7x6, line 4, pop out, pie rule");
    terms.players = 3;
    terms.powers = Powers {
        take: 1,
        clear: 2,
        float: 9,
    };
    let text = "7x6, line 4, 3 players, pop out, pie rule, 1 take, 2 clear, 9 float";
    assert_eq!(terms.to_string(), text);
    assert_eq!(text.parse(), Ok(terms));
    let mixed = "7x6, line 4, 9 float, pie rule, 2 clear, 3 players, 1 take, pop out";
    assert_eq!(mixed.parse(), Ok(terms), "in any order");
    for text in [
        "",
        "7x6",
        "7x6, line",
        "7, line 4",
        "7x6, line 4,",
        "7x6, line 4, ",
        "7x6, line 4, pop",
        "7x6, line 4, players",
        "7x6, line 4, 3 player",
        "7x6, line 4, one take",
        "7x6, line 4, 300 take",
        "7x6, line 4, +1 take",
        "7x6,line 4",
    ] {
        let error = text.parse::<VariantSpec>().expect_err(text);
        assert_eq!(
            error.to_string(),
            "expected terms such as \"7x6, line 4, 3 players, pop out, 1 take\""
        );
    }
}

#[test]
fn colours_powers_and_outcomes_have_their_names() {
    for (place, colour) in (0..).zip(Colour::ALL) {
        assert_eq!(colour.to_string().parse(), Ok(colour));
        assert_eq!(Colour::from_index(place), Some(colour));
        assert_eq!(colour.index(), usize::from(place));
    }
    assert_eq!(Colour::from_index(4), None);
    assert_eq!(Colour::ALL.map(Colour::winning_disc), ['◎', '⬠', '△', '□']);
    let error = "pink".parse::<Colour>().expect_err("no colour");
    assert_eq!(error.to_string(), "expected red, blue, green or yellow");
    assert_eq!(
        Power::ALL.map(|power| power.to_string()),
        ["take", "clear", "float"]
    );
    assert_eq!(Outcome::Line(Colour::Green).to_string(), "winner: green");
    assert_eq!(Outcome::LastLeft(Colour::Blue).to_string(), "winner: blue");
    assert_eq!(Outcome::NoMove.to_string(), "a tie");
    assert_eq!(Outcome::TurnLimit.to_string(), "a tie");
}

#[test]
fn each_colour_has_its_value() {
    let mut discs = ByColour::from_fn(Colour::disc);
    assert_eq!(discs, ByColour(['●', '⬟', '▲', '■']));
    discs[Colour::Yellow] = 'y';
    assert_eq!(discs[Colour::Yellow], 'y');
    let walked: Vec<_> = discs.iter().collect();
    assert_eq!(walked[2..], [(Colour::Green, &'▲'), (Colour::Yellow, &'y')]);
    assert_eq!(
        discs.map(char::is_alphabetic),
        ByColour([false, false, false, true])
    );
}

#[cfg(feature = "serde")]
#[test]
fn json_looks_as_documented() {
    use serde_json::{from_value, json, to_value};

    let variant = Variant::try_from(VariantSpec {
        players: 3,
        powers: Powers {
            take: 1,
            ..Powers::NONE
        },
        ..VariantSpec::classic(Shape::STANDARD)
    });
    let mut value = to_value(variant.expect("within bounds")).unwrap();
    assert_eq!(
        value,
        json!({
            "shape": { "bins": 7, "capacity": 6, "line": 4 },
            "players": 3,
            "pop_out": false,
            "pie_rule": false,
            "powers": { "take": 1, "clear": 0, "float": 0 },
        })
    );
    value["pie_rule"] = json!(true);
    assert_eq!(
        from_value::<Variant>(value.clone())
            .unwrap_err()
            .to_string(),
        "the pie rule is for two players"
    );
    assert!(
        from_value::<VariantSpec>(value).is_ok(),
        "terms can be asked for"
    );
    assert_eq!(to_value(Colour::Green).unwrap(), json!("green"));
    assert_eq!(to_value(Power::Float).unwrap(), json!("float"));
    assert_eq!(
        to_value(Outcome::Line(Colour::Red)).unwrap(),
        json!({ "line": "red" })
    );
    assert_eq!(
        to_value(Outcome::LastLeft(Colour::Blue)).unwrap(),
        json!({ "last_left": "blue" })
    );
    assert_eq!(to_value(Outcome::TurnLimit).unwrap(), json!("turn_limit"));
    assert_eq!(
        from_value::<Outcome>(json!("no_move")).unwrap(),
        Outcome::NoMove
    );
    let take = Move::Take(Cell::new(2, 1));
    assert_eq!(to_value(take).unwrap(), json!("t3.2"));
    assert_eq!(from_value::<Move>(json!("t3.2")).unwrap(), take);
    let error = from_value::<Move>(json!("t3")).unwrap_err().to_string();
    assert!(error.starts_with("not a move"), "{error}");
    let error = from_value::<Move>(json!(4)).unwrap_err().to_string();
    assert!(
        error.ends_with("expected a move as text, such as \"4\" or \"t3.2\""),
        "{error}"
    );
}

#[cfg(feature = "scale")]
#[test]
fn encodings_are_as_documented() {
    use codec::{Decode, Encode, MaxEncodedLen};

    assert_eq!(Variant::max_encoded_len(), 9);
    assert_eq!(Position::max_encoded_len(), 9 + 4 * 16 + 4 * 3 + 4 + 4);
    for (action, bytes) in [
        (Move::Drop(Bin::new(3)), vec![0, 3]),
        (Move::Pop(Bin::new(3)), vec![1, 3]),
        (Move::Take(Cell::new(3, 1)), vec![2, 3, 1]),
        (Move::Clear(1), vec![3, 1]),
        (Move::Float(Cell::new(3, 5)), vec![4, 3, 5]),
        (Move::Swap, vec![5]),
    ] {
        assert_eq!(action.encode(), bytes);
    }
    assert!(Move::decode(&mut [6, 0, 0].as_slice()).is_err());
    assert_eq!(Colour::ALL.encode(), [0, 1, 2, 3]);

    // Shape, players, pop out, pie rule, powers.
    let spec = |numbers: [u8; 9]| VariantSpec::decode(&mut numbers.as_slice());
    for numbers in [
        [4, 6, 4, 2, 0, 0, 0, 0, 0],
        [7, 6, 4, 1, 0, 0, 0, 0, 0],
        [7, 6, 4, 5, 0, 0, 0, 0, 0],
        [7, 6, 4, 3, 0, 1, 0, 0, 0],
        [7, 6, 4, 2, 0, 0, 10, 0, 0],
        [7, 6, 4, 2, 0, 0, 0, 10, 0],
        [7, 6, 4, 2, 0, 0, 0, 0, 10],
    ] {
        assert!(
            Variant::decode(&mut numbers.as_slice()).is_err(),
            "{numbers:?}"
        );
        assert_eq!(
            spec(numbers).unwrap().encode(),
            numbers,
            "but can be asked for"
        );
    }
    let numbers = [16, 7, 6, 2, 1, 1, 9, 8, 7];
    let variant = Variant::decode(&mut numbers.as_slice()).expect("within bounds");
    assert_eq!(variant.encode(), numbers);
    assert_eq!(variant.shape(), Shape::new(16, 7, 6).expect("a shape"));
    assert!(
        spec([7, 6, 4, 2, 2, 0, 0, 0, 0]).is_err(),
        "neither true nor false"
    );
    assert_eq!(ShapeSpec::from(variant.shape()).encode(), numbers[..3]);
}
