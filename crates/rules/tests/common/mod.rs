//! Helpers of the tests: games whose boards are printed, and the rules written out plainly.

pub mod dice;
pub mod plain;
pub mod random;

use connect4_rules::{Bin, Cell, Dropped, Position, Shape};

pub fn shape(bins: u8, capacity: u8, line: u8) -> Shape {
    Shape::new(bins, capacity, line).expect("a shape within bounds")
}

pub fn cells(cells: &[(u8, u8)]) -> Vec<Cell> {
    cells
        .iter()
        .map(|&(bin, row)| Cell::new(bin, row))
        .collect()
}

/// Drops a disc that has to be taken, and prints the board after it.
pub fn drop(position: &mut Position, bin: u8) -> Dropped {
    let player = position.to_move();
    let dropped = position
        .drop(Bin::new(bin))
        .unwrap_or_else(|error| panic!("{player} drops into {bin}: {error}\n{position}"));
    println!("{player} drops into bin {bin}:\n{position}\n");
    dropped
}

/// Plays drops that all have to be taken; all but the last leave the game open.
pub fn play(shape: Shape, bins: &[u8]) -> Position {
    let mut position = Position::new(shape);
    for (turn, &bin) in bins.iter().enumerate() {
        assert_eq!(position.outcome(), None, "before turn {turn}\n{position}");
        drop(&mut position, bin);
    }
    position
}

pub fn winning(position: &Position) -> Vec<Cell> {
    position.winning_cells().iter(position.shape()).collect()
}
