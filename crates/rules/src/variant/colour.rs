//! The players of a variant.

use core::fmt;
use core::ops::{Index, IndexMut};
use core::str::FromStr;

use crate::{ParseError, Player};

/// The player of a variant, by the colour of the discs. They move in this order.
///
/// Each has a shape of its own, so that the discs can be told apart without colours.
///
/// # Examples
///
/// ```
/// use connect4_rules::variant::Colour;
///
/// assert_eq!(Colour::Green.to_string(), "green");
/// assert_eq!("yellow".parse(), Ok(Colour::Yellow));
/// assert_eq!(Colour::ALL.map(Colour::disc), ['●', '⬟', '▲', '■']);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Colour {
    /// Red, who moves first.
    Red = 0,
    /// Blue, who moves second.
    Blue = 1,
    /// Green, who moves third.
    Green = 2,
    /// Yellow, who moves fourth.
    Yellow = 3,
}

impl Colour {
    /// All colours, in the order in which they move.
    pub const ALL: [Self; 4] = [Self::Red, Self::Blue, Self::Green, Self::Yellow];

    /// The place in the turn order, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The colour at this place in the turn order, from 0; none past the fourth.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        match index {
            0 => Some(Self::Red),
            1 => Some(Self::Blue),
            2 => Some(Self::Green),
            3 => Some(Self::Yellow),
            _ => None,
        }
    }

    /// The player of the classic game with these discs; none for the third and the fourth.
    #[must_use]
    pub const fn player(self) -> Option<Player> {
        match self {
            Self::Red => Some(Player::One),
            Self::Blue => Some(Player::Two),
            Self::Green | Self::Yellow => None,
        }
    }

    /// Name of the colour: `red`, `blue`, `green` or `yellow`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Red => Player::One.colour(),
            Self::Blue => Player::Two.colour(),
            Self::Green => "green",
            Self::Yellow => "yellow",
        }
    }

    /// How a disc of this colour is shown: a circle, a pentagon, a triangle or a square.
    #[must_use]
    pub const fn disc(self) -> char {
        match self {
            Self::Red => Player::One.disc(),
            Self::Blue => Player::Two.disc(),
            Self::Green => '▲',
            Self::Yellow => '■',
        }
    }

    /// How a disc of a winning line is shown: a double circle, or the shape hollow.
    #[must_use]
    pub const fn winning_disc(self) -> char {
        match self {
            Self::Red => Player::One.winning_disc(),
            Self::Blue => Player::Two.winning_disc(),
            Self::Green => '△',
            Self::Yellow => '□',
        }
    }
}

/// The player of the classic game with these discs.
impl From<Player> for Colour {
    fn from(player: Player) -> Self {
        match player {
            Player::One => Self::Red,
            Player::Two => Self::Blue,
        }
    }
}

/// The name.
impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads what `Display` writes.
impl FromStr for Colour {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::ALL
            .into_iter()
            .find(|colour| colour.name() == text)
            .ok_or(ParseError::new("red, blue, green or yellow"))
    }
}

/// A value for each of the four colours; those that do not play have one as well.
///
/// # Examples
///
/// ```
/// use connect4_rules::variant::{ByColour, Colour};
///
/// let mut wins = ByColour([0; 4]);
/// wins[Colour::Green] += 1;
/// assert_eq!(wins, ByColour([0, 0, 1, 0]));
/// assert_eq!(wins.map(|wins| wins * 2)[Colour::Green], 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "scale",
    derive(
        codec::Encode,
        codec::Decode,
        codec::MaxEncodedLen,
        scale_info::TypeInfo
    )
)]
pub struct ByColour<T>(pub [T; 4]);

impl<T> ByColour<T> {
    /// Calls `value` for each colour, in turn order.
    #[must_use]
    pub fn from_fn(value: impl FnMut(Colour) -> T) -> Self {
        Self(Colour::ALL.map(value))
    }

    /// What `change` makes of the values.
    #[must_use]
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> ByColour<U> {
        ByColour(self.0.map(change))
    }

    /// Each colour with its value, in turn order.
    pub fn iter(&self) -> impl Iterator<Item = (Colour, &T)> {
        Colour::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<Colour> for ByColour<T> {
    type Output = T;

    fn index(&self, colour: Colour) -> &T {
        // Always in bounds. The mask tells the compiler, which leaves the check out.
        &self.0[colour.index() & 3]
    }
}

impl<T> IndexMut<Colour> for ByColour<T> {
    fn index_mut(&mut self, colour: Colour) -> &mut T {
        &mut self.0[colour.index() & 3]
    }
}
