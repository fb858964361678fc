//! The right to write a SQLite file: a lock on another file beside it, which the system releases when a
//! program ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::error::Error;

/// The right to write a SQLite file, until it is dropped.
#[derive(Debug)]
pub struct FileLock(File);

/// A file that is only closed stays locked while a program that was just started has it still.
impl Drop for FileLock {
    fn drop(&mut self) {
        // An error leaves it to the system.
        let _ = self.0.unlock();
    }
}

/// The right to write a SQLite file; none if another program has it.
pub fn of_database(path: &Path) -> Result<Option<FileLock>, Error> {
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
        Ok(()) => Ok(Some(FileLock(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::of_database;

    #[test]
    fn it_is_given_back_though_a_program_that_was_started_has_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.db");
        let lock = of_database(&path).unwrap().unwrap();
        assert!(of_database(&path).unwrap().is_none());
        // Between fork and exec.
        let _inherited = lock.0.try_clone().unwrap();
        drop(lock);
        assert!(of_database(&path).unwrap().is_some());
    }
}
