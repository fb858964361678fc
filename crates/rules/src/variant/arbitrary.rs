//! Values for fuzzers and property tests, as those of the classic game: a [`Variant`] is within
//! bounds, and moves lead to a [`Position`].

use arbitrary::{Arbitrary, Error, Result, Unstructured};

use super::{ByColour, Colour, Move, Outcome, Position, Power, Powers, Variant, VariantSpec};
use crate::{Bin, Cell, Shape, ShapeSpec};

impl<'a, T: Arbitrary<'a>> Arbitrary<'a> for ByColour<T> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        <[T; 4]>::arbitrary(u).map(Self)
    }
}

impl<'a> Arbitrary<'a> for Colour {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        u.choose(&Self::ALL).copied()
    }
}

impl<'a> Arbitrary<'a> for Power {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        u.choose(&Self::ALL).copied()
    }
}

/// Any numbers, within bounds or not.
impl<'a> Arbitrary<'a> for Powers {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            take: u8::arbitrary(u)?,
            clear: u8::arbitrary(u)?,
            float: u8::arbitrary(u)?,
        })
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

impl<'a> Arbitrary<'a> for Outcome {
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

/// Any numbers, within bounds or not.
impl<'a> Arbitrary<'a> for VariantSpec {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            shape: ShapeSpec::arbitrary(u)?,
            players: u8::arbitrary(u)?,
            pop_out: bool::arbitrary(u)?,
            pie_rule: bool::arbitrary(u)?,
            powers: Powers::arbitrary(u)?,
        })
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
impl<'a> Arbitrary<'a> for Position {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mut position = Self::new(Variant::arbitrary(u)?);
        let turns = u.int_in_range(0..=Self::MAX_TURNS)?;
        for _ in 0..turns {
            let legal = position.legal_moves().count();
            // Without bytes there are no more moves to choose.
            if legal == 0 || u.is_empty() {
                break;
            }
            if u.ratio(1, 40_u8)? {
                // Refused if the colour does not play, or has left.
                let _ = position.leave(Colour::arbitrary(u)?);
                continue;
            }
            let chosen = u.choose_index(legal)?;
            if let Some(action) = position.legal_moves().nth(chosen) {
                position.play(action).map_err(|_| Error::IncorrectFormat)?;
            }
        }
        Ok(position)
    }
}
