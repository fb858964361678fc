//! The best block, the final one, and the tree of blocks on top of the final one.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use tokio::sync::broadcast;

use crate::runtime::{BlockNumber, Code, Hash, Header};

/// A new block, as its subscribers get it.
#[derive(Clone, Debug)]
pub struct NewBlock {
    pub hash: Hash,
    pub header: Header,
    /// The top-level storage keys that the block wrote or removed.
    pub written: Arc<Vec<Vec<u8>>>,
    /// The version of the runtime in the state after the block, which executes the next one.
    pub code: Code,
    /// Whether it is the best block now. A branch that is about to become the best one is told
    /// block by block, and only its last block is the best.
    pub is_best: bool,
}

/// Blocks that became final together.
#[derive(Clone, Debug)]
pub struct FinalBlocks {
    /// The header of the last of them.
    pub header: Header,
    /// Their hashes, the oldest first.
    pub hashes: Vec<Hash>,
    /// The hashes of retracted blocks that can't come back, as they do not descend from the last
    /// final block.
    pub pruned: Vec<Hash>,
}

#[derive(Clone, Debug)]
pub enum Update {
    Block(NewBlock),
    Final(FinalBlocks),
}

/// A block's hash and header, and what comes after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub hash: Hash,
    pub header: Header,
    /// The version of the runtime in the state after the block, which executes the next one.
    pub code: Code,
}

impl Head {
    pub(crate) fn new(header: Header, code: Code) -> Arc<Self> {
        let hash = header.hash();
        Arc::new(Self { hash, header, code })
    }
}

/// A moment of the chain, and everything that happens after it.
pub struct Follow {
    pub best: Arc<Head>,
    pub finalized: Arc<Head>,
    /// The blocks that descend from the last final one, on all branches, each after its parent.
    pub pending: Vec<Arc<Head>>,
    /// What happens from then on. A receiver that lags more than 2048 updates behind misses some.
    pub updates: broadcast::Receiver<Update>,
}

/// The heads of the chain. The block author moves them.
pub struct Heads {
    pub best: Arc<Head>,
    pub finalized: Arc<Head>,
    /// The blocks that descend from the last final one, on all branches, each after its parent.
    pub pending: Vec<Arc<Head>>,
}

impl Heads {
    /// The hashes of the blocks of this number that are not final, that of the best branch first.
    pub fn pending_at(&self, number: BlockNumber) -> Vec<Hash> {
        let best: HashSet<Hash> = self.branch(&self.best).map(|block| block.hash).collect();
        let at = |block: &&Arc<Head>| block.header.number == number;
        let mut hashes: Vec<Hash> = self.pending.iter().filter(at).map(|it| it.hash).collect();
        hashes.sort_by_key(|hash| !best.contains(hash));
        hashes
    }

    /// The pending blocks from this one down, each before its parent.
    fn branch<'a>(&'a self, tip: &'a Arc<Head>) -> impl Iterator<Item = &'a Arc<Head>> {
        let by_hash: HashMap<Hash, &Arc<Head>> = self
            .pending
            .iter()
            .map(|block| (block.hash, block))
            .collect();
        let last = self.finalized.hash;
        let first = (tip.hash != last).then_some(tip);
        std::iter::successors(first, move |block| {
            by_hash.get(&block.header.parent_hash).copied()
        })
    }

    /// The best block's ancestor that lies this many blocks below it. `None` if that is below the
    /// last final block.
    pub fn ancestor(&self, depth: u32) -> Option<Arc<Head>> {
        let number = self.best.header.number.checked_sub(depth)?;
        if number == self.finalized.header.number {
            return Some(self.finalized.clone());
        }
        let mut branch = self.branch(&self.best);
        branch.find(|it| it.header.number == number).cloned()
    }

    /// What becomes final when all blocks up to this number do, with `best` as the best block,
    /// which may not be pending yet. `None` if nothing does.
    pub fn finalizing(&self, best: &Arc<Head>, number: BlockNumber) -> Option<FinalBlocks> {
        if number <= self.finalized.header.number {
            return None;
        }
        let is_final = |block: &&Arc<Head>| block.header.number <= number;
        let mut chosen: Vec<&Arc<Head>> = self.branch(best).filter(is_final).collect();
        chosen.reverse();
        let last = *chosen.last()?;
        let hashes: Vec<Hash> = chosen.iter().map(|block| block.hash).collect();
        let stay: HashSet<Hash> = hashes.iter().copied().collect();
        let mut pruned = Vec::new();
        for block in &self.pending {
            let stays = if block.header.number <= number {
                stay.contains(&block.hash)
            } else {
                !pruned.contains(&block.header.parent_hash)
            };
            if !stays {
                pruned.push(block.hash);
            }
        }
        Some(FinalBlocks {
            header: last.header.clone(),
            hashes,
            pruned,
        })
    }

    pub fn finalize(&mut self, blocks: &FinalBlocks) {
        let number = blocks.header.number;
        if let Some(last) = blocks.hashes.last()
            && let Some(block) = self.pending.iter().find(|block| block.hash == *last)
        {
            self.finalized = block.clone();
        }
        self.pending
            .retain(|block| block.header.number > number && !blocks.pruned.contains(&block.hash));
    }
}
