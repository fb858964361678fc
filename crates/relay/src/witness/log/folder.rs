//! The folder of a witness, with its log.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use connect4_protocol::signed::Chain;

use super::anew::{Keeps, copy};
use super::error::LogError;
use super::format::{MARK, group};
use super::reading::{ReadLog, read_all};
use super::writing::{Disk as _, Log};
use crate::witness::entry::{Entry, Key, Moment};

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
            let read = copy(&old.file, &old.read, &mut file, last, keeps)?;
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
        let written = ReadLog {
            key: key.clone(),
            end: group.len() as u64,
            checksum,
        };
        let log = Log::at(file, &written);
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

/// What was done of writing a log anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Begun,
    Written,
    Synced,
    Renamed,
    Kept,
}

/// Opens a file that nobody else reads, as it has a secret.
fn open(path: &Path, is_new: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(is_new);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use connect4_protocol::Address;
    use connect4_protocol::fast::Native;
    use connect4_protocol::signed::{GameNumber, Moves, WitnessedEnd};
    use connect4_rules::{ByPlayer, Player};
    use connect4_testing::signed::SignedPlay;

    use super::*;
    use crate::witness::core::Core;
    use crate::witness::game::Known;

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
