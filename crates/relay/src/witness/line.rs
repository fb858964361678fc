//! How long the lines of players take, and what of that is taken off the time of their moves.

use std::collections::VecDeque;
use std::time::Duration;

/// Round trips of a socket that are kept.
const KEPT: usize = 5;
/// Time that is taken off a move at most, in milliseconds.
const OF_MOVE: u64 = 500;
/// What there is for a player at first, and at most, in milliseconds.
const QUOTA: u64 = 1_000;
/// What each of its moves adds to that.
const GAIN: u64 = 100;
/// What a player is given in a game at most: who holds back its answers to be given time gains no more.
pub const OF_GAME: u64 = 3_000;

/// The last round trips of a socket.
#[derive(Debug, Default)]
pub struct RoundTrips(VecDeque<Duration>);

impl RoundTrips {
    pub fn add(&mut self, time: Duration) {
        self.0.truncate(KEPT - 1);
        self.0.push_front(time);
    }

    /// The least of them, in whole milliseconds; nothing of a socket that has not answered yet.
    pub fn least(&self) -> u64 {
        let least = self.0.iter().min().map_or(0, Duration::as_millis);
        u64::try_from(least).unwrap_or(u64::MAX)
    }
}

/// What can still be taken off the time of a player's moves, in milliseconds. After a restart of the witness it begins
/// anew.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    quota: u64,
    given: u64,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            quota: QUOTA,
            given: 0,
        }
    }
}

impl Allowance {
    /// What is taken off the next move at most, of a player with this round trip.
    pub fn of(&self, round_trip: u64) -> u64 {
        let left = OF_GAME.saturating_sub(self.given);
        round_trip.min(OF_MOVE).min(self.quota).min(left)
    }

    /// So much was taken off a move.
    pub fn give(&mut self, time: u64) {
        self.given = self.given.saturating_add(time);
        self.quota = (self.quota.saturating_sub(time) + GAIN).min(QUOTA);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_the_last_five_round_trips_counts() {
        let mut trips = RoundTrips::default();
        assert_eq!(
            trips.least(),
            0,
            "of a line that is not known nothing is taken off"
        );
        for (time, least) in [
            (90, 90),
            (40, 40),
            (300, 40),
            (80, 40),
            (70, 40),
            (60, 40),
            (90, 60),
        ] {
            trips.add(Duration::from_millis(time));
            assert_eq!(trips.least(), least);
        }
    }

    #[test]
    fn a_slow_line_is_given_less_with_each_move_and_three_seconds_in_all() {
        let mut allowance = Allowance::default();
        let mut given = Vec::new();
        while allowance.of(5_000) > 0 {
            let time = allowance.of(5_000);
            allowance.give(time);
            given.push(time);
        }
        assert_eq!(given[..4], [500, 500, 200, 100]);
        assert_eq!(given.iter().sum::<u64>(), OF_GAME);
    }

    #[test]
    fn a_usual_line_is_given_all_that_it_takes() {
        let mut allowance = Allowance::default();
        for _ in 0..30 {
            assert_eq!(allowance.of(80), 80);
            allowance.give(80);
        }
    }
}
