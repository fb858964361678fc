//! The clock of this machine.

use std::time::{SystemTime, UNIX_EPOCH};

/// The time of this machine in seconds since 1970.
pub(crate) fn machine() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
