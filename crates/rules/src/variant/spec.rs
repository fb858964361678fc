//! The terms of a game.

use core::fmt;
use core::str::FromStr;

use super::{Colour, Power, Powers};
use crate::parse::number;
use crate::{ParseError, Shape, ShapeError, ShapeSpec};

/// The terms of a game: what the players have agreed on. Always within bounds.
///
/// | term | bounds |
/// |---|---|
/// | shape | those of [`Shape`] |
/// | players | 2 to 4 |
/// | each power | at most [`Variant::MAX_POWER`] times for each player |
/// | pie rule | two players only |
///
/// # Examples
///
/// ```
/// use connect4_rules::Shape;
/// use connect4_rules::variant::{Powers, Variant, VariantError, VariantSpec};
///
/// let spec = VariantSpec {
///     players: 3,
///     pop_out: true,
///     powers: Powers { take: 1, ..Powers::NONE },
///     ..VariantSpec::classic(Shape::STANDARD)
/// };
/// let variant = Variant::try_from(spec)?;
/// assert_eq!(variant.to_string(), "7x6, line 4, 3 players, pop out, 1 take");
/// assert_eq!("7x6, line 4, 3 players, pop out, 1 take".parse(), Ok(spec));
///
/// let error = Variant::try_from(VariantSpec { pie_rule: true, ..spec });
/// assert_eq!(error, Err(VariantError::PieRuleNeedsTwo));
/// # Ok::<(), VariantError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "scale",
    derive(codec::Encode, codec::MaxEncodedLen, scale_info::TypeInfo)
)]
pub struct Variant {
    shape: Shape,
    players: u8,
    pop_out: bool,
    pie_rule: bool,
    powers: Powers,
}

/// Terms that were asked for and are not checked yet.
///
/// The encoding is that of a [`Variant`], but any numbers decode, so that a contract can refuse
/// terms out of bounds with an error of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "scale",
    derive(
        codec::Encode,
        codec::Decode,
        codec::MaxEncodedLen,
        scale_info::TypeInfo
    )
)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct VariantSpec {
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// How many play.
    pub players: u8,
    /// Whether a player may take an own disc out of the bottom of a bin.
    pub pop_out: bool,
    /// Whether the second player may exchange colours with the first.
    pub pie_rule: bool,
    /// How often each player may use each power in a game.
    pub powers: Powers,
}

impl VariantSpec {
    /// The terms of the classic game on a board of this shape.
    #[must_use]
    pub fn classic(shape: Shape) -> Self {
        Self::of_two(shape.into(), false)
    }

    /// The terms of a game of two on this board, in which discs are dropped alone, with the pie rule or without it: those of
    /// signed games.
    #[must_use]
    pub const fn of_two(shape: ShapeSpec, pie_rule: bool) -> Self {
        Self {
            shape,
            players: 2,
            pop_out: false,
            pie_rule,
            powers: Powers::NONE,
        }
    }

    /// Whether they are [such terms](Self::of_two).
    #[must_use]
    pub fn is_of_two(&self) -> bool {
        *self == Self::of_two(self.shape, self.pie_rule)
    }
}

impl Variant {
    /// The fewest players.
    pub const MIN_PLAYERS: u8 = 2;
    /// The most players.
    pub const MAX_PLAYERS: u8 = 4;
    /// How often a player can use a power in a game, at most.
    pub const MAX_POWER: u8 = 9;

    /// The classic game on a board of this shape.
    #[must_use]
    pub const fn classic(shape: Shape) -> Self {
        Self {
            shape,
            players: 2,
            pop_out: false,
            pie_rule: false,
            powers: Powers::NONE,
        }
    }

    /// The shape of the board.
    #[must_use]
    pub const fn shape(self) -> Shape {
        self.shape
    }

    /// How many play: 2 to 4.
    #[must_use]
    pub const fn players(self) -> u8 {
        self.players
    }

    /// The colours that play, in turn order.
    pub fn colours(self) -> impl DoubleEndedIterator<Item = Colour> + Clone + use<> {
        Colour::ALL.into_iter().take(usize::from(self.players))
    }

    /// Whether a player may take an own disc out of the bottom of a bin.
    #[must_use]
    pub const fn pop_out(self) -> bool {
        self.pop_out
    }

    /// Whether the second player may exchange colours with the first.
    #[must_use]
    pub const fn pie_rule(self) -> bool {
        self.pie_rule
    }

    /// How often each player may use each power in a game.
    #[must_use]
    pub const fn powers(self) -> Powers {
        self.powers
    }

    /// Whether these are the terms of the classic game.
    #[must_use]
    pub fn is_classic(self) -> bool {
        self == Self::classic(self.shape)
    }
}

impl From<Variant> for VariantSpec {
    fn from(variant: Variant) -> Self {
        Self {
            shape: variant.shape.into(),
            players: variant.players,
            pop_out: variant.pop_out,
            pie_rule: variant.pie_rule,
            powers: variant.powers,
        }
    }
}

impl TryFrom<VariantSpec> for Variant {
    type Error = VariantError;

    /// The first [`VariantError`] that applies, in the order of its variants.
    fn try_from(spec: VariantSpec) -> Result<Self, VariantError> {
        let shape = Shape::try_from(spec.shape).map_err(VariantError::Shape)?;
        if spec.players < Self::MIN_PLAYERS || spec.players > Self::MAX_PLAYERS {
            return Err(VariantError::PlayersOutOfBounds);
        }
        if spec.pie_rule && spec.players != 2 {
            return Err(VariantError::PieRuleNeedsTwo);
        }
        if Power::ALL
            .into_iter()
            .any(|power| spec.powers.of(power) > Self::MAX_POWER)
        {
            return Err(VariantError::TooManyPowers);
        }
        Ok(Self {
            shape,
            players: spec.players,
            pop_out: spec.pop_out,
            pie_rule: spec.pie_rule,
            powers: spec.powers,
        })
    }
}

/// Why terms are refused: the first of these that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariantError {
    /// The shape is out of bounds.
    Shape(ShapeError),
    /// Fewer than [`Variant::MIN_PLAYERS`] or more than [`Variant::MAX_PLAYERS`] players.
    PlayersOutOfBounds,
    /// The pie rule with more than two players.
    PieRuleNeedsTwo,
    /// A power more than [`Variant::MAX_POWER`] times.
    TooManyPowers,
}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(error) => error.fmt(f),
            Self::PlayersOutOfBounds => write!(
                f,
                "a game needs {} to {} players",
                Variant::MIN_PLAYERS,
                Variant::MAX_PLAYERS
            ),
            Self::PieRuleNeedsTwo => f.write_str("the pie rule is for two players"),
            Self::TooManyPowers => write!(
                f,
                "a power can be used at most {} times",
                Variant::MAX_POWER
            ),
        }
    }
}

impl core::error::Error for VariantError {}

/// `7x6, line 4, 3 players, pop out, pie rule, 1 take, 2 clear, 1 float`; terms of the classic game
/// are left out, except for the shape.
impl fmt::Display for VariantSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.shape)?;
        if self.players != 2 {
            write!(f, ", {} players", self.players)?;
        }
        if self.pop_out {
            f.write_str(", pop out")?;
        }
        if self.pie_rule {
            f.write_str(", pie rule")?;
        }
        if self.powers != Powers::NONE {
            write!(f, ", {}", self.powers)?;
        }
        Ok(())
    }
}

/// As a [`VariantSpec`] is shown.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        VariantSpec::from(*self).fmt(f)
    }
}

/// Reads what `Display` writes; terms after the shape may come in any order. Whether they are in
/// bounds is not checked.
impl FromStr for VariantSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = || {
            let mut parts = text.split(", ");
            let size = parts.next()?;
            let line = parts.next()?.strip_prefix("line ").and_then(number)?;
            let (bins, capacity) = size.split_once('x')?;
            let mut spec = Self {
                shape: ShapeSpec {
                    bins: number(bins)?,
                    capacity: number(capacity)?,
                    line,
                },
                players: 2,
                pop_out: false,
                pie_rule: false,
                powers: Powers::NONE,
            };
            for part in parts {
                match part {
                    "pop out" => spec.pop_out = true,
                    "pie rule" => spec.pie_rule = true,
                    _ => {
                        let (times, what) = part.split_once(' ')?;
                        let times = number(times)?;
                        if what == "players" {
                            spec.players = times;
                        } else {
                            let mut powers = Power::ALL.into_iter();
                            let power = powers.find(|power| power.name() == what)?;
                            *spec.powers.of_mut(power) = times;
                        }
                    }
                }
            }
            Some(spec)
        };
        read().ok_or(ParseError::new(
            "terms such as \"7x6, line 4, 3 players, pop out, 1 take\"",
        ))
    }
}

/// Refuses terms out of bounds.
#[cfg(feature = "scale")]
impl codec::Decode for Variant {
    fn decode<I: codec::Input>(input: &mut I) -> Result<Self, codec::Error> {
        VariantSpec::decode(input)?
            .try_into()
            .map_err(|_| "variant out of bounds".into())
    }
}

/// As a [`VariantSpec`].
#[cfg(feature = "serde")]
impl serde::Serialize for Variant {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        VariantSpec::from(*self).serialize(serializer)
    }
}

/// Refuses terms out of bounds.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Variant {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(VariantSpec::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
