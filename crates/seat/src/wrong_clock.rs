//! Whether the clock of this machine is too far from a relay's to agree on a game.

use core::fmt;

use connect4_protocol::fast::lobby::{FRESH, FromLobby};

/// The clock of this machine is too far from a relay's. A seek and its answer name the time at which they were signed,
/// and nobody takes one whose time is more than [`FRESH`] seconds away.
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
    /// What the first message of a lobby shows of the clock of this machine, which says that it is `now`, in seconds
    /// since 1970; none if it is right, or the message has no time.
    #[must_use]
    pub const fn shown_by(message: &FromLobby, now: u64) -> Option<Self> {
        match *message {
            FromLobby::Welcome { time, .. } if time.abs_diff(now) > FRESH => Some(Self {
                by: time.abs_diff(now),
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

    use connect4_protocol::Address;

    use super::*;

    const NOW: u64 = 1_800_000_000;

    const fn welcome(time: u64) -> FromLobby {
        FromLobby::Welcome {
            nonce: [1; 32],
            chain_id: 1,
            contract: Address([2; 20]),
            time,
        }
    }

    #[test]
    fn a_clock_is_wrong_from_where_seeks_are_refused() {
        for now in [NOW - FRESH, NOW, NOW + FRESH] {
            assert_eq!(WrongClock::shown_by(&welcome(NOW), now), None);
        }
        for now in [NOW - FRESH - 1, NOW + FRESH + 1, 0, u64::MAX] {
            assert!(WrongClock::shown_by(&welcome(NOW), now).is_some());
        }
        assert_eq!(WrongClock::shown_by(&FromLobby::Complete, NOW), None);
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
            let wrong = WrongClock::shown_by(&welcome(NOW), now).map(|wrong| wrong.to_string());
            let said = wrong.unwrap_or_default();
            assert!(said.contains(words), "{now}: {said}");
            assert!(said.starts_with("by the clock of the relay"), "{said}");
        }
    }
}
