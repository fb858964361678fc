//! A log that is read, one group at a time.

use std::io::{self, Read, Seek, SeekFrom};

use codec::Decode as _;

use super::error::LogError;
use super::format::{HEAD, MARK, MAX_GROUP, checksum, mark};
use crate::witness::entry::{Entry, Key};

/// Up to where a file was read, or written.
pub struct ReadLog {
    pub key: Key,
    /// Where the last group begins.
    pub last: u64,
    pub end: u64,
    pub checksum: [u8; 8],
}

impl ReadLog {
    /// One more group, which ends there.
    pub const fn add(&mut self, end: u64, checksum: [u8; 8]) {
        (self.last, self.end) = (self.end, end);
        self.checksum = checksum;
    }
}

/// Reads a log of so many bytes, one group at a time.
pub fn read_all<T>(
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
    let mut read = ReadLog {
        key,
        last: 0,
        end: reading.at,
        checksum: reading.checksum,
    };
    while let Some(group) = reading.next()? {
        read.add(reading.at, reading.checksum);
        for entry in group {
            step(&mut found, entry).ok_or(LogError::Damaged)?;
        }
    }
    // A group that is torn is the last one.
    if reading.has_mark_behind()? {
        return Err(LogError::Damaged);
    }
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
    use super::super::format::group;
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
}
