//! A clock as two players agree on it.

use alloc::string::ToString;
use core::fmt;
use core::str::FromStr;

use connect4_rules::ParseError;

/// A clock as the players agree on it: a time bank for each of them, and an increment per move.
///
/// # Examples
///
/// ```
/// use connect4_protocol::ClockSpec;
///
/// let spec = ClockSpec { bank: 60, increment: 5 };
/// assert!(spec.is_in_bounds());
/// assert_eq!(spec.to_string(), "60 s + 5 s a move");
/// assert_eq!("60 s + 5 s a move".parse(), Ok(spec));
/// ```
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS), ts(rename = "Clock"))]
pub struct ClockSpec {
    /// Time with which each player starts, in seconds.
    pub bank: u32,
    /// Time that a move adds to the bank of the player who made it, in seconds.
    pub increment: u32,
}

impl ClockSpec {
    /// The clock of a game against somebody whom a relay finds, unless another is asked for: 3 minutes and 2 seconds a
    /// move. With the same one everywhere, people who ask for nothing meet.
    pub const USUAL: Self = Self {
        bank: 180,
        increment: 2,
    };
    /// Longest bank, in seconds: 30 days. For so long a losing player can withhold the stakes of
    /// both.
    pub const MAX_BANK: u32 = 30 * 24 * 60 * 60;
    /// Largest increment, in seconds: one day.
    pub const MAX_INCREMENT: u32 = 24 * 60 * 60;

    /// What each move has cost the player who made it, in milliseconds, by what was left after each, as the witness of a
    /// signed game counts: without what was taken off for the line. Of a first move, which costs nothing of the bank, and
    /// of one before or after which it is not known what was left there is nothing.
    pub fn spent(self, left: &[Option<u64>]) -> impl Iterator<Item = Option<u64>> {
        let before = [None; 2].into_iter().chain(left.iter().copied());
        let gained = u64::from(self.increment) * 1_000;
        before.zip(left).map(move |(before, after)| {
            let had = before?.saturating_add(gained);
            Some(had.saturating_sub((*after)?))
        })
    }

    /// Whether the bank is from 1 second to [`Self::MAX_BANK`] and the increment at most
    /// [`Self::MAX_INCREMENT`].
    #[must_use]
    pub const fn is_in_bounds(self) -> bool {
        self.bank >= 1 && self.bank <= Self::MAX_BANK && self.increment <= Self::MAX_INCREMENT
    }
}

/// `60 s + 5 s a move`.
impl fmt::Display for ClockSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s + {} s a move", self.bank, self.increment)
    }
}

/// Reads what `Display` writes. Whether the clock is in bounds is not checked.
impl FromStr for ClockSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = || {
            let (bank, increment) = text.strip_suffix(" s a move")?.split_once(" s + ")?;
            let spec = Self {
                bank: bank.parse().ok()?,
                increment: increment.parse().ok()?,
            };
            // Numbers with signs and leading zeros parse, but are never written.
            (spec.to_string() == text).then_some(spec)
        };
        read().ok_or(ParseError::new("a clock such as \"60 s + 5 s a move\""))
    }
}
