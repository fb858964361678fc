//! Keys: what opens which account.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use connect4_client::{Address, durable};
use sp_crypto_hashing::blake2_256;

/// In the data folder: the secret from which keys are made.
const FILE: &str = "serve.key";
/// Bytes of a key: 128 bits cannot be guessed.
const KEY_BYTES: usize = 16;
/// Keys of a request that are looked at, at most: more than a server has accounts.
const MOST: usize = 64;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeysError {
    #[error("cannot read {}: {error}", .path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error(
        "{} is not a secret from which keys can be made. Delete it to get new keys; links given \
         before then open nothing",
        .path.display()
    )]
    Broken { path: PathBuf },
    #[error("cannot write {}: {error}", .path.display())]
    Write { path: PathBuf, error: io::Error },
}

/// Makes and checks keys. A key opens one account; the host's key opens all of them.
///
/// A key is a BLAKE2b hash of a secret and of the account that it opens. So only the secret has to
/// be kept, and no key tells anything about another.
pub struct Keys {
    secret: [u8; 32],
}

impl Keys {
    /// Keys of a new secret, which nobody has yet.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "each call makes other keys")]
    pub fn new() -> Self {
        Self {
            secret: rand::random(),
        }
    }

    /// The keys of this folder, which are the same at each start.
    ///
    /// # Errors
    ///
    /// [`KeysError::Read`], [`KeysError::Broken`], [`KeysError::Write`].
    pub fn kept_in(folder: &Path) -> Result<Self, KeysError> {
        let path = folder.join(FILE);
        match fs::read(&path) {
            Ok(bytes) => {
                let secret = bytes
                    .try_into()
                    .map_err(|_| KeysError::Broken { path: path.clone() })?;
                return Ok(Self { secret });
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(KeysError::Read { path, error }),
        }
        let failed = |error| KeysError::Write {
            path: path.clone(),
            error,
        };
        let keys = Self::new();
        durable::make_folder(folder)
            .and_then(|()| durable::replace(&path, &keys.secret))
            .map_err(failed)?;
        Ok(keys)
    }

    /// The host's key, which opens every account.
    pub fn host(&self) -> String {
        self.key(b"host")
    }

    pub fn of(&self, account: Address) -> String {
        self.key(&account.0)
    }

    fn key(&self, of: &[u8]) -> String {
        let hash = blake2_256(&[&b"connect4 key"[..], &self.secret, of].concat());
        hex::encode(&hash[..KEY_BYTES])
    }

    /// Reads keys that a request presents, separated by commas.
    pub fn presented(&self, keys: &str) -> Presented {
        let hashes = keys
            .split(',')
            .map(str::trim)
            .filter(|key| !key.is_empty())
            .take(MOST)
            .map(|key| (blake2_256(key.as_bytes()), key.to_owned()))
            .collect();
        Presented { hashes }
    }

    pub fn are_host(&self, presented: &Presented) -> bool {
        presented.has(&self.host())
    }

    pub fn open(&self, presented: &Presented, account: Address) -> bool {
        self.are_host(presented) || presented.has(&self.of(account))
    }
}

pub struct Presented {
    /// The keys with their hashes. Hashes are compared, so that the time it takes tells nothing
    /// about a key.
    hashes: Vec<([u8; 32], String)>,
}

impl Presented {
    fn has(&self, key: &str) -> bool {
        let hash = blake2_256(key.as_bytes());
        self.hashes.iter().any(|(found, _)| *found == hash)
    }

    pub fn unknown(&self, known: &[String]) -> Vec<String> {
        self.hashes
            .iter()
            .map(|(_, key)| key)
            .filter(|key| !known.contains(key))
            .cloned()
            .collect()
    }
}

/// A random token, as long as a key.
pub fn token() -> String {
    hex::encode(rand::random::<[u8; KEY_BYTES]>())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALICE: Address = Address([1; 20]);
    const BOB: Address = Address([2; 20]);

    #[test]
    fn a_key_opens_one_account_and_the_hosts_all() {
        let keys = Keys::new();
        let alices = keys.presented(&keys.of(ALICE));
        assert!(keys.open(&alices, ALICE) && !keys.open(&alices, BOB));
        assert!(!keys.are_host(&alices));
        let both = keys.presented(&format!("{}, {}", keys.of(ALICE), keys.of(BOB)));
        assert!(keys.open(&both, ALICE) && keys.open(&both, BOB) && !keys.are_host(&both));
        let hosts = keys.presented(&keys.host());
        assert!(keys.open(&hosts, ALICE) && keys.open(&hosts, BOB));
        for nobodys in ["", ",", " , ", "0", &Keys::new().host()] {
            let nobody = keys.presented(nobodys);
            assert!(!keys.open(&nobody, ALICE), "{nobodys:?}");
        }
    }

    #[test]
    fn the_keys_of_a_folder_stay_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("new");
        let first = Keys::kept_in(&inner).unwrap();
        let again = Keys::kept_in(&inner).unwrap();
        assert_eq!(first.of(ALICE), again.of(ALICE));
        assert_ne!(first.of(ALICE), Keys::new().of(ALICE));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(inner.join(FILE)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "for its owner alone");
        }
        fs::write(inner.join(FILE), "short").unwrap();
        assert!(Keys::kept_in(&inner).is_err());
    }

    #[test]
    fn a_secret_that_could_not_be_written_leaves_no_file_of_its_name() {
        let folder = tempfile::tempdir().unwrap();
        // Takes the place of the file that is written first.
        let taken = folder.path().join(FILE).with_extension("new");
        fs::create_dir(&taken).unwrap();
        assert!(matches!(
            Keys::kept_in(folder.path()),
            Err(KeysError::Write { .. })
        ));
        assert!(!folder.path().join(FILE).exists());
        fs::remove_dir(taken).unwrap();
        assert!(Keys::kept_in(folder.path()).is_ok());
    }
}
