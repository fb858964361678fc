//! A right that one program on this machine has at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// A right that one program on this machine has at a time: a lock on a file, which the system releases when the program
/// ends.
#[derive(Debug)]
pub struct FileLock(File);

impl FileLock {
    /// Takes the right that a file stands for, which is made if it is missing; none if another program has it.
    ///
    /// # Errors
    ///
    /// If the file cannot be made, or the system has no locks for it.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        let mut options = OpenOptions::new();
        let file = options
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Whether the file with this path is the one that is locked. If it was removed, another program can lock a new one.
    #[cfg(unix)]
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        let id = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
        let (open, named) = (self.0.metadata().map(id), std::fs::metadata(path).map(id));
        matches!((open, named), (Ok(open), Ok(named)) if open == named)
    }

    /// Whether the file with this path is the one that is locked: elsewhere one that is open can't be removed.
    #[cfg(not(unix))]
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        path.exists()
    }
}

/// A file that is only closed stays locked while a program that was just started has it still.
impl Drop for FileLock {
    fn drop(&mut self) {
        // An error leaves it to the system.
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_given_back_though_a_program_that_was_started_has_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let lock = FileLock::take(&path).unwrap().unwrap();
        assert!(FileLock::take(&path).unwrap().is_none());
        // Between fork and exec.
        let _inherited = lock.0.try_clone().unwrap();
        drop(lock);
        assert!(FileLock::take(&path).unwrap().is_some());
    }
}
