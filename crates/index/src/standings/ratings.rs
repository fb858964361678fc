//! Ratings, game after game.

use std::collections::BTreeMap;

use connect4_protocol::Address;

use super::rating::{Standing, Table};
use crate::finished::Finished;

/// Number of games of the same two accounts that are rated within 24 hours: a series of best of five.
/// This way a friend who loses all day moves a rating by less than a hundred points.
pub const MOST_OF_A_PAIR: usize = 5;
/// Seconds in which the games of a pair are counted.
pub const DAY: u64 = 24 * 60 * 60;

/// Why a game that has ended with a result is not rated: the first of these that applies, in this
/// order. What each means, [`Unrated`](super::Unrated) says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It was played on another board than the standard one.
    OtherBoard,
    /// With it, two of its players have played each other more than [`MOST_OF_A_PAIR`] times within 24 hours.
    Frequent,
    /// It ended before a line was possible. It lowers the rating of its loser.
    Short,
}

impl Reason {
    pub(crate) const ALL: [Self; 3] = [Self::OtherBoard, Self::Frequent, Self::Short];
}

/// Ratings that change game after game, in the order in which games count.
///
/// They can begin with what is known of the accounts that are about to finish a game: nothing else has
/// to be there.
#[derive(Clone, Debug, Default)]
pub struct Ratings {
    table: Table,
    /// The times at which the games of a pair ended that are rated.
    rated: BTreeMap<(Address, Address), Times>,
}

/// When games ended, in seconds since 1970.
#[derive(Clone, Debug, Default)]
struct Times {
    /// Ascending.
    known: Vec<u64>,
    /// Number of those of which it is not known.
    unknown: usize,
}

impl Times {
    fn add(&mut self, time: Option<u64>) {
        match time {
            Some(time) => {
                let place = self.known.partition_point(|earlier| *earlier <= time);
                self.known.insert(place, time);
            }
            None => self.unknown += 1,
        }
    }

    /// Whether a further one would be one too many for 24 hours, whichever was counted first: who records the last game of
    /// a day first gains nothing by it.
    fn are_full(&self, time: Option<u64>) -> bool {
        let Some(time) = time else {
            return self.unknown >= MOST_OF_A_PAIR;
        };
        let first = self
            .known
            .partition_point(|other| time.saturating_sub(*other) >= DAY);
        let near = self.known.get(first..).unwrap_or_default();
        let last = near.partition_point(|other| other.saturating_sub(time) < DAY);
        let near = near.get(..last).unwrap_or_default();
        near.windows(MOST_OF_A_PAIR).any(|others| match others {
            [first, .., last] => (*last).max(time) - (*first).min(time) < DAY,
            _ => false,
        })
    }
}

impl Ratings {
    /// Sets the standing of an account, as it was after its last game.
    pub fn resume(&mut self, standing: Standing) {
        self.table.set(standing);
    }

    /// Sets when the games of a [pair](Finished::pairs) ended that counted among those that are rated: those are enough that
    /// ended within 24 hours before or after the games that are counted next, and of those of which it is not known
    /// [`MOST_OF_A_PAIR`].
    pub fn resume_pair(
        &mut self,
        pair: (Address, Address),
        times: impl IntoIterator<Item = Option<u64>>,
    ) {
        let mut all = Times::default();
        for time in times {
            all.add(time);
        }
        self.rated.insert(pair, all);
    }

    #[must_use]
    pub fn of(&self, account: Address) -> Standing {
        let known = self.table.get(&account).cloned();
        known.unwrap_or_else(|| Standing::new(account))
    }

    /// Counts a game that ended at this time, in seconds since 1970; none if it is not known. Returns
    /// why the game is not rated; none if it is.
    pub fn count(&mut self, game: &Finished, time: Option<u64>) -> Option<Reason> {
        let is_frequent = game.pairs().any(|pair| {
            let times = self.rated.get(&pair);
            times.is_some_and(|times| times.are_full(time))
        });
        let is_rated = game.is_standard && !is_frequent;
        if is_rated {
            for pair in game.pairs() {
                self.rated.entry(pair).or_default().add(time);
            }
        }
        self.table.count(&game.players, !game.is_short, is_rated);
        self.table.mark_programs(&game.programs);
        match () {
            () if !game.is_standard => Some(Reason::OtherBoard),
            () if is_frequent => Some(Reason::Frequent),
            () if game.is_short => Some(Reason::Short),
            () => None,
        }
    }

    /// The standings, the highest rating first.
    pub(super) fn sorted(self) -> Vec<Standing> {
        self.table.sorted()
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::End;
    use connect4_rules::Shape;

    use super::*;

    const PEOPLE: [Address; 3] = [Address([1; 20]), Address([2; 20]), Address([3; 20])];

    /// Game `number` of some games between the three, eight an hour; some of them are short.
    fn game(number: usize) -> (Finished, Option<u64>) {
        let players = [PEOPLE[number % 3], PEOPLE[(number * number + 1) % 3]];
        let players = match players[0] == players[1] {
            true => [PEOPLE[0], PEOPLE[1]],
            false => players,
        };
        let (winner, end) = match number % 4 {
            0 => (None, End::Agreement),
            seat => (Some(players[seat % 2]), End::Resignation),
        };
        let turns = if number.is_multiple_of(5) { 3 } else { 20 };
        let shape = match number % 11 {
            7 => Shape::CLASSROOM,
            _ => Shape::STANDARD,
        };
        let finished = Finished::of_two(players, shape.into(), turns, winner, end).unwrap();
        let time = (!number.is_multiple_of(13)).then_some(number as u64 * 450);
        (finished, time)
    }

    #[test]
    fn what_is_known_of_the_players_is_enough_to_go_on() {
        let mut whole = Ratings::default();
        let mut reasons = Vec::new();
        for number in 0..400 {
            let (game, time) = game(number);
            // Ratings that begin anew with this game, with the standings of its players alone.
            let mut resumed = Ratings::default();
            for (account, _) in &game.players {
                resumed.resume(whole.of(*account));
            }
            for pair in game.pairs() {
                let Times { known, unknown } = whole.rated.get(&pair).cloned().unwrap_or_default();
                let near = known.into_iter().map(Some);
                let near = near.filter(|other| match (other, time) {
                    (Some(other), Some(time)) => other.abs_diff(time) < DAY,
                    _ => false,
                });
                let unknown = std::iter::repeat_n(None, unknown.min(MOST_OF_A_PAIR));
                resumed.resume_pair(pair, near.chain(unknown));
            }
            let reason = whole.count(&game, time);
            assert_eq!(resumed.count(&game, time), reason);
            for (account, _) in &game.players {
                assert_eq!(resumed.of(*account), whole.of(*account));
            }
            reasons.push(reason);
        }
        for reason in [
            None,
            Some(Reason::OtherBoard),
            Some(Reason::Frequent),
            Some(Reason::Short),
        ] {
            assert!(reasons.contains(&reason), "{reason:?}");
        }
    }
}
