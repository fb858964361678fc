//! The folder of a witness, with its log.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use connect4_protocol::Address;
use connect4_protocol::signed::{Chain, SessionKey};

use super::anew::{Keeps, copy};
use super::error::LogError;
use super::format::{MARK, group};
use super::keys;
use super::reading::{ReadLog, read_all};
use super::writing::{Disk as _, Log, sync};
use crate::witness::entry::{Entry, Key};

/// The folder of a witness, which one process has at a time.
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

/// What a folder has.
pub struct Found {
    pub log: Log,
    pub key: Key,
    /// Where a log was put that is not used.
    pub aside: Option<PathBuf>,
}

impl Folder {
    /// # Errors
    ///
    /// [`LogError::InUse`], or as the system says.
    pub fn lock(path: &Path) -> Result<Self, LogError> {
        let parents = parents_of_missing(path);
        fs::create_dir_all(path)?;
        for parent in &parents {
            sync(parent)?;
        }
        let file = open(&path.join("lock"))?;
        lock(&file)?;
        Ok(Self {
            path: path.to_owned(),
            _lock: file,
        })
    }

    fn log(&self) -> PathBuf {
        self.path.join("log")
    }

    fn new_log(&self) -> PathBuf {
        self.path.join("log.new")
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
        let file = match OpenOptions::new().read(true).write(true).open(self.log()) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        // The file itself, too, as somebody may have removed the one beside it. A process that had it may have written
        // another one since.
        lock(&file)?;
        if !is_at(&file, &self.log())? {
            return Err(LogError::InUse);
        }
        let len = file.metadata()?.len();
        let start = |key: &Key| match key.chain() == chain {
            true => start(key).ok_or(LogError::Damaged),
            false => Err(LogError::OtherChain),
        };
        let (read, found) = read_all(BufReader::new(&file), len, start, step)?;
        Ok(Some((Old { file, read }, found)))
    }

    /// Goes on with a log that was read, which is written anew if there is place for it. `keeps` says what is needed of
    /// it. The disk has all of it afterwards, its name as well: what it has is said without a group more.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn go_on(&self, old: Old, keeps: impl Fn(&Entry) -> Keeps) -> io::Result<Log> {
        let Old { file, read } = old;
        let mut log = match self.try_anew(&file, &read, keeps) {
            Ok(log) => log,
            // It was read otherwise before, so that nothing is said that is based on it.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Err(error),
            // The process that has given it its name may have ended before the disk knew.
            Err(_) => Log::after(file, read)?.named_in(&self.path),
        };
        log.sync_name()?;
        Ok(log)
    }

    /// Writes a log anew to which groups are added, with what is needed of it. If that fails the log is as it was.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn shorten(&self, log: &Log, keeps: impl Fn(&Entry) -> Keeps) -> io::Result<Log> {
        let file = File::open(self.log())?;
        self.try_anew(&file, log.written(), keeps)
    }

    fn try_anew(
        &self,
        old: &File,
        read: &ReadLog,
        keeps: impl Fn(&Entry) -> Keeps,
    ) -> io::Result<Log> {
        let written = self.write_anew(old, read, keeps, &mut |_| Ok(()));
        written.inspect_err(|_| {
            // The log that is used on needs the place, if there is so little.
            let _ = fs::remove_file(self.new_log());
        })
    }

    /// Writes the log anew, with what is needed of it. At any moment the one or the other is there whole.
    fn write_anew(
        &self,
        old: &File,
        read: &ReadLog,
        keeps: impl Fn(&Entry) -> Keeps,
        done: &mut dyn FnMut(Step) -> io::Result<()>,
    ) -> io::Result<Log> {
        let mut file = self.open_new()?;
        done(Step::Begun)?;
        let written = copy(old, read, &mut file, keeps)?;
        done(Step::Written)?;
        file.sync_all()?;
        done(Step::Synced)?;
        self.rename_new()?;
        done(Step::Renamed)?;
        Ok(Log::of(file, written).named_in(&self.path))
    }

    /// Opens the file that takes the place of the log when it is written.
    fn open_new(&self) -> io::Result<File> {
        let file = open(&self.new_log())?;
        // Nothing is cut off that another process writes.
        lock(&file).map_err(|_| io::ErrorKind::WouldBlock)?;
        file.set_len(0)?;
        Ok(file)
    }

    fn rename_new(&self) -> io::Result<()> {
        fs::rename(self.new_log(), self.log())
    }

    /// The keys of the witnesses that the folder has had, the oldest first.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn keys(&self) -> io::Result<Vec<Address>> {
        keys::read(&self.path)
    }

    /// Whether the folder has had another key after this one.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn is_past(&self, key: Address) -> io::Result<bool> {
        let keys = self.keys()?;
        Ok(keys.contains(&key) && keys.last() != Some(&key))
    }

    /// Notes the key of a log that goes on.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn note(&self, key: Address) -> io::Result<()> {
        keys::note(&self.path, key)
    }

    /// Begins a log with this key.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn begin(&self, key: Key) -> io::Result<Found> {
        let mut file = self.open_new()?;
        let (group, checksum) = group(MARK, [0; 8], &[Entry::Key(key.clone())])?;
        file.write_at(0, &group)?;
        file.sync_all()?;
        // Where the disk takes nothing, no key is noted that was never used.
        if let Some(session) = SessionKey::from_secret(&key.secret) {
            self.note(session.address())?;
        }
        self.rename_new()?;
        sync(&self.path)?;
        let written = ReadLog {
            key: key.clone(),
            last: 0,
            end: group.len() as u64,
            checksum,
        };
        let log = Log::of(file, written);
        Ok(Found {
            log,
            key,
            aside: None,
        })
    }

    /// Puts the log aside, and begins one with another key, which `anew` has for the next try if it fails: however many
    /// there are, one key is noted and one log put aside.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn begin_anew(
        &self,
        anew: &mut Option<Key>,
        new_key: impl FnOnce() -> Key,
    ) -> io::Result<Found> {
        let key = match anew {
            Some(key) => key,
            None => {
                match self.put_aside() {
                    // Somebody has removed it.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    done => drop(done?),
                }
                anew.insert(new_key())
            }
        };
        let found = self.begin(key.clone())?;
        *anew = None;
        Ok(found)
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
        sync(&self.path)?;
        Ok(aside)
    }
}

/// The folders in which a name is made when a folder is made with those above it.
fn parents_of_missing(path: &Path) -> Vec<PathBuf> {
    let missing = path.ancestors().take_while(|folder| {
        let has_name = !folder.as_os_str().is_empty();
        has_name && !folder.exists()
    });
    let parent = |folder: &Path| match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    missing.map(parent).collect()
}

/// Whether a file is the one with this name.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let (file, named) = (file.metadata()?, fs::metadata(path)?);
        Ok((file.dev(), file.ino()) == (named.dev(), named.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        Ok(true)
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
}

/// Opens a file that nobody else reads, as it has a secret.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use connect4_protocol::signed::Native;
    use connect4_protocol::signed::{GameNumber, Moves, WitnessedEnd};
    use connect4_rules::{ByPlayer, Player};
    use connect4_testing::signed::SignedPlay;

    use super::*;
    use crate::witness::core::Core;
    use crate::witness::entry::Moment;
    use crate::witness::game::Known;

    const CHAIN: Chain = connect4_testing::signed::CHAIN;

    /// A folder that is removed with its files.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let name = format!("connect4-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let _ = fs::remove_dir_all(&path);
            Self(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn time(at: u64) -> Moment {
        Moment { at, fair: at }
    }

    fn key() -> Key {
        Key {
            secret: [7; 32],
            chain_id: CHAIN.id,
            genesis: CHAIN.genesis,
            made: time(0),
        }
    }

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

    /// A game that goes on and one that has ended, and the entries of both among many without an effect.
    fn played() -> ([SignedPlay; 2], Vec<Entry>) {
        let made = |play: &SignedPlay, bin: u8, bins: &[u8], at| Entry::Moved {
            game: play.number,
            bin,
            signature: play.made(bins).signature,
            left: ByPlayer::default(),
            time: time(at),
        };
        let plays = [1, 2].map(|number| SignedPlay::new(number, Address([1; 20]), None, 9));
        let [goes_on, over] = &plays;
        let opened = plays.iter().map(|play| Entry::Opened {
            terms: play.signed,
            time: time(10),
        });
        let mut entries: Vec<Entry> = opened.collect();
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
        (plays, entries)
    }

    fn write(folder: &Folder, entries: &[Entry]) -> Log {
        let mut log = folder.begin(key()).expect("a disk").log;
        for group in entries.chunks(100) {
            log.add(group).expect("a disk");
        }
        log
    }

    /// It is killed after each step of writing the log anew.
    #[test]
    fn a_log_is_whole_at_each_step_of_writing_it_anew() {
        let scratch = Scratch::new("anew");
        let folder = Folder::lock(&scratch.0).expect("a folder");
        let ([goes_on, over], entries) = played();
        drop(write(&folder, &entries));
        let (len, _, core, old) = replayed(&folder);
        let (last, told) = (core.last(), known(core, goes_on.number));
        assert_eq!(last, time(6_099));
        drop(old);
        let (_, _, core, old) = replayed(&folder);
        let ended = known(core, over.number);
        assert!(ended.contains("Resignation"));
        drop(old);
        let image = fs::read(folder.log()).expect("a log");
        for killed in [Step::Begun, Step::Written, Step::Synced, Step::Renamed] {
            fs::write(folder.log(), &image).expect("a file");
            let (_, _, core, old) = replayed(&folder);
            let stop = &mut |step| match step == killed {
                true => Err(io::ErrorKind::Interrupted.into()),
                false => Ok(()),
            };
            let kept = core.kept();
            let done = folder.write_anew(&old.file, &old.read, |entry| kept.keeps(entry), stop);
            assert!(done.is_err(), "it is killed");
            drop(old);
            let (after, entries, core, old) = replayed(&folder);
            assert_eq!(core.last(), last);
            assert_eq!(known(core, goes_on.number), told, "{killed:?}");
            drop(old);
            let (_, _, core, _) = replayed(&folder);
            assert_eq!(known(core, over.number), ended, "{killed:?}");
            match killed >= Step::Renamed {
                true => assert!(entries.len() < 10, "{entries:?}"),
                false => assert_eq!(after, len, "{killed:?}"),
            }
        }
    }

    /// Ends that it has are told at once, before a group more is written.
    #[test]
    fn a_disk_knows_the_name_of_a_log_that_goes_on() {
        let scratch = Scratch::new("named");
        let folder = Folder::lock(&scratch.0).expect("a folder");
        let (_, entries) = played();
        drop(write(&folder, &entries));
        for has_place in [true, false] {
            if !has_place {
                fs::create_dir(folder.new_log()).expect("a folder");
            }
            let (_, _, core, old) = replayed(&folder);
            let kept = core.kept();
            let log = folder.go_on(old, |entry| kept.keeps(entry));
            assert!(log.expect("a disk").is_name_synced(), "{has_place}");
        }
    }

    /// As on a disk that fails at any step for a while.
    #[test]
    fn a_log_that_is_begun_anew_has_one_key_however_often_it_is_tried() {
        let scratch = Scratch::new("tries");
        let folder = Folder::lock(&scratch.0).expect("a folder");
        drop(write(&folder, &[]));
        let mut last = 10;
        let mut new_key = || {
            last += 1;
            Key {
                secret: [last; 32],
                ..key()
            }
        };
        let mut anew = None;
        fs::create_dir(folder.new_log()).expect("a folder");
        assert!(folder.begin_anew(&mut anew, &mut new_key).is_err());
        fs::remove_dir(folder.new_log()).expect("a folder");
        // It gets its name only later, and its key is noted before.
        fs::create_dir(folder.log()).expect("a folder");
        for _ in 0..3 {
            assert!(folder.begin_anew(&mut anew, &mut new_key).is_err());
        }
        fs::remove_dir(folder.log()).expect("a folder");
        let found = folder.begin_anew(&mut anew, &mut new_key).expect("a disk");
        assert_eq!(found.key.secret, [11; 32], "the first one");
        assert!(anew.is_none());
        assert_eq!(folder.keys().expect("keys").len(), 2);
        let aside = |number| scratch.0.join(format!("log.aside.{number}"));
        assert!(aside(1).exists() && !aside(2).exists());
    }

    /// While it is used: what is added afterwards is behind what was kept.
    #[test]
    fn a_log_that_is_used_is_written_anew() {
        let scratch = Scratch::new("used");
        let folder = Folder::lock(&scratch.0).expect("a folder");
        let ([goes_on, over], entries) = played();
        let (before, after) = entries.split_at(entries.len() - 50);
        let log = write(&folder, before);
        let mut core = Core::new(Address([1; 20]), CHAIN, Native, time(0));
        for entry in before {
            core.replay(entry).expect("a whole log");
        }
        let kept = core.kept();
        let len = log.bytes();
        let mut log = folder
            .shorten(&log, |entry| kept.keeps(entry))
            .expect("a disk");
        assert!(10 * log.bytes() < len, "{} of {len}", log.bytes());
        log.add(after).expect("a disk");
        assert!(!folder.new_log().exists(), "it has taken its place");
        drop(log);
        for game in [goes_on.number, over.number] {
            let (_, _, core, old) = replayed(&folder);
            let read = known(core, game);
            drop(old);
            let whole = Core::resume(Address([1; 20]), CHAIN, Native, &entries, 0, 0);
            assert_eq!(read, known(whole.expect("a whole log"), game));
        }
    }

    #[test]
    fn a_log_that_there_is_no_place_to_write_anew_goes_on_and_stays_locked() {
        let scratch = Scratch::new("no-place");
        let folder = Folder::lock(&scratch.0).expect("a folder");
        let (_, entries) = played();
        drop(write(&folder, &entries));
        // What was torn is cut off.
        let (len, _, core, old) = replayed(&folder);
        drop(old);
        let mut image = fs::read(folder.log()).expect("a log");
        let end = usize::try_from(len).expect("a small log");
        image[end..end + 30].fill(1);
        fs::write(folder.log(), &image).expect("a file");
        fs::create_dir(folder.new_log()).expect("a folder");
        let (again, _, _, old) = replayed(&folder);
        assert_eq!(again, len);
        let kept = core.kept();
        let mut log = folder
            .go_on(old, |entry| kept.keeps(entry))
            .expect("a disk");
        assert_eq!(log.bytes(), len);
        // Somebody removes the file beside it.
        fs::remove_file(folder.path.join("lock")).expect("a file");
        let other = Folder::lock(&scratch.0).expect("a folder");
        let read = other.read(CHAIN, |_| Some(()), |(), _| Some(()));
        assert!(matches!(read, Err(LogError::InUse)));
        log.add(&[Entry::Alive(time(7_000))]).expect("a disk");
        drop(log);
        let (_, all, ..) = replayed(&folder);
        assert_eq!(all.len(), entries.len() + 1);
    }

    #[test]
    fn a_file_is_no_log_any_more_once_another_one_has_its_name() {
        let scratch = Scratch::new("renamed");
        let folder = Folder::lock(&scratch.0).expect("a folder");
        let log = write(&folder, &[]);
        let file = File::open(folder.log()).expect("a log");
        assert!(is_at(&file, &folder.log()).expect("a log"));
        let new = folder.shorten(&log, |_| Keeps::Nothing).expect("a disk");
        drop(log);
        lock(&file).expect("nobody else has it");
        assert!(!is_at(&file, &folder.log()).expect("a log"));
        // And what another process writes at the moment is not cut off.
        drop(new);
        let writing = folder.open_new().expect("a file");
        writing.set_len(9).expect("a disk");
        assert!(folder.open_new().is_err());
        assert_eq!(writing.metadata().expect("a file").len(), 9);
    }

    #[test]
    fn a_log_that_is_read_otherwise_the_second_time_is_left_as_it_is() {
        let scratch = Scratch::new("otherwise");
        let folder = Folder::lock(&scratch.0).expect("a folder");
        let (_, entries) = played();
        let log = write(&folder, &entries);
        let last = usize::try_from(log.written().last).expect("a small log");
        drop(log);
        let (_, _, core, old) = replayed(&folder);
        let mut image = fs::read(folder.log()).expect("a log");
        image[last + 40] ^= 1;
        fs::write(folder.log(), &image).expect("a file");
        let kept = core.kept();
        let error = folder.go_on(old, |entry| kept.keeps(entry)).err();
        let error = error.expect("the last group is gone");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert!(!folder.new_log().exists(), "it would take place");
        assert_eq!(fs::read(folder.log()).expect("a log"), image);
    }

    #[test]
    fn each_folder_in_which_a_name_was_made_is_synced() {
        let scratch = Scratch::new("parents");
        let deep = scratch.0.join("a/b");
        let above = std::env::temp_dir();
        let parents = parents_of_missing(&deep);
        assert_eq!(parents, [scratch.0.join("a"), scratch.0.clone(), above]);
        drop(Folder::lock(&deep).expect("a folder"));
        assert!(parents_of_missing(&deep).is_empty());
        let here = parents_of_missing(Path::new("connect4-no-such-folder"));
        assert_eq!(here, [PathBuf::from(".")]);
    }
}
