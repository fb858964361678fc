//! A log to which groups are added.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

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
        self.seek(SeekFrom::Start(at))?;
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// Has the disk know the names of the files in a folder.
pub fn sync(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}

/// A log to which groups are added.
pub struct Log {
    disk: Box<dyn Disk>,
    mark: [u8; 8],
    written: ReadLog,
    /// Up to where there are zeros on the disk.
    size: u64,
    /// The folder of which the disk may not know yet that it has this file.
    named_in: Option<PathBuf>,
}

impl Log {
    /// A log in this file, which is on the disk as it was read or written.
    pub fn of(file: File, written: ReadLog) -> Self {
        Self {
            disk: Box::new(file),
            mark: mark(&written.key),
            size: written.end,
            written,
            named_in: None,
        }
    }

    /// A log in this file, of which the disk may not have the last group yet although it was read: then an earlier
    /// process could not sync it, and has said nothing of it.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn after(mut file: File, read: ReadLog) -> io::Result<Self> {
        file.set_len(read.end)?;
        file.seek(SeekFrom::Start(read.last))?;
        let mut last = Vec::new();
        let len = read.end - read.last;
        (&file).take(len).read_to_end(&mut last)?;
        // A sync that has failed once can leave out what was written before it.
        file.write_at(read.last, &last)?;
        file.sync_all()?;
        Ok(Self::of(file, read))
    }

    /// The same, before whose next group the disk is told that it is in this folder.
    #[must_use]
    pub fn named_in(self, folder: &Path) -> Self {
        Self {
            named_in: Some(folder.to_owned()),
            ..self
        }
    }

    /// Has the disk know that it is in its folder.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn sync_name(&mut self) -> io::Result<()> {
        if let Some(folder) = &self.named_in {
            sync(folder)?;
            self.named_in = None;
        }
        Ok(())
    }

    #[cfg(test)]
    pub const fn is_name_synced(&self) -> bool {
        self.named_in.is_none()
    }

    /// Writes to another disk from now on, which `wrap` makes of the one that there is.
    #[must_use]
    pub fn on(self, wrap: impl FnOnce(Box<dyn Disk>) -> Box<dyn Disk>) -> Self {
        Self {
            disk: wrap(self.disk),
            ..self
        }
    }

    /// Bytes of its groups.
    pub const fn bytes(&self) -> u64 {
        self.written.end
    }

    /// What it has.
    pub const fn written(&self) -> &ReadLog {
        &self.written
    }

    /// Adds entries. Afterwards they are on the disk, unless it fails: then the log is as before, and what is added
    /// next takes the place of what was written of them.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn add(&mut self, entries: &[Entry]) -> io::Result<()> {
        self.sync_name()?;
        let (group, checksum) = group(self.mark, self.written.checksum, entries)?;
        let (start, end) = (self.written.end, self.written.end + group.len() as u64);
        // If a sync fails all is written again: the system can have dropped any of it.
        let mut size = self.size;
        while size < end {
            self.disk.write_at(size, &vec![0; GROWTH])?;
            size += GROWTH as u64;
        }
        self.disk.write_at(start, &group)?;
        self.disk.sync()?;
        self.size = size;
        self.written.add(end, checksum);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::witness::entry::{Key, Moment};
    use crate::witness::log::reading::read_all;

    /// A disk with a cache: what is in it when a sync fails never reaches the disk, and the next sync succeeds.
    #[derive(Default)]
    struct Cached {
        disk: Vec<u8>,
        cache: Vec<(u64, Vec<u8>)>,
        fails: bool,
    }

    impl Disk for Arc<Mutex<Cached>> {
        fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
            let mut cached = self.lock().expect("no panic");
            cached.cache.push((at, bytes.to_vec()));
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            let Cached { disk, cache, fails } = &mut *self.lock().expect("no panic");
            let written = std::mem::take(cache);
            if std::mem::take(fails) {
                return Err(io::ErrorKind::Other.into());
            }
            for (at, bytes) in written {
                let at = usize::try_from(at).expect("a small disk");
                disk[at..at + bytes.len()].copy_from_slice(&bytes);
            }
            Ok(())
        }
    }

    #[test]
    fn what_a_sync_that_failed_has_lost_is_written_again() {
        let key = Key {
            secret: [7; 32],
            chain_id: 1,
            genesis: [1; 32],
            made: Moment::default(),
        };
        let path = std::env::temp_dir().join(format!("connect4-cached-{}", std::process::id()));
        let file = File::create(&path).expect("a file");
        let first = group(
            crate::witness::log::format::MARK,
            [0; 8],
            &[Entry::Key(key.clone())],
        );
        let (first, checksum) = first.expect("a group");
        let cached = Arc::new(Mutex::new(Cached {
            // Something was there before.
            disk: [&first[..], &[0xff; 2 * GROWTH]].concat(),
            ..Cached::default()
        }));
        let written = ReadLog {
            key,
            last: 0,
            end: first.len() as u64,
            checksum,
        };
        let mut log = Log::of(file, written).on(|_| Box::new(Arc::clone(&cached)));
        let moment = |at| Moment { at, fair: u64::MAX };
        for at in 0..4 {
            let group = [Entry::Alive(moment(at))];
            cached.lock().expect("no panic").fails = true;
            assert!(log.add(&group).is_err());
            log.add(&group).expect("a disk");
        }
        let disk = cached.lock().expect("no panic").disk.clone();
        let count = |count: &mut u64, entry: Entry| {
            assert_eq!(entry, Entry::Alive(moment(*count)));
            *count += 1;
            Some(())
        };
        let read = read_all(io::Cursor::new(&disk), disk.len() as u64, |_| Ok(0), count);
        let (read, count) = read.expect("a whole log");
        assert_eq!(count, 4);
        let end = usize::try_from(read.end).expect("a small log");
        let behind = &disk[end..GROWTH];
        assert!(behind.iter().all(|byte| *byte == 0), "zeros behind it");
        std::fs::remove_file(path).expect("a file");
    }
}
