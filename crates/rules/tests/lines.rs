//! Special wins: longer lines, several lines at once, the edges of large boards.
//! The unit tests in `src/board.rs` try every line at every place.

use connect4_rules::{Bin, DropError, Outcome, Player, Position, Shape};

use crate::common::{cells, play, shape, winning};

const RED: Option<Outcome> = Some(Outcome::Won(Player::One));

#[test]
fn five_in_a_row_win() {
    let position = play(Shape::STANDARD, &[0, 0, 1, 1, 3, 3, 4, 4, 2]);
    assert_eq!(position.outcome(), RED);
    let row = cells(&[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]);
    assert_eq!(winning(&position), row);
}

#[test]
fn six_in_a_row_win() {
    let position = play(Shape::STANDARD, &[0, 0, 1, 1, 2, 2, 4, 4, 5, 5, 3]);
    assert_eq!(position.outcome(), RED);
    let row = cells(&[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]);
    assert_eq!(winning(&position), row);
}

#[test]
fn seven_in_a_row_win() {
    let bins = [0, 0, 1, 1, 2, 2, 4, 4, 5, 5, 6, 6, 3];
    let position = play(Shape::STANDARD, &bins);
    assert_eq!(position.outcome(), RED);
    assert_eq!(winning(&position).len(), 7);
}

#[test]
fn three_in_a_row_win_when_asked_for() {
    let position = play(shape(5, 4, 3), &[0, 4, 1, 4, 2]);
    assert_eq!(position.outcome(), RED);
    assert_eq!(winning(&position), cells(&[(0, 0), (1, 0), (2, 0)]));
}

#[test]
fn five_in_a_row_are_not_enough_when_six_are_asked_for() {
    let mut position = play(shape(7, 6, 6), &[0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
    assert_eq!(position.outcome(), None);
    crate::common::drop(&mut position, 5);
    assert_eq!(position.outcome(), RED);
}

#[test]
fn a_drop_marks_every_line_it_completes() {
    // The last disc completes a row and both diagonals, and no column.
    let bins = [
        0, 1, 5, 4, 5, 4, 2, 0, 1, 2, 6, 5, 3, 5, 4, 3, 0, 3, 2, 0, 2, 1, 1, 0, 4, 0, 3,
    ];
    let position = play(Shape::STANDARD, &bins);
    assert_eq!(position.outcome(), RED);
    assert_eq!(
        winning(&position),
        cells(&[
            (0, 0),
            (1, 1),
            (1, 3),
            (2, 2),
            (2, 3),
            (3, 3),
            (4, 2),
            (4, 3),
            (5, 1),
            (6, 0),
        ])
    );
}

#[test]
fn a_full_board_without_a_line_is_a_draw() {
    let bins = [
        5, 4, 5, 0, 6, 2, 4, 5, 5, 0, 4, 1, 1, 0, 4, 5, 6, 5, 3, 1, 1, 2, 2, 6, 2, 6, 6, 3, 6, 2,
        0, 3, 0, 3, 3, 4, 3, 1, 4, 2, 1, 0,
    ];
    let mut position = play(Shape::STANDARD, &bins);
    assert_eq!(position.plies(), position.shape().cells());
    assert_eq!(position.outcome(), Some(Outcome::Draw));
    assert!(position.winning_cells().is_empty());
    assert_eq!(position.drop(Bin::new(0)), Err(DropError::GameOver));
}

#[test]
fn an_outcome_has_a_winner_unless_it_is_a_draw() {
    for player in Player::ALL {
        assert_eq!(Outcome::Won(player).winner(), Some(player));
    }
    assert_eq!(Outcome::Draw.winner(), None);
}

#[test]
fn the_last_bin_of_all_128_bits() {
    let position = play(shape(16, 7, 4), &[15, 14, 15, 14, 15, 14, 15]);
    assert_eq!(position.outcome(), RED);
    let column = cells(&[(15, 0), (15, 1), (15, 2), (15, 3)]);
    assert_eq!(winning(&position), column);
    // A bin after the last begins past the last bit, which is not the first bit again.
    assert_eq!(position.height(Bin::new(14)), 3);
    assert_eq!(position.height(Bin::new(16)), 0);
    let wrapped = play(shape(16, 7, 4), &[0]);
    assert_eq!(wrapped.height(Bin::new(16)), 0, "there is no such bin");
}

#[test]
fn the_top_of_one_bin_and_the_bottom_of_the_next_are_no_line() {
    // Red has the top two of bin 14 and the bottom two of bin 15.
    let bins = [14, 14, 14, 14, 0, 14, 14, 0, 14, 1, 15, 1, 15];
    let position = play(shape(16, 7, 4), &bins);
    assert_eq!(position.outcome(), None);
}

#[test]
fn a_full_bin_of_24() {
    let mut position = Position::new(shape(5, 24, 4));
    for row in 0..24 {
        assert_eq!(position.height(Bin::new(4)), row);
        let dropped = crate::common::drop(&mut position, 4);
        assert_eq!((dropped.row, dropped.outcome), (row, None));
    }
    assert_eq!(position.drop(Bin::new(4)), Err(DropError::BinFull));
    assert_eq!(position.height(Bin::new(4)), 24);
    assert_eq!(position.height(Bin::new(5)), 0, "there is no such bin");
}
