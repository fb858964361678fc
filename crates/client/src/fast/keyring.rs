//! Session keys on disk, each with what was signed by it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use codec::{DecodeAll as _, Encode};
use connect4_protocol::Address;
use connect4_protocol::fast::SessionKey;
use connect4_seat::{Book, Keep, Subject};
use sp_crypto_hashing::blake2_256;

/// The first bytes of a file: what it is, and the version of its layout.
const MAGIC: &[u8; 8] = b"c4fast\0\x01";
/// Bytes of the checksum at a file's end.
const CHECKSUM: usize = 32;

/// Why a session key, or what was signed by it, can't be read or kept. Nothing is signed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyringError {
    /// The system refuses to read or write.
    #[error("{} can't be kept: {error}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is not as it was written, so that nobody knows what was signed.
    #[error(
        "{} is damaged: what was signed in this game is not known, so nothing is signed any more; \
         the game can go on by moves on the chain",
        .0.display()
    )]
    Damaged(PathBuf),
    /// There is no key with this address.
    #[error("the session key {key} is not in {}", .folder.display())]
    NoKey {
        /// Address of the key.
        key: Address,
        /// Folder of the keyring.
        folder: PathBuf,
    },
    /// Another program plays with the key.
    #[error("another program plays this game here: {} is in use", .0.display())]
    InUse(PathBuf),
}

/// A folder with session keys. Each has a file with its secret and the [`Book`]s of its games, which is
/// replaced as a whole: so a key that is there is there with all that was signed by it.
#[derive(Clone, Debug)]
pub struct Keyring {
    folder: PathBuf,
}

/// What is in a file.
#[derive(Clone, Encode, codec::Decode)]
struct Record {
    secret: [u8; 32],
    /// Chain, contract and number of a game, and its book.
    games: Vec<(Game, Book)>,
}

/// Chain, contract and number of a game.
type Game = (u64, Address, u32);

impl Keyring {
    /// The session keys in this folder, which need not exist.
    #[must_use]
    pub const fn in_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Makes a new session key. It is on disk when this returns.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn create(&self) -> Result<SessionKey, KeyringError> {
        let key = loop {
            // A random number is no key with a probability of 2^-128.
            if let Some(key) = SessionKey::from_secret(&rand::random()) {
                break key;
            }
        };
        let record = Record {
            secret: key.secret(),
            games: Vec::new(),
        };
        fs::create_dir_all(&self.folder).map_err(|error| failed(&self.folder, error))?;
        write(&self.path(key.address()), &record)?;
        Ok(key)
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

    /// Opens the key with this address for one game. Until the journal is dropped no other program can.
    ///
    /// # Errors
    ///
    /// 1. [`KeyringError::NoKey`] if there is none,
    /// 2. [`KeyringError::InUse`] if another program has it open,
    /// 3. [`KeyringError::Damaged`] if the file was changed or cut off,
    /// 4. [`KeyringError::Io`].
    pub fn open(&self, key: Address, of: &Subject) -> Result<Journal, KeyringError> {
        let path = self.existing(key)?;
        let lock = lock(&path.with_extension("lock"))?;
        // Only with the lock: the program that had it may have written.
        let record = read(&path)?;
        let damaged = || KeyringError::Damaged(path.clone());
        let session = SessionKey::from_secret(&record.secret).ok_or_else(damaged)?;
        if session.address() != key {
            return Err(damaged());
        }
        Ok(Journal {
            game: game_of(of),
            key: session,
            record,
            path,
            _lock: lock,
        })
    }

    /// Reads the book of one game of this key, also while another program plays it.
    ///
    /// # Errors
    ///
    /// As [`Self::open`], but for [`KeyringError::InUse`].
    pub fn peek(&self, key: Address, of: &Subject) -> Result<Book, KeyringError> {
        let path = self.existing(key)?;
        Ok(read(&path)?.book(game_of(of)))
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

    fn path(&self, key: Address) -> PathBuf {
        self.folder.join(format!("{key}.key"))
    }
}

/// A session key that this program has to itself, for one game.
#[derive(Debug)]
pub struct Journal {
    game: Game,
    key: SessionKey,
    record: Record,
    path: PathBuf,
    /// Locked as long as it is open.
    _lock: File,
}

impl Journal {
    /// The key.
    #[must_use]
    pub const fn key(&self) -> &SessionKey {
        &self.key
    }

    /// What was kept of the game; an empty book if nothing was.
    #[must_use]
    pub fn book(&self) -> Book {
        self.record.book(self.game)
    }
}

impl Keep for Journal {
    type Error = KeyringError;

    fn keep(&mut self, book: &Book) -> Result<(), KeyringError> {
        let mut record = self.record.clone();
        record.games.retain(|(game, _)| *game != self.game);
        record.games.push((self.game, book.clone()));
        write(&self.path, &record)?;
        self.record = record;
        Ok(())
    }
}

impl Record {
    fn book(&self, of: Game) -> Book {
        let kept = self.games.iter().find(|(game, _)| *game == of);
        kept.map(|(_, book)| book.clone()).unwrap_or_default()
    }
}

fn game_of(subject: &Subject) -> Game {
    let domain = subject.domain();
    (domain.chain_id, domain.contract, subject.number())
}

/// Without the secret.
impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record")
            .field("games", &self.games)
            .finish_non_exhaustive()
    }
}

fn failed(path: &Path, error: io::Error) -> KeyringError {
    KeyringError::Io {
        path: path.to_owned(),
        error,
    }
}

fn lock(path: &Path) -> Result<File, KeyringError> {
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

fn read(path: &Path) -> Result<Record, KeyringError> {
    let bytes = fs::read(path).map_err(|error| failed(path, error))?;
    let record = bytes
        .split_at_checked(bytes.len().saturating_sub(CHECKSUM))
        .filter(|(content, checksum)| blake2_256(content) == *checksum)
        .and_then(|(content, _)| content.strip_prefix(MAGIC))
        .and_then(|mut content| Record::decode_all(&mut content).ok());
    record.ok_or_else(|| KeyringError::Damaged(path.to_owned()))
}

/// Replaces the file as a whole: after a crash at any moment it is the old one or the new one. The new
/// one is on disk when this returns.
fn write(path: &Path, record: &Record) -> Result<(), KeyringError> {
    let mut bytes = MAGIC.to_vec();
    record.encode_to(&mut bytes);
    let checksum = blake2_256(&bytes);
    bytes.extend(checksum);
    let new = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let written = options.open(&new).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.sync_all()
    });
    written.map_err(|error| failed(&new, error))?;
    fs::rename(&new, path).map_err(|error| failed(path, error))?;
    // The name has to be on disk, too. Windows has no way to ask for it.
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(|error| failed(folder, error))?;
    }
    Ok(())
}
