//! What was read of blocks a moment ago.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use subxt::utils::H256;
use tokio::sync::OnceCell;

use crate::error::Error;

/// What was read of the blocks that were asked for last, so that several readers ask the node once for each
/// block.
#[derive(Debug)]
pub(crate) struct Recent<T> {
    /// Number of blocks that are remembered.
    most: usize,
    blocks: Mutex<VecDeque<(H256, Answer<T>)>>,
}

/// What the node answers for one block, once it has answered.
type Answer<T> = Arc<OnceCell<T>>;

impl<T: Clone> Recent<T> {
    /// Nothing was read yet; so many blocks will be remembered.
    pub(crate) const fn new(most: usize) -> Self {
        Self {
            most,
            blocks: Mutex::new(VecDeque::new()),
        }
    }

    /// What is known of a block, what another reader is just reading, or what `read` returns. None if the node
    /// does not have it. That is not remembered: a node that has discarded the state of a block says the same as
    /// one that lacks the block yet.
    pub(crate) async fn of(
        &self,
        block: H256,
        read: impl Future<Output = Result<Option<T>, Error>>,
    ) -> Result<Option<T>, Error> {
        let cell = self.cell(block);
        let read = async || read.await.map_err(Some)?.ok_or(None);
        match cell.get_or_try_init(read).await {
            Ok(known) => Ok(Some(known.clone())),
            Err(None) => Ok(None),
            Err(Some(error)) => Err(error),
        }
    }

    /// Whether a block was read.
    pub(crate) fn has(&self, block: H256) -> bool {
        let blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let mut blocks = blocks.iter();
        blocks.any(|(of, cell)| *of == block && cell.initialized())
    }

    fn cell(&self, block: H256) -> Answer<T> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, cell)) = blocks.iter().find(|(of, _)| *of == block) {
            return Arc::clone(cell);
        }
        if blocks.len() >= self.most {
            blocks.pop_front();
        }
        let cell = Arc::default();
        blocks.push_back((block, Arc::clone(&cell)));
        cell
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::task::Task;

    #[tokio::test]
    async fn a_block_is_read_once_and_again_after_an_error_or_if_its_node_lacked_it() {
        let (recent, reads) = (Recent::new(16), AtomicU32::new(0));
        let block = H256::repeat_byte(1);
        let failing = async || {
            Err(Error::NoState {
                task: Task::ReadEvents,
                block: 1,
            })
        };
        assert!(recent.of(block, failing()).await.is_err());
        let lacking = async || Ok(None);
        assert_eq!(recent.of(block, lacking()).await.unwrap(), None);
        let read = async || {
            reads.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
            Ok(Some(vec![7]))
        };
        let (one, other) = tokio::join!(recent.of(block, read()), recent.of(block, read()));
        assert_eq!(
            (one.unwrap(), other.unwrap()),
            (Some(vec![7]), Some(vec![7]))
        );
        assert_eq!(reads.load(Ordering::Relaxed), 1);
        for others in 2..=17 {
            recent.of(H256::repeat_byte(others), read()).await.unwrap();
        }
        recent.of(block, read()).await.unwrap();
        assert_eq!(reads.load(Ordering::Relaxed), 18, "it was forgotten");
    }
}
