//! The records of signed games on the disk.

use std::fmt;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use codec::{Decode, DecodeAll, Encode};
use connect4_protocol::Address;
use connect4_protocol::signed::Native;
use connect4_protocol::signed::wire::FRESH;
use connect4_protocol::signed::{Chain, Finished, GameNumber, Terms};
use connect4_seat::{GameOffer, Progress, Record, Refund, Room, Shelf};

use super::Keyring;
use super::clocks::machine;
use super::keyring::lock;
use super::keyring_error::{KeyringError, failed};
use crate::durable;
use crate::file_lock::FileLock;

/// The first bytes of a file: what it is, and the version of its layout.
const MAGIC: &[u8; 8] = b"c4game\0\x02";
/// Those of earlier programs, which kept no times of moves.
const WITHOUT_TIMES: &[u8; 8] = b"c4game\0\x01";
/// After how many seconds a game without a receipt does not begin any more, however late its witness is reached.
const DAY: u64 = 86_400;
/// How the name of a file ends.
const ENDS: &str = "game";
/// How the name of the empty file beside it ends once its game is on the chain.
const RECORDED_ENDS: &str = "recorded";

/// The folder with the records of signed games, beside the session keys by which they are played. Each has a file, which
/// is replaced as a whole, and belongs to one program at a time.
#[derive(Clone, Debug)]
pub struct SignedGames {
    keyring: Keyring,
    folder: PathBuf,
}

/// Name of a record: the key that plays, and a random number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameName {
    key: [u8; 20],
    random: u64,
}

impl GameName {
    /// The session key of the player.
    #[must_use]
    pub const fn key(&self) -> Address {
        Address(self.key)
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:016x}", self.key(), self.random)
    }
}

/// Reads what `Display` writes.
impl FromStr for GameName {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (key, random) = text.split_once('-').ok_or(())?;
        let key: Address = key.parse().map_err(|_| ())?;
        let random = u64::from_str_radix(random, 16).map_err(|_| ())?;
        let name = Self { key: key.0, random };
        (name.to_string() == text).then_some(name).ok_or(())
    }
}

/// What is in a file.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct KeptRecord {
    /// Number of the block from which on somebody can have paid for the offer of a stake.
    pub since: u32,
    /// The record.
    pub record: Record,
    /// What time was left after each move to the player who made it, in milliseconds, as receipts have told; none of a move
    /// of which this program has no receipt.
    pub left: Vec<Option<u64>>,
}

impl KeptRecord {
    /// The terms whose signatures may be on the disk or elsewhere: those of the game, or both that a coin decides between.
    fn all_terms(&self) -> impl Iterator<Item = &Terms> {
        let tossed = self.record.tossed.iter().flatten();
        let tossed = tossed.map(|half| &half.terms);
        self.record.terms.iter().chain(tossed)
    }

    /// Whether the offer stands at this time, in seconds since 1970, or the game has begun, or may have, and its end is
    /// not kept here. A game that both have agreed to, but for which no room has given a receipt for a day, has not
    /// begun.
    #[must_use]
    pub fn is_open(&self, now: u64) -> bool {
        let Record {
            offer,
            terms,
            progress,
            refund,
            room,
            ..
        } = &self.record;
        let is_fresh = |time: u64| now <= time.saturating_add(FRESH);
        match (room, terms) {
            (Some(room), _) => {
                let time = room.agreed.terms.time;
                let may_begin = room.is_agreed() && now <= time.saturating_add(DAY);
                room.end.is_none() && (room.receipt.is_some() || may_begin || is_fresh(time))
            }
            (None, Some(_)) => !matches!(progress, Progress::Ended(_)) && *refund != Refund::Seen,
            (None, None) => now <= offer.until && *refund == Refund::None,
        }
    }

    /// Whether the game has begun, as a receipt or a block shows.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        let room = self.record.room.as_ref();
        room.is_some_and(|room| room.receipt.is_some())
            || matches!(self.record.progress, Progress::Begun | Progress::Ended(_))
    }

    /// Whether the opponent of this key has moved in a game without a stake, as a receipt shows.
    #[must_use]
    pub fn has_opponent_moved(&self, key: Address) -> bool {
        let Some(room) = &self.record.room else {
            return false;
        };
        let moves = room.receipt.map_or(0, |told| told.moves.len());
        match room.agreed.terms.players.one.key() == key {
            true => moves > 1,
            false => moves > 0,
        }
    }

    /// When the terms were made, or the last second of the offer.
    #[must_use]
    pub fn time(&self) -> u64 {
        let record = &self.record;
        record.terms.map_or(record.offer.until, |terms| terms.time)
    }

    /// Reads the record in this file.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Damaged`] if it is none, [`KeyringError::Io`].
    pub fn read(path: &Path) -> Result<Self, KeyringError> {
        let sealed = durable::read_sealed(path).map_err(|error| failed(path, error))?;
        let kept = sealed.and_then(|(magic, kept)| match &magic {
            MAGIC => Self::decode_all(&mut &kept[..]).ok(),
            WITHOUT_TIMES => {
                let (since, record) = DecodeAll::decode_all(&mut &kept[..]).ok()?;
                let left = Vec::new();
                Some(Self {
                    since,
                    record,
                    left,
                })
            }
            _ => None,
        });
        kept.ok_or_else(|| KeyringError::Damaged(path.to_owned()))
    }

    /// Whether the game in this file was [said](Self::set_recorded) to be on the chain.
    #[must_use]
    pub fn is_recorded(path: &Path) -> bool {
        path.with_extension(RECORDED_ENDS).exists()
    }

    /// Says of the game in this file that it is on the chain.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn set_recorded(path: &Path) -> Result<(), KeyringError> {
        let mark = path.with_extension(RECORDED_ENDS);
        File::create(&mark).map_err(|error| failed(&mark, error))?;
        Ok(())
    }

    /// The chain of a game without a stake and all that shows how the game has ended; none before it has, or if it is
    /// void.
    #[must_use]
    pub fn finished(&self) -> Option<(Chain, Finished)> {
        let room = self.record.room.as_ref()?;
        let finished = room.end?.finished(&room.agreed)?;
        Some((self.record.offer.domain.chain, finished))
    }

    /// Whether its player plays, or may come to play, the game with this number.
    fn is_of(&self, game: GameNumber) -> bool {
        let domain = &self.record.offer.domain;
        let mut all = self.all_terms();
        all.any(|terms| terms.number(domain, &Native) == game)
    }
}

impl SignedGames {
    /// The records beside the keys of a keyring. The folder need not exist.
    #[must_use]
    pub fn beside(keyring: &Keyring) -> Self {
        Self {
            keyring: keyring.clone(),
            folder: keyring.folder().join("signed"),
        }
    }

    /// The keys by which games are played.
    #[must_use]
    pub const fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// The names of all records.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn names(&self) -> Result<Vec<GameName>, KeyringError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| failed(&self.folder, error))?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| failed(&self.folder, error))?;
            let name = PathBuf::from(entry.file_name());
            if name.extension().is_some_and(|ends| ends == ENDS) {
                let stem = name.file_stem().and_then(|stem| stem.to_str());
                names.extend(stem.and_then(|stem| stem.parse::<GameName>().ok()));
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Reads a record, also while another program plays its game.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Damaged`], [`KeyringError::Io`].
    pub fn peek(&self, name: GameName) -> Result<KeptRecord, KeyringError> {
        KeptRecord::read(&self.path(name))
    }

    /// Opens a record. Until the shelf is dropped no other program can.
    ///
    /// # Errors
    ///
    /// [`KeyringError::InUse`], then as [`Self::peek`].
    pub fn open(&self, name: GameName) -> Result<(RecordShelf, Record), KeyringError> {
        let lock = lock(&self.path(name).with_extension("lock"))?;
        // Only with the lock: the program that had it may have written.
        let KeptRecord {
            since,
            record,
            left,
        } = self.peek(name)?;
        let shelf = RecordShelf {
            games: self.clone(),
            name,
            since,
            left,
            lock,
            has_terms: record.terms.is_some() || record.tossed.is_some(),
        };
        Ok((shelf, record))
    }

    /// The games of this key that go on, or may, the oldest first. An offer that nobody has taken is none, but with a stake:
    /// somebody may have paid for it.
    ///
    /// # Errors
    ///
    /// As [`Self::peek`].
    pub fn open_of(
        &self,
        key: Address,
        now: u64,
    ) -> Result<Vec<(GameName, KeptRecord)>, KeyringError> {
        let mut open = self.of_key(key)?;
        open.retain(|(_, kept)| {
            let may_go_on = kept.record.terms.is_some() || kept.record.offer.terms.stake > 0;
            may_go_on && kept.is_open(now)
        });
        Ok(open)
    }

    /// Forgets the games of this key that do not go on and never will, but for as many of those that have ended, the newest
    /// ones. Their numbers can't come again: their terms are too old.
    ///
    /// # Errors
    ///
    /// As [`Self::peek`].
    pub fn forget_ended(&self, key: Address, keep: usize, now: u64) -> Result<(), KeyringError> {
        let old = now.saturating_sub(DAY);
        let mut ended = self.of_key(key)?;
        ended.retain(|(_, kept)| kept.time() < old && !kept.is_open(now));
        let (begun, others): (Vec<_>, Vec<_>) =
            ended.into_iter().partition(|(_, kept)| kept.has_begun());
        let surplus = begun.len().saturating_sub(keep);
        for (name, _) in begun.into_iter().take(surplus).chain(others) {
            // Nobody else has it, and nobody can come to have it while it is removed.
            let (shelf, _) = self.open(name)?;
            shelf.remove()?;
        }
        Ok(())
    }

    /// All records of a key, the oldest first.
    fn of_key(&self, key: Address) -> Result<Vec<(GameName, KeptRecord)>, KeyringError> {
        let names = self.names()?.into_iter().filter(|name| name.key() == key);
        let kept: Result<Vec<_>, _> = names.map(|name| Ok((name, self.peek(name)?))).collect();
        let mut kept = kept?;
        kept.sort_by_key(|(name, kept)| (kept.time(), *name));
        Ok(kept)
    }

    /// A place for the record of a game that this key begins to play.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub(super) fn create(&self, key: Address, since: u32) -> Result<RecordShelf, KeyringError> {
        durable::make_folder(&self.folder).map_err(|error| failed(&self.folder, error))?;
        let name = GameName {
            key: key.0,
            random: rand::random(),
        };
        Ok(RecordShelf {
            games: self.clone(),
            name,
            since,
            left: Vec::new(),
            lock: lock(&self.path(name).with_extension("lock"))?,
            has_terms: false,
        })
    }

    /// The file of a record.
    #[must_use]
    pub fn path(&self, name: GameName) -> PathBuf {
        self.folder.join(format!("{name}.{ENDS}"))
    }
}

/// The place of one record, which this program has to itself.
#[derive(Debug)]
pub struct RecordShelf {
    games: SignedGames,
    name: GameName,
    since: u32,
    /// As [`KeptRecord::left`].
    left: Vec<Option<u64>>,
    /// It is locked as long as it is open.
    lock: FileLock,
    /// Whether the record has terms, so that no other one may come to have them.
    has_terms: bool,
}

impl RecordShelf {
    /// Name of the record.
    #[must_use]
    pub const fn name(&self) -> GameName {
        self.name
    }

    /// Number of the block from which on somebody can have paid for the offer.
    pub(super) const fn since(&self) -> u32 {
        self.since
    }

    /// Removes the record, with the files beside it.
    pub(super) fn remove(self) -> Result<(), KeyringError> {
        let path = self.games.path(self.name);
        let beside = [RECORDED_ENDS, "lock"].map(|ends| path.with_extension(ends));
        for path in [path].into_iter().chain(beside) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(failed(&path, error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn kept(&self, record: &Record) -> KeptRecord {
        KeptRecord {
            since: self.since,
            record: record.clone(),
            left: self.left.clone(),
        }
    }

    /// The other records of this key. One that can't be read may be any.
    fn others(&self) -> Result<Vec<KeptRecord>, KeyringError> {
        let names = self.games.names()?.into_iter();
        let others = names.filter(|name| name.key == self.name.key && *name != self.name);
        others.map(|name| self.games.peek(name)).collect()
    }
}

impl Shelf for RecordShelf {
    type Error = KeyringError;

    /// The first terms of a record are written while no other program of this folder writes any.
    fn keep(&mut self, record: &Record) -> Result<(), KeyringError> {
        if let Some(room) = &record.room {
            room.note_left(&mut self.left);
        }
        let kept = self.kept(record);
        let has_terms = kept.all_terms().next().is_some();
        let _alone = match has_terms && !self.has_terms {
            false => None,
            true => {
                let path = self.games.folder.join(format!("{}.lock", self.name.key()));
                let alone = lock(&path)?;
                for other in self.others()? {
                    let domain = &record.offer.domain;
                    let mut numbers = kept.all_terms().map(|terms| terms.number(domain, &Native));
                    if numbers.any(|game| other.is_of(game)) {
                        return Err(KeyringError::InUse(path));
                    }
                }
                Some(alone)
            }
        };
        let path = self.games.path(self.name);
        durable::replace_sealed(&path, MAGIC, &kept).map_err(|error| failed(&path, error))?;
        self.has_terms = has_terms;
        Ok(())
    }

    fn may_have(&self, record: &Record) -> bool {
        let kept = self.games.peek(self.name);
        kept.map_or(true, |kept| kept.record == *record)
    }

    fn has_key(&self, key: Address) -> bool {
        self.games.keyring.key(key).is_ok()
    }

    fn has_other(&self, game: GameNumber) -> bool {
        let others = self.others();
        others.map_or(true, |others| others.iter().any(|other| other.is_of(game)))
    }

    fn has_taken(&self, offer: &GameOffer, key: Address) -> bool {
        let others = self.others();
        // The records of a key have its name. Terms that nobody has agreed to in time are no game.
        let late = machine().saturating_sub(2 * FRESH);
        let is_taken = |other: &KeptRecord| {
            let room = other.record.room.as_ref();
            let is_late = |room: &Room| !room.is_agreed() && room.agreed.terms.time < late;
            other.record.offer == *offer && !room.is_some_and(is_late)
        };
        key == self.name.key() && others.map_or(true, |others| others.iter().any(is_taken))
    }

    /// Somebody may have removed the file, so that another program locks a new one.
    fn is_held(&self) -> bool {
        let path = self.games.path(self.name).with_extension("lock");
        self.lock.is_at(&path)
    }
}
