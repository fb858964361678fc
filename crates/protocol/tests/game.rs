//! A game between two accounts, and each refusal and which comes first.

use connect4_protocol::{Address, End, Error, Game};
use connect4_rules::{
    Bin, Cell, Cells, DropError, Outcome, Player, Position, Shape, ShapeError, ShapeSpec,
};

use crate::common::{ALICE, BOB, CHARLIE, drawn, drop, start, won};

/// A drop that has to be refused, and leave the game as it was.
fn refused(game: &mut Game, caller: Address, bin: u8) -> Error {
    let before = *game;
    let error = game.drop(caller, Bin::new(bin)).expect_err("a refusal");
    assert_eq!(*game, before);
    error
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
    assert_eq!(game.end(), None);
    assert_eq!(game.board().shape(), Shape::STANDARD);
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
    assert_eq!(game.outcome(), Some(Outcome::Won(Player::One)));
    assert_eq!(game.end(), Some(End::Line));
    assert_eq!(game.turns(), 7);
    let line = [0, 1, 2, 3].map(|row| Cell::new(0, row));
    assert!(game.winning_cells().iter(game.shape()).eq(line));
}

#[test]
fn a_game_that_player_two_wins() {
    let mut game = start(Shape::STANDARD);
    for bin in [0, 2, 3] {
        drop(&mut game, ALICE, bin);
        drop(&mut game, BOB, 1);
    }
    drop(&mut game, ALICE, 0);
    let dropped = drop(&mut game, BOB, 1);
    assert_eq!(dropped.outcome, Some(Outcome::Won(Player::Two)));
    assert_eq!(game.winner(), Some(Player::Two));
    assert_eq!(game.end(), Some(End::Line));
}

#[test]
fn a_game_that_is_drawn() {
    let mut game = drawn();
    assert_eq!(game.outcome(), Some(Outcome::Draw));
    assert_eq!(game.winner(), None);
    assert!(game.is_over());
    assert_eq!(game.end(), Some(End::FullBoard));
    assert_eq!(game.winning_cells(), Cells::EMPTY);
    assert_eq!(refused(&mut game, ALICE, 0), Error::GameOver);
}

#[test]
fn a_player_resigns_in_turn_or_not() {
    for (caller, winner) in [(ALICE, Player::Two), (BOB, Player::One)] {
        let mut game = start(Shape::STANDARD);
        drop(&mut game, ALICE, 3);
        assert_eq!(game.resign(CHARLIE), Err(Error::NotAPlayer));
        assert_eq!(game.resign(caller), Ok(()));
        assert_eq!(game.end(), Some(End::Resignation));
        assert_eq!(game.winner(), Some(winner));
        assert_eq!(game.outcome(), Some(Outcome::Won(winner)));
        assert_eq!(game.to_move(), None);
        assert_eq!(game.turns(), 1);
        assert!(game.winning_cells().is_empty());
        assert_eq!(game.resign(caller), Err(Error::GameOver));
        assert_eq!(game.resign(CHARLIE), Err(Error::GameOver), "first");
    }
}

#[test]
fn a_game_ends_once_with_any_end() {
    for &end in &End::ALL[..6] {
        let mut game = start(Shape::STANDARD);
        assert_eq!(game.finish(end, Some(Player::Two)), Ok(()));
        assert_eq!(game.end(), Some(end));
        assert_eq!(game.winner(), Some(Player::Two));
        let ended = game;
        assert_eq!(game.finish(End::Line, None), Err(Error::GameOver));
        assert_eq!(game, ended);
    }
    // No game between two accounts ends as those of variants do.
    for &end in &End::ALL[6..] {
        let mut game = start(Shape::STANDARD);
        assert_eq!(game.finish(end, None), Err(Error::GameOver));
        assert_eq!(game, start(Shape::STANDARD));
    }
}

#[test]
fn the_payer_is_player_one_or_the_account_named() {
    let game = start(Shape::STANDARD);
    assert_eq!(game.payer(), ALICE);
    assert_eq!(game.paid_by(CHARLIE).payer(), CHARLIE);
}

#[test]
fn the_payer_frees_a_game_that_has_ended() {
    let running = start(Shape::STANDARD).paid_by(CHARLIE);
    for caller in [ALICE, BOB, CHARLIE] {
        assert_eq!(running.free(caller), Err(Error::GameNotOver), "first");
    }
    for ended in [won(), drawn()].map(|game| game.paid_by(CHARLIE)) {
        assert_eq!(ended.free(CHARLIE), Ok(()));
        for caller in [ALICE, BOB] {
            assert_eq!(ended.free(caller), Err(Error::NotPayer));
        }
    }
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
        let game = Game::start(ALICE, BOB, spec(bins, capacity, line)).expect("a game");
        assert_eq!(game.shape().bins(), bins);
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
