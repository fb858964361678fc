//! Results and ratings of accounts.
//!
//! The results count every variant and every signed game that has ended. The ratings follow from the games that are rated, see
//! [`Unrated`] for those that are not. No rule of this kind stops one person with many accounts: an
//! account costs little, and who has a hundred can have each of them lose a whole game.
//!
//! Ratings are Elo's (A. Elo, The Rating of Chessplayers, 1978, chapter 1): a player's expected score is
//! 1 / (1 + 10<sup>(opponent's rating - own rating) / 400</sup>), and a game changes the rating by 32
//! times the difference between the score and the expected one.
//!
//! A game that ended by resignation, on time or by agreement before anybody could have had a line
//! (`2 * line - 1` discs) counts as a loss for its loser, and not at all for the other player. So nobody
//! escapes a loss by resigning quickly, and losing on purpose takes as many moves as the shortest game
//! that is lost on the board. An aborted game does not count.
//!
//! A game of three or four counts as a duel of each two of its players, and the mean of a player's duels
//! changes the rating: the winner has beaten all others, whose duels among themselves do not count. In a
//! draw those who have not left it drew with each other and beat those who have. An abandoned game does
//! not count. A game that ended as the last player left, before anybody could have had a line, counts as
//! a loss for who left and not at all for the one who stayed.

#[cfg(test)]
mod attacks;
mod rating;
mod ratings;
mod recorded;
#[cfg(test)]
mod signed;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod variants;

use std::collections::BTreeMap;

use crate::game::{Ending, Folded, Told};
use crate::league::League;
use crate::slot::Slot;

pub use rating::Standing;
pub(crate) use ratings::DAY;
pub use ratings::{MOST_OF_A_PAIR, Ratings, Reason};
pub use recorded::Recorded;

/// Results and ratings of accounts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standings {
    /// A row for each account, the highest rating first.
    pub rows: Vec<Standing>,
    /// The games that changed no rating, or only their loser's.
    pub unrated: Unrated,
}

/// Numbers of games that have ended and are not rated, by the reason. A game for which there are two
/// reasons is counted for the first of them, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unrated {
    /// Games that were aborted or abandoned; they are no results either.
    pub aborted: u32,
    /// Games on other boards than the standard one, 7 bins of 6 with a line of 4: on some of those
    /// who begins wins in a few moves.
    pub other_board: u32,
    /// Games beyond [`MOST_OF_A_PAIR`] that ended within any 24 hours and that the same two accounts
    /// have played, by the times of the blocks in which they ended, or by the word of the witness that has ended them. Of
    /// these the ones that count first are rated. Games whose times are not known count as games of one day.
    pub frequent: u32,
    /// Games that were given up, lost on time or agreed to be drawn before a line was possible. They
    /// lower the rating of their loser.
    pub short: u32,
}

impl Standings {
    /// The ratings after all games, and the games that are not rated.
    pub(crate) fn of(ratings: Ratings, unrated: Unrated) -> Self {
        let rows = ratings.sorted();
        Self { rows, unrated }
    }
}

impl Unrated {
    #[must_use]
    pub const fn sum(&self) -> u32 {
        let Self {
            aborted,
            other_board,
            frequent,
            short,
        } = *self;
        aborted
            .saturating_add(other_board)
            .saturating_add(frequent)
            .saturating_add(short)
    }

    pub(crate) const fn add(&mut self, reason: Reason, games: u32) {
        let counted = match reason {
            Reason::OtherBoard => &mut self.other_board,
            Reason::Frequent => &mut self.frequent,
            Reason::Short => &mut self.short,
        };
        *counted = counted.saturating_add(games);
    }
}

/// The games among these that have ended, by their events, or by their records if their starts are
/// missing. Events of a game are folded by `fold`.
pub fn endings(
    mut games: BTreeMap<Slot, Vec<Told>>,
    fold: impl Fn(Slot, &[Told]) -> Option<Folded>,
    recorded: &Recorded,
) -> Vec<Ending> {
    for game in recorded.keys() {
        games.entry(game).or_default();
    }
    let ending = |(game, events): (&Slot, &Vec<Told>)| match fold(*game, events) {
        Some(folded) => folded.ending(),
        None => recorded.ending(*game, events),
    };
    games.iter().filter_map(ending).collect()
}

/// The standings of each league after these games. Those of which it is not known when they ended are
/// taken to have ended before all others, in the order of their numbers, on one day.
pub fn count(mut endings: Vec<Ending>) -> BTreeMap<League, Standings> {
    endings.sort_by_key(|ending| (ending.at, ending.slot));
    let none = |league| (league, (Ratings::default(), Unrated::default()));
    let mut leagues: BTreeMap<League, (Ratings, Unrated)> = League::OF_VARIANTS.map(none).into();
    for ending in &endings {
        let (ratings, unrated) = leagues.entry(ending.league).or_default();
        match &ending.finished {
            Some(game) => {
                if let Some(reason) = ratings.count(game, ending.time) {
                    unrated.add(reason, 1);
                }
            }
            None => unrated.aborted = unrated.aborted.saturating_add(1),
        }
    }
    let standings = leagues
        .into_iter()
        .map(|(league, (ratings, unrated))| (league, Standings::of(ratings, unrated)));
    standings.collect()
}
