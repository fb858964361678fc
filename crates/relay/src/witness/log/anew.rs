//! What is needed of a log, copied to a new one.

use std::fs::File;
use std::io::{self, BufReader, Seek as _, SeekFrom};

use super::error::LogError;
use super::format::{MARK, group, mark};
use super::reading::{ReadLog, read_all};
use super::writing::Disk as _;
use crate::witness::entry::{Entry, Key, Moment};

/// Entries of a group of a log that is written anew.
const COPIED: usize = 1_000;

/// What is needed of an entry when the log is written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    Nothing,
    /// It is about a game that goes on.
    Running,
    /// The end of a game.
    End,
}

/// The entries of a log that are needed, in order.
#[derive(Debug, Default)]
pub struct Needed {
    /// The first and the last of several starts in a row: those between change nothing.
    starts: (Option<Entry>, Option<Entry>),
    has_running: bool,
    /// When the last entry of the log was written.
    last: Moment,
}

impl Needed {
    /// Adds to `entries` what is needed up to the next entry of the log.
    pub fn add(&mut self, entry: Entry, keeps: Keeps, entries: &mut Vec<Entry>) {
        self.last = entry.time();
        match (&entry, keeps) {
            (Entry::Started(_), _) if self.has_running => {
                let place = match self.starts.0 {
                    None => &mut self.starts.0,
                    Some(_) => &mut self.starts.1,
                };
                *place = Some(entry);
                return;
            }
            (_, Keeps::Nothing) => return,
            (_, Keeps::Running) => {
                self.has_running = true;
                self.add_starts(entries);
            }
            (_, Keeps::End) => {}
        }
        entries.push(entry);
    }

    /// Adds the rest. Returns the entry with which the log ends: it has the time, and a group of its own, so that of what
    /// is damaged later there is a mark behind it.
    #[must_use]
    pub fn end(mut self, entries: &mut Vec<Entry>) -> Entry {
        self.add_starts(entries);
        Entry::Alive(self.last)
    }

    fn add_starts(&mut self, entries: &mut Vec<Entry>) {
        entries.extend(self.starts.0.take());
        entries.extend(self.starts.1.take());
    }
}

/// Copies what is needed of a log, which was read up to its end, to a file.
///
/// # Errors
///
/// As the system says, [`io::ErrorKind::InvalidData`] if the log is not read as it was before.
pub fn copy(
    old: &File,
    read: &ReadLog,
    file: &mut File,
    keeps: impl Fn(&Entry) -> Keeps,
) -> io::Result<ReadLog> {
    let mut copy = Some(Copy::begin(file, &read.key)?);
    let mut reader = BufReader::new(old);
    reader.seek(SeekFrom::Start(0))?;
    let start = |_: &Key| copy.take().ok_or(LogError::Damaged);
    let step = |copy: &mut Copy<'_>, entry: Entry| {
        let keeps = keeps(&entry);
        copy.error = copy.add(entry, keeps).err();
        copy.error.is_none().then_some(())
    };
    let copied = read_all(reader, read.end, start, step);
    let (again, copy) = copied.map_err(|error| match error {
        LogError::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, other),
    })?;
    // A last group that can't be read any more looks like one that is torn.
    match (again.end, again.checksum) == (read.end, read.checksum) {
        true => copy.end(),
        false => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// A copy that is being written.
struct Copy<'a> {
    file: &'a mut File,
    written: ReadLog,
    needed: Needed,
    /// What is not written yet.
    entries: Vec<Entry>,
    error: Option<io::Error>,
}

impl<'a> Copy<'a> {
    fn begin(file: &'a mut File, key: &Key) -> io::Result<Self> {
        let (first, checksum) = group(MARK, [0; 8], &[Entry::Key(key.clone())])?;
        file.write_at(0, &first)?;
        Ok(Self {
            file,
            written: ReadLog {
                key: key.clone(),
                last: 0,
                end: first.len() as u64,
                checksum,
            },
            needed: Needed::default(),
            entries: Vec::new(),
            error: None,
        })
    }

    fn add(&mut self, entry: Entry, keeps: Keeps) -> io::Result<()> {
        self.needed.add(entry, keeps, &mut self.entries);
        match self.entries.len() >= COPIED {
            true => self.write(),
            false => Ok(()),
        }
    }

    fn write(&mut self) -> io::Result<()> {
        let mark = mark(&self.written.key);
        let (group, checksum) = group(mark, self.written.checksum, &self.entries)?;
        self.file.write_at(self.written.end, &group)?;
        let end = self.written.end + group.len() as u64;
        self.written.add(end, checksum);
        self.entries.clear();
        Ok(())
    }

    fn end(mut self) -> io::Result<ReadLog> {
        let needed = std::mem::take(&mut self.needed);
        let last = needed.end(&mut self.entries);
        if !self.entries.is_empty() {
            self.write()?;
        }
        self.entries.push(last);
        self.write()?;
        Ok(self.written)
    }
}
