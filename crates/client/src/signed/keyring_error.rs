//! Why a session key is not to be had.

use std::io;
use std::path::{Path, PathBuf};

use connect4_protocol::Address;

/// Why a session key, or what was signed by it, can't be read or kept. Nothing is signed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyringError {
    /// The system refuses to read or write.
    #[error("{} cannot be used: {error}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is not as it was written, so that nobody knows what was signed.
    #[error(
        "{} is damaged: what was signed is not known, so nothing is signed any more",
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

/// The error for what the system says of a file or folder.
pub(crate) fn failed(path: &Path, error: io::Error) -> KeyringError {
    KeyringError::Io {
        path: path.to_owned(),
        error,
    }
}
