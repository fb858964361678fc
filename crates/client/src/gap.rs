//! Blocks whose events are missing, in words.

use std::fmt;

/// Which nodes have the events of all blocks, in words.
pub const KEEPER: &str = "a node that keeps all states (--state-pruning archive)";

/// Blocks that follow each other and whose events cannot be had from a node: it has discarded their
/// states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// URL of the node.
    pub url: String,
    /// Number of the first block.
    pub first: u32,
    /// Number of the last block.
    pub last: u32,
    /// Time of the first block in seconds since 1970; none if it is not known.
    pub since: Option<u64>,
    /// Time of the last block in seconds since 1970; none if it is not known.
    pub until: Option<u64>,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            url,
            first,
            last,
            since,
            until,
        } = self;
        let (states, blocks, theirs) = if first == last {
            ("state", format!("block {first}"), "with it its events")
        } else {
            (
                "states",
                format!("blocks {first} to {last}"),
                "with them their events",
            )
        };
        write!(
            f,
            "the node at {url} has discarded the {states} of {blocks}"
        )?;
        match (since, until) {
            (Some(since), Some(until)) if since != until => {
                write!(f, " ({} to {})", utc(*since), utc(*until))?;
            }
            (Some(time), _) | (None, Some(time)) => write!(f, " ({})", utc(*time))?,
            (None, None) => {}
        }
        write!(f, ", and {theirs}; {KEEPER} has them")
    }
}

/// A time in seconds since 1970 as text: `2026-11-21 18:05:09 UTC`.
fn utc(seconds: u64) -> String {
    const DAY: u64 = 24 * 60 * 60;
    // Days to a date, by H. Hinnant's `civil_from_days`: years begin in March, so that the leap day
    // is the last day of a year, and 400 years always have the same number of days.
    let days = seconds / DAY + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    let year = era * 400 + year_of_era + next;
    let second = seconds % DAY;
    format!(
        "{year}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates() {
        assert_eq!(utc(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(utc(1_763_748_309), "2025-11-21 18:05:09 UTC");
        assert_eq!(utc(4_107_542_399), "2100-02-28 23:59:59 UTC");
        assert_eq!(utc(4_107_542_400), "2100-03-01 00:00:00 UTC");
    }

    #[test]
    fn a_gap_says_which_blocks_since_when_and_who_has_them() {
        let mut gap = Gap {
            url: "ws://host".into(),
            first: 4,
            last: 9,
            since: Some(0),
            until: Some(61),
        };
        assert_eq!(
            gap.to_string(),
            "the node at ws://host has discarded the states of blocks 4 to 9 (1970-01-01 00:00:00 \
             UTC to 1970-01-01 00:01:01 UTC), and with them their events; a node that keeps all \
             states (--state-pruning archive) has them"
        );
        gap.last = 4;
        gap.until = None;
        assert_eq!(
            gap.to_string(),
            "the node at ws://host has discarded the state of block 4 (1970-01-01 00:00:00 UTC), \
             and with it its events; a node that keeps all states (--state-pruning archive) has them"
        );
    }
}
