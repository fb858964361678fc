//! What has still to be written, and what goes out once it is.

use std::collections::VecDeque;

use crate::witness::entry::Entry;
use crate::witness::game::Output;

/// Entries that wait for the log, at most.
const WAITING: usize = 10_000;

/// Entries that wait for the log, and what waits for them.
#[derive(Default)]
pub struct Pending {
    /// What is not being written yet.
    entries: Vec<Entry>,
    /// How many entries there were since the start, and how many of them the log has.
    count: u64,
    logged: u64,
    /// What goes out once so many entries are in the log.
    outputs: VecDeque<(u64, Output)>,
}

impl Pending {
    /// Whether no more is taken before the log has some of it.
    pub const fn is_full(&self) -> bool {
        self.entries.len() >= WAITING
    }

    pub fn add(&mut self, entry: Entry) {
        self.entries.push(entry);
        self.count += 1;
    }

    /// Says this once the log has all that was added so far.
    pub fn say(&mut self, output: Output) {
        self.outputs.push_back((self.count, output));
    }

    /// What has to be written next, with the number by which the log is said to [have](Self::has) it; none if there is
    /// nothing.
    pub fn take(&mut self) -> Option<(Vec<Entry>, u64)> {
        match self.entries.is_empty() {
            true => None,
            false => Some((std::mem::take(&mut self.entries), self.count)),
        }
    }

    /// The log has the entries up to this number.
    pub const fn has(&mut self, count: u64) {
        self.logged = count;
    }

    /// What goes out next for what the log has.
    pub fn next_output(&mut self) -> Option<Output> {
        let (count, _) = self.outputs.front()?;
        match *count <= self.logged {
            true => self.outputs.pop_front().map(|(_, output)| output),
            false => None,
        }
    }
}
