//! What first drops are worth on boards of which nobody knows the result.
//!
//! `openings.txt` has, for the boards of the pool of large ones, the results of games of the search against
//! itself after each first drop; `scripts/fairness --openings` makes it. Under the pie rule the two moves that
//! decide most are made before a search of a second sees much.

use connect4_rules::{Bin, Shape};

/// Lines with bins, capacity, the first drop from 1, and the games that who made it has won, drawn and lost.
/// The other half of a board is its mirror image.
const TEXT: &str = include_str!("openings.txt");

/// What a first drop is worth to who makes it, from -1 to 1; none if no games are known.
pub(crate) fn worth(shape: Shape, bin: Bin) -> Option<f64> {
    let mirrored = shape.bins().checked_sub(bin.index() + 1)?;
    if shape.line() != Shape::STANDARD.line() {
        return None;
    }
    let first = [
        shape.bins(),
        shape.capacity(),
        bin.index().min(mirrored) + 1,
    ]
    .map(u16::from);
    let results = TEXT.lines().find_map(|line| {
        let mut numbers = line.split(' ').map(|field| field.parse::<u16>().ok());
        let mut three = || Some([numbers.next()??, numbers.next()??, numbers.next()??]);
        (three()? == first).then(three)?
    })?;
    let [won, drawn, lost] = results.map(f64::from);
    Some((won - lost) / (won + drawn + lost))
}
