//! When statements of a witness about one game cannot be true.

use core::fmt;

use connect4_rules::{ByPlayer, Player};

use super::{Ended, Ending, GameNumber, Moves, Receipt, Terms, WitnessedEnd};

/// How far the clocks of players and witness can be apart, in seconds: a game does not begin earlier than so long before
/// the time of its terms.
const CLOCKS: u64 = 10 * 60;

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

/// How two statements of a witness contradict each other, or one of them the terms: together they prove to anybody that
/// it is dishonest.
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
    /// The time of the players went down by more than time has passed, as one clock runs at a time, or that of one who has
    /// not moved went down.
    #[codec(index = 5)]
    TimeTaken,
    /// A player's time went up by more than the increments of the player's moves, of which the first has none.
    #[codec(index = 6)]
    TimeGiven,
    /// Time is said to have lapsed before the player had used what was left.
    #[codec(index = 7)]
    EarlyLapse,
    /// One of the statements is about moves that are not legal, an end that these moves do not have, or times that a game
    /// by these terms cannot have.
    #[codec(index = 8)]
    Impossible,
}

impl Contradiction {
    /// How these two statements of one witness contradict each other, or one of them the terms; none if both can be true.
    /// The terms are those of their game, and the signatures of the witness were checked. One statement can be given
    /// twice.
    ///
    /// Statements about different games contradict each other in nothing.
    #[must_use]
    pub fn between(terms: &Terms, one: &Said<'_>, other: &Said<'_>) -> Option<Self> {
        if one.game() != other.game() {
            return None;
        }
        if let Some(how) = between_two(terms, one, other) {
            return Some(how);
        }
        let is_impossible = is_impossible(terms, one) || is_impossible(terms, other);
        is_impossible.then_some(Self::Impossible)
    }
}

/// How two statements contradict each other, if not each of them could be true alone.
#[inline(never)]
fn between_two(terms: &Terms, one: &Said<'_>, other: &Said<'_>) -> Option<Contradiction> {
    // The one with fewer moves first; of as many, a receipt comes before the end.
    let order = |said: &Said<'_>| (said.moves().len(), matches!(said, Said::Ended(_)));
    let (before, after) = match order(one) <= order(other) {
        true => (one, other),
        false => (other, one),
    };
    if !after.moves().starts_with(before.moves()) {
        return Some(Contradiction::Forked);
    }
    let before = match (before, after) {
        (Said::Ended(before), Said::Ended(after)) => {
            return (before != after).then_some(Contradiction::TwoEnds);
        }
        (Said::Ended(_), Said::Receipt(_)) => return Some(Contradiction::EndBehindReceipt),
        (Said::Receipt(before), Said::Receipt(after)) if before.moves == after.moves => {
            return (before != after).then_some(Contradiction::TwoReceipts);
        }
        (Said::Receipt(before), _) => before,
    };
    let Some(passed) = after.at().checked_sub(before.at) else {
        return Some(Contradiction::TimeWentBack);
    };
    let increment = terms.clock.map_or(0, |clock| clock.increment);
    let increment = u64::from(increment).saturating_mul(1_000);
    // How often the clock of a player has run and been stopped, and what it would have if it had used nothing.
    let turns = |player| turns(before.moves, after.moves(), player);
    let unused = |player| {
        let added = increment.saturating_mul(turns(player));
        before.left.get(player).saturating_add(added)
    };
    match after {
        Said::Receipt(after) => {
            let mut used = 0u64;
            for player in Player::ALL {
                let own = unused(player).saturating_sub(*after.left.get(player));
                used = used.saturating_add(own);
                if used > passed || (own > 0 && turns(player) == 0) {
                    return Some(Contradiction::TimeTaken);
                }
            }
            let is_given = |player: &Player| *after.left.get(*player) > unused(*player);
            let is_given = Player::ALL.iter().any(is_given);
            is_given.then_some(Contradiction::TimeGiven)
        }
        Said::Ended(after) => match after.end {
            WitnessedEnd::Lapse(player) if passed < unused(player) => {
                Some(Contradiction::EarlyLapse)
            }
            _ => None,
        },
    }
}

/// How many moves a player has made between these, less its first, for which no clock runs.
fn turns(before: &[u8], after: &[u8], player: Player) -> u64 {
    let made = |turns: usize| turns.saturating_add((player == Player::One).into()) / 2;
    made(after.len()).saturating_sub(made(before.len().max(2))) as u64
}

/// Whether the terms alone show that a statement is false.
#[inline(never)]
fn is_impossible(terms: &Terms, said: &Said<'_>) -> bool {
    let moves = Moves::from_bins(said.moves());
    let game = moves.and_then(|moves| terms.play(&moves).ok());
    let Some(game) = game.filter(|_| !contradicts_beginning(terms, said)) else {
        return true;
    };
    let is_short = said.moves().len() < 2;
    match said {
        Said::Receipt(receipt) => receipt.moves.is_empty(),
        Said::Ended(ended) => match Ending::of_witnessed(ended.end) {
            Some(ending) => is_short || ending.of_game(terms, &game, true).is_err(),
            // Without a clock it is void if nobody moves for long.
            None => game.is_over() || !(is_short || terms.clock.is_none()),
        },
    }
}

/// Whether a statement has times that no game by these terms can have: each begins as a receipt for no moves would say it.
#[inline(never)]
pub(super) fn contradicts_beginning(terms: &Terms, said: &Said<'_>) -> bool {
    let bank = terms.clock.map_or(0, |clock| clock.bank);
    let bank = u64::from(bank).saturating_mul(1_000);
    let beginning = Said::Receipt(Receipt {
        game: said.game(),
        moves: &[],
        at: terms.time.saturating_sub(CLOCKS).saturating_mul(1_000),
        left: ByPlayer {
            one: bank,
            two: bank,
        },
    });
    between_two(terms, &beginning, said).is_some()
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Forked => "the moves differ",
            Self::TwoEnds => "the game ended in two ways",
            Self::EndBehindReceipt => "a move was taken after the end",
            Self::TwoReceipts => "a move was taken at two times",
            Self::TimeWentBack => "a later move was taken earlier",
            Self::TimeTaken => "the players lost more time than has passed",
            Self::TimeGiven => "a player gained time",
            Self::EarlyLapse => "a player's time lapsed before it was over",
            Self::Impossible => "no game by these terms can have come to that",
        })
    }
}
