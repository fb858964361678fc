//! What new blocks show of a game with a stake.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use connect4_protocol::Address;
use connect4_protocol::signed::{GameNumber, Terms};
use connect4_seat::{GameOffer, Sight};
use futures_util::FutureExt as _;
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::sleep;

use crate::chain::block_ref::BlockRef;
use crate::contracts::stakes::Stakes;
use crate::error::Error;
use crate::task::Task;

/// Pause before the chain is looked at again after it could not be read.
const AGAIN: Duration = Duration::from_secs(2);

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sought {
    /// Number of the game; none while nobody has taken the offer.
    pub game: Option<GameNumber>,
    /// The offer that somebody may take; none if it was taken.
    pub offer: Option<GameOffer>,
}

/// What the chain shows.
pub(super) enum FromChain {
    Block {
        sight: Sight,
        block: BlockRef,
        is_final: bool,
    },
    /// Somebody has paid for these terms, to which the offer was completed.
    Taken(Terms),
    /// The chain could not be read. It is tried again.
    NotSeen(Error),
}

/// A task that looks after each block. It ends when this is dropped.
pub(super) struct ChainWatch {
    sought: watch::Sender<Sought>,
    seen: mpsc::Receiver<FromChain>,
    task: AbortHandle,
}

impl Drop for ChainWatch {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl ChainWatch {
    /// Looks for what is sought, and what the account is owed. Payments are looked at from the block with the number
    /// `since` on.
    pub(super) fn open(stakes: &Stakes, account: Address, sought: Sought, since: u32) -> Self {
        let (sought, wanted) = watch::channel(sought);
        let (sees, seen) = mpsc::channel(1);
        let mut eye = Eye {
            stakes: stakes.clone(),
            account,
            wanted,
            sees,
            next: since,
        };
        let task = tokio::spawn(async move {
            // A node may answer with an error: its state is discarded, or too much was asked.
            while let Err(error) = guarded(&Task::FollowChain, eye.look()).await {
                if eye.sees.send(FromChain::NotSeen(error)).await.is_err() {
                    return;
                }
                sleep(AGAIN).await;
            }
        });
        Self {
            sought,
            seen,
            task: task.abort_handle(),
        }
    }

    /// Looks for this from now on.
    pub(super) fn seek(&self, sought: Sought) {
        self.sought.send_if_modified(|now| {
            let is_other = *now != sought;
            if is_other {
                *now = sought;
            }
            is_other
        });
    }

    /// What the chain shows next; none if it is not looked at any more. If the wait is given up, nothing is lost.
    pub(super) async fn next(&mut self) -> Option<FromChain> {
        self.seen.recv().await
    }
}

/// What comes of a task. A panic in it, such as by bytes of a node that a decoder does not expect, is an error.
pub(super) async fn guarded<T>(
    task: &Task,
    doing: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let done = AssertUnwindSafe(doing).catch_unwind().await;
    done.unwrap_or_else(|_| {
        Err(Error::Unexpected {
            task: task.clone(),
            reason: "the program has panicked over it".into(),
        })
    })
}

struct Eye {
    stakes: Stakes,
    account: Address,
    wanted: watch::Receiver<Sought>,
    sees: mpsc::Sender<FromChain>,
    /// Number of the next block whose payments are looked at.
    next: u32,
}

impl Eye {
    /// Sends what is seen until nobody wants it any more.
    async fn look(&mut self) -> Result<(), Error> {
        let client = self.stakes.client().clone();
        let mut heads = client.heads().await?;
        let mut finals = client.final_heads(&Task::FollowChain).await?;
        let (mut is_new, mut is_final) = (true, true);
        let mut before = None;
        loop {
            // One for both: the final block is shown of the game of the newest one.
            let sought = self.wanted.borrow_and_update().clone();
            // Also if a block came at the same time: the next one may be long in coming.
            if before.as_ref() != Some(&sought) {
                (is_new, is_final) = (true, true);
                before = Some(sought.clone());
            }
            if is_final && !self.show_final(&sought).await? {
                return Ok(());
            }
            if is_new {
                let best = client.best_block_for(&Task::FollowChain).await?;
                if !self.show(&sought, best, false).await? {
                    return Ok(());
                }
            }
            (is_new, is_final) = tokio::select! {
                head = heads.next() => {
                    head?;
                    (true, false)
                }
                last = finals.next() => {
                    last?;
                    (false, true)
                }
                changed = self.wanted.changed() => match changed {
                    Ok(()) => (true, true),
                    Err(_) => return Ok(()),
                },
            };
        }
    }

    /// Shows the newest final block, and who has taken the offer by then. Returns whether somebody wants it.
    async fn show_final(&mut self, sought: &Sought) -> Result<bool, Error> {
        let client = self.stakes.client().clone();
        let task = Task::FollowChain;
        let hash = client.finalized(&task).await?;
        let number = client.block_number(&task, hash).await?;
        while let Some(offer) = sought.offer.as_ref().filter(|_| self.next <= number) {
            let hash = client.known_hash(&task, self.next).await?;
            let block = BlockRef {
                number: self.next,
                hash,
            };
            let funded = self.stakes.funded_in(block).await;
            self.next = match &funded {
                // Those before it are gone, too.
                Err(Error::NoState { .. }) => number.saturating_add(1),
                Err(_) => self.next,
                Ok(_) => self.next.saturating_add(1),
            };
            for funded in funded? {
                if let Some(terms) = offer.paid_by(&funded)
                    && self.sees.send(FromChain::Taken(terms)).await.is_err()
                {
                    return Ok(false);
                }
            }
        }
        self.show(sought, BlockRef { number, hash }, true).await
    }

    async fn show(&self, sought: &Sought, block: BlockRef, is_final: bool) -> Result<bool, Error> {
        // Only who is ready for it gets what is seen then.
        let Ok(place) = self.sees.reserve().await else {
            return Ok(false);
        };
        let sight = self.stakes.sight(sought.game, self.account, block);
        place.send(FromChain::Block {
            sight: sight.await?,
            block,
            is_final,
        });
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_of_a_task_is_an_error_in_words() {
        let done = guarded(&Task::FollowChain, async { Ok(7) }).await;
        assert_eq!(done.unwrap(), 7);
        let bytes: &[u8] = &[];
        let died = guarded(&Task::FollowChain, async { Ok(bytes[0]) }).await;
        let text = died.unwrap_err().to_string();
        assert!(text.contains("the program has panicked over it"), "{text}");
    }
}
