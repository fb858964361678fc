//! Whether the clock of this machine is too far from a relay's to agree on a game.

use core::fmt;

/// How far the clock of this machine can be from a relay's, in seconds. Terms name a time, by the relay's clock; what was
/// kept before and how long offers stand is by that of the machine.
const TOLERATED: u64 = 10 * 60;

/// The clock of this machine is too far from a relay's.
///
/// The relay's time is its word alone: nothing is signed because of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongClock {
    /// The difference, in seconds.
    by: u64,
    /// Whether this machine is ahead of the relay.
    is_fast: bool,
}

impl WrongClock {
    /// What the time of a relay shows of the clock of this machine, which says that it is `now`; both in seconds since
    /// 1970. None if it is right.
    #[must_use]
    pub const fn shown_by(time: u64, now: u64) -> Option<Self> {
        match time.abs_diff(now) {
            by if by > TOLERATED => Some(Self {
                by,
                is_fast: now > time,
            }),
            _ => None,
        }
    }
}

/// In words that can stand in a page and in a terminal.
impl fmt::Display for WrongClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MINUTE: u64 = 60;
        const HOUR: u64 = 60 * MINUTE;
        const DAY: u64 = 24 * HOUR;
        let (count, unit) = match self.by {
            by if by < 2 * HOUR => (by / MINUTE, "minutes"),
            by if by < 2 * DAY => (by / HOUR, "hours"),
            by => (by / DAY, "days"),
        };
        let how = if self.is_fast { "fast" } else { "slow" };
        write!(
            f,
            "by the clock of the relay, that of this device is {count} {unit} {how}, and no game can be agreed on: set \
             it right and try again; if it is right, use another relay"
        )
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    const NOW: u64 = 1_800_000_000;

    #[test]
    fn a_clock_is_wrong_beyond_ten_minutes() {
        for now in [NOW - 600, NOW, NOW + 600] {
            assert_eq!(WrongClock::shown_by(NOW, now), None);
        }
        for now in [NOW - 601, NOW + 601, 0, u64::MAX] {
            assert!(WrongClock::shown_by(NOW, now).is_some());
        }
    }

    #[test]
    fn a_wrong_clock_is_told_with_by_how_much_and_in_which_direction() {
        for (now, words) in [
            (NOW + 900, "15 minutes fast"),
            (NOW - 900, "15 minutes slow"),
            (NOW + 7_199, "119 minutes fast"),
            (NOW - 7_200, "2 hours slow"),
            (NOW + 86_400, "24 hours fast"),
            (NOW - 365 * 86_400, "365 days slow"),
        ] {
            let wrong = WrongClock::shown_by(NOW, now).map(|wrong| wrong.to_string());
            let said = wrong.unwrap_or_default();
            assert!(said.contains(words), "{now}: {said}");
            assert!(said.starts_with("by the clock of the relay"), "{said}");
        }
    }
}
