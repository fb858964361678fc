//! When two statements of a witness about one game cannot both be true.

use core::fmt;

use connect4_rules::Player;

use super::{Ended, GameNumber, Receipt, Terms, WitnessedEnd};
use crate::fast::statement::last_mover;

/// What a witness has said about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Said<'a> {
    /// That it took a move.
    Receipt(Receipt<'a>),
    /// How the game ended.
    Ended(Ended<'a>),
}

impl<'a> Said<'a> {
    /// The game that it is about.
    #[must_use]
    pub const fn game(&self) -> GameNumber {
        match self {
            Self::Receipt(receipt) => receipt.game,
            Self::Ended(ended) => ended.game,
        }
    }

    /// All moves of the game so far.
    #[must_use]
    pub const fn moves(&self) -> &'a [u8] {
        match self {
            Self::Receipt(receipt) => receipt.moves,
            Self::Ended(ended) => ended.moves,
        }
    }

    /// Its time, in milliseconds since 1970.
    #[must_use]
    pub const fn at(&self) -> u64 {
        match self {
            Self::Receipt(receipt) => receipt.at,
            Self::Ended(ended) => ended.at,
        }
    }
}

/// How two statements of a witness contradict each other: both together prove to anybody that it is dishonest.
///
/// The order is that in which they are looked for.
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
pub enum Contradiction {
    /// Of the two lists of moves neither begins with the other.
    #[codec(index = 0)]
    Forked,
    /// Two ends differ.
    #[codec(index = 1)]
    TwoEnds,
    /// The game ended with fewer moves than a receipt has.
    #[codec(index = 2)]
    EndBehindReceipt,
    /// Two receipts for the same moves differ.
    #[codec(index = 3)]
    TwoReceipts,
    /// The later statement has the earlier time.
    #[codec(index = 4)]
    TimeWentBack,
    /// A player's time went down by more than time has passed.
    #[codec(index = 5)]
    TimeTaken,
    /// A player's time went up by more than the increments of the player's moves.
    #[codec(index = 6)]
    TimeGiven,
    /// Time is said to have lapsed before the player had used what was left.
    #[codec(index = 7)]
    EarlyLapse,
}

impl Contradiction {
    /// How these two statements of one witness contradict each other; none if both can be true. The terms are those of
    /// their game, and the signatures of the witness were checked.
    ///
    /// Statements about different games contradict each other in nothing.
    #[must_use]
    pub fn between(terms: &Terms, one: &Said<'_>, other: &Said<'_>) -> Option<Self> {
        if one.game() != other.game() {
            return None;
        }
        // The one with fewer moves first; of as many, a receipt comes before the end.
        let order = |said: &Said<'_>| (said.moves().len(), matches!(said, Said::Ended(_)));
        let (before, after) = match order(one) <= order(other) {
            true => (one, other),
            false => (other, one),
        };
        if !after.moves().starts_with(before.moves()) {
            return Some(Self::Forked);
        }
        match (before, after) {
            (Said::Ended(before), Said::Ended(after)) => (before != after).then_some(Self::TwoEnds),
            (Said::Ended(_), Said::Receipt(_)) => Some(Self::EndBehindReceipt),
            (Said::Receipt(before), Said::Receipt(after)) if before.moves == after.moves => {
                (before != after).then_some(Self::TwoReceipts)
            }
            (Said::Receipt(before), Said::Receipt(after)) => match passed(before.at, after.at) {
                None => Some(Self::TimeWentBack),
                Some(passed) => between_receipts(terms, before, after, passed),
            },
            (Said::Receipt(before), Said::Ended(after)) => {
                let Some(passed) = passed(before.at, after.at) else {
                    return Some(Self::TimeWentBack);
                };
                match after.end {
                    WitnessedEnd::Lapse(player) if passed < *before.left.get(player) => {
                        Some(Self::EarlyLapse)
                    }
                    _ => None,
                }
            }
        }
    }
}

/// The time between two statements; none if it went back.
const fn passed(before: u64, after: u64) -> Option<u64> {
    after.checked_sub(before)
}

/// Of a receipt and one for more moves.
fn between_receipts(
    terms: &Terms,
    before: &Receipt<'_>,
    after: &Receipt<'_>,
    passed: u64,
) -> Option<Contradiction> {
    let increment = terms.clock.map_or(0, |clock| clock.increment);
    let increment = u64::from(increment).saturating_mul(1_000);
    let new = before.moves.len().saturating_add(1)..=after.moves.len();
    for player in Player::ALL {
        let [was, is] = [before, after].map(|receipt| *receipt.left.get(player));
        if is < was.saturating_sub(passed) {
            return Some(Contradiction::TimeTaken);
        }
        let own = new
            .clone()
            .filter(|turns| last_mover(*turns) == Some(player));
        let added = increment.saturating_mul(own.count() as u64);
        if is > was.saturating_add(added) {
            return Some(Contradiction::TimeGiven);
        }
    }
    None
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Forked => "the moves differ",
            Self::TwoEnds => "the game ended in two ways",
            Self::EndBehindReceipt => "a move was taken after the end",
            Self::TwoReceipts => "a move was taken at two times",
            Self::TimeWentBack => "a later move was taken earlier",
            Self::TimeTaken => "a player lost more time than has passed",
            Self::TimeGiven => "a player gained time",
            Self::EarlyLapse => "a player's time lapsed before it was over",
        })
    }
}
