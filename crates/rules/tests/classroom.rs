//! The classroom program's table of tests, on its default board.

use connect4_rules::{Bin, Cell, DropError, Outcome, Player, Position, Shape, ShapeError};

use crate::common::{cells, drop, play, shape, winning};

const RED: Option<Outcome> = Some(Outcome::Won(Player::One));
const BLUE: Option<Outcome> = Some(Outcome::Won(Player::Two));

#[test]
fn a_the_default_board() {
    let position = Position::new(Shape::CLASSROOM);
    println!("{position}");
    assert_eq!(position.shape().bins(), 6);
    assert_eq!(position.shape().capacity(), 4);
    let mut bins = position.shape().iter_bins();
    assert!(bins.all(|bin| position.height(bin) == 0));
    assert_eq!(position.plies(), 0);
    assert_eq!(position.to_move(), Player::One);
}

#[test]
fn b_a_larger_board() {
    let position = Position::new(shape(7, 5, 4));
    println!("{position}");
    assert_eq!(position.shape().bins(), 7);
    assert_eq!(position.shape().capacity(), 5);
}

#[test]
fn c_a_capacity_too_low_is_named() {
    assert_eq!(Shape::new(5, 1, 4), Err(ShapeError::TooLowCapacity));
    let raised = shape(5, 1.max(Shape::MIN_CAPACITY), 4);
    assert_eq!((raised.bins(), raised.capacity()), (5, 4));
}

#[test]
fn g_bins_that_do_not_exist_keep_the_turn() {
    let mut position = Position::new(Shape::CLASSROOM);
    assert_eq!(position.drop(Bin::new(6)), Err(DropError::NoSuchBin));
    assert_eq!(position.drop(Bin::new(7)), Err(DropError::NoSuchBin));
    drop(&mut position, 0);
    assert_eq!(position.drop(Bin::new(10)), Err(DropError::NoSuchBin));
    assert_eq!(position.drop(Bin::new(255)), Err(DropError::NoSuchBin));
    drop(&mut position, 1);
    assert_eq!(position.disc(Cell::new(0, 0)), Some(Player::One));
    assert_eq!(position.disc(Cell::new(1, 0)), Some(Player::Two));
    assert_eq!(position.plies(), 2);
}

#[test]
fn h_a_full_bin_keeps_the_turn() {
    let mut position = play(Shape::CLASSROOM, &[0, 0, 0, 0]);
    assert_eq!(position.drop(Bin::new(0)), Err(DropError::BinFull));
    assert_eq!(position.to_move(), Player::One);
    drop(&mut position, 1);
    assert_eq!(position.disc(Cell::new(1, 0)), Some(Player::One));
}

#[test]
fn case_1_red_wins_horizontally() {
    let position = play(Shape::CLASSROOM, &[5, 0, 4, 0, 3, 0, 2]);
    assert_eq!(position.outcome(), RED);
    assert_eq!(winning(&position), cells(&[(2, 0), (3, 0), (4, 0), (5, 0)]));
}

#[test]
fn case_2_three_in_a_row_are_not_enough() {
    let position = play(Shape::CLASSROOM, &[5, 0, 4, 0, 3, 0]);
    assert_eq!(position.outcome(), None);
    assert!(winning(&position).is_empty());
}

#[test]
fn case_3_blue_wins_vertically() {
    let position = play(Shape::CLASSROOM, &[0, 1, 0, 1, 0, 1, 3, 1]);
    assert_eq!(position.outcome(), BLUE);
    assert_eq!(winning(&position), cells(&[(1, 0), (1, 1), (1, 2), (1, 3)]));
}

#[test]
fn case_4_three_in_a_column_are_not_enough() {
    let position = play(Shape::CLASSROOM, &[0, 1, 0, 1, 0, 1]);
    assert_eq!(position.outcome(), None);
    assert!(winning(&position).is_empty());
}

#[test]
fn case_5_red_wins_on_the_diagonal() {
    let position = play(Shape::CLASSROOM, &[0, 1, 1, 2, 3, 2, 2, 3, 3, 4, 3]);
    assert_eq!(position.outcome(), RED);
    assert_eq!(winning(&position), cells(&[(0, 0), (1, 1), (2, 2), (3, 3)]));
}

#[test]
fn case_6_blue_wins_on_the_anti_diagonal() {
    let position = play(Shape::CLASSROOM, &[0, 1, 2, 3, 0, 2, 0, 0, 1, 1]);
    assert_eq!(position.outcome(), BLUE);
    assert_eq!(winning(&position), cells(&[(0, 3), (1, 2), (2, 1), (3, 0)]));
}

#[test]
fn case_7_a_draw() {
    let bins = [
        0, 1, 0, 2, 0, 0, 3, 1, 2, 1, 1, 2, 3, 3, 5, 3, 5, 5, 4, 4, 4, 5, 4, 2,
    ];
    let mut position = play(Shape::CLASSROOM, &bins);
    assert_eq!(position.outcome(), Some(Outcome::Draw));
    assert!(winning(&position).is_empty());
    assert_eq!(position.legal_bins().count(), 0);
    assert_eq!(position.drop(Bin::new(0)), Err(DropError::GameOver));
}

#[test]
fn case_8_blue_wins_horizontally() {
    let position = play(Shape::CLASSROOM, &[0, 1, 0, 2, 1, 3, 0, 4]);
    assert_eq!(position.outcome(), BLUE);
    assert_eq!(winning(&position), cells(&[(1, 0), (2, 0), (3, 0), (4, 0)]));
}

#[test]
fn case_9_red_wins_vertically() {
    let position = play(Shape::CLASSROOM, &[1, 0, 1, 2, 1, 3, 1]);
    assert_eq!(position.outcome(), RED);
    assert_eq!(winning(&position), cells(&[(1, 0), (1, 1), (1, 2), (1, 3)]));
}
