//! What transactions rely on: a record of a contract, as it was after a block.
//!
//! A transaction is signed for a branch of the chain: it is anchored at a block, and void on every
//! branch without that block (the era of Substrate's transactions). One that relies on something is
//! anchored at the block in which its sender saw that, so that on a fork no move lands on a position
//! that its player never saw. If that block is replaced, what was seen is read again: if it
//! still stands, the transaction is signed for the new branch, and nobody notices.
//!
//! Transactions of Ethereum accounts are valid on every branch: what they rely on can still be
//! replaced, unless they wait until it is final.

use std::ops::Deref;

use connect4_protocol::transaction::MORTALITY;
use subxt::utils::H256;

use crate::chain::block_ref::BlockRef;
use crate::chain::client::Client;
use crate::error::Error;
use crate::task::Task;

/// Age, in blocks, from which on an anchor is replaced by a later block of the same branch. A
/// transaction is valid for [`MORTALITY`] blocks from its anchor, so half of them are left for it to
/// be included.
const OLDEST_ANCHOR: u32 = MORTALITY / 2;
/// Depth of the anchor of a transaction that relies on nothing, in blocks below the best one: short
/// forks, of which every chain with several block authors has some, do not void it.
const LOOSE_ANCHOR: u32 = 8;

/// A record of a contract as it was after a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen<T> {
    /// The record.
    pub value: T,
    /// The block.
    pub block: BlockRef,
}

impl<T> Seen<T> {
    /// Another record after the same block.
    #[must_use]
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> Seen<U> {
        Seen {
            value: map(self.value),
            block: self.block,
        }
    }
}

impl<T> Deref for Seen<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// What a transaction relies on.
pub(crate) trait Basis {
    /// The block after which it was seen.
    fn block(&self) -> BlockRef;

    /// Depth, in blocks, at which it has to lie before it is answered.
    fn depth(&self) -> u32;

    /// Whether it is the same after another block.
    async fn stands(&self, block: H256) -> Result<bool, Error>;
}

impl Client {
    /// The best block.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn best_block(&self) -> Result<BlockRef, Error> {
        self.best_block_for(&Task::ReadHeight).await
    }

    pub(crate) async fn best_block_for(&self, task: &Task) -> Result<BlockRef, Error> {
        let hash = self.best(task).await?;
        let number = self.block_number(task, hash).await?;
        Ok(BlockRef { number, hash })
    }

    /// Whether a block is on the best branch.
    pub(crate) async fn is_canonical(&self, task: &Task, block: BlockRef) -> Result<bool, Error> {
        Ok(self.block_hash(task, block.number).await? == Some(block.hash))
    }

    /// The block at which a transaction is anchored that relies on something: the one in which that
    /// was seen, or the best one if that was replaced and it still stands, or a later one of the
    /// same branch if that is old. Waits until what was seen lies deep enough.
    ///
    /// # Errors
    ///
    /// [`Error::Replaced`] if what was seen does not stand any more; else if the chain cannot be
    /// reached.
    pub(crate) async fn anchor<A: Basis>(&self, task: &Task, basis: &A) -> Result<BlockRef, Error> {
        let depth = basis.depth();
        let mut seen = basis.block();
        let mut heads = None;
        loop {
            let best = self.best_block_for(task).await?;
            if !self.is_canonical(task, seen).await? {
                if !basis.stands(best.hash).await? {
                    return Err(Error::Replaced {
                        task: task.clone(),
                        block: seen.number,
                    });
                }
                seen = best;
            }
            if self.is_deep(task, basis, depth, seen, best).await? {
                return self.recent(task, best, seen).await;
            }
            let (heads, finals) = match &mut heads {
                Some(heads) => heads,
                none => none.insert((self.heads().await?, self.final_heads(task).await?)),
            };
            // A block may become final without another one on top: a chain that makes blocks for
            // transactions alone makes none while this one waits.
            loop {
                tokio::select! {
                    head = heads.next() => if head? > best.number {
                        break;
                    },
                    last = finals.next() => if last? >= seen.number {
                        break;
                    },
                }
            }
        }
    }

    /// Whether what was seen lies deep enough under the best block.
    async fn is_deep<A: Basis>(
        &self,
        task: &Task,
        basis: &A,
        depth: u32,
        seen: BlockRef,
        best: BlockRef,
    ) -> Result<bool, Error> {
        if best.number >= seen.number.saturating_add(depth) {
            return Ok(true);
        }
        if self.finalized_number(task).await? >= seen.number {
            return Ok(true);
        }
        // It may have been there long before it was seen.
        let Some(below) = best.number.checked_sub(depth) else {
            return Ok(false);
        };
        match self.block_hash(task, below).await? {
            Some(below) => basis.stands(below).await,
            None => Ok(false),
        }
    }

    /// The block at which a transaction that relies on nothing is anchored.
    pub(crate) async fn loose_anchor(&self, task: &Task) -> Result<BlockRef, Error> {
        let best = self.best_block_for(task).await?;
        self.anchor_on(task, best, None).await
    }

    /// The block at which a transaction is anchored that relies on what is in a block, or on nothing. Its
    /// signer has waited until that lies deep enough.
    ///
    /// # Errors
    ///
    /// [`Error::Replaced`] if the block is not on the best branch; else if the chain cannot be reached.
    pub(crate) async fn anchor_on(
        &self,
        task: &Task,
        best: BlockRef,
        based_on: Option<BlockRef>,
    ) -> Result<BlockRef, Error> {
        let Some(seen) = based_on else {
            let number = best.number.saturating_sub(LOOSE_ANCHOR);
            return self.below(task, best, number).await;
        };
        if !self.is_canonical(task, seen).await? {
            return Err(Error::Replaced {
                task: task.clone(),
                block: seen.number,
            });
        }
        self.recent(task, best, seen).await
    }

    /// A block, or a later one of the same branch if it is old.
    async fn recent(&self, task: &Task, best: BlockRef, seen: BlockRef) -> Result<BlockRef, Error> {
        let oldest = best.number.saturating_sub(OLDEST_ANCHOR);
        match seen.number < oldest {
            true => self.below(task, best, oldest).await,
            false => Ok(seen),
        }
    }

    /// The block with a number at or below the best one's.
    async fn below(&self, task: &Task, best: BlockRef, number: u32) -> Result<BlockRef, Error> {
        if number == best.number {
            return Ok(best);
        }
        let hash = self.known_hash(task, number).await?;
        Ok(BlockRef { number, hash })
    }
}
