//! The log of a witness: an append-only file.
//!
//! What is written at a time is one *group* of entries:
//!
//! ```text
//! mark      8 bytes   of this log; of the first group MARK
//! length    4 bytes   of the entries, little-endian
//! checksum  8 bytes   of the checksum before, the length and the entries
//! entries             in SCALE
//! ```
//!
//! The first group has the key alone, by which the log begins. The others have a mark that is derived from the secret, so
//! that nothing that players send can have it. Behind the last group there are zeros: a file that grows with each group
//! is synced more slowly.
//!
//! No group is written before the one before it is on the disk. So if the last one is torn nothing of it was said, and it
//! is cut off. Damage before it shows by a mark behind it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use codec::{Decode as _, Encode as _};
use connect4_protocol::fast::{Crypto as _, Native};
use connect4_protocol::signed::Chain;

use super::entry::{Entry, Key, Moment};

/// By what the file begins: the version of the format is the last byte.
const MARK: [u8; 8] = *b"c4witn\x00\x01";
const HEAD: usize = 20;
/// Bytes of a group's entries, at most: more is none that was written.
const MAX_GROUP: u64 = 64 << 20;
/// Entries of a group of a log that is written anew.
const COPIED: usize = 1_000;
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

/// Why a witness cannot begin.
#[derive(Debug)]
pub enum LogError {
    /// Another process has the log.
    InUse,
    /// The log is of games of another chain.
    OtherChain,
    /// The log has another version of the format.
    OtherVersion,
    /// A group is as it was written, and its entries are none that this version knows.
    UnknownEntry,
    /// The log is damaged before its end.
    Damaged,
    /// The last entry is so many seconds later than the clock of this machine.
    Ahead(u64),
    Io(io::Error),
}

impl std::fmt::Display for LogError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::InUse => f.write_str("another process has the log of the witness"),
            Self::OtherChain => f.write_str("the log of the witness is of another chain"),
            Self::OtherVersion | Self::UnknownEntry => f.write_str(
                "the log of the witness is of another version of this program: run that one",
            ),
            Self::Damaged => f.write_str("the log of the witness is damaged"),
            Self::Ahead(seconds) => write!(
                f,
                "the log of the witness was written {seconds} s later than the clock of this machine shows: set the \
                 clock right, or, if it was wrong before, move the log elsewhere: then the witness begins anew, by \
                 another key"
            ),
            Self::Io(error) => write!(f, "the log of the witness: {error}"),
        }
    }
}

impl std::error::Error for LogError {}

impl From<io::Error> for LogError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The folder of a witness, which one process has at a time.
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

/// What a folder has.
pub struct Found {
    pub log: Log,
    pub key: Key,
    /// Where a damaged log was put.
    pub aside: Option<PathBuf>,
}

impl Folder {
    /// # Errors
    ///
    /// [`LogError::InUse`], or as the system says.
    pub fn lock(path: &Path) -> Result<Self, LogError> {
        fs::create_dir_all(path)?;
        if let Some(parent) = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
        {
            sync(parent)?;
        }
        let file = open(&path.join("lock"), false)?;
        lock(&file)?;
        Ok(Self {
            path: path.to_owned(),
            _lock: file,
        })
    }

    fn log(&self) -> PathBuf {
        self.path.join("log")
    }

    /// Reads the log of this chain, entry by entry, into what `start` makes of its key. None if there is no log.
    ///
    /// # Errors
    ///
    /// [`LogError::InUse`], [`LogError::OtherChain`], [`LogError::OtherVersion`], [`LogError::UnknownEntry`],
    /// [`LogError::Damaged`] also if `start` or `step` returns none, or as the system says. The log is as it was.
    pub fn read<T>(
        &self,
        chain: Chain,
        start: impl FnOnce(&Key) -> Option<T>,
        step: impl FnMut(&mut T, Entry) -> Option<()>,
    ) -> Result<Option<(Old, T)>, LogError> {
        let file = match File::open(self.log()) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        // The file itself, too, as somebody may have removed the one beside it.
        lock(&file)?;
        let len = file.metadata()?.len();
        let start = |key: &Key| match key.chain() == chain {
            true => start(key).ok_or(LogError::Damaged),
            false => Err(LogError::OtherChain),
        };
        let (read, found) = read_all(BufReader::new(&file), len, start, step)?;
        Ok(Some((Old { file, read }, found)))
    }

    /// Goes on with a log that was read, which is written anew if there is place for it. `last` is the time of its last
    /// entry, and `keeps` says what is needed of it.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn go_on(
        &self,
        old: &Old,
        last: Moment,
        keeps: impl Fn(&Entry) -> Keeps,
    ) -> io::Result<Log> {
        self.write_anew(old, last, keeps, &mut |_| Ok(()))
            .or_else(|(step, error)| match step >= Step::Renamed {
                true => Err(error),
                false => {
                    let file = open(&self.log(), false)?;
                    file.set_len(old.read.end)?;
                    file.sync_all()?;
                    Ok(Log::at(file, &old.read))
                }
            })
    }

    /// Writes the log anew, with what is needed of it. At any moment the one or the other is there whole.
    fn write_anew(
        &self,
        old: &Old,
        last: Moment,
        keeps: impl Fn(&Entry) -> Keeps,
        done: &mut dyn FnMut(Step) -> io::Result<()>,
    ) -> Result<Log, (Step, io::Error)> {
        let path = self.path.join("log.new");
        let written = || {
            let mut file = open(&path, true)?;
            lock(&file).map_err(|_| io::ErrorKind::WouldBlock)?;
            done(Step::Begun)?;
            let read = copy(old, &mut file, last, keeps)?;
            done(Step::Written)?;
            file.sync_all()?;
            done(Step::Synced)?;
            Ok(Log::at(file, &read))
        };
        let log = written().map_err(|error| (Step::Begun, error))?;
        let renamed = fs::rename(&path, self.log());
        renamed.map_err(|error| (Step::Synced, error))?;
        let kept = done(Step::Renamed).and_then(|()| self.sync());
        kept.map_err(|error| (Step::Renamed, error))?;
        let done = done(Step::Kept);
        done.map_err(|error| (Step::Kept, error))?;
        Ok(log)
    }

    /// Begins a log with this key.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn begin(&self, key: Key) -> io::Result<Found> {
        let path = self.path.join("log.new");
        let mut file = open(&path, true)?;
        lock(&file).map_err(|_| io::ErrorKind::WouldBlock)?;
        let (group, checksum) = group(MARK, [0; 8], &[Entry::Key(key.clone())])?;
        file.write_at(0, &group)?;
        file.sync_all()?;
        fs::rename(&path, self.log())?;
        self.sync()?;
        let log = Log {
            disk: Box::new(file),
            mark: mark(&key),
            end: group.len() as u64,
            size: group.len() as u64,
            checksum,
        };
        Ok(Found {
            log,
            key,
            aside: None,
        })
    }

    /// Puts the log aside. Returns where.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn put_aside(&self) -> io::Result<PathBuf> {
        let numbers = 1_u32..;
        let mut names = numbers.map(|number| self.path.join(format!("log.aside.{number}")));
        let aside = names.find(|name| !name.exists());
        let aside = aside.ok_or(io::ErrorKind::AlreadyExists)?;
        fs::rename(self.log(), &aside)?;
        self.sync()?;
        Ok(aside)
    }

    fn sync(&self) -> io::Result<()> {
        sync(&self.path)
    }
}

/// Has the disk know the names of the files in a folder.
fn sync(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}

/// Locks a file for this process, until it is closed.
fn lock(file: &File) -> Result<(), LogError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(LogError::InUse),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// A log that was read, and is locked.
pub struct Old {
    file: File,
    read: ReadLog,
}

impl Old {
    pub const fn key(&self) -> &Key {
        &self.read.key
    }
}

/// What is needed of an entry when the log is written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    Nothing,
    /// It is about a game that goes on.
    Running,
    /// The end of a game.
    End,
}

/// What was done of writing a log anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Begun,
    Written,
    Synced,
    Renamed,
    Kept,
}

/// Copies what is needed of a log to a file.
fn copy(
    old: &Old,
    file: &mut File,
    last: Moment,
    keeps: impl Fn(&Entry) -> Keeps,
) -> io::Result<ReadLog> {
    struct Copy<'a> {
        file: &'a mut File,
        read: ReadLog,
        entries: Vec<Entry>,
        /// The first and the last of several starts in a row: those between change nothing.
        starts: (Option<Entry>, Option<Entry>),
        has_running: bool,
        error: Option<io::Error>,
    }
    impl Copy<'_> {
        fn write(&mut self) -> io::Result<()> {
            let (group, checksum) = group(mark(&self.read.key), self.read.checksum, &self.entries)?;
            self.file.write_at(self.read.end, &group)?;
            self.read.end += group.len() as u64;
            self.read.checksum = checksum;
            self.entries.clear();
            Ok(())
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
                    self.entries.extend(self.starts.0.take());
                    self.entries.extend(self.starts.1.take());
                }
                (_, Keeps::End) => {}
            }
            self.entries.push(entry);
            match self.entries.len() >= COPIED {
                true => self.write(),
                false => Ok(()),
            }
        }
    }
    let key = old.key().clone();
    let (first, checksum) = group(MARK, [0; 8], &[Entry::Key(key.clone())])?;
    file.write_at(0, &first)?;
    let copy = Copy {
        file,
        read: ReadLog {
            key,
            end: first.len() as u64,
            checksum,
        },
        entries: Vec::new(),
        starts: (None, None),
        has_running: false,
        error: None,
    };
    let mut reader = BufReader::new(&old.file);
    reader.seek(SeekFrom::Start(0))?;
    let step = |copy: &mut Copy<'_>, entry: Entry| {
        let keeps = keeps(&entry);
        copy.error = copy.add(entry, keeps).err();
        copy.error.is_none().then_some(())
    };
    let mut copy = Some(copy);
    let start = |_: &Key| copy.take().ok_or(LogError::Damaged);
    let (_, mut copy) =
        read_all(reader, old.read.end, start, step).map_err(|error| match error {
            LogError::Io(error) => error,
            other => io::Error::other(other),
        })?;
    copy.entries.extend(copy.starts.0.take());
    copy.entries.extend(copy.starts.1.take());
    if !copy.entries.is_empty() {
        copy.write()?;
    }
    // In a group of its own: what is damaged later has a mark behind it.
    copy.entries.push(Entry::Alive(last));
    copy.write()?;
    Ok(copy.read)
}

/// Opens a file that nobody else reads, as it has a secret.
fn open(path: &Path, is_new: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(is_new);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
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
    fn at(file: File, read: &ReadLog) -> Self {
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

/// A group of these entries, and its checksum.
fn group(mark: [u8; 8], before: [u8; 8], entries: &[Entry]) -> io::Result<(Vec<u8>, [u8; 8])> {
    let mut bytes = vec![0; HEAD];
    for entry in entries {
        entry.encode_to(&mut bytes);
    }
    let len = u32::try_from(bytes.len() - HEAD).map_err(|_| io::ErrorKind::InvalidInput)?;
    let checksum = checksum(before, &bytes[HEAD..]);
    bytes[..8].copy_from_slice(&mark);
    bytes[8..12].copy_from_slice(&len.to_le_bytes());
    bytes[12..HEAD].copy_from_slice(&checksum);
    Ok((bytes, checksum))
}

fn checksum(before: [u8; 8], entries: &[u8]) -> [u8; 8] {
    let len = (entries.len() as u64).to_le_bytes();
    first_eight(&[&before, &len[..], entries].concat())
}

/// The mark of all groups but the first.
fn mark(key: &Key) -> [u8; 8] {
    first_eight(&[b"mark of the log", &key.secret[..]].concat())
}

fn first_eight(bytes: &[u8]) -> [u8; 8] {
    let hash = Native.keccak256(bytes);
    *hash.first_chunk().unwrap_or(&[0; 8])
}

/// Up to where a file was read, or written.
struct ReadLog {
    key: Key,
    end: u64,
    checksum: [u8; 8],
}

/// Reads a log of so many bytes, one group at a time.
fn read_all<T>(
    file: impl Read + Seek,
    len: u64,
    start: impl FnOnce(&Key) -> Result<T, LogError>,
    mut step: impl FnMut(&mut T, Entry) -> Option<()>,
) -> Result<(ReadLog, T), LogError> {
    let mut reading = Reading {
        file,
        len,
        mark: MARK,
        at: 0,
        checksum: [0; 8],
    };
    let first = reading.next()?.unwrap_or_default();
    let Some(Entry::Key(key)) = first.into_iter().next() else {
        return Err(match reading.is_of_other_version()? {
            true => LogError::OtherVersion,
            false => LogError::Damaged,
        });
    };
    let mut found = start(&key)?;
    reading.mark = mark(&key);
    while let Some(group) = reading.next()? {
        for entry in group {
            step(&mut found, entry).ok_or(LogError::Damaged)?;
        }
    }
    // A group that is torn is the last one.
    if reading.has_mark_behind()? {
        return Err(LogError::Damaged);
    }
    let read = ReadLog {
        key,
        end: reading.at,
        checksum: reading.checksum,
    };
    Ok((read, found))
}

/// A log that is being read.
struct Reading<R> {
    file: R,
    len: u64,
    mark: [u8; 8],
    /// Where the next group begins, and the checksum of the one before.
    at: u64,
    checksum: [u8; 8],
}

impl<R: Read + Seek> Reading<R> {
    /// The entries of the next group; none if there is no whole one.
    fn next(&mut self) -> Result<Option<Vec<Entry>>, LogError> {
        let mut head = [0; HEAD];
        if self.at + HEAD as u64 > self.len {
            return Ok(None);
        }
        self.file.read_exact(&mut head)?;
        let (mut found, mut len, mut sum) = ([0; 8], [0; 4], [0; 8]);
        found.copy_from_slice(&head[..8]);
        len.copy_from_slice(&head[8..12]);
        sum.copy_from_slice(&head[12..]);
        let len = u64::from(u32::from_le_bytes(len));
        let end = self.at + HEAD as u64 + len;
        if found != self.mark || len > MAX_GROUP || end > self.len {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        self.file.by_ref().take(len).read_to_end(&mut bytes)?;
        if sum != checksum(self.checksum, &bytes) {
            return Ok(None);
        }
        let mut rest = &bytes[..];
        let mut entries = Vec::new();
        while !rest.is_empty() {
            let entry = Entry::decode(&mut rest);
            entries.push(entry.map_err(|_| LogError::UnknownEntry)?);
        }
        (self.at, self.checksum) = (end, sum);
        Ok(Some(entries))
    }

    /// Whether the file begins as a log of another version.
    fn is_of_other_version(&mut self) -> io::Result<bool> {
        let mut found = [0; 8];
        self.file.seek(SeekFrom::Start(0))?;
        let has_mark = self.len >= 8 && self.file.read_exact(&mut found).is_ok();
        Ok(has_mark && found[..7] == MARK[..7] && found != MARK)
    }

    /// Whether there is a mark somewhere behind the last whole group.
    fn has_mark_behind(&mut self) -> io::Result<bool> {
        self.file.seek(SeekFrom::Start(self.at + 1))?;
        let mut window: Vec<u8> = Vec::new();
        loop {
            let mut read = self.file.by_ref().take(1 << 16);
            let kept = window.split_off(window.len().saturating_sub(7));
            window = kept;
            let before = window.len();
            read.read_to_end(&mut window)?;
            if window.windows(8).any(|bytes| bytes == self.mark) {
                return Ok(true);
            }
            if window.len() == before {
                return Ok(false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::Address;
    use connect4_protocol::signed::{GameNumber, Moves, WitnessedEnd};
    use connect4_rules::{ByPlayer, Player};
    use connect4_testing::signed::SignedPlay;

    use super::*;
    use crate::witness::core::Core;
    use crate::witness::game::Known;

    /// A log of a key and so many groups, and where each of them ends.
    fn log(groups: u64) -> (Vec<u8>, Vec<usize>) {
        let key = Key {
            secret: [7; 32],
            chain_id: 1,
            genesis: [1; 32],
            // No zeros at the end, which a longer file has as well.
            made: Moment {
                at: 0,
                fair: u64::MAX,
            },
        };
        let first = group(MARK, [0; 8], &[Entry::Key(key.clone())]).expect("a group");
        let (mut bytes, mut checksum) = first;
        let mut ends = vec![bytes.len()];
        for number in 1..=groups {
            let time = Moment {
                at: number,
                fair: u64::MAX - number,
            };
            let entries = [Entry::Started(time), Entry::Alive(time)];
            let next = group(mark(&key), checksum, &entries).expect("a group");
            bytes.extend(&next.0);
            checksum = next.1;
            ends.push(bytes.len());
        }
        (bytes, ends)
    }

    /// How many groups behind the key are read of a file; none if it is damaged.
    fn read(bytes: &[u8]) -> Option<usize> {
        let file = io::Cursor::new(bytes);
        let count = |entries: &mut usize, entry: Entry| {
            assert!(entry.time().at > 0);
            *entries += 1;
            Some(())
        };
        let read = read_all(file, bytes.len() as u64, |_| Ok(0), count);
        read.ok().map(|(_, entries)| entries / 2)
    }

    #[test]
    fn a_file_that_ends_early_has_the_groups_before() {
        let (bytes, ends) = log(4);
        for len in 0..=bytes.len() {
            let whole = ends.iter().filter(|end| **end <= len).count();
            assert_eq!(read(&bytes[..len]), whole.checked_sub(1), "{len}");
            // The place for it may be there, and have zeros.
            let padded = [&bytes[..len], &[0; 64]].concat();
            assert_eq!(read(&padded), whole.checked_sub(1), "{len}");
        }
    }

    #[test]
    fn damage_before_the_last_group_is_found() {
        let (bytes, ends) = log(4);
        let last = ends[3];
        for at in 0..bytes.len() {
            for flip in [1, 0x80] {
                let mut damaged = bytes.clone();
                damaged[at] ^= flip;
                let found = if at < last { None } else { Some(3) };
                assert_eq!(read(&damaged), found, "{at}");
            }
        }
    }

    #[test]
    fn groups_in_another_order_are_found() {
        let (bytes, ends) = log(4);
        let [first, second] = [1, 2].map(|group| &bytes[ends[group - 1]..ends[group]]);
        let swapped = [&bytes[..ends[0]], second, first, &bytes[ends[2]..]].concat();
        assert_eq!(read(&swapped), None);
        let missing = [&bytes[..ends[0]], second, &bytes[ends[2]..]].concat();
        assert_eq!(read(&missing), None);
    }

    /// Of the last group, some sectors reach the disk before others.
    #[test]
    fn a_last_group_of_which_the_beginning_is_missing_is_cut_off() {
        let (mut bytes, ends) = log(4);
        for byte in &mut bytes[ends[3]..ends[3] + HEAD] {
            *byte = 0;
        }
        assert_eq!(read(&bytes), Some(3));
    }

    #[test]
    fn what_another_version_has_written_is_no_damage() {
        let (mut bytes, _) = log(2);
        let of = |bytes: &[u8]| {
            let file = io::Cursor::new(bytes);
            read_all(file, bytes.len() as u64, |_| Ok(()), |(), _| Some(())).err()
        };
        let key = Key {
            secret: [7; 32],
            chain_id: 1,
            genesis: [1; 32],
            made: Moment {
                at: 0,
                fair: u64::MAX,
            },
        };
        // A whole group, with an entry of which this version knows nothing.
        let mut last = vec![0; HEAD];
        last.extend([99; 5]);
        let first = &bytes[..];
        let start = |_: &Key| Ok(());
        let file = io::Cursor::new(first);
        let read = read_all(file, first.len() as u64, start, |(), _| Some(()));
        let (read, ()) = read.expect("a whole log");
        let sum = checksum(read.checksum, &last[HEAD..]);
        last[..8].copy_from_slice(&mark(&key));
        last[8..12].copy_from_slice(&5_u32.to_le_bytes());
        last[12..HEAD].copy_from_slice(&sum);
        let longer = [first, &last[..]].concat();
        assert!(matches!(of(&longer), Some(LogError::UnknownEntry)));
        bytes[7] += 1;
        assert!(matches!(of(&bytes), Some(LogError::OtherVersion)));
    }

    const CHAIN: Chain = connect4_testing::signed::CHAIN;

    /// The witness of the log in a folder, as it was read: how much there is in the file, and what of it is about games.
    fn replayed(folder: &Folder) -> (u64, Vec<Entry>, Core<Native>, Old) {
        let start = |key: &Key| {
            let core = Core::new(Address([1; 20]), key.chain(), Native, key.made);
            Some((core, Vec::new()))
        };
        let step = |(core, all): &mut (Core<Native>, Vec<Entry>), entry: Entry| {
            all.push(entry.clone());
            core.replay(&entry).ok()
        };
        let read = folder.read(CHAIN, start, step).expect("it is whole");
        let (old, (core, all)) = read.expect("a log");
        (old.read.end, all, core, old)
    }

    /// What a witness says of a game once it has begun again.
    fn known(mut core: Core<Native>, game: GameNumber) -> String {
        core.begin(0, 0);
        match core.known(game) {
            Some(Known::Running { told, .. }) => format!("{told:?} {:?}", core.look(0)),
            Some(Known::Over(told)) => format!("{told:?}"),
            None => String::new(),
        }
    }

    /// It is killed after each step of writing the log anew.
    #[test]
    fn a_log_is_whole_at_each_step_of_writing_it_anew() {
        let name = format!("connect4-anew-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        let folder = Folder::lock(&path).expect("a folder");
        let time = |at: u64| Moment { at, fair: at };
        let made = |play: &SignedPlay, bin: u8, bins: &[u8], at| Entry::Moved {
            game: play.number,
            bin,
            signature: play.made(bins).signature,
            left: ByPlayer::default(),
            time: time(at),
        };
        let plays = [1, 2].map(|number| SignedPlay::new(number, Address([1; 20]), None, 9));
        let [goes_on, over] = &plays;
        let mut entries: Vec<Entry> = plays
            .iter()
            .map(|play| Entry::Opened {
                terms: play.signed,
                time: time(10),
            })
            .collect();
        entries.push(made(goes_on, 3, &[3], 20));
        for bins in [&[0][..], &[0, 1]] {
            entries.push(made(over, bins[bins.len() - 1], bins, 30));
        }
        entries.extend((30..5_000).map(|at| Entry::Alive(time(at))));
        entries.push(Entry::Ended {
            game: over.number,
            moves: Moves::from_bins(&[0, 1]).expect("few moves"),
            end: WitnessedEnd::Resignation(Player::One),
            signatures: ByPlayer::default(),
            time: time(5_000),
        });
        entries.extend((0..100).map(|at| Entry::Started(time(5_000 + at))));
        entries.push(made(goes_on, 4, &[3, 4], 6_000));
        entries.extend((0..100).map(|at| Entry::Started(time(6_000 + at))));
        let key = Key {
            secret: [7; 32],
            chain_id: CHAIN.id,
            genesis: CHAIN.genesis,
            made: time(0),
        };
        let mut log = folder.begin(key).expect("a disk").log;
        for group in entries.chunks(100) {
            log.add(group).expect("a disk");
        }
        drop(log);
        let (len, _, core, old) = replayed(&folder);
        let (last, told) = (core.last(), known(core, goes_on.number));
        assert_eq!(last, time(6_099));
        drop(old);
        let image = fs::read(folder.log()).expect("a log");
        let mut ended = String::new();
        for killed in [
            Step::Begun,
            Step::Written,
            Step::Synced,
            Step::Renamed,
            Step::Kept,
        ] {
            fs::write(folder.log(), &image).expect("a file");
            let (_, _, core, old) = replayed(&folder);
            let stop = &mut |step| match step == killed {
                true => Err(io::ErrorKind::Interrupted.into()),
                false => Ok(()),
            };
            let done = folder.write_anew(&old, last, |entry| core.keeps(entry), stop);
            assert!(done.is_err(), "it is killed");
            drop((core, old));
            let (after, entries, core, old) = replayed(&folder);
            assert_eq!(core.last(), last);
            assert_eq!(known(core, goes_on.number), told, "{killed:?}");
            let (_, _, core, _) = {
                drop(old);
                replayed(&folder)
            };
            let end = known(core, over.number);
            assert!(ended.is_empty() || end == ended, "{killed:?}");
            assert!(!end.is_empty());
            ended = end;
            match killed >= Step::Renamed {
                true => assert!(entries.len() < 10, "{entries:?}"),
                false => assert_eq!(after, len, "{killed:?}"),
            }
        }
        fs::remove_dir_all(&path).expect("a folder");
    }
}
