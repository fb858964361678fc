//! Boards and moves as text, and the errors of texts that are neither.

use connect4_rules::notation::{self, NotationError, Reason};
use connect4_rules::{
    Bin, ByPlayer, Cells, DropError, Position, ReadError, Shape, ShapeError, Unreachable,
};

use crate::common::{play, shape};

#[test]
fn numbers_of_two_digits_end_below_the_discs() {
    let position = play(shape(12, 4, 4), &[11, 9]);
    let text = position.to_string();
    let mut last = text.lines().rev();
    assert_eq!(
        last.next(),
        Some("  0   1   2   3   4   5   6   7   8   9  10  11")
    );
    last.next();
    assert_eq!(
        last.next(),
        Some("|   |   |   |   |   |   |   |   |   | ⬟ |   | ● |")
    );
    assert_eq!(Position::read(&text, 4), Ok(position));
}

#[test]
fn a_won_board_reads_back() {
    let blue = play(Shape::CLASSROOM, &[0, 1, 0, 1, 0, 1, 3, 1]);
    assert_eq!(blue.to_string().matches('⬠').count(), 4);
    assert_eq!(blue.to_string().parse(), Ok(blue));
}

#[test]
fn a_wrong_mark_is_named() {
    let text = play(Shape::CLASSROOM, &[5, 0, 4, 0, 3, 0, 2]).to_string();
    let wrong = |line, bin| {
        let bin = Bin::new(bin);
        Err(ReadError::WrongMark { line, bin })
    };
    assert_eq!(text.replacen('◎', "●", 1).parse::<Position>(), wrong(8, 2));
    assert_eq!(text.replacen('⬟', "⬠", 1).parse::<Position>(), wrong(4, 0));
}

#[test]
fn text_that_is_no_board_is_named() {
    let read = |text: &str| Position::read(text, 4).unwrap_err();
    let too_few = ReadError::BadShape(ShapeError::TooFewBins);
    assert_eq!(read(""), too_few);
    assert_eq!(read(". . . ."), too_few);
    assert_eq!(read(&".".repeat(400)), too_few);
    assert_eq!(
        read(&". ".repeat(400)),
        ReadError::BadShape(ShapeError::TooLowCapacity)
    );
    assert_eq!(
        read(&". . . . .\n".repeat(300)),
        ReadError::BadShape(ShapeError::TooLarge)
    );
    assert_eq!(read(". . . . .\n. . . ."), ReadError::Ragged { line: 2 });
    assert_eq!(
        read(". . . . .\n. . . . .\n. . . . .\n. . Z . ."),
        ReadError::NotACell {
            line: 4,
            bin: Bin::new(2)
        }
    );
}

#[test]
fn a_board_no_game_leads_to_is_named() {
    let read = |rows: [&str; 4]| Position::read(&rows.join("\n"), 4).unwrap_err();
    let empty = ". . . . . .";
    assert_eq!(
        read([empty, empty, ". X . . . .", empty]),
        ReadError::Unreachable(Unreachable::NotStacked)
    );
    assert_eq!(
        read([empty, empty, empty, "O . . . . ."]),
        ReadError::Unreachable(Unreachable::NotAlternate)
    );
    assert_eq!(
        read([empty, empty, empty, "X X . . . ."]),
        ReadError::Unreachable(Unreachable::NotAlternate)
    );
    // Blue moved after red had won.
    assert_eq!(
        read([empty, empty, ". . . . . .", "X X X X O O"]),
        ReadError::Unreachable(Unreachable::NotAlternate)
    );
    assert_eq!(
        read([empty, empty, "O O . . . .", "X X X X O O"]),
        ReadError::Unreachable(Unreachable::PlayedOn)
    );
    // Both have a line.
    assert_eq!(
        read(["O . . . . X", "O . . . . X", "O . . . . X", "O . . . . X"]),
        ReadError::Unreachable(Unreachable::PlayedOn)
    );
    // Red's line lies below red's only disc on top.
    assert_eq!(
        read([empty, empty, "O O O X . .", "X X X X O ."]),
        ReadError::Unreachable(Unreachable::NoLastDrop)
    );
}

#[test]
fn discs_that_no_picture_shows_are_refused() {
    let shape = Shape::CLASSROOM;
    let refused = |one: u128, two: u128| {
        let (one, two) = (Cells::from_bits(one), Cells::from_bits(two));
        Position::from_discs(shape, ByPlayer { one, two }).unwrap_err()
    };
    // Both players have a disc in the first cell.
    assert_eq!(refused(0b1, 0b1), Unreachable::NotStacked);
    assert_eq!(refused(0b11, 0b1), Unreachable::NotStacked);
    // The first bin holds four; its fifth bit is no cell.
    assert_eq!(refused(0b10101, 0b01010), Unreachable::NotStacked);
    // The bits after the last bin are no cells.
    assert_eq!(refused(1 << 30, 0), Unreachable::NotStacked);
    assert_eq!(refused(u128::MAX, u128::MAX), Unreachable::NotStacked);
}

#[test]
fn an_error_of_a_picture_says_where_it_is() {
    let bin = Bin::new(2);
    for (error, text) in [
        (
            ReadError::Ragged { line: 2 },
            "line 2: not as many cells as in the row above",
        ),
        (
            ReadError::BadShape(ShapeError::TooLarge),
            "a board this large does not fit: bins * (capacity + 1) can be at most 128",
        ),
        (
            ReadError::NotACell { line: 4, bin },
            "line 4, bin 2: neither a disc nor a free cell",
        ),
        (
            ReadError::Unreachable(Unreachable::NotAlternate),
            "red needs as many discs as blue, or one more",
        ),
        (
            ReadError::WrongMark { line: 8, bin },
            "line 8, bin 2: shown as winning without being so, or the other way about",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn a_wrong_move_is_named_with_its_place() {
    let error = |text| Position::from_moves(Shape::STANDARD, text).unwrap_err();
    let expected = |number, character, reason| NotationError {
        number,
        place: number,
        character,
        reason,
    };
    let no_such_bin = Reason::Refused(DropError::NoSuchBin);
    assert_eq!(error("44 4"), expected(3, ' ', Reason::NotAMove));
    assert_eq!(error("4é4"), expected(2, 'é', Reason::NotAMove));
    assert_eq!(error("0"), expected(1, '0', Reason::NotAMove));
    assert_eq!(error("48"), expected(2, '8', no_such_bin));
    assert_eq!(error("4a"), expected(2, 'a', no_such_bin));
    assert_eq!(
        error("4444444"),
        expected(7, '4', Reason::Refused(DropError::BinFull))
    );
    assert_eq!(
        error("12121213"),
        expected(8, '3', Reason::Refused(DropError::GameOver))
    );
    assert_eq!(
        error("12121213").to_string(),
        "move 8, '3': the game has ended"
    );
}

#[test]
fn every_bin_has_a_character() {
    for index in 0..35 {
        let bin = Bin::new(index);
        let character = bin.to_char().unwrap();
        assert_eq!(Bin::from_char(character), Some(bin));
        assert_eq!(Bin::from_char(character.to_ascii_uppercase()), Some(bin));
    }
    assert_eq!(Bin::new(8).to_char(), Some('9'));
    assert_eq!(Bin::new(9).to_char(), Some('a'));
    assert_eq!(Bin::new(24).to_char(), Some('p'));
    assert_eq!(Bin::new(35).to_char(), None);
    assert_eq!(Bin::new(255).to_char(), None);
    assert_eq!(
        notation::write([Bin::new(0), Bin::new(40)]).to_string(),
        "1?"
    );
}
