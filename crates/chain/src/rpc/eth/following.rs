//! What happens on the best branch between two looks at it, for those who are told at once and for those who ask.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::{block::Block, logs::Wanted};
use crate::{
    Chain,
    rpc::error::{RpcResult, internal},
    runtime::{BlockNumber, Hash, Header},
};

/// How many blocks of the best branch are remembered, to find out which of them were retracted.
const REMEMBERED: usize = 1024;

/// What is told of blocks.
pub enum Topic {
    Heads,
    Hashes,
    /// Hashes of the transactions of new blocks.
    Transactions,
    /// Logs of new blocks, and once more those of retracted blocks, as removed.
    Logs(Wanted),
}

impl Topic {
    /// What a block brings, or takes back.
    fn messages(&self, chain: &Chain, header: &Header, is_removed: bool) -> RpcResult<Vec<Value>> {
        let block = Block::read(chain, header)?;
        match self {
            Self::Heads | Self::Hashes | Self::Transactions if is_removed => Ok(Vec::new()),
            Self::Heads => Ok(vec![block.show_header()]),
            Self::Hashes => Ok(vec![json!(block.ethereum.hash)]),
            Self::Transactions => Ok(block.hashes().iter().map(|hash| json!(hash)).collect()),
            Self::Logs(wanted) => {
                let mut logs = wanted.of(chain, &block)?;
                for log in &mut logs {
                    log.removed = is_removed;
                }
                if is_removed {
                    logs.reverse();
                }
                Ok(logs.iter().map(|log| json!(log)).collect())
            }
        }
    }
}

/// What was told of the best branch, and what is to be told next.
pub struct Following {
    chain: Chain,
    topic: Topic,
    /// The last blocks of the branch that were told of, the oldest first.
    branch: VecDeque<(Hash, Header)>,
}

impl Following {
    /// Begins after this block.
    pub fn after(chain: Chain, topic: Topic, best: Hash, header: Header) -> Self {
        Self {
            chain,
            topic,
            branch: VecDeque::from([(best, header)]),
        }
    }

    /// The number of the last block that was told of.
    pub fn number(&self) -> BlockNumber {
        self.branch.back().map_or(0, |(_, header)| header.number)
    }

    /// The messages that lead to a new best block: of what was retracted, the newest first, then of
    /// all blocks up to the new one, the oldest first. Ends with the block that brings so many messages or more; the
    /// next time goes on with the one after it.
    pub fn lead_to(&mut self, best: Header, enough: usize) -> RpcResult<Vec<Value>> {
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        let mut next = best;
        if self
            .branch
            .back()
            .is_some_and(|(hash, _)| *hash == next.hash())
        {
            return Ok(Vec::new());
        }
        loop {
            while let Some((hash, header)) = self.branch.pop_back() {
                if header.number < next.number {
                    self.branch.push_back((hash, header));
                    break;
                }
                removed.push(header);
            }
            let parent = next.parent_hash;
            added.push(next);
            match self.branch.back() {
                Some((hash, _)) if *hash != parent => {
                    match self.chain.header(&parent).map_err(internal)? {
                        Some(header) => next = header,
                        None => break,
                    }
                }
                // They meet, or nothing is remembered that far back.
                Some(_) | None => break,
            }
        }
        let mut messages = Vec::new();
        for header in removed {
            messages.extend(self.topic.messages(&self.chain, &header, true)?);
        }
        for header in added.into_iter().rev() {
            if messages.len() >= enough {
                break;
            }
            messages.extend(self.topic.messages(&self.chain, &header, false)?);
            self.branch.push_back((header.hash(), header));
        }
        // What is below the last final block is not retracted.
        let last = self.chain.finalized().1.number;
        let is_final = |(_, header): &&(Hash, Header)| header.number < last;
        let settled = self.branch.iter().take_while(is_final).count();
        let forgotten = settled
            .max(self.branch.len().saturating_sub(REMEMBERED))
            // By the last one the next look finds out where to begin.
            .min(self.branch.len().saturating_sub(1));
        self.branch.drain(..forgotten);
        Ok(messages)
    }
}
