//! Blocks whose events are missing, in words.

use std::fmt;
use std::time::{Duration, UNIX_EPOCH};

/// Which nodes have the events of all blocks, in words.
pub const KEEPER: &str = "a node that keeps all states (--state-pruning archive)";

/// Blocks that follow each other and whose events cannot be had from a node: it has discarded their
/// states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
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
        write!(f, "the node has discarded the {states} of {blocks}")?;
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

/// A time in seconds since 1970 as text: `2026-11-21T18:05:09Z`.
#[must_use]
pub fn utc(seconds: u64) -> String {
    /// The first second of the year 10000, which has no such text. A node can tell any number.
    const YEAR_10000: u64 = 253_402_300_800;
    match seconds {
        ..YEAR_10000 => {
            humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(seconds)).to_string()
        }
        _ => format!("{seconds} s after 1970"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_763_748_309), "2025-11-21T18:05:09Z");
        assert_eq!(utc(253_402_300_799), "9999-12-31T23:59:59Z");
        assert_eq!(utc(u64::MAX), "18446744073709551615 s after 1970");
    }

    #[test]
    fn a_gap_says_which_blocks_since_when_and_who_has_them() {
        let mut gap = Gap {
            first: 4,
            last: 9,
            since: Some(0),
            until: Some(61),
        };
        assert_eq!(
            gap.to_string(),
            "the node has discarded the states of blocks 4 to 9 (1970-01-01T00:00:00Z to \
             1970-01-01T00:01:01Z), and with them their events; a node that keeps all \
             states (--state-pruning archive) has them"
        );
        gap.last = 4;
        gap.until = None;
        assert_eq!(
            gap.to_string(),
            "the node has discarded the state of block 4 (1970-01-01T00:00:00Z), \
             and with it its events; a node that keeps all states (--state-pruning archive) has them"
        );
    }
}
