//! Whether the clock of this machine goes with that of the chain.

use std::time::{SystemTime, UNIX_EPOCH};

/// How far the two may be apart, in seconds.
const FAR: u64 = 30;
/// How many new blocks in a row have to say that they are: one may have been under way for long.
const BLOCKS: u8 = 2;

/// The clock of this machine is far from that of the chain. Nothing is held back for it, but what is said
/// of the time that is left is wrong by so much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClocksDiffer {
    /// This machine is so many seconds ahead.
    Ahead(u64),
    /// It is so many seconds behind.
    Behind(u64),
}

/// Compares the two whenever a new block comes. An old block says nothing: some chains make blocks only
/// for transactions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks {
    /// Number of the newest block.
    newest: u32,
    /// How many new blocks in a row were made by another clock.
    apart: u8,
    was_told: bool,
    /// By how many seconds this machine was ahead of that block when it was read first.
    ahead: i64,
}

impl Clocks {
    /// Compares from the next block on. This one was made at the time `chain`, and read when this machine
    /// showed the time `machine`: it may be an old one.
    pub const fn after(block: u32, chain: u64, machine: u64) -> Self {
        Self {
            newest: block,
            apart: 0,
            was_told: false,
            ahead: machine.wrapping_sub(chain).cast_signed(),
        }
    }

    /// By how many seconds this machine was ahead of the newest block when that was read first; behind if it
    /// is less than 0.
    pub const fn ahead(&self) -> i64 {
        self.ahead
    }

    /// Compares the time of a block with that of this machine when the block was read, both in seconds
    /// since 1970. Returns a difference that is to be told, once.
    pub fn compare(&mut self, block: u32, chain: u64, machine: u64) -> Option<ClocksDiffer> {
        if block <= self.newest {
            return None;
        }
        self.newest = block;
        self.ahead = machine.wrapping_sub(chain).cast_signed();
        if chain.abs_diff(machine) <= FAR {
            self.apart = 0;
            return None;
        }
        self.apart = self.apart.saturating_add(1);
        if self.apart < BLOCKS || std::mem::replace(&mut self.was_told, true) {
            return None;
        }
        let by = chain.abs_diff(machine);
        Some(match machine > chain {
            true => ClocksDiffer::Ahead(by),
            false => ClocksDiffer::Behind(by),
        })
    }
}

/// The time of this machine in seconds since 1970.
pub(crate) fn machine() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_told_once() {
        let mut clocks = Clocks::after(7, 994, 1_594);
        assert_eq!(
            clocks.compare(8, 1_000, 1_600),
            None,
            "it may have taken long"
        );
        let told = clocks.compare(9, 1_006, 1_606);
        assert_eq!(told, Some(ClocksDiffer::Ahead(600)));
        assert_eq!(clocks.compare(10, 1_012, 1_612), None);
        let mut clocks = Clocks::after(7, 1_594, 994);
        assert_eq!(clocks.compare(8, 1_600, 1_000), None);
        let told = clocks.compare(9, 1_606, 1_006);
        assert_eq!(told, Some(ClocksDiffer::Behind(600)));
    }

    #[test]
    fn an_old_block_says_nothing() {
        let mut clocks = Clocks::after(7, 1_000, 1_004);
        for machine in [1_004, 5_000, 9_000] {
            assert_eq!(clocks.compare(7, 1_000, machine), None);
            assert_eq!(clocks.ahead(), 4);
        }
        // The next one is made an hour later, for a transaction.
        for block in 8..12 {
            assert_eq!(clocks.compare(block, 9_001, 9_001), None);
            assert_eq!(clocks.compare(block, 9_001, 12_000), None);
        }
        clocks.compare(12, 9_010, 9_000);
        assert_eq!(clocks.ahead(), -10);
    }
}
