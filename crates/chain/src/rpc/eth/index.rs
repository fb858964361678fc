//! Where blocks and transactions of Ethereum are, by their hashes.
//!
//! The chain knows its blocks by other hashes. So the best branch is read from the newest block back
//! to the oldest, as far as requests need it, and what was read is remembered. A wallet asks for what
//! has just happened, so that a long chain is read to its beginning only for a hash that no block
//! has.

use std::collections::{HashMap, VecDeque};

use parking_lot::Mutex;
use sp_core::H256;

use super::block::Block;
use crate::{
    Chain,
    rpc::error::{RpcResult, internal},
    runtime::{BlockNumber, Hash, Header},
};

/// How many blocks are read before other requests get a turn.
const TURN: u32 = 256;

/// A block that was read.
struct Entry {
    /// By which the chain knows it.
    hash: Hash,
    /// By which Ethereum's clients know it.
    name: H256,
    transactions: Vec<H256>,
}

#[derive(Default)]
struct Known {
    /// The number of the first block in `branch`.
    first: BlockNumber,
    /// Blocks of the best branch that follow each other, the oldest first.
    branch: VecDeque<Entry>,
    blocks: HashMap<H256, BlockNumber>,
    transactions: HashMap<H256, BlockNumber>,
}

impl Known {
    /// The number of the block after the last one. `None`: no block was read.
    fn next(&self) -> Option<BlockNumber> {
        (!self.branch.is_empty()).then(|| self.first + self.branch.len() as u32)
    }

    fn note(&mut self, number: BlockNumber, entry: &Entry) {
        self.blocks.insert(entry.name, number);
        for transaction in &entry.transactions {
            self.transactions.insert(*transaction, number);
        }
    }

    /// Forgets the newest block.
    fn pop(&mut self) {
        if let Some(entry) = self.branch.pop_back() {
            self.blocks.remove(&entry.name);
            for transaction in &entry.transactions {
                self.transactions.remove(transaction);
            }
        }
    }

    /// Forgets the blocks that are not on the best branch any more, and reads the new ones, at most
    /// [`TURN`] of them. Tells whether there are more.
    fn follow(&mut self, chain: &Chain) -> RpcResult<bool> {
        while let (Some(entry), Some(next)) = (self.branch.back(), self.next())
            && chain.hash_of(next - 1).map_err(internal)? != Some(entry.hash)
        {
            self.pop();
        }
        let best = chain.best().1;
        let first = match self.next() {
            Some(next) => next,
            None => {
                self.first = best.number;
                best.number
            }
        };
        for number in first..=best.number {
            if number - first == TURN {
                return Ok(true);
            }
            let Some((hash, header)) = numbered(chain, number)? else {
                // The best branch was replaced by another in the meantime.
                return Ok(true);
            };
            if self
                .branch
                .back()
                .is_some_and(|last| last.hash != header.parent_hash)
            {
                return Ok(true);
            }
            let entry = read(chain, hash, &header)?;
            self.note(number, &entry);
            self.branch.push_back(entry);
        }
        Ok(false)
    }

    /// Reads older blocks, at most [`TURN`] of them. Tells whether there are more.
    fn go_back(&mut self, chain: &Chain) -> RpcResult<bool> {
        for _ in 0..TURN {
            let (Some(oldest), Some(number)) = (self.branch.front(), self.first.checked_sub(1))
            else {
                return Ok(false);
            };
            let hash = match chain.header(&oldest.hash).map_err(internal)? {
                Some(header) => header.parent_hash,
                None => return Ok(false),
            };
            let Some(header) = chain.header(&hash).map_err(internal)? else {
                return Ok(false);
            };
            let entry = read(chain, hash, &header)?;
            self.note(number, &entry);
            self.branch.push_front(entry);
            self.first = number;
        }
        Ok(self.first > 0)
    }
}

/// The hash and header of the best branch's block of this number.
fn numbered(chain: &Chain, number: BlockNumber) -> RpcResult<Option<(Hash, Header)>> {
    let Some(hash) = chain.hash_of(number).map_err(internal)? else {
        return Ok(None);
    };
    let header = chain.header(&hash).map_err(internal)?;
    Ok(header.map(|header| (hash, header)))
}

fn read(chain: &Chain, hash: Hash, header: &Header) -> RpcResult<Entry> {
    let block = Block::read(chain, header)?;
    Ok(Entry {
        hash,
        name: block.ethereum.hash,
        transactions: block.hashes().to_vec(),
    })
}

/// Where blocks and transactions are.
#[derive(Default)]
pub struct Index(Mutex<Known>);

impl Index {
    /// The number of the best branch's block with this hash.
    pub fn block(&self, chain: &Chain, hash: &H256) -> RpcResult<Option<BlockNumber>> {
        self.find(chain, |known| known.blocks.get(hash).copied())
    }

    /// The number of the best branch's block with this transaction.
    pub fn transaction(&self, chain: &Chain, hash: &H256) -> RpcResult<Option<BlockNumber>> {
        self.find(chain, |known| known.transactions.get(hash).copied())
    }

    fn find(
        &self,
        chain: &Chain,
        look_up: impl Fn(&Known) -> Option<BlockNumber>,
    ) -> RpcResult<Option<BlockNumber>> {
        loop {
            let mut known = self.0.lock();
            if known.follow(chain)? {
                continue;
            }
            if let Some(number) = look_up(&known) {
                return Ok(Some(number));
            }
            let is_more = known.go_back(chain)?;
            if let Some(number) = look_up(&known) {
                return Ok(Some(number));
            }
            if !is_more {
                return Ok(None);
            }
        }
    }
}
