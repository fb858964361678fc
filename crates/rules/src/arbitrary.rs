//! Values for fuzzers and property tests. Those with bounds are always within them: a shape is one
//! that [`Shape::new`] takes, and drops lead to a position.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::{Bin, Board, ByPlayer, Cell, Cells, Outcome, Player, Position, Shape, ShapeSpec};

impl<'a, T: Arbitrary<'a>> Arbitrary<'a> for ByPlayer<T> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            one: T::arbitrary(u)?,
            two: T::arbitrary(u)?,
        })
    }
}

impl<'a> Arbitrary<'a> for Player {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        u.choose(&Self::ALL).copied()
    }
}

/// Any of 256 bins, on any board or on none.
impl<'a> Arbitrary<'a> for Bin {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        u8::arbitrary(u).map(Self::new)
    }
}

/// A cell on any board or on none.
impl<'a> Arbitrary<'a> for Cell {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            bin: Bin::arbitrary(u)?,
            row: u8::arbitrary(u)?,
        })
    }
}

/// Any bits, cells of a board or not.
impl<'a> Arbitrary<'a> for Cells {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        u128::arbitrary(u).map(Self::from_bits)
    }
}

impl<'a> Arbitrary<'a> for Outcome {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Option::<Player>::arbitrary(u)?.map_or(Self::Draw, Self::Won))
    }
}

/// Any numbers, within bounds or not.
impl<'a> Arbitrary<'a> for ShapeSpec {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            bins: u8::arbitrary(u)?,
            capacity: u8::arbitrary(u)?,
            line: u8::arbitrary(u)?,
        })
    }
}

impl<'a> Arbitrary<'a> for Shape {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let most_bins = Self::MAX_BITS / (Self::MIN_CAPACITY + 1);
        let bins = u.int_in_range(Self::MIN_BINS..=most_bins)?;
        let capacity = u.int_in_range(Self::MIN_CAPACITY..=Self::MAX_BITS / bins - 1)?;
        let longest = Self::MAX_LINE.min(bins.max(capacity));
        let line = u.int_in_range(Self::MIN_LINE..=longest)?;
        Self::new(bins, capacity, line).map_err(|_| arbitrary::Error::IncorrectFormat)
    }
}

/// The board of an arbitrary [`Position`].
impl<'a> Arbitrary<'a> for Board {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(*Position::arbitrary(u)?.board())
    }
}

/// Drops into legal bins of an arbitrary shape, up to a random ply or the end of the game.
impl<'a> Arbitrary<'a> for Position {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mut position = Self::new(Shape::arbitrary(u)?);
        let plies = u.int_in_range(0..=position.shape().cells())?;
        for _ in 0..plies {
            let legal = position.legal_bins().count();
            if legal == 0 {
                break;
            }
            let chosen = u.choose_index(legal)?;
            if let Some(bin) = position.legal_bins().nth(chosen) {
                position
                    .drop(bin)
                    .map_err(|_| arbitrary::Error::IncorrectFormat)?;
            }
        }
        Ok(position)
    }
}
