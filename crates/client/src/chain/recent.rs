//! Events of blocks that were read a moment ago.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use subxt::utils::H256;
use tokio::sync::OnceCell;

use crate::error::Error;

/// Number of blocks that are remembered. Those who follow the chain read the same newest blocks at
/// about the same time.
const MOST: usize = 16;

/// The events of a block as they are stored; none if the node does not have the block's state. That is
/// not remembered: a node that has discarded the state says the same as one that lacks the block yet.
type Bytes = Option<Vec<u8>>;

/// Events of the blocks that were read last, so that several readers ask the node once for each block.
#[derive(Debug, Default)]
pub(crate) struct Recent(Mutex<VecDeque<(H256, Answer)>>);

/// What the node answers for one block, once it has answered.
type Answer = Arc<OnceCell<Vec<u8>>>;

impl Recent {
    /// The events of a block: known ones, those that another reader is just reading, or what `read`
    /// returns.
    pub(crate) async fn events_of(
        &self,
        block: H256,
        read: impl Future<Output = Result<Bytes, Error>>,
    ) -> Result<Bytes, Error> {
        let cell = self.cell(block);
        let read = async || read.await.map_err(Some)?.ok_or(None);
        match cell.get_or_try_init(read).await {
            Ok(bytes) => Ok(Some(bytes.clone())),
            Err(None) => Ok(None),
            Err(Some(error)) => Err(error),
        }
    }

    /// Whether the events of a block are known.
    pub(crate) fn has(&self, block: H256) -> bool {
        let blocks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut blocks = blocks.iter();
        blocks.any(|(of, cell)| *of == block && cell.initialized())
    }

    fn cell(&self, block: H256) -> Arc<OnceCell<Vec<u8>>> {
        let mut blocks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, cell)) = blocks.iter().find(|(of, _)| *of == block) {
            return Arc::clone(cell);
        }
        if blocks.len() >= MOST {
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
        let (recent, reads) = (Recent::default(), AtomicU32::new(0));
        let block = H256::repeat_byte(1);
        let failing = async || {
            Err(Error::NoState {
                task: Task::ReadEvents,
                block: 1,
            })
        };
        assert!(recent.events_of(block, failing()).await.is_err());
        let lacking = async || Ok(None);
        assert_eq!(recent.events_of(block, lacking()).await.unwrap(), None);
        let read = async || {
            reads.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
            Ok(Some(vec![7]))
        };
        let (one, other) = tokio::join!(
            recent.events_of(block, read()),
            recent.events_of(block, read())
        );
        assert_eq!(
            (one.unwrap(), other.unwrap()),
            (Some(vec![7]), Some(vec![7]))
        );
        assert_eq!(reads.load(Ordering::Relaxed), 1);
        for others in 2..=17 {
            recent
                .events_of(H256::repeat_byte(others), read())
                .await
                .unwrap();
        }
        recent.events_of(block, read()).await.unwrap();
        assert_eq!(reads.load(Ordering::Relaxed), 18, "it was forgotten");
    }
}
