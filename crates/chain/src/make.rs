//! Making blocks: the next one, or a branch that replaces the last ones. For the block author's
//! thread alone.

use std::sync::Arc;

use crate::{
    builder::{self, Built, Plan},
    error::{BlockError, Panicked, ReorganiseError, UpgradeError},
    execute,
    finality::Retracted,
    heads::{FinalBlocks, Head, NewBlock},
    pool::TxStatus,
    runtime::{Code, Hash},
    shared::Shared,
    state::{self, Changes, Overlay},
    store::{Finalized, StoredBlock},
};

/// How many transactions are tried for one block at most. The block's weight usually ends it
/// sooner.
const MAX_CANDIDATES: usize = 1024;

/// A block that is not stored yet.
struct Made {
    head: Arc<Head>,
    block: StoredBlock,
    changes: Changes,
    /// Hashes of the transactions that it contains, and their indices in it.
    included: Vec<(Hash, u32)>,
    /// Hashes of the transactions that no block can contain any more.
    invalid: Vec<Hash>,
}

impl Made {
    /// Executes a block of these transactions.
    ///
    /// # Errors
    /// As [`block`].
    fn of(
        shared: &Shared,
        plan: &Plan,
        mut candidates: Vec<(Hash, Vec<u8>)>,
    ) -> Result<Self, BlockError> {
        let backend = shared.state(&plan.parent.header, true)?;
        let (overlay, built) = loop {
            let mut overlay = Overlay::default();
            let mut tried = 0;
            match execute::run(&backend, &mut overlay, || {
                builder::build(plan, &candidates, &mut tried)
            }) {
                Ok(built) => break (overlay, built),
                Err(Panicked(message)) => {
                    let Some(culprit) = tried.checked_sub(1) else {
                        return Err(Panicked(message).into());
                    };
                    log::error!("a transaction made the runtime panic: {message}");
                    let (hash, _) = candidates.remove(culprit);
                    shared.pool().remove(&hash, TxStatus::Invalid);
                }
            }
        };
        let Built {
            header,
            extrinsics,
            included,
            invalid,
        } = built;
        Ok(Self {
            head: Head::new(header.clone(), plan.upgrade.unwrap_or(plan.parent.code)),
            block: StoredBlock { header, extrinsics },
            changes: state::close(overlay, &backend)?,
            included,
            invalid,
        })
    }

    fn news(&mut self, is_best: bool) -> NewBlock {
        let written = std::mem::take(&mut self.changes.main_storage_changes);
        let written = written.into_iter().map(|(key, _)| key).collect();
        NewBlock {
            hash: self.head.hash,
            header: self.head.header.clone(),
            written: Arc::new(written),
            code: self.head.code,
            is_best,
        }
    }
}

/// What the store notes about the final blocks.
fn note<'a>(shared: &Shared, blocks: Option<&'a FinalBlocks>) -> Finalized<'a> {
    match blocks {
        Some(blocks) => Finalized {
            number: blocks.header.number,
            pruned: &blocks.pruned,
        },
        None => Finalized {
            number: shared.heads().finalized.header.number,
            pruned: &[],
        },
    }
}

/// Makes a block of the transactions that are ready, stores it, and tells everyone. Returns its
/// hash.
///
/// # Errors
/// Returned if the store fails, and if the runtime panics outside of any transaction. A
/// transaction on which it panics is dropped.
pub fn block(shared: &Shared) -> Result<Hash, BlockError> {
    best_block(shared, &shared.head(), None)
}

/// Makes a block as [`block`], at whose end the chain is upgraded to the next version of the
/// runtime. Returns its hash.
///
/// # Errors
/// Returned if there is no next version, and as [`block`].
pub fn upgrade(shared: &Shared) -> Result<Hash, UpgradeError> {
    let parent = shared.head();
    let code = parent.code;
    let next = code
        .next()
        .ok_or_else(|| UpgradeError::Newest(code.version().spec_version))?;
    Ok(best_block(shared, &parent, Some(next))?)
}

fn best_block(shared: &Shared, parent: &Head, upgrade: Option<Code>) -> Result<Hash, BlockError> {
    let plan = Plan {
        parent,
        clock: shared.clock.now(),
        replaces: None,
        upgrade,
    };
    let candidates = shared.pool().candidates(MAX_CANDIDATES);
    let mut made = Made::of(shared, &plan, candidates)?;
    let news = made.news(true);
    let finalized = shared.finalizing(&made.head);
    let hash = made.head.hash;
    shared.store.append(
        hash,
        &made.block,
        made.changes.transaction,
        &note(shared, finalized.as_ref()),
    )?;
    shared.advance(news, finalized, &made.included, &made.invalid);
    Ok(hash)
}

/// Makes final what the chain's finality reaches, stores that, and tells everyone.
///
/// # Errors
/// Returned if the store fails.
pub fn finalize(shared: &Shared) -> Result<(), BlockError> {
    if let Some(blocks) = shared.finalizing(&shared.head()) {
        shared.store.finalize(&note(shared, Some(&blocks)))?;
        shared.finalize(blocks);
    }
    Ok(())
}

/// Replaces the last `depth` blocks by `depth + 1` empty ones, as if another author had made them
/// without having heard of the waiting transactions. Returns the hash of the last one.
///
/// A program that ends in between leaves the best block as it was.
///
/// # Errors
/// Returned if one of the blocks is final, if the store fails, and if the runtime panics.
pub fn branch(shared: &Shared, depth: u32, back: Retracted) -> Result<Hash, ReorganiseError> {
    let (mut parent, replaces) = {
        let heads = shared.heads();
        let most = heads.best.header.number - heads.finalized.header.number;
        let parent = heads
            .ancestor(depth)
            .ok_or(ReorganiseError::Final { depth, most })?;
        let replaces = depth.checked_sub(1).and_then(|depth| heads.ancestor(depth));
        (parent, replaces)
    };
    let mut replaces = replaces.map(|block| block.hash);
    let mut hashes = Vec::new();
    loop {
        let plan = Plan {
            parent: &parent,
            clock: shared.clock.now(),
            replaces: replaces.take(),
            upgrade: None,
        };
        let mut made = Made::of(shared, &plan, Vec::new())?;
        let is_last = hashes.len() as u32 == depth;
        let news = made.news(is_last);
        hashes.push(made.head.hash);
        shared
            .store
            .append_side(made.head.hash, &made.block, made.changes.transaction)
            .map_err(BlockError::from)?;
        if is_last {
            let finalized = shared.finalizing(&made.head);
            let retracted = shared
                .store
                .switch(&hashes, &note(shared, finalized.as_ref()))
                .map_err(BlockError::from)?;
            shared.switch(news, finalized, retracted, back);
            return Ok(made.head.hash);
        }
        shared.import(news);
        parent = made.head;
    }
}
