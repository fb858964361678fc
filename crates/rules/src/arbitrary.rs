//! Values for fuzzers and property tests. Those with bounds are always within them: a shape is one
//! that [`Shape::new`] takes, and drops lead to a position.

use arbitrary::{Arbitrary, Error, Result, Unstructured};

use crate::variant::{self, ByColour, Colour, Move, Power, Powers, Variant, VariantSpec};
use crate::{Bin, Board, ByPlayer, Cell, Cells, Outcome, Play, Player, Position, Shape, ShapeSpec};

macro_rules! one_of_all {
    ($($type:ty)*) => {$(
        impl<'a> Arbitrary<'a> for $type {
            fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
                u.choose(&Self::ALL).copied()
            }
        }
    )*};
}

one_of_all! { Player Colour Power }

macro_rules! any_numbers {
    ($($type:ty { $($field:ident),* })*) => {$(
        /// Any numbers, within bounds or not.
        impl<'a> Arbitrary<'a> for $type {
            fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
                Ok(Self { $($field: u.arbitrary()?),* })
            }
        }
    )*};
}

any_numbers! {
    Cell { bin, row }
    ShapeSpec { bins, capacity, line }
    Powers { take, clear, float }
    VariantSpec { shape, players, pop_out, pie_rule, powers }
}

impl<'a, T: Arbitrary<'a>> Arbitrary<'a> for ByPlayer<T> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            one: T::arbitrary(u)?,
            two: T::arbitrary(u)?,
        })
    }
}

/// Any of 256 bins, on any board or on none.
impl<'a> Arbitrary<'a> for Bin {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        u8::arbitrary(u).map(Self::new)
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

impl<'a> Arbitrary<'a> for Shape {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let most_bins = Self::MAX_BITS / (Self::MIN_CAPACITY + 1);
        let bins = u.int_in_range(Self::MIN_BINS..=most_bins)?;
        let capacity = u.int_in_range(Self::MIN_CAPACITY..=Self::MAX_BITS / bins - 1)?;
        let longest = Self::MAX_LINE.min(bins.max(capacity));
        let line = u.int_in_range(Self::MIN_LINE..=longest)?;
        Self::new(bins, capacity, line).map_err(|_| Error::IncorrectFormat)
    }
}

/// The board of an arbitrary [`Position`].
impl<'a> Arbitrary<'a> for Board {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(*Position::arbitrary(u)?.board())
    }
}

/// Makes legal moves, chosen at random, up to so many or to the end of the game. Instead of a move,
/// `otherwise` may do something else to the position, and says whether it did.
fn played<'a, P: Play>(
    u: &mut Unstructured<'a>,
    mut position: P,
    most: u8,
    otherwise: impl Fn(&mut Unstructured<'a>, &mut P) -> Result<bool>,
) -> Result<P> {
    for _ in 0..u.int_in_range(0..=most)? {
        let legal = position.legal_moves().count();
        // Without bytes there are no more moves to choose.
        if legal == 0 || u.is_empty() {
            break;
        }
        if otherwise(u, &mut position)? {
            continue;
        }
        let chosen = u.choose_index(legal)?;
        let action = { position }.legal_moves().nth(chosen);
        if let Some(action) = action {
            position.play(action).map_err(|_| Error::IncorrectFormat)?;
        }
    }
    Ok(position)
}

/// Drops into legal bins of an arbitrary shape, up to a random ply or the end of the game.
impl<'a> Arbitrary<'a> for Position {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let position = Self::new(u.arbitrary()?);
        played(u, position, position.shape().cells(), |_, _| Ok(false))
    }
}

impl<'a, T: Arbitrary<'a>> Arbitrary<'a> for ByColour<T> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        <[T; 4]>::arbitrary(u).map(Self)
    }
}

/// A move on any board or on none.
impl<'a> Arbitrary<'a> for Move {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u.int_in_range(0..=5_u8)? {
            0 => Self::Drop(Bin::arbitrary(u)?),
            1 => Self::Pop(Bin::arbitrary(u)?),
            2 => Self::Take(Cell::arbitrary(u)?),
            3 => Self::Clear(u8::arbitrary(u)?),
            4 => Self::Float(Cell::arbitrary(u)?),
            _ => Self::Swap,
        })
    }
}

impl<'a> Arbitrary<'a> for variant::Outcome {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let colour = Colour::arbitrary(u)?;
        let outcomes = [
            Self::Line(colour),
            Self::LastLeft(colour),
            Self::NoMove,
            Self::TurnLimit,
        ];
        u.choose(&outcomes).copied()
    }
}

impl<'a> Arbitrary<'a> for Variant {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let shape = Shape::arbitrary(u)?;
        let players = u.int_in_range(Self::MIN_PLAYERS..=Self::MAX_PLAYERS)?;
        let spec = VariantSpec {
            shape: shape.into(),
            players,
            pop_out: bool::arbitrary(u)?,
            pie_rule: players == 2 && bool::arbitrary(u)?,
            powers: Powers {
                take: u.int_in_range(0..=Self::MAX_POWER)?,
                clear: u.int_in_range(0..=Self::MAX_POWER)?,
                float: u.int_in_range(0..=Self::MAX_POWER)?,
            },
        };
        spec.try_into().map_err(|_| Error::IncorrectFormat)
    }
}

/// Legal moves in a game of arbitrary terms, up to a random turn or the end of the game; now and
/// then a player leaves.
impl<'a> Arbitrary<'a> for variant::Position {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let position = Self::new(u.arbitrary()?);
        played(u, position, Self::MAX_TURNS, |u, position| {
            let leaves = u.ratio(1, 40_u8)?;
            if leaves {
                // Refused if the colour does not play, or has left.
                let _ = position.leave(u.arbitrary()?);
            }
            Ok(leaves)
        })
    }
}
