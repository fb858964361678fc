//! The file of an index while a reading goes on.

use std::sync::Arc;

use redb::Database;

use super::store::{Block, Store, Trouble};

/// The file while a reading goes on.
pub(super) struct Kept {
    /// None: there is no file, or it is of no use any more.
    pub(super) store: Option<Store>,
    pub(super) notice: Option<Arc<dyn Fn(String) + Send + Sync>>,
    /// The highest block in the file.
    pub(super) top: Option<Block>,
    /// The last block that may be added.
    pub(super) last: u32,
}

impl Kept {
    /// Does some work on the file, on a thread for it; none if that fails, or if there is none. Then
    /// the reading goes on without it.
    pub(super) async fn with<T: Send + 'static>(
        &mut self,
        work: impl Fn(&Database) -> Result<T, Trouble> + Send + 'static,
    ) -> Option<T> {
        let store = self.store.clone()?;
        let notice = self.notice.clone()?;
        let done = tokio::task::spawn_blocking(move || store.with(&*notice, work)).await;
        match done {
            Ok(Ok(done)) => Some(done),
            Ok(Err(_)) | Err(_) => {
                self.store = None;
                None
            }
        }
    }
}
