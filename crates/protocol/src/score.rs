//! Score of a series of games.

use connect4_rules::{Outcome, Player};

/// Results of a series so far, by the seats of one of its games. They are not a `ByPlayer` so that
/// the contract's metadata, and clients made from them, keep the three fields.
///
/// # Examples
///
/// ```
/// use connect4_protocol::Score;
/// use connect4_rules::{Outcome, Player};
///
/// let score = Score::default().and(Some(Outcome::Won(Player::One)));
/// assert_eq!((score.one, score.two, score.draws), (1, 0, 0));
/// assert_eq!(score.swapped(), Score { one: 0, two: 1, draws: 0 });
/// ```
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Score {
    /// Games won by the account that is player one of that game.
    #[cfg_attr(feature = "serde", serde(rename = "red"))]
    pub one: u16,
    /// Games won by the account that is player two of that game.
    #[cfg_attr(feature = "serde", serde(rename = "blue"))]
    pub two: u16,
    /// Draws. Aborted games are not counted.
    pub draws: u16,
}

impl Score {
    /// The score after one more game, which has no outcome if it was aborted. A number that has
    /// reached [`u16::MAX`] stays there.
    #[must_use]
    pub const fn and(mut self, outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Won(Player::One)) => self.one = self.one.saturating_add(1),
            Some(Outcome::Won(Player::Two)) => self.two = self.two.saturating_add(1),
            Some(Outcome::Draw) => self.draws = self.draws.saturating_add(1),
            None => {}
        }
        self
    }

    /// The same score once the players have exchanged seats.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self {
            one: self.two,
            two: self.one,
            draws: self.draws,
        }
    }
}
