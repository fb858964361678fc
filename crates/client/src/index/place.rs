//! Where the index is kept.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Place of the index of the contracts' events. Clones share it, and several programs may.
///
/// Whatever goes wrong with it, events are still read from the chain.
#[derive(Clone)]
pub struct Index {
    pub(super) folder: Arc<Path>,
    pub(super) notice: Arc<dyn Fn(String) + Send + Sync>,
    /// One task of this process updates it at a time, so that no block is read twice.
    pub(super) updating: Arc<tokio::sync::Mutex<()>>,
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl Index {
    /// The index in a folder, which is made when it is needed. `notice` is told in words if the file
    /// was unreadable and is built anew.
    pub fn in_folder(folder: PathBuf, notice: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self {
            folder: folder.into(),
            notice: Arc::new(notice),
            updating: Arc::default(),
        }
    }
}
