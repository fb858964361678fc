//! Which witnesses the index counts.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::AbortHandle;
use tokio::time::{MissedTickBehavior, interval};

use crate::app::App;

/// How often it is looked whether other witnesses count: the relay's one begins once its chain has answered, and has
/// another key when its log was lost.
const OFTEN: Duration = Duration::from_secs(2);

/// A task that has the index rate the games of the witnesses that count here. It ends when this is dropped.
pub struct Counting(AbortHandle);

impl Counting {
    pub fn of(app: &Arc<App>) -> Self {
        let app = Arc::downgrade(app);
        let task = tokio::spawn(async move {
            let mut turns = interval(OFTEN);
            turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                turns.tick().await;
                let Some(app) = app.upgrade() else {
                    return;
                };
                let index = app.indexing.as_ref().and_then(|indexing| indexing.index());
                if let Some(index) = index {
                    index.count_witnesses(app.counted_witnesses().into_iter().collect());
                }
            }
        });
        Self(task.abort_handle())
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        self.0.abort();
    }
}
