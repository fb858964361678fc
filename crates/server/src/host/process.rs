//! What the system says of this process.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a process takes, as far as the system tells.
pub struct Process {
    /// Memory, in bytes.
    pub resident: Option<u64>,
    /// Processor time, in seconds.
    pub cpu: Option<f64>,
    /// Open files, and connections.
    pub files: Option<usize>,
}

impl Process {
    pub fn now() -> Self {
        Self {
            resident: resident(),
            cpu: cpu(),
            files: fs::read_dir("/proc/self/fd").ok().map(Iterator::count),
        }
    }
}

fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

fn cpu() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may contain spaces.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = |field| fields.split_whitespace().nth(field)?.parse::<u32>().ok();
    // In hundredths of a second on all common systems.
    Some(f64::from(ticks(11)?.checked_add(ticks(12)?)?) / 100.0)
}

/// Seconds since 1970.
pub fn seconds(at: SystemTime) -> f64 {
    at.duration_since(UNIX_EPOCH)
        .map_or(0.0, |since| since.as_secs_f64())
}
