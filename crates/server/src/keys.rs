//! Who may play with which account.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use connect4_client::Address;
use sp_crypto_hashing::blake2_256;

/// In the data folder: what the keys are made from.
const FILE: &str = "serve.key";
/// How long a key is: 128 bits are not guessed.
const KEY_BYTES: usize = 16;
/// More keys than a program has accounts are not looked at.
const MOST: usize = 64;

/// Why keys cannot be kept in a folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeysError {
    /// The secret cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file holds something else than a secret.
    #[error(
        "{} is not what keys are made from: delete it, and links given before open nothing any \
         more",
        .path.display()
    )]
    Broken {
        /// The file.
        path: PathBuf,
    },
    /// The secret cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// Makes keys, and knows them again. A key opens one account, the host's key all of them.
///
/// A key is a BLAKE2b hash of a secret and of what it opens: nothing has to be kept but the secret,
/// and keys tell nothing about each other.
pub struct Keys {
    secret: [u8; 32],
}

impl Keys {
    /// Keys that nobody has yet.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "each call makes other keys")]
    pub fn new() -> Self {
        Self {
            secret: rand::random(),
        }
    }

    /// The keys of this folder: the same ones at each start.
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
        fs::create_dir_all(folder).map_err(failed)?;
        let keys = Self::new();
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        options
            .open(&path)
            .and_then(|mut file| file.write_all(&keys.secret))
            .map_err(failed)?;
        Ok(keys)
    }

    /// What opens every account.
    pub fn host(&self) -> String {
        self.key(b"host")
    }

    /// What opens this account.
    pub fn of(&self, account: Address) -> String {
        self.key(&account.0)
    }

    fn key(&self, of: &[u8]) -> String {
        let hash = blake2_256(&[&b"connect4 key"[..], &self.secret, of].concat());
        hex(&hash[..KEY_BYTES])
    }

    /// What somebody may do who presents these keys.
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

    /// Whether these keys open everything.
    pub fn are_host(&self, presented: &Presented) -> bool {
        presented.has(&self.host())
    }

    /// Whether these keys open this account.
    pub fn open(&self, presented: &Presented, account: Address) -> bool {
        self.are_host(presented) || presented.has(&self.of(account))
    }
}

/// Keys that somebody presents.
pub struct Presented {
    /// Hashes are compared, so that how long it takes tells nothing about a key.
    hashes: Vec<([u8; 32], String)>,
}

impl Presented {
    fn has(&self, key: &str) -> bool {
        let hash = blake2_256(key.as_bytes());
        self.hashes.iter().any(|(found, _)| *found == hash)
    }

    /// The keys that are not among these.
    pub fn beyond(&self, known: &[String]) -> Vec<String> {
        self.hashes
            .iter()
            .map(|(_, key)| key)
            .filter(|key| !known.contains(key))
            .cloned()
            .collect()
    }
}

/// So many random bytes in digits.
pub fn token() -> String {
    hex(&rand::random::<[u8; KEY_BYTES]>())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
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
}
