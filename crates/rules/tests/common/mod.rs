//! Helpers of the tests: games whose boards are printed, and a naive implementation of the rules.
#![allow(dead_code, reason = "no test file uses all of it")]

pub mod dice;
pub mod plain;
pub mod random;

use connect4_rules::{Bin, Cell, Dropped, Outcome, Player, Position, Shape};

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

/// A naive implementation of the rules: a list of discs for each bin, and lines found by a scan.
#[derive(Clone, Debug, PartialEq)]
pub struct Naive {
    pub shape: Shape,
    pub bins: Vec<Vec<Player>>,
    pub to_move: Player,
}

impl Naive {
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            bins: vec![Vec::new(); shape.bins().into()],
            to_move: Player::One,
        }
    }

    pub fn disc(&self, bin: i32, row: i32) -> Option<Player> {
        let bin = self.bins.get(usize::try_from(bin).ok()?)?;
        bin.get(usize::try_from(row).ok()?).copied()
    }

    /// Every line of the board: from each disc in each direction, as far as it goes.
    pub fn winning(&self) -> Vec<Cell> {
        let mut winning = Vec::new();
        for bin in 0..i32::from(self.shape.bins()) {
            for row in 0..i32::from(self.shape.capacity()) {
                let Some(player) = self.disc(bin, row) else {
                    continue;
                };
                for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let run: Vec<Cell> = (0..)
                        .map(|step| (bin + step * right, row + step * up))
                        .take_while(|&(bin, row)| self.disc(bin, row) == Some(player))
                        .map(|(bin, row)| Cell::new(bin as u8, row as u8))
                        .collect();
                    if run.len() >= usize::from(self.shape.line()) {
                        winning.extend(run);
                    }
                }
            }
        }
        winning.sort();
        winning.dedup();
        winning
    }

    pub fn outcome(&self) -> Option<Outcome> {
        let full = usize::from(self.shape.capacity());
        if !self.winning().is_empty() {
            Some(Outcome::Won(self.to_move.opponent()))
        } else if self.bins.iter().all(|bin| bin.len() == full) {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    /// Whether the drop was taken.
    pub fn drop(&mut self, bin: u8) -> bool {
        let capacity = usize::from(self.shape.capacity());
        let over = self.outcome().is_some();
        match self.bins.get_mut(usize::from(bin)) {
            Some(bin) if bin.len() < capacity && !over => {
                bin.push(self.to_move);
                self.to_move = self.to_move.opponent();
                true
            }
            _ => false,
        }
    }
}
