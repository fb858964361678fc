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

/// Copies what is needed of a log, which was read, to a file. `last` is the time of its last entry.
pub fn copy(
    old: &File,
    read: &ReadLog,
    file: &mut File,
    last: Moment,
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
    let (_, copy) = copied.map_err(|error| match error {
        LogError::Io(error) => error,
        other => io::Error::other(other),
    })?;
    copy.end(last)
}

/// A copy that is being written.
struct Copy<'a> {
    file: &'a mut File,
    written: ReadLog,
    entries: Vec<Entry>,
    /// The first and the last of several starts in a row: those between change nothing.
    starts: (Option<Entry>, Option<Entry>),
    has_running: bool,
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
                end: first.len() as u64,
                checksum,
            },
            entries: Vec::new(),
            starts: (None, None),
            has_running: false,
            error: None,
        })
    }

    fn add(&mut self, entry: Entry, keeps: Keeps) -> io::Result<()> {
        match (&entry, keeps) {
            (Entry::Started(_), _) if self.has_running => {
                let place = match self.starts.0 {
                    None => &mut self.starts.0,
                    Some(_) => &mut self.starts.1,
                };
                *place = Some(entry);
                return Ok(());
            }
            (_, Keeps::Nothing) => return Ok(()),
            (_, Keeps::Running) => {
                self.has_running = true;
                self.add_starts();
            }
            (_, Keeps::End) => {}
        }
        self.entries.push(entry);
        match self.entries.len() >= COPIED {
            true => self.write(),
            false => Ok(()),
        }
    }

    fn add_starts(&mut self) {
        self.entries.extend(self.starts.0.take());
        self.entries.extend(self.starts.1.take());
    }

    fn write(&mut self) -> io::Result<()> {
        let mark = mark(&self.written.key);
        let (group, checksum) = group(mark, self.written.checksum, &self.entries)?;
        self.file.write_at(self.written.end, &group)?;
        self.written.end += group.len() as u64;
        self.written.checksum = checksum;
        self.entries.clear();
        Ok(())
    }

    fn end(mut self, last: Moment) -> io::Result<ReadLog> {
        self.add_starts();
        if !self.entries.is_empty() {
            self.write()?;
        }
        // In a group of its own: what is damaged later has a mark behind it.
        self.entries.push(Entry::Alive(last));
        self.write()?;
        Ok(self.written)
    }
}
