//! A game between two accounts, and each refusal and which comes first.

#[path = "../../rules/tests/common/mod.rs"]
mod common;

use common::{cells, shape};
use connect4_protocol::{Address, Error, Game};
use connect4_rules::{
    Bin, DropError, Dropped, Outcome, Player, Position, Shape, ShapeError, ShapeSpec,
};

const ALICE: Address = Address([0xa; 20]);
const BOB: Address = Address([0xb; 20]);
const CHARLIE: Address = Address([0xc; 20]);

fn start(shape: Shape) -> Game {
    Game::start(ALICE, BOB, shape.into()).expect("a game")
}

/// A drop that has to be taken; prints the board, and checks that the record's
/// fields agree with each other and with the board.
fn drop(game: &mut Game, caller: Address, bin: u8) -> Dropped {
    let turns = game.turns();
    let mover = game.to_move();
    let dropped = game
        .drop(caller, Bin::new(bin), 0)
        .expect("a drop that is taken");
    let position = game.position();
    println!("turn {}, bin {bin}:\n{position}\n", game.turns());

    assert_eq!(game.turns(), turns + 1);
    assert_eq!(game.last_mover(), mover);
    assert_eq!(position.plies(), game.turns());
    assert_eq!(position.outcome(), game.outcome());
    assert_eq!(position.winning_cells(), game.winning_cells());
    assert_eq!(dropped.outcome, game.outcome());
    assert_eq!(game.is_over(), game.outcome().is_some());
    assert_eq!(game.winner(), game.outcome().and_then(Outcome::winner));
    match game.is_over() {
        true => assert_eq!(game.to_move(), None),
        false => assert_eq!(game.to_move(), Some(position.to_move())),
    }
    dropped
}

/// A drop that has to be refused, and leave the game as it was.
fn refused(game: &mut Game, caller: Address, bin: u8) -> Error {
    let before = *game;
    let error = game.drop(caller, Bin::new(bin), 0).expect_err("a refusal");
    assert_eq!(*game, before);
    error
}

/// Alice has won in bin 0.
fn won() -> Game {
    let mut game = start(Shape::STANDARD);
    for _ in 0..3 {
        drop(&mut game, ALICE, 0);
        drop(&mut game, BOB, 1);
    }
    drop(&mut game, ALICE, 0);
    game
}

#[test]
fn a_new_game() {
    let game = start(Shape::STANDARD);
    assert_eq!((game.player_one(), game.player_two()), (ALICE, BOB));
    assert_eq!(game.account_of(Player::One), ALICE);
    assert_eq!(game.account_of(Player::Two), BOB);
    assert_eq!(game.player_of(&ALICE), Some(Player::One));
    assert_eq!(game.player_of(&BOB), Some(Player::Two));
    assert_eq!(game.player_of(&CHARLIE), None);
    assert_eq!(game.shape(), Shape::STANDARD);
    assert_eq!(game.position(), Position::new(Shape::STANDARD));
    assert_eq!(game.to_move(), Some(Player::One));
    assert_eq!(game.last_mover(), None);
    assert_eq!(game.turns(), 0);
    assert_eq!(game.winner(), None);
    assert_eq!(game.outcome(), None);
    assert!(!game.is_over());
    assert!(game.winning_cells().is_empty());
}

#[test]
fn a_game_that_is_won() {
    let game = won();
    assert_eq!(game.winner(), Some(Player::One));
    assert_eq!(game.turns(), 7);
    assert_eq!(
        game.winning_cells().iter(game.shape()).collect::<Vec<_>>(),
        cells(&[(0, 0), (0, 1), (0, 2), (0, 3)])
    );
}

#[test]
fn a_game_that_is_drawn() {
    let mut game = start(Shape::CLASSROOM);
    let bins = [
        0, 1, 0, 2, 0, 0, 3, 1, 2, 1, 1, 2, 3, 3, 5, 3, 5, 5, 4, 4, 4, 5, 4, 2,
    ];
    for (turn, bin) in bins.into_iter().enumerate() {
        drop(&mut game, [ALICE, BOB][turn % 2], bin);
    }
    assert_eq!(game.outcome(), Some(Outcome::Draw));
    assert_eq!(game.winner(), None);
    assert!(game.is_over());
    assert_eq!(refused(&mut game, ALICE, 0), Error::GameOver);
}

#[test]
fn refuses_a_player_against_itself() {
    let standard = ShapeSpec::from(Shape::STANDARD);
    assert_eq!(Game::start(BOB, BOB, standard), Err(Error::SamePlayer));
}

#[test]
fn refuses_a_shape_out_of_bounds() {
    let spec = |bins, capacity, line| ShapeSpec {
        bins,
        capacity,
        line,
    };
    for (asked, error) in [
        (spec(4, 6, 4), ShapeError::TooFewBins),
        (spec(0, 0, 0), ShapeError::TooFewBins),
        (spec(7, 3, 4), ShapeError::TooLowCapacity),
        (spec(7, 6, 2), ShapeError::LineOutOfBounds),
        (spec(7, 6, 7), ShapeError::LineOutOfBounds),
        (spec(5, 5, 6), ShapeError::LineTooLong),
        (spec(16, 8, 4), ShapeError::TooLarge),
        (spec(255, 255, 4), ShapeError::TooLarge),
    ] {
        println!("{asked:?}: {error}");
        assert_eq!(Shape::try_from(asked), Err(error));
        assert_eq!(Game::start(ALICE, BOB, asked), Err(Error::BadShape));
        // The players are looked at first.
        assert_eq!(Game::start(ALICE, ALICE, asked), Err(Error::SamePlayer));
    }
    for (bins, capacity, line) in [(5, 4, 3), (5, 4, 5), (5, 6, 6), (16, 7, 6), (5, 24, 4)] {
        assert_eq!(shape(bins, capacity, line).bins(), bins);
    }
}

#[test]
fn refuses_who_does_not_play() {
    let mut game = start(Shape::STANDARD);
    assert_eq!(refused(&mut game, CHARLIE, 0), Error::NotAPlayer);
    assert_eq!(refused(&mut game, CHARLIE, 7), Error::NotAPlayer, "first");
}

#[test]
fn refuses_a_turn_out_of_turn() {
    let mut game = start(Shape::STANDARD);
    assert_eq!(refused(&mut game, BOB, 0), Error::NotYourTurn);
    assert_eq!(refused(&mut game, BOB, 7), Error::NotYourTurn, "first");
    drop(&mut game, ALICE, 0);
    assert_eq!(refused(&mut game, ALICE, 0), Error::NotYourTurn);
}

#[test]
fn refuses_a_bin_that_does_not_exist() {
    let mut game = start(Shape::STANDARD);
    assert_eq!(refused(&mut game, ALICE, 7), Error::NoSuchBin);
    assert_eq!(refused(&mut game, ALICE, 255), Error::NoSuchBin);
}

#[test]
fn refuses_a_full_bin() {
    let mut game = start(Shape::CLASSROOM);
    for caller in [ALICE, BOB, ALICE, BOB] {
        drop(&mut game, caller, 0);
    }
    assert_eq!(refused(&mut game, ALICE, 0), Error::BinFull);
    assert_eq!(refused(&mut game, BOB, 0), Error::NotYourTurn, "first");
}

#[test]
fn refuses_everything_after_the_end() {
    let mut game = won();
    assert_eq!(refused(&mut game, BOB, 2), Error::GameOver);
    // First of all: whoever drops, and wherever.
    assert_eq!(refused(&mut game, ALICE, 2), Error::GameOver);
    assert_eq!(refused(&mut game, CHARLIE, 2), Error::GameOver);
    assert_eq!(refused(&mut game, BOB, 7), Error::GameOver);

    let mut position = game.position();
    assert_eq!(position.drop(Bin::new(7)), Err(DropError::GameOver));
}

#[test]
fn errors_keep_their_numbers_and_say_what_to_do() {
    let errors = [
        Error::NoSuchGame,
        Error::NotAPlayer,
        Error::NotYourTurn,
        Error::NoSuchBin,
        Error::BinFull,
        Error::GameOver,
        Error::SamePlayer,
        Error::BadShape,
    ];
    for (number, error) in errors.into_iter().enumerate() {
        println!("{number}: {error}");
        assert_eq!(error as usize, number);
        assert!(error.to_string().len() > 20);
    }
}
