//! Session keys on disk, each with what was signed by it.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use connect4_protocol::Address;
use connect4_protocol::fast::{Domain, SessionKey};
use connect4_rules::Player;
use connect4_seat::{Journal, Keep, Phrase, Subject};

use super::agreement::Agreement;
use super::games_by_terms::GamesByTerms;
use super::key_file::{Game, Record, read, write};
use super::keyring_error::{KeyringError, failed};
use crate::durable;

/// A folder with session keys. Each has a file with its secret, the [`Journal`]s of its games and what was
/// [agreed](Agreement) on, which is replaced as a whole: so a key that is there is there with all that was
/// signed by it.
#[derive(Clone, Debug)]
pub struct Keyring {
    folder: PathBuf,
}

impl Keyring {
    /// The session keys in this folder, which need not exist.
    #[must_use]
    pub const fn in_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Makes a new session key for a game on which this was agreed. It is on disk when this returns.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn create(&self, agreement: Agreement) -> Result<SessionKey, KeyringError> {
        self.create_with(random_key(), Some(agreement), None)
    }

    /// Makes the key of a guest, which is its own account, for games by signed terms. It is on disk when this
    /// returns.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn create_guest(&self) -> Result<SessionKey, KeyringError> {
        let phrase = loop {
            // Random bytes are no phrase with a probability of 2^-120.
            if let Some(phrase) = Phrase::from_random(&rand::random()) {
                break phrase;
            }
        };
        self.create_with(phrase.key(), None, Some(&phrase))
    }

    /// Makes a session key of this machine for the guest with this phrase, who may play elsewhere: the same key on
    /// two machines would sign a turn twice. It is on disk when this returns.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn restore_guest(&self, phrase: &Phrase) -> Result<SessionKey, KeyringError> {
        self.create_with(random_key(), None, Some(phrase))
    }

    /// Makes a session key for all games by signed terms of an account on this machine. It is on disk when this
    /// returns.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn create_session(&self) -> Result<SessionKey, KeyringError> {
        self.create_with(random_key(), None, None)
    }

    fn create_with(
        &self,
        key: SessionKey,
        agreement: Option<Agreement>,
        phrase: Option<&Phrase>,
    ) -> Result<SessionKey, KeyringError> {
        let record = Record {
            secret: key.secret(),
            games: Vec::new(),
            agreement,
            phrase: phrase.map(ToString::to_string),
        };
        durable::make_folder(&self.folder).map_err(|error| failed(&self.folder, error))?;
        write(&self.path(key.address()), &record)?;
        Ok(key)
    }

    /// Forgets a key, with all that was signed by it.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn forget(&self, key: LockedKey) -> Result<(), KeyringError> {
        let path = &key.file.path;
        fs::remove_file(path).map_err(|error| failed(path, error))
    }

    /// The addresses of all session keys.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn addresses(&self) -> Result<Vec<Address>, KeyringError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| failed(&self.folder, error))?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| failed(&self.folder, error))?;
            let name = entry.file_name();
            let address = name.to_str().and_then(|name| name.strip_suffix(".key"));
            found.extend(address.and_then(|address| address.parse::<Address>().ok()));
        }
        found.sort_unstable_by_key(|address| address.0);
        Ok(found)
    }

    /// Opens the key with this address for one game. Until it is dropped no other program can.
    ///
    /// # Errors
    ///
    /// 1. [`KeyringError::NoKey`] if there is none,
    /// 2. [`KeyringError::InUse`] if another program has it open,
    /// 3. [`KeyringError::Damaged`] if the file was changed or cut off,
    /// 4. [`KeyringError::Io`].
    pub fn open(&self, key: Address, of: &Subject) -> Result<LockedKey, KeyringError> {
        self.open_for(key, game_of(of))
    }

    /// Opens the key of a guest, for its games. Until it
    /// is dropped no other program can.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn open_guest(&self, key: Address) -> Result<LockedKey, KeyringError> {
        self.open_for(key, (0, Address::ZERO, 0.into()))
    }

    fn open_for(&self, key: Address, game: Game) -> Result<LockedKey, KeyringError> {
        let path = self.existing(key)?;
        let lock = lock(&path.with_extension("lock"))?;
        // Only with the lock: the program that had it may have written.
        let record = read(&path)?;
        let damaged = || KeyringError::Damaged(path.clone());
        let session = SessionKey::from_secret(&record.secret).ok_or_else(damaged)?;
        if session.address() != key {
            return Err(damaged());
        }
        Ok(LockedKey {
            game,
            key: session,
            file: Arc::new(LockedFile {
                path,
                record: Mutex::new(record),
                _lock: lock,
            }),
        })
    }

    /// Reads the journal of one game of this key, also while another program plays it. It is not judged.
    ///
    /// # Errors
    ///
    /// As [`Self::open`], but for [`KeyringError::InUse`].
    pub fn peek(&self, key: Address, of: &Subject) -> Result<Journal, KeyringError> {
        let path = self.existing(key)?;
        Ok(read(&path)?.journal(game_of(of)))
    }

    /// What was agreed on when the key with this address was made; none if its file is of a program that
    /// did not keep it.
    ///
    /// # Errors
    ///
    /// As [`Self::peek`].
    pub fn agreement(&self, key: Address) -> Result<Option<Agreement>, KeyringError> {
        Ok(read(&self.existing(key)?)?.agreement)
    }

    /// The key with this address, also while another program has it open. What it signs in a signed game is kept in the
    /// record of that game.
    ///
    /// # Errors
    ///
    /// As [`Self::peek`].
    pub fn key(&self, key: Address) -> Result<SessionKey, KeyringError> {
        let path = self.existing(key)?;
        let session = SessionKey::from_secret(&read(&path)?.secret);
        let session = session.filter(|session| session.address() == key);
        session.ok_or(KeyringError::Damaged(path))
    }

    /// The games of this contract and chain in which the keys play, as far as they are known: the number of
    /// a game that was not opened yet is not. Files that can't be read are left out.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`] if the folder can't be read.
    pub fn games(&self, domain: Domain) -> Result<BTreeSet<u32>, KeyringError> {
        let mut numbers = BTreeSet::new();
        for key in self.addresses()? {
            let Ok(record) = read(&self.path(key)) else {
                continue;
            };
            let here = (domain.chain_id, domain.contract);
            let kept = record.games.iter().map(|(game, _)| *game);
            let kept = kept.filter(|(chain_id, contract, _)| (*chain_id, *contract) == here);
            numbers.extend(kept.filter_map(|(_, _, number)| number.on_chain()));
            let agreed = record.agreement.filter(|agreed| agreed.is_at(domain));
            numbers.extend(agreed.and_then(|agreed| agreed.game()));
        }
        Ok(numbers)
    }

    /// The games by signed terms of this guest's keys.
    #[must_use]
    pub fn games_by_terms(&self) -> GamesByTerms {
        GamesByTerms::in_folder(&self.folder)
    }

    /// Whether the key with this address is there.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn holds(&self, key: Address) -> Result<bool, KeyringError> {
        let path = self.path(key);
        path.try_exists().map_err(|error| failed(&path, error))
    }

    /// The path of a key that is there.
    fn existing(&self, key: Address) -> Result<PathBuf, KeyringError> {
        if self.holds(key)? {
            return Ok(self.path(key));
        }
        Err(KeyringError::NoKey {
            key,
            folder: self.folder.clone(),
        })
    }

    /// Where the keys are, and what was signed by them.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, key: Address) -> PathBuf {
        self.folder.join(format!("{key}.key"))
    }
}

/// A session key that this program has to itself, for one game.
#[derive(Debug)]
pub struct LockedKey {
    game: Game,
    key: SessionKey,
    file: Arc<LockedFile>,
}

/// The file of a key, locked as long as it is open.
#[derive(Debug)]
struct LockedFile {
    path: PathBuf,
    record: Mutex<Record>,
    _lock: File,
}

impl LockedFile {
    /// What is in the file. A game that is played meanwhile waits.
    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LockedKey {
    /// The key.
    #[must_use]
    pub const fn key(&self) -> &SessionKey {
        &self.key
    }

    /// What was kept of the game, which is not judged; an empty journal if nothing was.
    #[must_use]
    pub fn journal(&self) -> Journal {
        self.file.record().journal(self.game)
    }

    /// The phrase of the guest who plays by the key; none if it is no guest's, or was made by a program that had
    /// no phrases.
    #[must_use]
    pub fn phrase(&self) -> Option<Phrase> {
        self.file.record().phrase.as_ref()?.parse().ok()
    }

    /// What was agreed on; none if the file is of a program that did not keep it.
    #[must_use]
    pub fn agreement(&self) -> Option<Agreement> {
        self.file.record().agreement
    }

    /// Keeps what a final block shows of the game and could not be known before: its number, and the
    /// opponent's account and key. The key is this player's, and the game the one that was agreed on.
    pub(super) fn bind(&mut self, shown: &Subject, player: Player) -> Result<(), KeyringError> {
        let mut kept = self.file.record();
        let incomplete = |agreed: &Agreement| agreed.game().is_none();
        let Some(agreed) = kept.agreement.filter(incomplete) else {
            return Ok(());
        };
        // After an error of the disk a journal may be there that was not kept, as far as it is known here: a
        // guard may have passed on what is signed in it.
        let record = Record {
            agreement: Some(agreed.completed(shown, player)),
            ..read(&self.file.path)?
        };
        write(&self.file.path, &record)?;
        *kept = record;
        Ok(())
    }
}

impl Keep for LockedKey {
    type Error = KeyringError;

    fn keep(&mut self, journal: &Journal) -> Result<(), KeyringError> {
        let mut kept = self.file.record();
        let mut record = kept.clone();
        record.games.retain(|(game, _)| *game != self.game);
        record.games.push((self.game, journal.clone()));
        write(&self.file.path, &record)?;
        *kept = record;
        Ok(())
    }

    fn may_have(&self, journal: &Journal) -> bool {
        read(&self.file.path).map_or(true, |record| record.journal(self.game) == *journal)
    }
}

fn random_key() -> SessionKey {
    loop {
        // A random number is no key with a probability of 2^-128.
        if let Some(key) = SessionKey::from_secret(&rand::random()) {
            return key;
        }
    }
}

fn game_of(subject: &Subject) -> Game {
    let domain = subject.domain();
    (domain.chain_id, domain.contract, subject.number())
}

pub(crate) fn lock(path: &Path) -> Result<File, KeyringError> {
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|error| failed(path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(KeyringError::InUse(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(failed(path, error)),
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::Terms;
    use connect4_protocol::fast::{FIRST, Moves};
    use connect4_testing::fast::FastPlay;
    use tempfile::TempDir;

    use super::*;

    /// The disk fails after the file with a signed move has its name: a guard reads the move there.
    #[test]
    fn what_may_be_kept_in_spite_of_an_error_is_there_when_the_game_is_final() {
        let folder = TempDir::new().unwrap();
        let keyring = Keyring::in_folder(folder.path().into());
        let play = FastPlay::new(FIRST);
        let of = Subject::new(play.number, play.domain, play.game);
        let terms = Terms {
            shape: of.shape().into(),
            clock: None,
            stake: 0,
        };
        let account = of.account_of(Player::One);
        let agreed = Agreement::new(play.domain, account, None, terms);
        let key = keyring.create(agreed).unwrap().address();
        let mut locked = keyring.open(key, &of).unwrap();
        let mut signed = Journal::default();
        signed.position.moves = Moves::from_bins(&[3]).unwrap();
        let written = Record {
            games: vec![(game_of(&of), signed.clone())],
            ..locked.file.record().clone()
        };
        write(&locked.file.path, &written).unwrap();

        locked.bind(&of, Player::One).unwrap();
        assert_eq!(keyring.peek(key, &of).unwrap(), signed);
        let kept = keyring.agreement(key).unwrap().unwrap();
        assert_eq!(kept.game(), Some(play.number));
    }
}
