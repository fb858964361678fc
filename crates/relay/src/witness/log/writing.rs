//! A log to which groups are added.

use std::fs::File;
use std::io;

use super::format::{group, mark};
use super::reading::ReadLog;
use crate::witness::entry::Entry;

/// By how much the file grows.
const GROWTH: usize = 1 << 20;

/// A disk: a file, or one that fails in a test.
pub trait Disk: Send {
    /// # Errors
    ///
    /// As the system says.
    fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// # Errors
    ///
    /// As the system says.
    fn sync(&mut self) -> io::Result<()>;
}

impl Disk for File {
    fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        use std::io::{Seek as _, Write as _};
        self.seek(io::SeekFrom::Start(at))?;
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// A log to which groups are added.
pub struct Log {
    disk: Box<dyn Disk>,
    mark: [u8; 8],
    /// Where the next group begins.
    end: u64,
    /// Up to where there are zeros.
    size: u64,
    checksum: [u8; 8],
}

impl Log {
    /// A log in this file, which ends as it was read or written.
    pub(super) fn at(file: File, read: &ReadLog) -> Self {
        Self {
            disk: Box::new(file),
            mark: mark(&read.key),
            end: read.end,
            size: read.end,
            checksum: read.checksum,
        }
    }

    /// Writes to another disk from now on, which `wrap` makes of the one that there is.
    pub fn on(self, wrap: impl FnOnce(Box<dyn Disk>) -> Box<dyn Disk>) -> Self {
        Self {
            disk: wrap(self.disk),
            ..self
        }
    }

    /// Adds entries. Afterwards they are on the disk, unless it fails: then the log is as before, and what is added
    /// next takes the place of what was written of them.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn add(&mut self, entries: &[Entry]) -> io::Result<()> {
        let (group, checksum) = group(self.mark, self.checksum, entries)?;
        let end = self.end + group.len() as u64;
        while self.size < end {
            self.disk.write_at(self.size, &vec![0; GROWTH])?;
            self.size += GROWTH as u64;
        }
        self.disk.write_at(self.end, &group)?;
        self.disk.sync()?;
        self.end = end;
        self.checksum = checksum;
        Ok(())
    }
}
