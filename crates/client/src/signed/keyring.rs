//! Session keys on disk.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use connect4_protocol::Address;
use connect4_protocol::signed::SessionKey;
use connect4_seat::Phrase;

use super::earlier_games::EarlierGames;
use super::key_file::{Record, read, write};
use super::keyring_error::{KeyringError, failed};
use crate::durable;
use crate::file_lock::FileLock;

/// A folder with session keys, a file each.
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

    /// Makes the key of a guest, which is its own account, for signed games. It is on disk when this returns.
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
        self.create_with(phrase.key(), Some(&phrase))
    }

    /// Makes a session key of this machine for the guest with this phrase, who may play elsewhere: the same key on
    /// two machines would sign a turn twice. It is on disk when this returns.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn restore_guest(&self, phrase: &Phrase) -> Result<SessionKey, KeyringError> {
        self.create_with(random_key(), Some(phrase))
    }

    /// Makes a session key for all signed games of an account on this machine. It is on disk when this returns.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn create_session(&self) -> Result<SessionKey, KeyringError> {
        self.create_with(random_key(), None)
    }

    fn create_with(
        &self,
        key: SessionKey,
        phrase: Option<&Phrase>,
    ) -> Result<SessionKey, KeyringError> {
        let record = Record {
            secret: key.secret(),
            phrase: phrase.map(ToString::to_string),
        };
        durable::make_folder(&self.folder).map_err(|error| failed(&self.folder, error))?;
        write(&self.path(key.address()), &record)?;
        Ok(key)
    }

    /// Forgets a key.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn forget(&self, key: LockedKey) -> Result<(), KeyringError> {
        let path = &key.path;
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

    /// Opens the key of a guest or an account, for its games. Until it is dropped no other program can.
    ///
    /// # Errors
    ///
    /// 1. [`KeyringError::NoKey`] if there is none,
    /// 2. [`KeyringError::InUse`] if another program has it open,
    /// 3. [`KeyringError::Damaged`] if the file was changed or cut off,
    /// 4. [`KeyringError::Io`].
    pub fn open_guest(&self, key: Address) -> Result<LockedKey, KeyringError> {
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
            key: session,
            path,
            phrase: record.phrase,
            _lock: lock,
        })
    }

    /// The key with this address, also while another program has it open. What it signs in a signed game is kept in the
    /// record of that game.
    ///
    /// # Errors
    ///
    /// As [`Self::open_guest`], but for [`KeyringError::InUse`].
    pub fn key(&self, key: Address) -> Result<SessionKey, KeyringError> {
        let path = self.existing(key)?;
        let session = SessionKey::from_secret(&read(&path)?.secret);
        let session = session.filter(|session| session.address() == key);
        session.ok_or(KeyringError::Damaged(path))
    }

    /// What earlier versions kept beside the keys of games that are not played any more.
    #[must_use]
    pub fn earlier_games(&self) -> EarlierGames {
        EarlierGames::in_folder(&self.folder)
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

    /// Where the keys are.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, key: Address) -> PathBuf {
        self.folder.join(format!("{key}.key"))
    }
}

/// A session key that this program has to itself.
#[derive(Debug)]
pub struct LockedKey {
    key: SessionKey,
    path: PathBuf,
    phrase: Option<String>,
    _lock: FileLock,
}

impl LockedKey {
    /// The key.
    #[must_use]
    pub const fn key(&self) -> &SessionKey {
        &self.key
    }

    /// The phrase of the guest who plays by the key; none if it is no guest's, or was made by a program that had
    /// no phrases.
    #[must_use]
    pub fn phrase(&self) -> Option<Phrase> {
        self.phrase.as_ref()?.parse().ok()
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

/// Takes the right to use a file, by one beside it.
pub(super) fn lock(path: &Path) -> Result<FileLock, KeyringError> {
    let lock = FileLock::take(path).map_err(|error| failed(path, error))?;
    lock.ok_or_else(|| KeyringError::InUse(path.to_owned()))
}
