//! A value for each player.

use core::array;
use core::ops::{Index, IndexMut};

use crate::Player;

/// A value for each of the two players.
///
/// # Examples
///
/// ```
/// use connect4_rules::{ByPlayer, Player, Position, Shape};
///
/// let mut wins = ByPlayer { one: 0, two: 0 };
/// wins[Player::Two] += 1;
/// assert_eq!(wins, ByPlayer { one: 0, two: 1 });
/// assert_eq!(wins.swapped().get(Player::One), &1);
///
/// let board = *Position::from_moves(Shape::STANDARD, "445")?.board();
/// let discs = ByPlayer::from_fn(|player| board.discs(player));
/// assert_eq!(discs.map(|cells| cells.len()), ByPlayer { one: 2, two: 1 });
/// # Ok::<(), connect4_rules::notation::NotationError>(())
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[cfg_attr(feature = "declarations", ts(rename = "Sides"))]
pub struct ByPlayer<T> {
    /// Value of player one.
    #[cfg_attr(feature = "serde", serde(rename = "red"))]
    pub one: T,
    /// Value of player two.
    #[cfg_attr(feature = "serde", serde(rename = "blue"))]
    pub two: T,
}

impl<T> ByPlayer<T> {
    /// Calls `value` for player one, then for player two.
    #[must_use]
    pub fn from_fn(mut value: impl FnMut(Player) -> T) -> Self {
        Self {
            one: value(Player::One),
            two: value(Player::Two),
        }
    }

    /// The value of a player.
    #[must_use]
    pub const fn get(&self, player: Player) -> &T {
        match player {
            Player::One => &self.one,
            Player::Two => &self.two,
        }
    }

    /// The value of a player, to be changed.
    #[must_use]
    pub const fn get_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::One => &mut self.one,
            Player::Two => &mut self.two,
        }
    }

    /// What `change` makes of both values, player one's first.
    #[must_use]
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> ByPlayer<U> {
        ByPlayer {
            one: change(self.one),
            two: change(self.two),
        }
    }

    /// The values with the players exchanged.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            one: self.two,
            two: self.one,
        }
    }

    /// The first player whose value `is_wanted`; none if neither is.
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_rules::{ByPlayer, Player};
    ///
    /// let names = ByPlayer { one: "Alice", two: "Bob" };
    /// assert_eq!(names.find(|&name| name == "Bob"), Some(Player::Two));
    /// assert_eq!(names.find(|&name| name == "Charlie"), None);
    /// ```
    #[must_use]
    pub fn find(&self, mut is_wanted: impl FnMut(&T) -> bool) -> Option<Player> {
        Player::ALL
            .into_iter()
            .find(|&player| is_wanted(self.get(player)))
    }

    /// Each player with its value, player one first.
    pub fn iter(&self) -> array::IntoIter<(Player, &T), 2> {
        self.into_iter()
    }
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;

    fn index(&self, player: Player) -> &T {
        self.get(player)
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    fn index_mut(&mut self, player: Player) -> &mut T {
        self.get_mut(player)
    }
}

impl<T> IntoIterator for ByPlayer<T> {
    type Item = (Player, T);
    type IntoIter = array::IntoIter<(Player, T), 2>;

    fn into_iter(self) -> Self::IntoIter {
        [(Player::One, self.one), (Player::Two, self.two)].into_iter()
    }
}

impl<'a, T> IntoIterator for &'a ByPlayer<T> {
    type Item = (Player, &'a T);
    type IntoIter = array::IntoIter<(Player, &'a T), 2>;

    fn into_iter(self) -> Self::IntoIter {
        [(Player::One, &self.one), (Player::Two, &self.two)].into_iter()
    }
}
