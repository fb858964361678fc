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
use std::io;
use std::path::{Path, PathBuf};

use codec::{Decode as _, Encode as _};
use connect4_protocol::fast::{Crypto as _, Native};
use connect4_protocol::signed::Chain;

use super::entry::{Entry, Key};

/// By what the file begins: the version of the format is the last byte.
const MARK: [u8; 8] = *b"c4witn\x00\x01";
const HEAD: usize = 20;
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
    Io(io::Error),
}

impl std::fmt::Display for LogError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::InUse => f.write_str("another process has the log of the witness"),
            Self::OtherChain => f.write_str("the log of the witness is of another chain"),
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
    /// All entries but the key.
    pub entries: Vec<Entry>,
    /// Where a damaged log was put.
    pub aside: Option<PathBuf>,
}

impl Folder {
    /// # Errors
    ///
    /// [`LogError::InUse`], or as the system says.
    pub fn lock(path: &Path) -> Result<Self, LogError> {
        fs::create_dir_all(path)?;
        let lock = open(&path.join("lock"), false)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                path: path.to_owned(),
                _lock: lock,
            }),
            Err(TryLockError::WouldBlock) => Err(LogError::InUse),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    fn log(&self) -> PathBuf {
        self.path.join("log")
    }

    /// Opens the log of this chain. One that is missing is begun with the key that `new` makes, and so is one that is
    /// damaged, which is put aside.
    ///
    /// # Errors
    ///
    /// [`LogError::OtherChain`], or as the system says.
    pub fn open(&self, chain: Chain, new: impl FnOnce() -> Key) -> Result<Found, LogError> {
        let bytes = match fs::read(self.log()) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(self.begin(new())?);
            }
            Err(error) => return Err(error.into()),
        };
        let Some(read) = Read::of(&bytes) else {
            let aside = self.put_aside()?;
            let begun = self.begin(new())?;
            return Ok(Found {
                aside: Some(aside),
                ..begun
            });
        };
        if read.key.chain() != chain {
            return Err(LogError::OtherChain);
        }
        let file = open(&self.log(), false)?;
        file.set_len(read.end)?;
        file.sync_all()?;
        let log = Log {
            disk: Box::new(file),
            mark: mark(&read.key),
            end: read.end,
            size: read.end,
            checksum: read.checksum,
        };
        Ok(Found {
            log,
            key: read.key,
            entries: read.entries,
            aside: None,
        })
    }

    /// Begins a log with this key.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn begin(&self, key: Key) -> io::Result<Found> {
        let path = self.path.join("log.new");
        let mut file = open(&path, true)?;
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
            entries: Vec::new(),
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

    /// Has the disk know the names of the files.
    fn sync(&self) -> io::Result<()> {
        match cfg!(unix) {
            true => File::open(&self.path)?.sync_all(),
            false => Ok(()),
        }
    }
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

/// What a file has.
struct Read {
    key: Key,
    entries: Vec<Entry>,
    end: u64,
    checksum: [u8; 8],
}

impl Read {
    /// Reads a log; none if it is damaged before its last group.
    fn of(bytes: &[u8]) -> Option<Self> {
        let (first, mut at, mut before) = next(bytes, MARK, [0; 8])?;
        let [Entry::Key(key)] = &first[..] else {
            return None;
        };
        let mark = mark(key);
        let mut entries = Vec::new();
        while let Some((group, len, checksum)) = next(bytes.get(at..)?, mark, before) {
            entries.extend(group);
            at += len;
            before = checksum;
        }
        // A group that is torn is the last one.
        let behind = bytes.get(at + 1..).unwrap_or_default();
        let is_damaged = behind.windows(mark.len()).any(|bytes| bytes == mark);
        (!is_damaged).then(|| Self {
            key: key.clone(),
            entries,
            end: at as u64,
            checksum: before,
        })
    }
}

/// The entries of the group by which these bytes begin, its length and its checksum; none if there is no whole one.
fn next(bytes: &[u8], mark: [u8; 8], before: [u8; 8]) -> Option<(Vec<Entry>, usize, [u8; 8])> {
    let (found, rest) = bytes.split_first_chunk()?;
    let (len, rest) = rest.split_first_chunk()?;
    let (sum, rest) = rest.split_first_chunk()?;
    let mut group = rest.get(..u32::from_le_bytes(*len) as usize)?;
    let is_whole = *found == mark && *sum == checksum(before, group);
    is_whole.then_some(())?;
    let end = HEAD + group.len();
    let mut entries = Vec::new();
    while !group.is_empty() {
        entries.push(Entry::decode(&mut group).ok()?);
    }
    Some((entries, end, *sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::witness::entry::Moment;

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
        let read = Read::of(bytes)?;
        assert!(read.entries.iter().all(|entry| entry.time().at > 0));
        Some(read.entries.len() / 2)
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
}
