//! Helpers of the tests: three accounts, and games whose boards are printed.

#[cfg(feature = "sign")]
pub mod signers;

use connect4_protocol::{Address, Game};
use connect4_rules::{Bin, Dropped, Outcome, Shape};

pub const ALICE: Address = Address([0xa; 20]);
pub const BOB: Address = Address([0xb; 20]);
pub const CHARLIE: Address = Address([0xc; 20]);

/// Drops that fill the classroom's board without a line.
pub const DRAWN: [u8; 24] = [
    0, 1, 0, 2, 0, 0, 3, 1, 2, 1, 1, 2, 3, 3, 5, 3, 5, 5, 4, 4, 4, 5, 4, 2,
];

/// A new game of Alice, who is player one, against Bob.
pub fn start(shape: Shape) -> Game {
    Game::start(ALICE, BOB, shape.into()).expect("a game")
}

/// Drops a disc that has to be taken, prints the board, and checks that the fields of the record
/// agree with each other and with the board.
pub fn drop(game: &mut Game, caller: Address, bin: u8) -> Dropped {
    let turns = game.turns();
    let mover = game.to_move();
    let dropped = game
        .drop(caller, Bin::new(bin))
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

/// A game in which Alice and Bob have dropped discs in turns.
pub fn played(shape: Shape, bins: &[u8]) -> Game {
    let mut game = start(shape);
    for (turn, &bin) in bins.iter().enumerate() {
        drop(&mut game, [ALICE, BOB][turn % 2], bin);
    }
    game
}

/// Alice has won in bin 0.
pub fn won() -> Game {
    played(Shape::STANDARD, &[0, 1, 0, 1, 0, 1, 0])
}

/// A full board without a line.
pub fn drawn() -> Game {
    played(Shape::CLASSROOM, &DRAWN)
}
