//! The time that counts for players.

use super::entry::Moment;

/// How often a witness looks at its clocks, in milliseconds.
pub const TURN: u64 = 100;
/// By how much a look can be late, or a write can last, before the time beyond it is nobody's, in milliseconds.
pub const LATE: u64 = 200;

/// By how much the clock of the wall can be ahead and is followed at once, in milliseconds.
const JUMP: u64 = 120_000;
/// For how long it has to be further ahead before it is followed, in milliseconds: somebody may have set it wrong.
const SURE: u64 = 300_000;

/// The clock of a witness: the monotonic one of the machine, from a moment on.
#[derive(Debug)]
pub struct Clock {
    /// Added to the time of the machine.
    origin: u64,
    /// Since when the clock of the wall is ahead by more than a [`JUMP`], by the machine.
    ahead: Option<u64>,
    /// The last time of the machine that was seen.
    seen: u64,
    fair: u64,
    /// When the last turn was, by the machine.
    turn: u64,
    was_on_time: bool,
    /// The fair time that is not passed before the next turn: a witness that is so busy that its turns are late has not
    /// read what came in.
    until: u64,
    /// The fair time that is not passed while something is being written.
    most: Option<u64>,
}

impl Clock {
    /// A clock that shows this moment while that of the machine shows `now`, in milliseconds.
    pub const fn new(moment: Moment, now: u64) -> Self {
        Self {
            origin: moment.at.saturating_sub(now),
            ahead: None,
            seen: now,
            fair: moment.fair,
            turn: now,
            was_on_time: true,
            until: moment.fair + TURN + LATE,
            most: None,
        }
    }

    /// The moment while the clock of the machine shows `now`.
    pub fn look(&mut self, now: u64) -> Moment {
        let passed = now.saturating_sub(self.seen);
        self.seen = self.seen.max(now);
        // The witness stood still, and has read nothing of what came in.
        let counted = if passed > TURN + LATE { TURN } else { passed };
        let fair = (self.fair + counted).min(self.until);
        self.fair = self.most.map_or(fair, |most| fair.min(most.max(self.fair)));
        self.moment()
    }

    /// The moment of a turn, while the clock of the machine shows `now` and that of the wall `wall`, which is followed
    /// forward alone, and by a long way only after a while. Returns with it whether the turn is on time.
    pub fn turn(&mut self, now: u64, wall: u64) -> (Moment, bool) {
        let time = self.look(now);
        let is_on_time = self.seen - self.turn <= TURN + LATE;
        self.was_on_time = is_on_time;
        self.turn = self.seen;
        self.until = time.fair + TURN + LATE;
        let origin = wall.saturating_sub(self.seen);
        let is_far = origin > self.origin + JUMP;
        self.ahead = is_far.then(|| self.ahead.unwrap_or(self.seen));
        if self.ahead.is_none_or(|since| self.seen - since >= SURE) {
            self.origin = self.origin.max(origin);
        }
        (self.moment(), is_on_time)
    }

    /// Whether the last turn was on time, and the next one is not late yet, so that what comes in is read soon.
    pub const fn is_on_time(&self) -> bool {
        self.was_on_time && self.seen - self.turn <= TURN + LATE
    }

    /// The last moment that was looked at.
    pub const fn moment(&self) -> Moment {
        Moment {
            at: self.origin + self.seen,
            fair: self.fair,
        }
    }

    /// Something is being written. Until it is, no more than [`LATE`] counts.
    pub fn begin_write(&mut self) {
        self.most = self.most.or(Some(self.fair + LATE));
    }

    pub const fn end_write(&mut self) {
        self.most = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Moment = Moment {
        at: 1_000_000,
        fair: 50,
    };

    #[test]
    fn the_time_of_a_pause_is_nobodys() {
        let mut clock = Clock::new(START, 7_000);
        let mut fair = |now| clock.turn(now, 0).0.fair;
        assert_eq!(fair(7_000 + TURN + LATE), 50 + TURN + LATE);
        let before = fair(7_000 + TURN + LATE);
        assert_eq!(fair(60_000), before + TURN, "it stood still");
        assert_eq!(fair(60_010), before + TURN + 10);
        assert_eq!(fair(59_000), before + TURN + 10, "no clock goes back");
        assert_eq!(clock.moment().at, 1_000_000 + 53_010);
    }

    #[test]
    fn the_time_of_a_write_that_lasts_is_nobodys() {
        let mut clock = Clock::new(START, 0);
        clock.begin_write();
        for now in (0..=10_000).step_by(100) {
            clock.turn(now, 0);
        }
        assert_eq!(clock.moment().fair, 50 + LATE);
        // It failed, and is tried again.
        clock.begin_write();
        assert_eq!(clock.look(10_100).fair, 50 + LATE);
        clock.end_write();
        assert_eq!(clock.look(10_200).fair, 50 + LATE + 100);
    }

    #[test]
    fn the_time_for_which_a_turn_is_late_is_nobodys() {
        let mut clock = Clock::new(START, 0);
        for now in (0..5_000).step_by(10) {
            clock.look(now);
        }
        assert!(!clock.is_on_time());
        assert_eq!(clock.moment().fair, 50 + TURN + LATE);
        let (time, is_on_time) = clock.turn(5_000, 0);
        assert!(!is_on_time, "it began late");
        assert_eq!(time.fair, 50 + TURN + LATE);
        assert!(clock.turn(5_100, 0).1);
        assert_eq!(clock.moment().fair, 50 + 2 * TURN + LATE);
    }

    #[test]
    fn the_clock_of_the_wall_is_followed_forward_alone() {
        let mut clock = Clock::new(START, 0);
        assert_eq!(clock.turn(100, 1_100_000).0.at, 1_100_000);
        assert_eq!(clock.turn(200, 1_050_000).0.at, 1_100_100);
    }

    #[test]
    fn a_clock_of_the_wall_that_jumps_far_is_followed_if_it_stays_there() {
        let mut clock = Clock::new(START, 0);
        let mut turns = |from: u64, to: u64, wall: u64| {
            let turns = (from..to).step_by(100);
            let times = turns.map(|now| clock.turn(now, wall + now).0.at - now);
            times.last().expect("a turn")
        };
        assert_eq!(turns(0, 200_000, 9_000_000), 1_000_000, "set wrong");
        assert_eq!(turns(200_000, 200_100, 1_000_000), 1_000_000, "and right");
        assert_eq!(turns(200_100, 500_000, 9_000_000), 1_000_000);
        assert_eq!(turns(500_000, 500_200, 9_000_000), 9_000_000, "it stays");
    }
}
