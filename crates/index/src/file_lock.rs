//! The right to write a SQLite file: a lock on another file beside it, which the system releases when a
//! program ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::error::Error;

/// The right to write a SQLite file; none if another program has it.
pub fn of_database(path: &Path) -> Result<Option<File>, Error> {
    let path = path.with_extension("lock");
    let failed = |reason: String| Error::File {
        path: path.display().to_string(),
        reason,
    };
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|error| failed(error.to_string()))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(error.to_string())),
    }
}
